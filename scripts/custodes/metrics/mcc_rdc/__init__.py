"""Mean correlation coefficient with randomised dependence coefficients (MCC-RDC).

Papers: "Who guards the guardians?", section 3; Lopez-Paz, Hennig and Schoelkopf, "The randomized
dependence coefficient", 2013.
C[j, i] = RDC(z_j, z_hat_i) (d, m), the largest canonical correlation between random sinusoids
sin(w u + b) of the relative ranks u of two columns (rdc.py); MCC = mean of C over the min(m, d)
pairs of the best one-to-one matching of factors and codes. Range [0, 1].
`mcc_rdc_coverage`: the matched sum over d, which a dropped factor lowers.
Factors that do not vary are left out, of d too; if none varies the scores are Undefined.
A largest canonical correlation is never near 0 on few rows: for independent columns five against
five about .58, .29, .13 at n = 50, 200, 1000. Compare with the null calibration.
Departures from the reference code (reached by weights="per pair", weight_scale=0.5, ties="ordinal",
truncation="columns", rank_tolerance=None, min_rows=2 and a split): all rows; seeded; the scale of the
coefficient's own paper, w and b normal with standard deviation 1/12; average ranks, so that equal
values stay equal; spans truncated to their leading singular vectors, relative to 1e-10. There, the
truncation to the first columns of Q lets in rounding noise that points to the constant, and two such
noises agree: single pairs of independent columns reach .99, and a best matching finds them.
"""

import numpy as np

from custodes.checks import count, one_of, optional, real
from custodes.contracts import MONOTONE, PAIRED, Metric
from custodes.metrics.mcc_rdc.rdc import dependence_matrix
from custodes.statistics.matching import best_matching
from custodes.statistics.rows import scored_rows, varying_factors
from custodes.statistics.threads import one_thread
from custodes.streams import generator

METRIC = Metric(
    scores={"mcc_rdc": (0.0, 1.0), "mcc_rdc_coverage": (0.0, 1.0)},
    needs=PAIRED,
    invariant_to=MONOTONE,
    options={
        "weights": one_of("shared", "per pair"),
        "weight_scale": real(0, ends=False),
        "ties": one_of("average", "ordinal"),
        "truncation": one_of("singular vectors", "columns"),
        "rank_tolerance": optional(real(0, 1)),
        "min_rows": count(1),
    },
    # At 2,000 rows; it falls with the root of their number.
    chance={"mcc_rdc": 0.09, "mcc_rdc_coverage": 0.09},
)
check = METRIC.check


def score(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    weights="shared",
    weight_scale=1 / 12,
    ties="average",
    truncation="singular vectors",
    rank_tolerance=1e-10,
    min_rows=12,
):
    """MCC-RDC of factors z (n, d) and codes z_hat (n, m); see the module and rdc.py.

    split: (train, test) row indices: the test rows are scored; None: all rows.
    Raises Undefined below max(min_rows, 2) scored rows: two spans of five directions
    meet in fewer, and RDC is 1 whatever the columns. So where no factor varies.
    """
    given = {
        "weights": weights,
        "weight_scale": weight_scale,
        "ties": ties,
        "truncation": truncation,
        "rank_tolerance": rank_tolerance,
    }
    check(**given, min_rows=min_rows)
    z, z_hat = scored_rows(z, z_hat, split, "mcc_rdc", max(min_rows, 2))
    z = z[:, varying_factors(z, "mcc_rdc")]
    with one_thread():
        strength = dependence_matrix(z, z_hat, generator(rng), **given)
    matched = strength[best_matching(strength)]
    return {
        "mcc_rdc": float(np.mean(matched)),
        "mcc_rdc_coverage": float(matched.sum() / z.shape[1]),
    }
