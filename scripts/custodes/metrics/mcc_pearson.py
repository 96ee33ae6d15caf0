"""Mean correlation coefficient with Pearson correlations (MCC-P).

Paper: "Who guards the guardians?", sections 2 and F.1; null behaviour, section F.3.
C[j, i] = |corr(z_j, z_hat_i)| (d, m); MCC = mean of C over the min(m, d) pairs of the best one-to-one
matching of factors and codes. Range [0, 1]; crossfit [-1, 1].
Beside the paper's number: `mcc_pearson_coverage`, the matched sum over d, which a dropped factor
lowers, and `mcc_pearson_crossfit`, matching and signs from training rows and signed correlation on
the others, whose expectation under an independent code is 0 (that of MCC is not).
Factors that do not vary are left out, of d too; if none varies the scores are Undefined. A code that does not
vary correlates 0 with all.
Departure from the reference code: that; by default all rows are scored, and columns are scaled before they
are squared, so that no finite code overflows.
"""

from custodes.checks import count
from custodes.contracts import AFFINE, PAIRED, Metric
from custodes.statistics.matching import correlation_matrix, matched_scores

METRIC = Metric(
    scores={
        "mcc_pearson": (0.0, 1.0),
        "mcc_pearson_coverage": (0.0, 1.0),
        "mcc_pearson_crossfit": (-1.0, 1.0),
    },
    needs=PAIRED,
    invariant_to=AFFINE,
    options={"min_rows": count(1)},
)
check = METRIC.check


def score(z, z_hat, rng=None, *, split=None, min_rows=2):
    """MCC-P of factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices: the test rows are scored, and the train rows match for crossfit.
    Raises Undefined below max(min_rows, 2) test rows, or below 4 rows without a split, and where no factor
    varies.
    """
    check(min_rows=min_rows)
    return matched_scores(
        z, z_hat, rng, correlation_matrix, name="mcc_pearson", split=split, min_rows=min_rows
    )
