"""Independent factors (D_perp): z_ij ~ N(0, 1), independent.

Source: "Who guards the guardians?", Sec. 2.1 and App. D.1. Standard normal, as in the reference
implementation (the appendix's canonical example is uniform). No departure.
"""

from custodes.checks import require_count


def check(d):
    """Raise ValueError unless d is a whole number, at least 1."""
    require_count("d", d, 1)


def redundant_factors(d):
    """Return the indices of factors that are functions of others: none."""
    return ()


def sample(rng, n, d):
    """Return n samples of d factors, float64 (n, d), unit variance, no units.

    Draws standard_normal((n, d)). Errors as in `check`.
    """
    check(d)
    require_count("n", n, 1)
    return rng.standard_normal((n, d))
