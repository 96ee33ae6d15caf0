"""Null code that repeats with the rows: z_hat_ij ~ N(0, 1), drawn once for all equal rows of z, any m >= 1.

On repeated_rows every pair (z, z_hat) occurs several times, so that a probe can look up a held-out
row among the fitted ones though the code knows nothing of the factors. Where no row of z is repeated
this is null_gaussian, its rows in another order. Not for few discrete rows, of which such a code is
a table.

Source: ours; neither the paper nor the reference implementation has it.
"""

import numpy as np

from custodes.checks import require_count


def default_m(d):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m):
    """Raise ValueError unless m >= 1."""
    require_count("m", m, 1)


def encode(z, rng, m):
    """Return float64 (n, m) for the n rows of z (n, d). Errors as in `check`.

    Draws standard_normal((distinct rows, m)), for the rows in increasing order.
    """
    check(z.shape[1], m)
    distinct, places = np.unique(z, axis=0, return_inverse=True)
    return rng.standard_normal((len(distinct), m))[places.ravel()]
