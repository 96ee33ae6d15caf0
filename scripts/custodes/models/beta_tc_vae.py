"""beta-TCVAE: the total correlation of the codes counts beta times.

Paper: Chen et al. (2018), "Isolating Sources of Disentanglement in Variational Autoencoders", equation 5
with alpha = gamma = 1. For a batch of B images and L latents the loss, in nats per image, is

    mean_b [-log p(x_b | z_b) + KL(q(z | x_b) || N(0, I))] + (beta - 1) KL(q(z) || prod_l q(z_l)),

z_b (L,) one sample of q(z | x_b), q(z) = mean over all images of q(z | x). beta = 1 is the VAE.

Departure: the total correlation is estimated with q(z) the mixture of the batch's posteriors, without the
constant of the paper's minibatch weights (equation 3), which does not change the gradient.
"""

from custodes.checks import require_real
from custodes.vae.posteriors import kl, total_correlation

SETTINGS = tuple({"beta": beta} for beta in (1.0, 2.0, 4.0, 6.0, 8.0, 10.0))


def check(beta=4.0):
    """Raise ValueError unless beta >= 0."""
    require_real("beta", beta, 0)


def penalise(mean, log_var, z, step, beta=4.0):
    """What the loss adds to the reconstruction error, by name; mean, log_var and z (B, L)."""
    return {
        "kl": kl(mean, log_var),
        "total_correlation": (beta - 1) * total_correlation(mean, log_var, z),
    }
