"""E6, overcomplete, several codes per factor: z_hat_j = h_j(z_sigma(j)), m >= d.

h_0, .., h_6 (synthetic/nonlinearities.py) are cycled by the code index j; sigma as in overcomplete_linear.
With cross_factor the codes beyond the first d are products z_a z_b of two distinct factors, and the
first d show each factor once, in the order of first appearance in sigma. Codes of |z| > 7.08 can be
held at the largest double (sinh).

Source: "Who guards the guardians?", Sec. 2.2 and App. D.2 (E6), whose definition has cross-factor
codes. Departures: the reference implementation has none (`cross_factor` adds them); functions
"invertible" (default) replaces the published h_6, which is not monotone; "published" keeps it. The
two differ where a seventh code shows one factor.
"""

import numpy as np

from custodes.checks import require_choice, require_count
from custodes.synthetic.code_draws import draw_sources
from custodes.synthetic.nonlinearities import CODE_FUNCTIONS, apply_cycled


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d + 1."""
    return d + 1


def check(d, m, functions="invertible", cross_factor=False):
    """Raise ValueError unless m >= d, functions is known and cross_factor comes with m > d >= 2."""
    require_count("m", m, d, reason="every factor is shown, m >= d")
    require_choice("functions", functions, tuple(CODE_FUNCTIONS))
    require_choice("cross_factor", cross_factor, (False, True))
    if cross_factor:
        require_count("d", d, 2, reason="cross_factor needs two factors")
        require_count("m", m, d + 1, reason="cross_factor needs m > d")


def encode(z, rng, m, functions="invertible", cross_factor=False):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`.

    Draws sources (extra, shuffle), then with cross_factor the pair of each product.
    """
    d = z.shape[1]
    check(d, m, functions, cross_factor)
    sources = draw_sources(rng, d, m)
    if not cross_factor:
        return apply_cycled(CODE_FUNCTIONS[functions], z[:, sources])
    each_once = list(dict.fromkeys(sources))
    pairs = np.array([rng.choice(d, 2, replace=False) for _ in range(m - d)])
    products = z[:, pairs[:, 0]] * z[:, pairs[:, 1]]
    return np.hstack([apply_cycled(CODE_FUNCTIONS[functions], z[:, each_once]), products])
