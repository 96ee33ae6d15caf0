"""Coefficient of determination of a nonlinear prediction of the factors from the codes (nonlinear R2).

Paper: "Who guards the guardians?", section F.3, which speaks of cross-validated nonlinear regression;
section 2 speaks of a linear probe (`r2`).
R2_j = 1 - SSE_j / SST_j of factor z_j predicted by gradient-boosted trees from all m codes on rows that
were not fitted, clipped to [0, 1]; r2_nonlinear = mean over the factors. Range [0, 1].
Factors that do not vary on the predicted rows are left out; if none varies, the score is Undefined.
Codes enter as ranks over all rows, which trees do not mind: units, offsets and heavy tails do not matter.
The trees are those of `dci`: 100 of depth 3, rate 0.1; for continuous factors the score equals its
informativeness where the rows are the same. The reference code has no such score; with a split there
is one fit, as for its R2.
"""

from custodes.checks import count, one_of
from custodes.contracts import AFFINE, PAIRED, Metric
from custodes.statistics.columns import distinct_columns, ranks, unit
from custodes.statistics.folds import in_canonical_order
from custodes.statistics.held_out import held_out_r2
from custodes.statistics.inputs import check_pair
from custodes.statistics.probes import PROBES
from custodes.streams import generator

METRIC = Metric(
    scores={"r2_nonlinear": (0.0, 1.0)},
    needs=PAIRED,
    invariant_to=(*AFFINE, "code_monotone"),
    options={"probe": one_of("lightgbm", "gbt", "random_forest"), "folds": count(2)},
)
check = METRIC.check


def score(z, z_hat, rng=None, *, split=None, probe="lightgbm", folds=5):
    """Nonlinear R2 of factors z (n, d) given codes z_hat (n, m); see the module.

    split: (train, test) row indices, one fit; None: `folds` shuffled folds (at most n // 2).
    probe: "lightgbm", "gbt" or "random_forest" (custodes/statistics/probes.py).
    Raises Undefined below 4 rows without a split, and where no factor varies.
    """
    check(probe=probe, folds=folds)
    rng = generator(rng)
    z, z_hat = check_pair(z, z_hat)
    if split is None:
        z, z_hat = in_canonical_order(z, z_hat)
    continuous = [False] * z.shape[1]

    def predict(z_train, codes_train, codes_test):
        scale = unit(z_train)
        return PROBES[probe](codes_train, z_train / scale, codes_test, continuous, rng)[1] * scale

    codes, _ = distinct_columns(ranks(z_hat))
    value = held_out_r2(z, codes, rng, predict, name="r2_nonlinear", split=split, folds=folds)
    return {"r2_nonlinear": value}
