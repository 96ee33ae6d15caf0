"""beta-VAE: the divergence from the prior counts beta times.

Paper: Higgins et al. (2017), "beta-VAE: Learning Basic Visual Concepts with a Constrained Variational
Framework", equation 4. For a batch of B images and L latents the loss, in nats per image, is

    mean_b [-log p(x_b | z_b) + beta KL(q(z | x_b) || N(0, I))],    z_b (L,) one sample of q(z | x_b).

beta = 1 is the VAE. No departure.
"""

from custodes.checks import require_real
from custodes.vae.posteriors import kl

SETTINGS = tuple({"beta": beta} for beta in (1.0, 2.0, 4.0, 6.0, 8.0, 16.0))


def check(beta=4.0):
    """Raise ValueError unless beta >= 0."""
    require_real("beta", beta, 0)


def penalise(mean, log_var, z, step, beta=4.0):
    """What the loss adds to the reconstruction error, by name; mean, log_var and z (B, L)."""
    return {"kl": beta * kl(mean, log_var)}
