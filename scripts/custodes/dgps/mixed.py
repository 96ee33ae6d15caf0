"""Factors of unlike laws, independent: Gaussian, heavy-tailed, binary and skewed in turn.

N(0, 1); Student t with 3 degrees of freedom; 0 or 1 with equal probability; exponential of mean 1.
Factor j (from 0) is multiplied by scale_ratio^(j / (d - 1)), so that the units of the last factor
are scale_ratio times those of the first.

Source: ours; neither the paper nor the reference implementation has it.
"""

import numpy as np

from custodes.checks import require_count, require_real

LAWS = (
    lambda rng, n: rng.standard_normal(n),
    lambda rng, n: rng.standard_t(3, n),
    lambda rng, n: rng.integers(2, size=n).astype(float),
    lambda rng, n: rng.exponential(size=n),
)


def check(d, scale_ratio=1.0):
    """Raise ValueError unless d >= 2 and scale_ratio >= 1."""
    require_count("d", d, 2, reason="one factor is not a mixture")
    require_real("scale_ratio", scale_ratio, 1)


def redundant_factors(d, **parameters):
    """Return the indices of factors that are functions of others: none."""
    return ()


def sample(rng, n, d, scale_ratio=1.0):
    """Return n samples of d factors, float64 (n, d), in units that differ as the module says.

    Draws factor by factor. Errors as in `check`.
    """
    check(d, scale_ratio)
    require_count("n", n, 1)
    columns = [LAWS[j % len(LAWS)](rng, n) for j in range(d)]
    return np.column_stack(columns) * scale_ratio ** np.linspace(0, 1, d)
