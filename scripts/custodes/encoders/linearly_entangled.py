"""E3, linearly entangled: z_hat = A z, A (d, d) of condition number kappa, m = d.

A = U diag(linspace(1, 1/kappa, d)) V^T, with U and V the singular vectors of a standard normal
matrix.

Source: "Who guards the guardians?", Sec. 2.2, Tab. 1 and App. D.2 (E3). The text says that kappa =
1 reduces to E1; here, as in the reference implementation, it is a random rotation. No departure.
"""

import numpy as np

from custodes.checks import require_count, require_real


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m, kappa=10.0):
    """Raise ValueError unless m = d >= 2 and kappa >= 1."""
    require_count("d", d, 2, reason="one factor cannot be entangled")
    require_count("m", m, d, d, "A is square, m = d")
    require_real("kappa", kappa, 1)


def mixing_matrix(rng, d, kappa):
    """Return A (d, d). Draws standard_normal((d, d))."""
    left, _, right = np.linalg.svd(rng.standard_normal((d, d)))
    return left @ np.diag(np.linspace(1, 1 / kappa, d)) @ right


def encode(z, rng, m, kappa=10.0):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`."""
    d = z.shape[1]
    check(d, m, kappa)
    return z @ mixing_matrix(rng, d, kappa).T
