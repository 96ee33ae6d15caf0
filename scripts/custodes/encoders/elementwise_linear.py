"""E1, elementwise linear: z_hat_j = a_j z_pi(j), with pi a permutation and m = d.

|a_j| is uniform on [0.5, 2), its sign random.

Source: "Who guards the guardians?", Sec. 2.2 and App. D.2 (E1). No departure from the reference
implementation.
"""

from custodes.checks import require_count
from custodes.synthetic.code_draws import draw_elementwise


def default_m(d):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m):
    """Raise ValueError unless m = d."""
    require_count("m", m, d, d, "one code per factor, m = d")


def encode(z, rng, m):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`.

    Draws scales, signs, permutation.
    """
    d = z.shape[1]
    check(d, m)
    scales, order = draw_elementwise(rng, d)
    return z[:, order] * scales
