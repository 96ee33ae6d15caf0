"""Independent factors (D_perp) whose every row occurs `copies` times, one after the other.

A sample of n rows then tells as much as n / copies of them, and a row that is held out has its
copies among those that are fitted. Codes repeat with the rows under encoders that draw no noise,
and under null_repeated.

Source: ours; neither the paper nor the reference implementation has it.
"""

import numpy as np

from custodes.checks import require_count


def check(d, copies=2):
    """Raise ValueError unless d >= 1 and copies >= 1."""
    require_count("d", d, 1)
    require_count("copies", copies, 1)


def redundant_factors(d, **parameters):
    """Return the indices of factors that are functions of others: none."""
    return ()


def sample(rng, n, d, copies=2):
    """Return n samples of d factors, float64 (n, d), unit variance, no units.

    Draws standard_normal((ceil(n / copies), d)); the last row has fewer copies where n is no
    multiple of them. Errors as in `check`.
    """
    check(d, copies)
    require_count("n", n, 1)
    return np.repeat(rng.standard_normal((-(-n // copies), d)), copies, axis=0)[:n]
