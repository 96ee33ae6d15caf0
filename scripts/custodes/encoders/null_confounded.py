"""Dependent null codes: z_hat_ij = sqrt(rho) c_i + sqrt(1 - rho) e_ij, independent of z, any m >= 1.

c_i (a confounder) and e_ij are N(0, 1): every pair of codes has the correlation rho, and none of
them knows anything of the factors.

Source: ours; neither the paper nor the reference implementation has it.
"""

from custodes.checks import require_count, require_real


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m, rho=0.9):
    """Raise ValueError unless m >= 1 and 0 <= rho <= 1."""
    require_count("m", m, 1)
    require_real("rho", rho, 0, 1)


def encode(z, rng, m, rho=0.9):
    """Return float64 (n, m) for the n rows of z (n, d). Errors as in `check`.

    Draws standard_normal((n, 1)), the confounder, then standard_normal((n, m)).
    """
    n, d = z.shape
    check(d, m, rho)
    return rho**0.5 * rng.standard_normal((n, 1)) + (1 - rho) ** 0.5 * rng.standard_normal((n, m))
