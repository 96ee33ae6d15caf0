"""DIP-VAE-II: the covariance of the codes is drawn towards the identity.

Paper: Kumar et al. (2018), "Variational Inference of Disentangled Latent Concepts from Unlabeled
Observations", equation 7. For a batch of B images and L latents the loss, in nats per image, is

    mean_b [-log p(x_b | z_b) + KL(q(z | x_b) || N(0, I))]
        + lambda_od sum_(i != j) C_ij^2 + lambda_d sum_i (C_ii - 1)^2,

z_b (L,) one sample of q(z | x_b),
C = covariance over the batch of the means of q(z | x_b), plus the mean of its variances, (L, L).

No departure. The paper leaves both weights free; the settings tie them, lambda_d = lambda_od,
as the studies that compare the models do.
"""

from custodes.checks import require_real
from custodes.vae.posteriors import covariance_of_means, distance_from_identity, kl

SETTINGS = tuple({"lambda_od": weight, "lambda_d": weight} for weight in (1.0, 2.0, 5.0, 10.0, 20.0, 50.0))


def check(lambda_od=10.0, lambda_d=10.0):
    """Raise ValueError unless both weights are >= 0."""
    require_real("lambda_od", lambda_od, 0)
    require_real("lambda_d", lambda_d, 0)


def penalise(mean, log_var, z, step, lambda_od=10.0, lambda_d=10.0):
    """What the loss adds to the reconstruction error, by name; mean, log_var and z (B, L)."""
    covariance = covariance_of_means(mean) + log_var.exp().mean(dim=0).diag()
    return {
        "kl": kl(mean, log_var),
        "covariance": distance_from_identity(covariance, lambda_od, lambda_d),
    }
