"""Disentanglement, completeness, informativeness (DCI).

Paper: "Who guards the guardians?", sections 2 and F.2. A probe predicts every factor from all codes;
R (m, d) holds the importance of code i for factor j, each column with sum 1.
D = sum_i w_i (1 - H(R_i. / sum_j R_ij) / log d), w_i = row mass / total mass; C = the same for the
columns with log m. I = mean over factors of the held-out R2 (accuracy for discrete factors).
Natural logarithms; all in [0, 1]. d = 1: D = 1; m = 1: C = 1; no mass at all: D = C = 0.
Before the entropy max(1e-12, 1e-10 max R) is added to R, as in the reference code.

`dci_disentanglement`, `dci_completeness`: column j of R is first multiplied by the factor's held-out
R2, clipped at 0, so that an unpredictable factor has no mass (F.2 needs this: dropped factors do not
lower D). The price: where codes are many and rows few, one factor predicted by chance has all the mass, and
a null code scores near 1; without such a factor it scores 0. For a discrete factor the weight is (accuracy
- majority) / (1 - majority), clipped at 0, majority being the share of its commonest class.
`_unweighted`: R as it is.
Factors that do not vary are left out, of d too; if none varies the scores are Undefined.

Departures from the reference code (whose behaviour: probe="gbt", rank_transform=False,
informativeness_weights=False, classes="integers", clip_each_factor=False and a split): the weights;
five shuffled folds, importances averaged over the fits and predictions pooled; codes as ranks over
all scored rows, so that no range overflows; codes that are monotone functions of each other share
their importance equally (trees would give it all to one of them); a factor is discrete if it has
few values, integers or not; a negative R2 counts as 0; seeded.
"""

import numpy as np

from custodes.checks import count, flag, one_of
from custodes.contracts import AFFINE, PAIRED, Metric
from custodes.statistics.columns import distinct_columns, ranks, unit
from custodes.statistics.discrete import RULES, discrete_columns
from custodes.statistics.folds import shuffled_folds
from custodes.statistics.probes import PROBES
from custodes.statistics.rows import scored_rows, varying_factors
from custodes.streams import generator

METRIC = Metric(
    scores={
        "dci_disentanglement": (0.0, 1.0),
        "dci_completeness": (0.0, 1.0),
        "dci_informativeness": (0.0, 1.0),
        "dci_disentanglement_unweighted": (0.0, 1.0),
        "dci_completeness_unweighted": (0.0, 1.0),
    },
    needs=PAIRED,
    invariant_to=(*AFFINE, "code_monotone"),
    options={
        "probe": one_of(*PROBES),
        "rank_transform": flag,
        "informativeness_weights": flag,
        "classes": one_of(*RULES),
        "clip_each_factor": flag,
        "folds": count(2),
        "min_rows": count(1),
    },
)
check = METRIC.check

FIT_SHARE = 0.8  # of the test rows, where a split is given


def score(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    probe="lightgbm",
    rank_transform=True,
    informativeness_weights=True,
    classes="few values",
    clip_each_factor=True,
    folds=5,
    min_rows=10,
):
    """DCI of factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices: of the test rows, in order, the first 80 % fit and the rest are
    predicted; None: `folds` shuffled folds of all rows.
    probe: "lightgbm", "gbt", "lasso" or "random_forest". The lasso is linear in the codes only with
    rank_transform=False.
    classes: a factor is discrete if it has at most 20 values and two rows or more per value on
    average ("few values"), or if all its values are integers ("integers").
    clip_each_factor: a negative R2 counts as 0 in the informativeness; False: only the mean is clipped.
    Raises Undefined below max(min_rows, 4) scored rows, where no factor varies, and for codes beyond
    float32 that are given unranked to scikit-learn's trees.
    """
    check(
        probe=probe,
        rank_transform=rank_transform,
        informativeness_weights=informativeness_weights,
        classes=classes,
        clip_each_factor=clip_each_factor,
        folds=folds,
        min_rows=min_rows,
    )
    rng = generator(rng)
    z, z_hat = scored_rows(z, z_hat, split, "dci", max(min_rows, 4))
    z = z[:, varying_factors(z, "dci")]
    parts = shuffled_folds(len(z), folds, rng) if split is None else [_in_order(len(z))]
    discrete = discrete_columns(z, classes)
    z = np.where(discrete, z, z / unit(z))
    codes, copies = distinct_columns(ranks(z_hat)) if rank_transform else (z_hat, np.eye(z_hat.shape[1]))
    fits = [PROBES[probe](codes[fit], z[fit], codes[held], discrete, rng) for fit, held in parts]
    importances = copies @ np.mean([importance for importance, _ in fits], axis=0)
    observed = np.vstack([z[held] for _, held in parts])
    quality, weights = _quality(observed, np.vstack([predicted for _, predicted in fits]), discrete)
    weighted = importances * weights if informativeness_weights else importances
    informativeness = np.mean(np.maximum(quality, 0.0) if clip_each_factor else quality)
    return {
        "dci_disentanglement": concentration(weighted),
        "dci_completeness": concentration(weighted.T),
        "dci_informativeness": float(np.clip(informativeness, 0.0, 1.0)),
        "dci_disentanglement_unweighted": concentration(importances),
        "dci_completeness_unweighted": concentration(importances.T),
    }


def _in_order(n):
    fitted = int(FIT_SHARE * n)
    return np.arange(fitted), np.arange(fitted, n)


def _quality(observed, predicted, discrete):
    """Held-out R2 or accuracy of each factor (d,), and its weight (d,): how far that is above chance."""
    residual = ((observed - predicted) ** 2).sum(axis=0)
    total = ((observed - observed.mean(axis=0)) ** 2).sum(axis=0)
    r2 = 1 - residual / np.where(total > 0, total, np.inf)  # R2 0 where the held-out rows do not vary
    accuracy = (observed == predicted).mean(axis=0)
    commonest = np.array([np.unique(column, return_counts=True)[1].max() for column in observed.T])
    majority = commonest / len(observed)
    above_chance = (accuracy - majority) / np.where(majority < 1, 1 - majority, np.inf)
    return np.where(discrete, accuracy, r2), np.clip(np.where(discrete, above_chance, r2), 0.0, 1.0)


def concentration(mass):
    """Mean over the rows of mass (a, b), weighted by row mass, of 1 - entropy / log b, in [0, 1].

    For R (m, d) this is D, for its transpose C. 0 without any mass; 1 where b = 1.
    """
    total = mass.sum()
    if total == 0:
        return 0.0
    if mass.shape[1] == 1:
        return 1.0
    share = mass + max(1e-12, 1e-10 * mass.max())
    share /= share.sum(axis=1, keepdims=True)
    entropy = -(share * np.log(share)).sum(axis=1)
    weights = mass.sum(axis=1) / total
    return float(np.clip(weights @ (1 - entropy / np.log(mass.shape[1])), 0.0, 1.0))
