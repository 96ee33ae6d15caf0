"""E1 with codes of noise: d codes a_j z_pi(j) as elementwise_linear, then m - d codes of N(0, 1).

|a_j| is uniform on [0.5, 2), its sign random; m >= d.

Source: ours; neither the paper nor the reference implementation has it.
"""

import numpy as np

from custodes.checks import require_count
from custodes.synthetic.code_draws import draw_elementwise


def default_m(d):
    """Return the number of codes where a grid gives none: 2 d."""
    return 2 * d


def check(d, m):
    """Raise ValueError unless m >= d."""
    require_count("m", m, d, reason="every factor has a code, m >= d")


def encode(z, rng, m):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`.

    Draws scales, signs, permutation as E1, then standard_normal((n, m - d)).
    """
    n, d = z.shape
    check(d, m)
    scales, order = draw_elementwise(rng, d)
    return np.hstack([z[:, order] * scales, rng.standard_normal((n, m - d))])
