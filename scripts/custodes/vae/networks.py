"""Encoders and decoders of the variational autoencoders, and the discriminator of the FactorVAE.

An autoencoder has two parts, `encoder` and `decoder`. Images x (B, C, side, side) with values in [0, 1] are
encoded to the mean and log variance (B, L) of a Gaussian posterior; codes z (B, L) are decoded to the logits
of independent Bernoulli pixels. `description` holds the arguments that it was made with.

mlp   images of 32 pixels: two hidden layers of `width` units on either side
conv  images of 64 pixels: convolutions of 32, 32, 64 and 64 filters, 4 x 4 with stride 2, and a dense layer
      of `width` units (256 in the studies that compare the models); the decoder mirrors them

ReLU throughout, Glorot's uniform initial weights, zero biases. The studies' published code has 2 x 2 filters
in the last two convolutions of the encoder; their text has 4 x 4.
"""

import io
import zipfile
from itertools import pairwise

from custodes.checks import require_choice, require_count
from custodes.errors import DamagedFile
from custodes.tables.files import replacing

SIDES = {"mlp": 32, "conv": 64}  # pixels
LEAK = 0.2  # slope below 0 of the discriminator's units


def check(network="mlp", latents=10, width=256):
    """Raise ValueError for an unknown network or a size below 1."""
    require_choice("network", network, tuple(SIDES))
    require_count("latents", latents, 1)
    require_count("width", width, 1)


def autoencoder(network, channels, latents, width, seed):
    """Encoder and decoder for images of `channels` channels, their initial weights drawn from `seed`."""
    import torch
    from torch import nn

    check(network, latents, width)
    require_choice("channels", channels, (1, 3))
    description = {"network": network, "channels": channels, "latents": latents, "width": width}
    with torch.device("meta"):  # no memory yet, and nothing drawn from the global generator
        encoder, decoder = {"mlp": _mlp, "conv": _conv}[network](channels, latents, width)
        parts = {"encoder": nn.Sequential(*encoder), "decoder": nn.Sequential(*decoder)}
        module = nn.ModuleDict(parts)
    module.description = description
    return _initialised(module, seed)


def discriminator(latents, layers, width, seed):
    """From codes z (B, L) to one logit each (B, 1), through `layers` hidden layers of `width` units."""
    import torch
    from torch import nn

    with torch.device("meta"):
        network = nn.Sequential(*_dense([latents, *[width] * layers, 1], nn.LeakyReLU(LEAK)))
    return _initialised(network, seed)


def posterior(network, x):
    """Mean and log variance (B, L) of q(z | x)."""
    return network["encoder"](x).chunk(2, dim=1)


def reconstruction_error(network, z, x):
    """Mean over the batch of -log p(x | z), in nats per image; grey pixels count as probabilities."""
    from torch.nn.functional import binary_cross_entropy_with_logits

    return binary_cross_entropy_with_logits(network["decoder"](z), x, reduction="sum") / len(x)


def decode(network, z):
    """Probabilities (B, C, side, side) of the pixels, given codes z (B, L)."""
    return network["decoder"](z).sigmoid()


def save(path, network):
    """Write an autoencoder: its weights and its sizes."""
    import torch

    weights = {name: value.cpu() for name, value in network.state_dict().items()}
    # By way of a buffer: the format stores the file's name, here a temporary one.
    buffer = io.BytesIO()
    torch.save({"description": network.description, "weights": weights}, buffer)
    with replacing(path) as temporary:
        temporary.write_bytes(buffer.getvalue())


def load(path):
    """Read an autoencoder from a file of `save`, in evaluation on the CPU."""
    stored = read(path)
    network = autoencoder(**stored["description"], seed=0)
    network.load_state_dict(stored["weights"])
    return network.eval()


def read(path):
    """What torch.save wrote; DamagedFile where it is cut short or altered, which PyTorch does not check."""
    import torch

    try:
        with zipfile.ZipFile(path) as archive:
            why = archive.testzip()
    except zipfile.BadZipFile as error:
        why = error
    if why is not None:
        raise DamagedFile(f"{path} is damaged; delete it and run again ({why})")
    return torch.load(path, map_location="cpu", weights_only=True)


def _mlp(channels, latents, width):
    from torch import nn

    side = SIDES["mlp"]
    pixels = channels * side * side
    encoder = [nn.Flatten(), *_dense([pixels, width, width, 2 * latents], nn.ReLU())]
    decoder = _dense([latents, width, width, pixels], nn.ReLU())
    return encoder, [*decoder, nn.Unflatten(1, (channels, side, side))]


def _conv(channels, latents, width):
    from torch import nn

    filters = (channels, 32, 32, 64, 64)
    smallest = SIDES["conv"] // 2 ** (len(filters) - 1)
    flat = filters[-1] * smallest * smallest
    down, up = [], []
    for before, after in pairwise(filters):
        down += [nn.Conv2d(before, after, 4, stride=2, padding=1), nn.ReLU()]
        up = [nn.ReLU(), nn.ConvTranspose2d(after, before, 4, stride=2, padding=1), *up]
    encoder = [*down, nn.Flatten(), nn.Linear(flat, width), nn.ReLU(), nn.Linear(width, 2 * latents)]
    dense = [nn.Linear(latents, width), nn.ReLU(), nn.Linear(width, flat)]
    return encoder, [*dense, nn.Unflatten(1, (filters[-1], smallest, smallest)), *up]


def _dense(sizes, activation):
    """Dense layers from each of `sizes` to the next, with the activation between them."""
    from torch import nn

    layers = [layer for pair in pairwise(sizes) for layer in (nn.Linear(*pair), activation)]
    return layers[:-1]


def _initialised(network, seed):
    """The network in memory, with weights drawn from a generator of its own."""
    import torch

    network.to_empty(device="cpu")
    generator = torch.Generator().manual_seed(seed)
    for parameter in network.parameters():
        if parameter.dim() > 1:
            torch.nn.init.xavier_uniform_(parameter, generator=generator)
        else:
            torch.nn.init.zeros_(parameter)
    return network
