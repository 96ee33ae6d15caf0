"""E7, overcomplete, linearly entangled: z_hat = A z, A (m, d) of condition number kappa, m >= d.

A = U diag(linspace(1, 1/kappa, d)) V^T; U holds the first d columns of a random orthogonal (m, m)
matrix, V is random orthogonal (d, d).

Source: "Who guards the guardians?", Sec. 2.2 and App. D.2 (E7). No departure: as in the reference
implementation a normal (m, d) matrix is drawn first and not used, so that the draws that follow
agree.
"""

import numpy as np

from custodes.checks import require_count, require_real


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: 2 d."""
    return 2 * d


def check(d, m, kappa=10.0):
    """Raise ValueError unless m >= d >= 2 and kappa >= 1."""
    require_count("d", d, 2, reason="one factor cannot be entangled")
    require_count("m", m, d, reason="A has rank d, m >= d")
    require_real("kappa", kappa, 1)


def mixing_matrix(rng, d, m, kappa):
    """Return A (m, d). Draws standard_normal of (m, d), not used, then of (m, m) and (d, d)."""
    rng.standard_normal((m, d))
    left, _ = np.linalg.qr(rng.standard_normal((m, m)))
    right, _ = np.linalg.qr(rng.standard_normal((d, d)))
    return left[:, :d] @ np.diag(np.linspace(1, 1 / kappa, d)) @ right.T


def encode(z, rng, m, kappa=10.0):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`."""
    d = z.shape[1]
    check(d, m, kappa)
    return z @ mixing_matrix(rng, d, m, kappa).T
