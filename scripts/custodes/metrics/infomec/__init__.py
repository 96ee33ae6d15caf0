"""Modularity, compactness and explicitness by information (InfoMEC: InfoM, InfoC, InfoE).

Papers: Hsu et al., "Disentanglement via latent quantization", 2023; "Who guards the guardians?", section 3.
NMI (m, d): information of code i on factor j over the factor's entropy H_j, clipped to [0, 1]. Factors are on
20 bins of equal width, or on their values where they have at most 20; the information is estimated from
the 10 nearest neighbours of each row in its class (knn_information.py). Natural logarithms.
A code is active if its range (of ranks: so is every code that varies) exceeds a twentieth of the largest.
infom = (mean over active codes of max_j NMI / sum_j NMI - 1/d) / (1 - 1/d);
infoc = (mean over factors of max_i NMI / sum_i NMI - 1/m) / (1 - 1/m), m active codes: both in [0, 1].
Codes or factors without any information are left out; if all are, the score is 0. d = 1 or m = 1: not
corrected for chance. infoe = mean over factors of (H_j - log loss) / H_j, clipped to [0, 1], where the
bins are predicted from all codes by multinomial logistic regression (explicitness.py).
Factors that do not vary are left out, of d too; if none varies the scores are Undefined.

The correction for chance supposes NMI that are all equal; those of an independent code are all noise, so
infom and infoc are far above 0 (`chance`). infoe of a perfect code nears 1 only with many rows (`perfect`).

Departures from the reference code (reached by rank_transform=False, ties="jitter", probe="balanced",
min_rows=50 and a split): all rows; codes as ranks, which no range overflows, so that one code with a huge
range does not make the others inactive; ties counted and not broken at random; infoe held out in five
folds, next to unpenalised as in the first paper, one set of bin edges.
"""

import numpy as np

from custodes.checks import count, flag, one_of
from custodes.contracts import AFFINE, PAIRED, Metric
from custodes.metrics.infomec.explicitness import balanced, held_out
from custodes.metrics.infomec.knn_information import jittered_neighbour_information, neighbour_information
from custodes.statistics.columns import constant_columns, ranks, standardised
from custodes.statistics.information import class_counts, entropies, factor_classes
from custodes.statistics.rows import held_out_rows, varying_factors
from custodes.streams import generator

BINS, NEIGHBOURS = 20, 10
SMALLEST_RANGE = 1 / 20  # of an active code, relative to the largest
PROBES = {"multinomial": held_out, "balanced": balanced}

METRIC = Metric(
    scores={"infom": (0.0, 1.0), "infoc": (0.0, 1.0), "infoe": (0.0, 1.0)},
    needs=PAIRED,
    invariant_to=AFFINE,
    options={
        "rank_transform": flag,
        "ties": one_of("counted", "jitter"),
        "probe": one_of(*PROBES),
        "folds": count(2),
        "min_rows": count(1),
    },
    chance={"infom": 0.77, "infoc": 0.76},  # three factors, three codes; single draws scatter by .2
    perfect={"infoe": 0.87},  # at 1,000 rows; .93 at 5,000
)
check = METRIC.check


def score(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    rank_transform=True,
    ties="counted",
    probe="multinomial",
    folds=5,
    min_rows=10,
):
    """InfoM, InfoC and InfoE of factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices: infoe is fitted on the first, all else sees the test rows only;
    None: all rows, and `folds` shuffled folds for infoe.
    ties: of codes: "counted", or broken by "jitter" as in scikit-learn. probe: "multinomial" or "balanced".
    Raises Undefined below `min_rows` scored rows (4 without a split, for two folds of two) and where
    no factor varies. With probe="balanced" infoe is 0 where no factor is left, as in the published study:
    so its mean of the perfect code at d = 5, n = 250 is .084, not the .141 of the six seeds that have one.
    """
    check(rank_transform=rank_transform, ties=ties, probe=probe, folds=folds, min_rows=min_rows)
    rng = generator(rng)
    z, z_hat, scored, parts = held_out_rows(z, z_hat, split, "infomec", folds, rng, min_rows)
    z = z[:, varying_factors(z[scored], "infomec")]
    shares = np.clip(PROBES[probe](z, z_hat, parts, BINS), 0.0, 1.0)
    information = normalised_information(z[scored], z_hat[scored], rank_transform, ties, rng)
    return {
        "infom": exclusiveness(information),
        "infoc": exclusiveness(information.T),
        "infoe": float(shares.mean()) if len(shares) else 0.0,
    }


def normalised_information(z, z_hat, rank_transform, ties, rng):
    """NMI (active codes, d) in [0, 1]."""
    codes = ranks(z_hat) if rank_transform else z_hat
    width = np.where(constant_columns(codes), 0.0, codes.max(axis=0) / 2 - codes.min(axis=0) / 2)
    codes = codes[:, width > SMALLEST_RANGE * width.max()]
    if codes.shape[1] == 0:
        return np.zeros((0, z.shape[1]))
    classes = factor_classes(z, BINS)
    if ties == "counted":
        information = neighbour_information(codes, classes, NEIGHBOURS)
    else:
        noise = rng.standard_normal(codes.shape)
        information = jittered_neighbour_information(standardised(codes), classes, NEIGHBOURS, noise)
    return np.clip(information / entropies(class_counts(classes)), 0.0, 1.0)


def exclusiveness(information):
    """Mean over rows of information (a, b) of the largest share of the row, corrected for chance 1 / b."""
    informative = information[information.sum(axis=1) > 0]
    if informative.size == 0:
        return 0.0
    share = np.mean(informative.max(axis=1) / informative.sum(axis=1))
    if information.shape[1] > 1:
        chance = 1 / information.shape[1]
        share = (share - chance) / (1 - chance)
    return float(np.clip(share, 0.0, 1.0))
