"""Focus: whether every code is about one factor, and every factor can be read from the codes.

Source: ours, for the four properties of "Who guards the guardians?" (section 3); evidence: docs/focus.md.
Factors z (n, d), codes z_hat (n, m); every prediction is judged on the row it left out; where codes are
predicted, all rows with the same factors are left out together. Range [0, 1].

target="elementwise" (codes are invertible functions of single factors). On the ranks of all columns:
1. Q (m, d), shares of the factors in the variance of the codes. Code j is predicted from all factors by
   least squares with coefficients b_ji, and from each factor alone by a line and by the mean of the two
   rows next to it in the order of the factor. E_j: least unexplained share. If one factor alone does as
   well as all, Q_ji = 1 - E_j for it and 0 for the others, else Q_ji = (1 - E_j) b_ji^2 / sum_k b_jk^2: the
   shares under independent factors, which do not move with the dependence of the factors.
2. purity_i = sum_j Q_ji^2 / sum_j Q_ji: mean share of factor i in the codes, weighted by itself. Over all
   codes, not the best of them, so that more codes of a kind change nothing.
3. recovery_i = R2 of factor i predicted from all codes by least squares or, if that is higher, from the two
   rows that are nearest in the factor's own codes, those with Q_ji >= 1/2.
4. focus = mean_i min(purity_i, recovery_i). focus_purity and focus_recovery are the means of the two.
Factors of equal or opposite ranks are one. A factor that no code shows (sum_j Q_ji < 1/2) but that is an
exact function (exact_laws.py) of factors with min(purity, recovery) >= 1/2 has their mean parts.

target="affine" (codes are an injective affine map of the factors): on values, least squares and linear laws
only, and purity_i is the largest share of factor i in a linear readout of the codes (variance_shares.py).

Constants: MOSTLY, the majority of one code's variance. LAW_TOLERANCE: normal factors of correlation .99
leave .011 of each other unexplained, which is no law. MIN_ROWS: on fewer, codes of noise score above .05.
Limits: what a code owes to factors jointly (z1 z2) counts as noise. Only straight unmixing is tried: a factor
that several codes of others give by a curve loses recovery. Laws other than polynomials of degree 2
and functions of one factor are missed, and on fewer rows than terms all but the latter. Factors correlated
above .995 pass for lawful, their mixtures for single factors. Noise within the values of a discrete factor
counts, however small, since ranks know no size. Rows must be independent but for repeats: where a tenth of
them or more are, rows whose factors are all within a millionth of their middle half. "affine" needs factors
without exact linear laws for its purity. "factor_monotone" holds but for laws, which are polynomials.
"""

from typing import NamedTuple

import numpy as np

from custodes.checks import one_of, require_choice
from custodes.contracts import MONOTONE, PAIRED, Metric
from custodes.errors import Undefined
from custodes.metrics.focus.exact_laws import law_errors
from custodes.metrics.focus.leave_one_out import linear_errors, neighbour_errors
from custodes.metrics.focus.variance_shares import PREDICTORS, factor_shares, largest_share, mean_share
from custodes.statistics.columns import constant_columns, ranks, standardised
from custodes.statistics.equality import setting_of_rows
from custodes.statistics.folds import in_canonical_order
from custodes.statistics.inputs import column_names
from custodes.statistics.rows import scored_rows, varying_factors
from custodes.statistics.threads import one_thread

# What `without` can switch off, by target.
COMMON = ("left-out rows", "left-out repeats", "copies", "laws", "purity", "recovery", "minimum")
PIECES = {
    "elementwise": (*COMMON, "ranks", *PREDICTORS, "unexplained share", "code neighbours"),
    "affine": COMMON,
}

METRIC = Metric(
    scores={"focus": (0.0, 1.0), "focus_purity": (0.0, 1.0), "focus_recovery": (0.0, 1.0)},
    needs=PAIRED,
    invariant_to=MONOTONE,
    options={"target": one_of(*PIECES), "without": one_of(None, *PIECES["elementwise"])},
)

MOSTLY = 0.5
LAW_TOLERANCE = 0.005
MIN_ROWS = 20
REPEATED = 0.1  # share of rows that repeat others nearly, from which on these are settings measured again
ROUNDING = 1e-9  # correlations as near to 1 as this are 1


class Parts(NamedTuple):
    """What a score is made of."""

    factors: np.ndarray  # (k,), the columns of z that vary: their numbers, or names if z is a data frame
    purity: np.ndarray  # (k,)
    recovery: np.ndarray  # (k,)
    shares: np.ndarray  # Q (m, k); factors that are one have the same column


def check(*, target="elementwise", without=None):
    """Raise ValueError unless PIECES has the target, and for it the piece to leave out."""
    METRIC.check(target=target, without=without)
    require_choice("without", without, (None, *PIECES[target]))


def score(z, z_hat, rng=None, *, split=None, target="elementwise", without=None):
    """Focus of factors z (n, d) and codes z_hat (n, m); see the module. Draws nothing from rng.

    split: (train, test) row indices: only the test rows are used, each predicted from the others; None: all.
    without: a piece of PIECES[target] to leave out, for ablation: see `parts`; "minimum": the mean of the
    products of purity and recovery.
    Raises Undefined below 20 scored rows that differ and where no factor varies.
    """
    _, purity, recovery, _ = parts(z, z_hat, split=split, target=target, without=without)
    each = purity * recovery if without == "minimum" else np.minimum(purity, recovery)
    means = each.mean(), purity.mean(), recovery.mean()
    return {name: float(value) for name, value in zip(METRIC.scores, means, strict=True)}


def parts(z, z_hat, *, split=None, target="elementwise", without=None):
    """The Parts of a score; arguments and errors as for `score`.

    without: "left-out rows": straight fits are judged on their own rows; "left-out repeats": rows with the
    same factors are left out one by one; "copies": equal factors are several; "laws": no factor is excused;
    "purity", "recovery": that part is 1; "ranks": standardised values; "unexplained share": the shares of a
    code are first divided by their sum; else that predictor.
    """
    check(target=target, without=without)
    given = z
    z, z_hat = scored_rows(z, z_hat, split, "focus")
    distinct = len(np.unique(setting_of_rows(np.hstack([z, z_hat]))))
    if distinct < MIN_ROWS:
        raise Undefined(f"focus needs {MIN_ROWS} scored rows that differ, got {distinct}")
    if split is not None:
        z, z_hat = in_canonical_order(z, z_hat)
    z = _of_settings(z)
    factors, codes = varying_factors(z, "focus"), np.flatnonzero(~constant_columns(z_hat))
    purity, recovery = np.zeros((2, len(factors)))
    shares = np.zeros((z_hat.shape[1], len(factors)))
    if len(codes) > 0:
        with one_thread():
            purity, recovery, shares[codes] = _parts(z[:, factors], z_hat[:, codes], target, without)
    return Parts(column_names(given, z.shape[1])[factors], purity, recovery, shares)


def _parts(z, z_hat, target, without):
    elementwise, leave_out = target == "elementwise", without != "left-out rows"
    groups = None if without == "left-out repeats" else _repeats(z)
    ranked = elementwise and without != "ranks"
    factors, codes = (standardised(ranks(x) if ranked else x) for x in (z, z_hat))
    first = np.arange(z.shape[1])  # for each factor, the first that equals it
    if without != "copies":
        first = (np.abs(factors.T @ factors) / len(z) > 1 - ROUNDING).argmax(axis=1)
    distinct, place = np.unique(first, return_inverse=True)
    factors = factors[:, distinct]
    errors = linear_errors(codes, factors, leave_out)[0]
    if elementwise:
        predictors = [name for name in PREDICTORS if name != without]
        shares = factor_shares(factors, codes, predictors, leave_out, groups)
        purity = mean_share(shares, relative=without == "unexplained share")
        if without != "code neighbours":
            errors = np.minimum(errors, _errors_from_own_codes(shares, factors, codes))
    else:
        shares = factor_shares(factors, codes, ["all factors"], leave_out, groups)
        purity = largest_share(factors, codes)
    recovery = np.clip(1 - errors, 0.0, 1.0)
    if without == "purity":
        purity[:] = 1.0
    if without == "recovery":
        recovery[:] = 1.0
    purity, recovery, shares = purity[place], recovery[place], shares[:, place]
    if without != "laws":
        _excuse_lawful(purity, recovery, shares, z, products=elementwise)
    return purity, recovery, shares


def _of_settings(z):
    """Factors z (n, d) of which rows that repeat a setting have those of the setting's first row."""
    settings = setting_of_rows(z)
    _, first = np.unique(settings, return_index=True)
    return z[first][settings] if len(first) <= (1 - REPEATED) * len(z) else z


def _repeats(z):
    """Integers (n,) that rows of equal factors have in common; None where no row repeats."""
    rows, groups = np.unique(z, axis=0, return_inverse=True)
    return None if len(rows) == len(z) else groups.ravel()


def _errors_from_own_codes(shares, factors, codes):
    errors, own = np.full(factors.shape[1], np.inf), shares >= MOSTLY
    for i in np.flatnonzero(own.any(axis=0)):
        errors[i] = neighbour_errors(codes[:, own[:, i]], factors[:, [i]])[0]
    return errors


def _excuse_lawful(purity, recovery, shares, z, products):
    """Give hidden factors that are functions of known ones the mean parts of these, in place."""
    known = np.minimum(purity, recovery) >= MOSTLY
    hidden = np.flatnonzero(shares.sum(axis=0) < MOSTLY)
    if known.any() and len(hidden) > 0:
        rows = np.unique(z, axis=0)  # a row that repeats would tell of its own repeats
        errors = law_errors(rows[:, known], rows[:, hidden], products)
        lawful = hidden[errors < LAW_TOLERANCE]
        purity[lawful], recovery[lawful] = purity[known].mean(), recovery[known].mean()
