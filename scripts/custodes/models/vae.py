"""VAE: variational autoencoder.

Paper: Kingma and Welling (2014), "Auto-Encoding Variational Bayes", equation 10. For a batch of B images
and L latents the loss, in nats per image, is

    mean_b [-log p(x_b | z_b) + KL(q(z | x_b) || N(0, I))],    z_b (L,) one sample of q(z | x_b).

No departure. The first setting of the beta-VAE is the same model.
"""

from custodes.vae.posteriors import kl

SETTINGS: tuple[dict, ...] = ({},)


def check():
    """Nothing to check: there is no hyperparameter."""


def penalise(mean, log_var, z, step):
    """What the loss adds to the reconstruction error, by name; mean, log_var and z (B, L)."""
    return {"kl": kl(mean, log_var)}
