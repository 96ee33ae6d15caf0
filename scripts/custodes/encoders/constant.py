"""Constant code, a control for collapsed encoders: z_hat_ij = value, any m >= 1.

Source: ours; neither the paper nor the reference implementation has it.
"""

import numpy as np

from custodes.checks import require_count, require_real


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m, value=0.0):
    """Raise ValueError unless m >= 1 and value is finite."""
    require_count("m", m, 1)
    require_real("value", value)


def encode(z, rng, m, value=0.0):
    """Return float64 (n, m) for the n rows of z (n, d). Errors as in `check`.

    Draws nothing.
    """
    check(z.shape[1], m, value)
    return np.full((len(z), m), float(value))
