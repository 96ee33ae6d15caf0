"""Random nonlinear mixing: z_hat = Q_L s(Q_(L-1) .. s(Q_1 z)), L = layers, m = d.

Q_l are random orthogonal (d, d); s is the leaky rectifier, s(x) = x for x > 0 and 0.2 x below. Every
layer is invertible, and so is the whole. layers = 1 is a rotation (linearly_entangled of kappa = 1).

Source: ours; such networks are the usual mixing of nonlinear independent component analysis.
"""

import numpy as np

from custodes.checks import require_count

SLOPE = 0.2


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m, layers=2):
    """Raise ValueError unless m = d >= 2 and layers >= 1."""
    require_count("d", d, 2, reason="one factor cannot be mixed")
    require_count("m", m, d, d, "every layer is square, m = d")
    require_count("layers", layers, 1)


def encode(z, rng, m, layers=2):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`.

    Draws standard_normal((d, d)) for each layer, whose QR decomposition gives Q_l.
    """
    check(z.shape[1], m, layers)
    codes = z @ _orthogonal(rng, m).T
    for _ in range(layers - 1):
        codes = np.where(codes > 0, codes, SLOPE * codes) @ _orthogonal(rng, m).T
    return codes


def _orthogonal(rng, d):
    return np.linalg.qr(rng.standard_normal((d, d))).Q
