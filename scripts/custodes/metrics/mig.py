"""Mutual information gap (MIG).

Papers: Chen et al., "Isolating sources of disentanglement in variational autoencoders", 2018; "Who guards
the guardians?", section 3. I (m, d): mutual information of code i and factor j, both on 20 bins of
equal width (a factor with at most 20 values: on its values); H_j: entropy of factor j; natural logarithms.
MIG = mean over factors of (largest - second largest I_ij over the codes i) / H_j. Range [0, 1].
Normalised by the entropy of the factor, as in the first paper; others divide by that of the code.
Bins of equal width take the 32 positions of dSprites by ones and twos, unevenly. Papers on images take such
factors on their values (most_values=100, as the image configurations do), of which 20 bins of a code can tell
no more than log 20: a perfect code then has .86 for 32 values and .81 for 40.
One code has no gap: m = 1 gives 0. Factors that do not vary are left out.

Information from counts is too high, the second largest more than the largest, which cannot exceed H_j: a
perfect code scores .74 on 200 rows. Instead of I_ij / H_j the gap is taken of
(I_ij - E_ij) / (H_j - E_ij), clipped at 0, where E_ij is the exact mean of I_ij when the rows of the
codes are permuted: 0 on average for an independent code, 1 for a code that determines the factor
(the adjusted mutual information of Vinh, Epps and Bailey, 2010).
Departures from the reference code (reached by adjust_for_chance=False, min_rows=40 and a split):
this, and all rows.
"""

import numpy as np

from custodes.checks import count, flag
from custodes.contracts import AFFINE, PAIRED, Metric
from custodes.statistics.columns import largest_gap
from custodes.statistics.information import (
    binned_information,
    class_counts,
    entropies,
    equal_width_bins,
    expected_information,
    factor_classes,
)
from custodes.statistics.rows import scored_rows, varying_factors

BINS = 20

METRIC = Metric(
    scores={"mig": (0.0, 1.0)},
    needs=PAIRED,
    invariant_to=AFFINE,
    options={"adjust_for_chance": flag, "min_rows": count(1), "most_values": count(1)},
)
check = METRIC.check


def score(z, z_hat, rng=None, *, split=None, adjust_for_chance=True, min_rows=10, most_values=BINS):
    """MIG of factors z (n, d) and codes z_hat (n, m); see the module. Draws nothing from rng.

    split: (train, test) row indices: the test rows are scored; None: all rows.
    most_values: a factor of up to as many, and half the rows, is taken on its values.
    Raises Undefined below `min_rows` scored rows and where no factor varies.
    """
    check(adjust_for_chance=adjust_for_chance, min_rows=min_rows, most_values=most_values)
    z, z_hat = scored_rows(z, z_hat, split, "mig", min_rows)
    z = z[:, varying_factors(z, "mig")]
    codes, factors = equal_width_bins(z_hat, BINS), factor_classes(z, BINS, most_values)
    return {"mig": largest_gap(_relative_information(codes, factors, adjust_for_chance))}


def _relative_information(codes, factors, adjust_for_chance):
    """Information (m, d) as a share of the factor's entropy, at most 1."""
    information, counts = binned_information(codes, factors), class_counts(factors)
    entropy = entropies(counts)
    if not adjust_for_chance:
        return information / entropy
    expected = expected_information(class_counts(codes), counts)
    room = entropy - expected
    return np.where(room > 0, (information - expected) / np.where(room > 0, room, 1.0), 0.0)
