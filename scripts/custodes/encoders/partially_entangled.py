"""Partially entangled: z_hat_i = z_i + epsilon z_(i+1), the last with the first, m = d.

epsilon = 0 is the identity. The map is invertible but for epsilon = 1 with an even d, where the
alternating sum of the factors is lost.

Source: ours; the paper's example of three factors (App. F.1) entangles two of them alike.
"""

import numpy as np

from custodes.checks import require_count, require_real


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m, epsilon=0.3):
    """Raise ValueError unless m = d >= 2 and 0 <= epsilon <= 1."""
    require_count("d", d, 2, reason="one factor cannot be entangled")
    require_count("m", m, d, d, "one code per factor, m = d")
    require_real("epsilon", epsilon, 0, 1)


def encode(z, rng, m, epsilon=0.3):
    """Return the codes of z (n, d), float64 (n, m). Draws nothing. Errors as in `check`."""
    check(z.shape[1], m, epsilon)
    return z + epsilon * np.roll(z, -1, axis=1)
