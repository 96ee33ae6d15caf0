"""Factor grids and codes for the tests of the scores that need classes."""

import numpy as np


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
