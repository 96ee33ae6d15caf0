"""Mean correlation coefficient with randomised dependence coefficients (MCC-RDC).

Papers: "Who guards the guardians?", section 3; Lopez-Paz, Hennig and Schoelkopf, "The randomized
dependence coefficient", 2013.
C[j, i] = RDC(z_j, z_hat_i) (d, m), the largest canonical correlation between random sinusoids
sin(w u + b) of the relative ranks u of two columns (rdc.py); MCC = mean of C over the min(m, d)
pairs of the best one-to-one matching of factors and codes. Range [0, 1].
`mcc_rdc_coverage`: the matched sum over d, which a dropped factor lowers.
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

from custodes.errors import Undefined
from custodes.metrics.mcc_rdc.rdc import dependence_matrix
from custodes.statistics.columns import check_pair
from custodes.statistics.folds import in_canonical_order
from custodes.statistics.matching import best_matching
from custodes.statistics.threads import one_thread

SCORES = {"mcc_rdc": (0.0, 1.0), "mcc_rdc_coverage": (0.0, 1.0)}
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
CHANCE = dict.fromkeys(SCORES, 0.09)  # at 2,000 rows; it falls with the root of their number

CHOICES = {
    "weights": ("shared", "per pair"),
    "ties": ("average", "ordinal"),
    "truncation": ("singular vectors", "columns"),
}


def score(
    z,
    z_hat,
    rng,
    *,
    split=None,
    weights="shared",
    weight_scale=1 / 12,
    ties="average",
    truncation="singular vectors",
    rank_tolerance=1e-10,
    min_rows=12,
):
    """MCC-RDC of factors z (n, d) and codes z_hat (n, m); see the module and `core.rdc`.

    split: (train, test) row indices: the test rows are scored; None: all rows.
    Raises Undefined below max(min_rows, 2) scored rows: two spans of five directions
    meet in fewer, and RDC is 1 whatever the columns.
    """
    given = {"weights": weights, "ties": ties, "truncation": truncation}
    for option, allowed in CHOICES.items():
        if given[option] not in allowed:
            raise ValueError(f"{option} = {given[option]!r}: must be one of {', '.join(allowed)}")
    if not weight_scale > 0:
        raise ValueError(f"weight_scale = {weight_scale!r}: must be positive")
    z, z_hat = check_pair(z, z_hat)
    z, z_hat = in_canonical_order(z, z_hat) if split is None else (z[split[1]], z_hat[split[1]])
    if len(z) < max(min_rows, 2):
        raise Undefined(f"mcc_rdc needs {max(min_rows, 2)} scored rows, got {len(z)}")
    with one_thread():
        strength = dependence_matrix(
            z, z_hat, rng, weight_scale=weight_scale, rank_tolerance=rank_tolerance, **given
        )
    matched = strength[best_matching(strength)]
    return {
        "mcc_rdc": float(np.mean(matched)),
        "mcc_rdc_coverage": float(matched.sum() / z.shape[1]),
    }
