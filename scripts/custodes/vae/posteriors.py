"""Gaussian posteriors q(z | x_b) = N(mean_b, diag exp log_var_b) of a batch of B images, L latents.

mean, log_var and z are tensors (B, L). Natural logarithms: everything is in nats.
"""

import math


def sample(mean, log_var, generator):
    """One sample z (B, L) of each posterior, through which gradients reach mean and log_var."""
    import torch

    noise = torch.randn(mean.shape, generator=generator, device=mean.device)
    return mean + (log_var / 2).exp() * noise


def kl_per_latent(mean, log_var):
    """Mean over the batch of KL(q(z_l | x) || N(0, 1)) = (mean^2 + var - log var - 1) / 2, shape (L,)."""
    return (mean.square() + log_var.exp() - log_var - 1).mean(dim=0) / 2


def kl(mean, log_var):
    """Mean over the batch of KL(q(z | x) || N(0, I)), a scalar."""
    return kl_per_latent(mean, log_var).sum()


def total_correlation(mean, log_var, z):
    """KL(q(z) || prod_l q(z_l)), estimated with q(z) the mixture of the batch's B posteriors, a scalar.

    mean_b [log q(z_b) - sum_l log q(z_bl)], with log q(z_b) = log sum_c q(z_b | x_c) - log B. Since z_b's
    own posterior is in the mixture the estimate cannot exceed (L - 1) log B, and it is too high where
    posteriors are narrow.
    """
    batch, latents = z.shape
    scaled = (z[:, None] - mean).square() * (-log_var).exp()
    log_density = -(scaled + log_var) / 2  # (B samples, B posteriors, L); the constant cancels below
    joint = log_density.sum(dim=2).logsumexp(dim=1)
    marginals = log_density.logsumexp(dim=1).sum(dim=1)
    return (joint - marginals).mean() + (latents - 1) * math.log(batch)


def covariance_of_means(mean):
    """Covariance (L, L) of the posterior means over the batch, divided by B."""
    centred = mean - mean.mean(dim=0)
    return centred.T @ centred / len(mean)


def distance_from_identity(covariance, lambda_od, lambda_d):
    """lambda_od sum_(i != j) C_ij^2 + lambda_d sum_i (C_ii - 1)^2 of a covariance C (L, L)."""
    variances = covariance.diagonal()
    off_diagonal = covariance - variances.diag()
    return lambda_od * off_diagonal.square().sum() + lambda_d * (variances - 1).square().sum()
