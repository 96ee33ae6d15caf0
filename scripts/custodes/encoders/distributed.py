"""E8, distributed: k codes of its own for each factor, which only together determine it; m = k d.

k = 2: sin z and cos z. k > 2: code c equals z where sigmoid(z) lies in (t_c, t_(c+1)] and 0
elsewhere; the thresholds 0 = t_0 < .. < t_k = 1 are drawn for each factor. The k codes sum to z.

Source: "Who guards the guardians?", Sec. 2.2 and App. D.2 (E8; another example there is V = a_1^2 +
a_2^2). Departure from the reference implementation: below z = -700 sigmoid(z) is 0, which
belongs to the lowest interval here.
"""

import numpy as np

from custodes.checks import require_count


def default_m(d, codes_per_factor=2):
    """Return the number of codes where a grid gives none: codes_per_factor * d."""
    return codes_per_factor * d


def check(d, m, codes_per_factor=2):
    """Raise ValueError unless codes_per_factor >= 2 and m = codes_per_factor * d."""
    require_count("codes_per_factor", codes_per_factor, 2)
    expected = codes_per_factor * d
    reason = f"codes_per_factor = {codes_per_factor} times d = {d}"
    require_count("m", m, expected, expected, reason)


def _split_by_interval(rng, factor, k):
    inner = np.sort(rng.random(k - 1))
    with np.errstate(over="ignore"):
        probability = 1 / (1 + np.exp(-factor))
    interval = np.searchsorted(inner, probability)
    return np.where(interval[:, None] == np.arange(k), factor[:, None], 0.0)


def encode(z, rng, m, codes_per_factor=2):
    """Return the codes of z (n, d), float64 (n, m), the k codes of a factor side by side.

    Draws a permutation, then for k > 2 the k - 1 inner thresholds of each factor, in permuted
    order. Errors as in `check`.
    """
    d = z.shape[1]
    check(d, m, codes_per_factor)
    shown = z[:, rng.permutation(d)]
    if codes_per_factor == 2:
        return np.stack([np.sin(shown), np.cos(shown)], axis=2).reshape(len(z), m)
    return np.hstack([_split_by_interval(rng, factor, codes_per_factor) for factor in shown.T])
