"""Test-based measurement exclusivity (T-MEX).

Papers: Yao et al., "The third pillar of causal analysis? A measurement perspective on causal
representations", 2025; "Who guards the guardians?", section 3.
W_hat (m, d): code i is joined to factor j where a test rejects that they are independent given the
other factors, at level alpha. The test is the projected covariance measure (pcm.py),
its statistic averaged over nine random halvings of the rows, p = 1 - Phi(mean T).
W_hat is compared with the graph W that the representation claims. The claim here is that of exclusive
measurement, up to the names of the codes: min(m, d) codes are joined one to one to as many factors;
where m > d, every further code is one more measurement of a single factor, or of none (a measurement
model may measure a factor more than once). Of all graphs of this kind the nearest to W_hat is taken.

    tmex = 1 - tmex_errors / (m d)      [0, 1], 1 is best
    tmex_errors: entries in which W_hat and W differ; [0, m d], 0 is best: the original score
    tmex_precision, tmex_recall: edges of both, over those of W_hat (0 if it has none), over those of W

A test with linear regressions sees linear dependence only. regression="quadratic" turns every column into
normal scores, which changes no hypothesis, and regresses on factors, squares and products of two: it
also sees even functions and products, at the price of d (d + 3) / 2 regressors.
A factor that the others determine is never joined to a code: given them, it is constant. Factors that do
not vary are left out, of d too; a code that does not vary is joined to nothing.

Departures from the reference code (reached by correction="none", scale_free=False,
count_regressors=False, agreement="matching", min_rows=50 and a split): all rows; Holm's correction over
the m d tests; scale-free variance floor and direction (there an absolute floor, so that codes in small
units reject nothing); statistics that count the regressors; disagreeing entries rather than the share of
min(m, d) pairs that can be matched along edges, for which superfluous edges cost nothing; seeded halvings.
"""

import numpy as np

from custodes.checks import count, flag, one_of, real
from custodes.contracts import AFFINE, PAIRED, Metric
from custodes.metrics.tmex.pcm import linear, mean_statistic, quadratic, rejected
from custodes.statistics.columns import ranks, standardised, unit
from custodes.statistics.matching import best_matching
from custodes.statistics.rows import scored_rows, varying_factors
from custodes.statistics.threads import one_thread
from custodes.streams import generator

VARIANCE_FLOOR = 1e-12
REGRESSORS = {"linear": linear, "quadratic": quadratic}

METRIC = Metric(
    scores={
        "tmex": (0.0, 1.0),
        "tmex_errors": (0.0, np.inf),
        "tmex_precision": (0.0, 1.0),
        "tmex_recall": (0.0, 1.0),
    },
    needs=PAIRED,
    invariant_to=AFFINE,
    options={
        "regression": one_of(*REGRESSORS),
        "alpha": real(0, 1, ends=False),
        "halvings": count(1),
        "correction": one_of("holm", "none"),
        "scale_free": flag,
        "count_regressors": flag,
        "further_codes": one_of("one factor", "nothing"),
        "agreement": one_of("entries", "matching"),
        "min_rows": count(1),
    },
    lower_is_better=("tmex_errors",),
    chance={"tmex": 2 / 3, "tmex_errors": 3.0},  # three factors, three codes: no edge where three are claimed
    dead={"tmex": 2 / 3, "tmex_errors": 1.0},  # three factors, one code: no edge where one is claimed
)
check = METRIC.check


def score(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    regression="linear",
    alpha=0.05,
    halvings=9,
    correction="holm",
    scale_free=True,
    count_regressors=True,
    further_codes="one factor",
    agreement="entries",
    min_rows=20,
):
    """T-MEX of factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices: the test rows are scored; None: all rows.
    regression: "linear" or "quadratic". alpha: level, in (0, 1). halvings: 1 or more.
    correction: "holm" or "none". scale_free: standardised codes and a direction of unit length, so that
    the variance floor of 1e-12 is relative; False: absolute, in the units of the codes.
    count_regressors: statistics use the degrees of freedom, and Undefined without one.
    further_codes: what codes beyond d claim, "one factor" at most or "nothing".
    agreement: tmex as "entries", see the module, or "matching", the edges of a best matching / min(m, d).
    Raises Undefined below max(min_rows, 4) scored rows, and where no factor varies.
    """
    check(further_codes=further_codes, agreement=agreement)
    edges = graph(
        z,
        z_hat,
        rng,
        split=split,
        regression=regression,
        alpha=alpha,
        halvings=halvings,
        correction=correction,
        scale_free=scale_free,
        count_regressors=count_regressors,
        min_rows=min_rows,
    )
    edges = edges[:, varying_factors(scored_rows(z, z_hat, split, "tmex")[0], "tmex")]
    matched, further = _agreeing_edges(edges, further_codes)
    pairs, found = min(edges.shape), int(edges.sum())
    errors = found + pairs - 2 * matched - further
    return {
        "tmex": matched / pairs if agreement == "matching" else 1 - errors / edges.size,
        "tmex_errors": float(errors),
        "tmex_precision": (matched + further) / max(found, 1),
        "tmex_recall": (matched + further) / (pairs + further),
    }


def graph(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    regression="linear",
    alpha=0.05,
    halvings=9,
    correction="holm",
    scale_free=True,
    count_regressors=True,
    min_rows=20,
):
    """The estimated graph W_hat, boolean (m, d): code i depends on factor j given the other factors.

    Arguments and errors as for `score`; the column of a factor that does not vary is False.
    """
    from scipy.special import ndtr

    check(
        regression=regression,
        alpha=alpha,
        halvings=halvings,
        correction=correction,
        scale_free=scale_free,
        count_regressors=count_regressors,
        min_rows=min_rows,
    )
    z, z_hat = scored_rows(z, z_hat, split, "tmex", max(min_rows, 4))
    varying = varying_factors(z, "tmex")
    if regression == "quadratic":
        z, z_hat = _normal_scores(z), _normal_scores(z_hat)
    with one_thread():
        statistic = mean_statistic(
            standardised(z)[:, varying],
            standardised(z_hat),
            generator(rng),
            features=REGRESSORS[regression],
            halvings=halvings,
            floor=VARIANCE_FLOOR if scale_free else _absolute_floor(z_hat),
            scale_free=scale_free,
            count_regressors=count_regressors,
        )
    edges = np.zeros((z_hat.shape[1], z.shape[1]), dtype=bool)
    edges[:, varying] = rejected(ndtr(-statistic), alpha, correction)
    return edges


def _normal_scores(x):
    """Quantiles (n, columns) of the normal distribution at the ranks of x."""
    from scipy.special import ndtri

    return ndtri(ranks(x) / (len(x) + 1))


def _absolute_floor(codes):
    """A variance floor that is absolute in the units of the codes (n, m), for codes that are standardised.

    Products are quadratic in a code and their variance is of degree four.
    """
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        spread = unit(codes) * (codes / unit(codes)).std(axis=0)
        return np.maximum(VARIANCE_FLOOR / spread**4, np.finfo(np.float64).tiny)


def _agreeing_edges(edges, further_codes):
    """How many edges (m, d) the nearest claim shares: of codes matched to factors, of further codes."""
    m, d = edges.shape
    further = edges.any(axis=1) & (further_codes == "one factor")
    slots = np.repeat(further[:, None], max(m - d, 0), axis=1)
    weights = np.hstack([2.0 * edges, slots])  # a matched edge saves two errors, a further one one
    agreeing = weights[best_matching(weights)]
    return int((agreeing == 2).sum()), int((agreeing == 1).sum())
