"""Focus: whether every code is about one factor, and every factor can be read from its codes.

Source: none; made for the four properties of "Who guards the guardians?" (section 3); docs/focus.md has the evidence.
Factors z (n, d), codes z_hat (n, m); all fits are judged on rows left out one by one. Range [0, 1].

target = "elementwise" (invertible functions of single factors): all is done on ranks.
1. Shares Q (m, d). Code j is predicted from each factor alone, by a line and by the mean of the two rows
   next to it in the order of the factor, and from all factors by least squares with coefficients b_ji (d).
   E_j = least unexplained share of its variance. If one factor did best, Q_ji = 1 - E_j for that one and
   0 for the others; else Q_ji = (1 - E_j) b_ji^2 / sum_k b_jk^2, which are Sobol indices under independent
   factors with the same marginals, and so do not move with the dependence of the factors.
2. purity_i = sum_j Q_ji^2 / sum_j Q_ji: the average share of factor i in the codes, weighted by itself. It is
   over all codes and not the best few, so that more codes of a kind neither raise nor lower it.
3. recovery_i = R^2 of factor i from all codes by least squares, or from the two rows nearest in its own
   codes, those with Q_ji >= 1/2, if that is higher.
4. focus = mean_i min(purity_i, recovery_i); focus_purity, focus_recovery = the means of the two.
Factors whose ranks are equal or opposite are one. A factor that no code shows (sum_j Q_ji < 1/2) but that is an
exact function (core/laws.py) of factors with min >= 1/2 has their mean purity and mean recovery.

target = "affine": the same on values, least squares only, with linear laws; purity_i is then the largest share
of factor i in a linear readout of the codes under independent factors, a_i' (A A' + N)^-1 a_i for codes
A z + noise of covariance N, where a_i (m,) is column i of A (m, d).

Constants: MOSTLY = 1/2, a majority of one code's variance. LAW_TOLERANCE = .005: Gaussian factors of
correlation .99 leave .011 of each other, which is no law. MIN_ROWS = 20: below, null codes score above .05.
Limits: E_j counts what codes owe to several factors jointly as noise. Laws that are no polynomial of degree 2
are missed, and with too few rows for their terms; correlations above .995 pass for laws, and mixtures of such factors
for single factors. Functions of no direction (|z|) lose recovery. "factor_monotone" is true but for laws.
"""

from typing import NamedTuple

import numpy as np

from scripts.core.arrays import check_pair, constant_columns, ranks, standardise
from scripts.core.errors import Undefined
from scripts.core.folds import in_canonical_order
from scripts.core.laws import law_errors
from scripts.core.leave_one_out import linear_errors, neighbour_errors
from scripts.core.parameters import require_choice
from scripts.core.threads import one_thread

SCORES = {"focus": (0.0, 1.0), "focus_purity": (0.0, 1.0), "focus_recovery": (0.0, 1.0)}
NEEDS = "paired samples"
INVARIANCES = (
    "code_permutation",
    "code_scale",
    "code_shift",
    "code_monotone",
    "factor_permutation",
    "factor_scale",
    "factor_shift",
    "factor_monotone",
)

# What `without` can switch off, for an ablation.
COMMON = ("left-out rows", "copies", "laws", "purity", "recovery", "minimum")
OWN = ("ranks", "factor neighbours", "factor lines", "all factors", "unexplained share", "code neighbours")
PIECES = {"elementwise": COMMON + OWN, "affine": COMMON}

MIN_ROWS = 20
MOSTLY = 0.5
LAW_TOLERANCE = 0.005
COPY_TOLERANCE = 1e-9  # of 1 - |correlation|: rounding noise
READOUT_FLOOR = 1e-9  # in units of a code's variance: codes may be dependent


class Parts(NamedTuple):
    """What the score is made of."""

    factors: np.ndarray  # columns of z that vary, k of them
    purity: np.ndarray  # (k,)
    recovery: np.ndarray  # (k,)
    shares: np.ndarray  # (m, k); factors that are one have the same column


def score(z, z_hat, rng, *, split=None, target="elementwise", without=None):
    """Focus of factors z (n, d) and codes z_hat (n, m); see the module. Draws nothing from rng.

    split: (train, test) row indices: the test rows are scored, and fitted; None: all rows.
    without: a piece of the definition to leave out, one of PIECES[target] (docs/focus.md).
    Raises Undefined below 20 scored rows and where no factor varies.
    """
    _, purity, recovery, _ = parts(z, z_hat, split=split, target=target, without=without)
    each = purity * recovery if without == "minimum" else np.minimum(purity, recovery)
    return {
        "focus": float(each.mean()),
        "focus_purity": float(purity.mean()),
        "focus_recovery": float(recovery.mean()),
    }


def parts(z, z_hat, *, split=None, target="elementwise", without=None):
    """The Parts of a score: purity and recovery of every factor that varies, shares of the codes.

    Arguments and errors as for `score`.
    """
    require_choice("target", target, tuple(PIECES))
    require_choice("without", without, (None, *PIECES[target]))
    z, z_hat = check_pair(z, z_hat)
    if split is not None:
        z, z_hat = z[split[1]], z_hat[split[1]]
    if len(z) < MIN_ROWS:
        raise Undefined(f"focus needs {MIN_ROWS} scored rows, got {len(z)}")
    z, z_hat = in_canonical_order(z, z_hat)
    factors, codes = (np.flatnonzero(~constant_columns(x)) for x in (z, z_hat))
    if len(factors) == 0:
        raise Undefined("focus: no factor varies")
    purity, recovery = np.zeros((2, len(factors)))
    shares = np.zeros((z_hat.shape[1], len(factors)))
    if len(codes) > 0:
        with one_thread():
            purity, recovery, shares[codes] = _parts(z[:, factors], z_hat[:, codes], target, without)
    return Parts(factors, purity, recovery, shares)


def _parts(z, z_hat, target, without):
    ranked = target == "elementwise" and without != "ranks"
    factor, code = (_unit(ranks(x) if ranked else x) for x in (z, z_hat))
    first = np.arange(factor.shape[1])
    if without != "copies":
        first = (np.abs(factor.T @ factor) / len(factor) > 1 - COPY_TOLERANCE).argmax(axis=1)
    kept, place = np.unique(first, return_inverse=True)
    factor = factor[:, kept]
    leave_out = without != "left-out rows"
    unexplained, weights = linear_errors(factor, code, leave_out)
    error = linear_errors(code, factor, leave_out)[0]
    shares = _joint_shares(unexplained, weights)
    if target == "elementwise":
        shares = _with_single_factors(shares, unexplained, factor, code, without)
        purity = _average_share(shares, without)
        if without != "code neighbours":
            error = np.minimum(error, _errors_of_own_codes(shares, factor, code))
    else:
        purity = _largest_share(weights, code - factor @ weights)
    recovery = np.clip(1 - error, 0.0, 1.0)
    if without == "purity":
        purity = np.ones_like(purity)
    if without == "recovery":
        recovery = np.ones_like(recovery)
    if without != "laws":
        _add_lawful(purity, recovery, shares, z[:, kept], target)
    return purity[place], recovery[place], shares[:, place]


def _unit(x):
    return standardise(x, x)[0]


def _joint_shares(unexplained, weights):
    """Shares (m, d) from coefficients (d, m) of all factors; a code with coefficients of 0 has none."""
    squares = weights.T**2
    total = squares.sum(axis=1, keepdims=True)
    return squares / np.where(total > 0, total, 1.0) * np.clip(1 - unexplained, 0.0, 1.0)[:, None]


def _with_single_factors(shares, unexplained, factor, code, without):
    """The shares (m, d), replaced for codes that one factor predicts as well as all do."""
    alone = np.full((factor.shape[1], code.shape[1]), np.inf)
    for column, errors in zip(factor.T, alone, strict=True):
        if without != "factor neighbours":
            errors[:] = neighbour_errors(column[:, None], code)
        if without != "factor lines":
            errors[:] = np.minimum(errors, linear_errors(column[:, None], code)[0])
    best = alone.argmin(axis=0)
    least = alone[best, np.arange(len(best))]
    single = (least <= unexplained) | (without == "all factors")
    own = np.eye(len(alone))[best] * np.clip(1 - least, 0.0, 1.0)[:, None]
    return np.where(single[:, None], own, shares)


def _average_share(shares, without):
    total = shares.sum(axis=0)
    if without == "unexplained share":
        explained = shares.sum(axis=1, keepdims=True)
        squares = shares**2 / np.where(explained > 0, explained, 1.0)
    else:
        squares = shares**2
    return squares.sum(axis=0) / np.where(total > 0, total, 1.0)


def _largest_share(weights, noise):
    spread = weights.T @ weights + noise.T @ noise / len(noise) + READOUT_FLOOR * np.eye(noise.shape[1])
    return np.clip(np.einsum("dm,md->d", weights, np.linalg.solve(spread, weights.T)), 0.0, 1.0)


def _errors_of_own_codes(shares, factor, code):
    errors = np.full(factor.shape[1], np.inf)
    own = shares >= MOSTLY
    for i in np.flatnonzero(own.any(axis=0)):
        errors[i] = neighbour_errors(code[:, own[:, i]], factor[:, [i]])[0]
    return errors


def _add_lawful(purity, recovery, shares, z, target):
    """Give factors that no code shows but that others determine the mean purity and recovery of these."""
    known = np.minimum(purity, recovery) >= MOSTLY
    hidden = np.flatnonzero(shares.sum(axis=0) < MOSTLY)
    if known.any() and len(hidden) > 0:
        errors = law_errors(z[:, known], z[:, hidden], products=target == "elementwise")
        lawful = hidden[errors < LAW_TOLERANCE]
        purity[lawful], recovery[lawful] = purity[known].mean(), recovery[known].mean()
