"""Factor grids and codes for the tests of the scores that need classes."""

import numpy as np

SCALES = np.array([1e-4, -1e6, 3.0, -0.5, 2.0])


def drawn(sizes=(4, 4, 4), n=1500, seed=0):
    """Rows of a grid at random: classes 0, 1, ... of each factor, integers (n, factors)."""
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(size, size=n) for size in sizes], axis=1)


def crossed(*sizes, repeats=1):
    """Every combination of classes, `repeats` times."""
    grid = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij"), axis=-1).reshape(-1, len(sizes))
    return np.repeat(grid, repeats, axis=0)


def noisy(z, spread=0.5, seed=1):
    """One code for each factor, with Gaussian noise of `spread` classes."""
    return z + spread * np.random.default_rng(seed).standard_normal(z.shape)


def noise(z, codes=3, seed=2):
    """Codes (n, codes) that know nothing of z."""
    return np.random.default_rng(seed).standard_normal((len(z), codes))


TRANSFORMATIONS = {
    "code_permutation": lambda z, z_hat: (z, z_hat[:, ::-1]),
    "code_scale": lambda z, z_hat: (z, z_hat * SCALES[: z_hat.shape[1]]),
    "code_shift": lambda z, z_hat: (z, z_hat + 100 * np.arange(1, z_hat.shape[1] + 1)),
    "code_monotone": lambda z, z_hat: (z, np.exp(2 * z_hat)),
    "factor_permutation": lambda z, z_hat: (z[:, ::-1], z_hat),
    "factor_scale": lambda z, z_hat: (z * SCALES[: z.shape[1]], z_hat),
    "factor_shift": lambda z, z_hat: (z + 0.1, z_hat),
    "factor_monotone": lambda z, z_hat: (np.exp(z), z_hat),
}
