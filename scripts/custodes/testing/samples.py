"""Factors and codes on which metrics are tried, and the transformations that they may be invariant to."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from custodes.contracts import GRID, PAIRED

SCALES = np.array([1e-4, -1e6, 3.0, -0.5])
SHIFTS = np.array([3.0, -7.0, 50.0])


class Sample(NamedTuple):
    """What metrics of one need are tried on.

    example: function of the number of rows that gives three factors and four noisy codes, of which some mix
    and some bend the factors. factors: function of the numbers of rows and of factors. transformations:
    {invariance: function of factors and codes}. rows: usual number of them.
    """

    example: Callable
    factors: Callable
    transformations: Mapping
    rows: int


def continuous(n, d, seed=0):
    """Normal factors (n, d)."""
    return np.random.default_rng(seed).standard_normal((n, d))


def classes(n, d, seed=0):
    """Factors (n, d) of 3, 4, 5, 3, ... classes."""
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(3 + j % 3, size=n) for j in range(d)], axis=1).astype(float)


def _paired_example(n):
    rng = np.random.default_rng(1)
    z = rng.standard_normal((n, 3))
    clean = [z[:, 0] + 0.6 * z[:, 1], z[:, 1] - 0.4 * z[:, 2], z[:, 2] ** 3, np.tanh(z[:, 0])]
    return z, np.stack(clean, axis=1) + 0.2 * rng.standard_normal((n, 4))


def _grid_example(n):
    z = classes(n, 3)
    codes = z + 0.7 * np.random.default_rng(1).standard_normal(z.shape)
    bent = [codes[:, 0] - 0.5 * codes[:, 2], codes[:, 1] ** 3, np.tanh(codes[:, 2]), codes[:, 0]]
    return z, np.stack(bent, axis=1)


def _mixing(columns):
    return np.eye(columns) + 0.4 * np.tri(columns, k=-1)


PAIRED_TRANSFORMATIONS = {
    "code_permutation": lambda z, z_hat: (z, z_hat[:, ::-1]),
    "code_scale": lambda z, z_hat: (z, z_hat * SCALES[: z_hat.shape[1]]),
    "code_shift": lambda z, z_hat: (z, z_hat + 100 * np.arange(1, z_hat.shape[1] + 1)),
    "code_monotone": lambda z, z_hat: (z, np.exp(2 * z_hat)),
    "code_mixing": lambda z, z_hat: (z, z_hat @ _mixing(z_hat.shape[1])),
    "factor_permutation": lambda z, z_hat: (z[:, [1, 2, 0]], z_hat),
    "factor_scale": lambda z, z_hat: (z * SCALES[:3], z_hat),
    "factor_shift": lambda z, z_hat: (z + SHIFTS, z_hat),
    "factor_monotone": lambda z, z_hat: (np.exp(2 * z), z_hat),
}
GRID_TRANSFORMATIONS = PAIRED_TRANSFORMATIONS | {
    "factor_shift": lambda z, z_hat: (z + 0.1, z_hat),
    "factor_monotone": lambda z, z_hat: (np.exp(z), z_hat),
}
SAMPLES = {
    PAIRED: Sample(_paired_example, continuous, PAIRED_TRANSFORMATIONS, rows=160),
    GRID: Sample(_grid_example, classes, GRID_TRANSFORMATIONS, rows=400),
}
