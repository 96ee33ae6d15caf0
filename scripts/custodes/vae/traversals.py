"""Pictures that a trained autoencoder makes: reconstructions and latent traversals, as uint8 pixels."""

import numpy as np

from custodes import streams
from custodes.vae import minibatches, networks

TRAVERSED = np.linspace(-2, 2, 9)  # standard deviations of the prior
SHOWN = 12  # images that are reconstructed, the same for every model; the first is also traversed


def pictures(network, images, white, kl):
    """What a network makes of a few of its images, as arrays: see `traversed` and `reconstructed`.

    white: see `vae.minibatches`. kl (L,): mean divergence of each latent from the prior in nats. Returns
    `traversals`, the `values` of the latents in them, `reconstructions`, and `kl_per_latent`.
    """
    rows = streams.images(0).integers(len(images), size=SHOWN)
    side = networks.SIDES[network.description["network"]]
    x = minibatches.convert(images[rows], white, side, "cpu")
    return {
        "traversals": traversed(network, x[:1], TRAVERSED),
        "values": TRAVERSED,
        "reconstructions": reconstructed(network, x),
        "kl_per_latent": kl,
    }


def reconstructed(network, x):
    """Images x (n, C, side, side) and the decoded means of their posteriors, uint8 (2, n, side, side, C)."""
    import torch

    with torch.no_grad():
        mean, _ = networks.posterior(network, x)
        return np.stack([_pixels(x), _pixels(networks.decode(network, mean))])


def traversed(network, x, values):
    """Decoded codes in which one latent takes `values` (V,) and the others stay at the mean for an image.

    x (1, C, side, side) is that image. Returns uint8 (L, V, side, side, C).
    """
    import torch

    with torch.no_grad():
        mean, _ = networks.posterior(network, x)
        rows = []
        for latent in range(mean.shape[1]):
            z = mean.repeat(len(values), 1)
            z[:, latent] = torch.as_tensor(values, dtype=z.dtype)
            rows.append(_pixels(networks.decode(network, z)))
    return np.stack(rows)


def _pixels(x):
    """Values in [0, 1], (n, C, side, side), as uint8 (n, side, side, C)."""
    return (255 * x).round().byte().permute(0, 2, 3, 1).numpy()
