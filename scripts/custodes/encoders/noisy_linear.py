"""E1 with noise: z_hat_j = a_j (z_pi(j) + noise e_j), e_j ~ N(0, 1), with pi a permutation, m = d.

|a_j| is uniform on [0.5, 2), its sign random. The correlation with a factor of unit variance is
1 / sqrt(1 + noise^2).

Source: ours; neither the paper nor the reference implementation has it.
"""

from custodes.checks import require_count, require_real
from custodes.synthetic.code_draws import draw_elementwise


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m, noise=0.3):
    """Raise ValueError unless m = d and noise (a standard deviation, in units of z) >= 0."""
    require_count("m", m, d, d, "one code per factor, m = d")
    require_real("noise", noise, 0)


def encode(z, rng, m, noise=0.3):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`.

    Draws scales, signs, permutation as E1, then standard_normal((n, m)).
    """
    check(z.shape[1], m, noise)
    scales, order = draw_elementwise(rng, m)
    return (z[:, order] + noise * rng.standard_normal((len(z), m))) * scales
