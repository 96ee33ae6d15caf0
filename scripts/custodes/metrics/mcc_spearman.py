"""Mean correlation coefficient with Spearman rank correlations (MCC-S).

Paper: "Who guards the guardians?", section 2; null behaviour, section F.3.
C[j, i] = |corr(rank z_j, rank z_hat_i)| (d, m), ranks 1 .. n with ties averaged; MCC = mean of C over
the min(m, d) pairs of the best one-to-one matching. Range [0, 1]; crossfit [-1, 1].
`mcc_spearman_coverage` and `mcc_spearman_crossfit` as for MCC-P; ranks are taken within the rows
whose correlation is computed.
Factors that do not vary are left out, of d too; if none varies the scores are Undefined. A code that does not
vary correlates 0 with all.
Departure from the reference code: that; by default all rows are scored.
"""

import numpy as np

from custodes.checks import count
from custodes.contracts import MONOTONE, PAIRED, Metric
from custodes.statistics.columns import ranks
from custodes.statistics.matching import correlation_matrix, matched_scores

METRIC = Metric(
    scores={
        "mcc_spearman": (0.0, 1.0),
        "mcc_spearman_coverage": (0.0, 1.0),
        "mcc_spearman_crossfit": (-1.0, 1.0),
    },
    needs=PAIRED,
    invariant_to=MONOTONE,
    options={"min_rows": count(1)},
)
check = METRIC.check


def score(z, z_hat, rng=None, *, split=None, min_rows=2):
    """MCC-S of factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices: the test rows are scored, and the train rows match for crossfit.
    Raises Undefined below max(min_rows, 2) test rows, or below 4 rows without a split, and where no factor
    varies.
    """
    check(min_rows=min_rows)
    return matched_scores(
        z, z_hat, rng, rank_correlation, name="mcc_spearman", split=split, min_rows=min_rows
    )


def rank_correlation(z, z_hat):
    """Spearman correlations (d, m) of the columns of z (n, d) and z_hat (n, m)."""
    ranked = ranks(np.vstack([z.T, z_hat.T]).T)
    return correlation_matrix(ranked[:, : z.shape[1]], ranked[:, z.shape[1] :])
