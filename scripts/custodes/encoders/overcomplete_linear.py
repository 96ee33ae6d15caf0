"""E5, overcomplete elementwise linear: z_hat_j = a_j z_sigma(j), m >= d.

|a_j| is uniform on [0.5, 2), its sign random; sigma holds each factor once and m - d more drawn
with replacement, shuffled.

Source: "Who guards the guardians?", Sec. 2.2 and App. D.2 (E5). No departure from the reference
implementation.
"""

from custodes.checks import require_count
from custodes.synthetic.code_draws import draw_signed_scales, draw_sources


def default_m(d):
    """Return the number of codes where a grid gives none: d + 1."""
    return d + 1


def check(d, m):
    """Raise ValueError unless m >= d."""
    require_count("m", m, d, reason="every factor is shown, m >= d")


def encode(z, rng, m):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`.

    Draws sources (extra, shuffle), scales, signs.
    """
    d = z.shape[1]
    check(d, m)
    sources = draw_sources(rng, d, m)
    return z[:, sources] * draw_signed_scales(rng, m)
