"""E4, undercomplete: z_hat_j = a_j z_i(j) for m < d of the factors.

|a_j| is uniform on [0.5, 2), its sign random. keep "sources" (default) drops redundant factors
first, in the order in which they are listed, then the leading ones; "last" and "first" keep the
last or first m columns; "random" keeps m at random. Kept columns stay in order.

Source: "Who guards the guardians?", Sec. 2.2 and App. D.2 (E4). Departure: the reference
implementation has "last" only, which at m = d - 1 drops the source z_1 of a constraint and keeps
the redundant z_2; the paper asks what happens when the redundant one is dropped. Without redundant
factors "sources" and "last" agree.
"""

import numpy as np

from custodes.checks import require_choice, require_count
from custodes.synthetic.code_draws import draw_signed_scales

KEEP = ("sources", "last", "first", "random")


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d - 1."""
    return d - 1


def check(d, m, keep="sources", redundant=()):
    """Raise ValueError unless 1 <= m < d, keep is known and redundant holds distinct columns."""
    require_count("m", m, 1, d - 1, "fewer codes than factors, m < d")
    require_choice("keep", keep, KEEP)
    for factor in redundant:
        require_count("redundant", factor, 0, d - 1, "column indices")
    if len(set(redundant)) < len(redundant):
        raise ValueError(f"redundant = {tuple(redundant)!r}: must name each column once")


def _kept(rng, d, m, keep, redundant):
    if keep == "first":
        return np.arange(m)
    if keep == "random":
        return np.sort(rng.choice(d, m, replace=False))
    dropped = list(redundant) if keep == "sources" else []
    dropped += [factor for factor in range(d) if factor not in dropped]
    return np.sort(dropped[d - m :])


def encode(z, rng, m, keep="sources", redundant=()):
    """Return the codes of z (n, d), float64 (n, m). Draws scales, signs, then the random subset.

    redundant: columns of z that are functions of others, from the distribution's redundant_factors;
    only keep "sources" uses them. Errors as in `check`.
    """
    d = z.shape[1]
    check(d, m, keep, redundant)
    scales = draw_signed_scales(rng, m)
    return z[:, _kept(rng, d, m, keep, redundant)] * scales
