"""Annealed VAE: the divergence from the prior is held at a capacity that grows while the model learns.

Paper: Burgess et al. (2018), "Understanding disentangling in beta-VAE", equation 8. For a batch of B images
and L latents the loss, in nats per image, is

    mean_b [-log p(x_b | z_b)] + gamma |mean_b KL(q(z | x_b) || N(0, I)) - C|,
    C = c_max min(1, step / iteration_threshold) nats,    z_b (L,) one sample of q(z | x_b).

No departure. Steps count from 0. A training shorter than `iteration_threshold` steps ends below c_max.
"""

from custodes.checks import require_count, require_real
from custodes.vae.posteriors import kl

SETTINGS = tuple(
    {"gamma": 1000.0, "c_max": c_max, "iteration_threshold": 100_000}
    for c_max in (5.0, 10.0, 25.0, 50.0, 75.0, 100.0)
)


def check(gamma=1000.0, c_max=25.0, iteration_threshold=100_000):
    """Raise ValueError unless gamma, c_max >= 0 and iteration_threshold >= 1."""
    require_real("gamma", gamma, 0)
    require_real("c_max", c_max, 0)
    require_count("iteration_threshold", iteration_threshold, 1)


def capacity(step, c_max, iteration_threshold):
    """C at a step, in nats."""
    return c_max * min(1.0, step / iteration_threshold)


def penalise(mean, log_var, z, step, gamma=1000.0, c_max=25.0, iteration_threshold=100_000):
    """What the loss adds to the reconstruction error, by name; mean, log_var and z (B, L)."""
    excess = kl(mean, log_var) - capacity(step, c_max, iteration_threshold)
    return {"capacity": gamma * excess.abs()}
