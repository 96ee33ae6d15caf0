"""Discrete factors: z_ij uniform on 0, 1, .., levels - 1, independent.

With few levels the same row occurs many times: levels^d rows are possible.

Source: ours; neither the paper nor the reference implementation has it.
"""

from custodes.checks import require_count


def check(d, levels=5):
    """Raise ValueError unless d >= 1 and levels >= 2."""
    require_count("d", d, 1)
    require_count("levels", levels, 2, reason="a factor of one level is constant")


def redundant_factors(d, **parameters):
    """Return the indices of factors that are functions of others: none."""
    return ()


def sample(rng, n, d, levels=5):
    """Return n samples of d factors, whole numbers as float64 (n, d), no units.

    Draws integers(levels, size=(n, d)). Errors as in `check`.
    """
    check(d, levels)
    require_count("n", n, 1)
    return rng.integers(levels, size=(n, d)).astype(float)
