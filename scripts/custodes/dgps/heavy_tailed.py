"""Heavy-tailed factors: z_ij ~ Student t, independent, with `degrees_of_freedom` nu.

The variance is nu / (nu - 2) for nu > 2 and infinite below; nu = 1 is the Cauchy distribution.

Source: ours; neither the paper nor the reference implementation has it.
"""

from custodes.checks import require_count, require_real


def check(d, degrees_of_freedom=3.0):
    """Raise ValueError unless d >= 1 and degrees_of_freedom >= 1."""
    require_count("d", d, 1)
    require_real("degrees_of_freedom", degrees_of_freedom, 1)


def redundant_factors(d, **parameters):
    """Return the indices of factors that are functions of others: none."""
    return ()


def sample(rng, n, d, degrees_of_freedom=3.0):
    """Return n samples of d factors, float64 (n, d), no units.

    Draws standard_t(degrees_of_freedom, (n, d)). Errors as in `check`.
    """
    check(d, degrees_of_freedom)
    require_count("n", n, 1)
    return rng.standard_t(degrees_of_freedom, (n, d))
