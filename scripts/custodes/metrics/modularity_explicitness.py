"""Modularity and explicitness.

Paper: Ridgeway and Mozer, "Learning deep disentangled embeddings with the F-statistic loss", 2018,
section 3. I (m, K): mutual information, in nats, of code i, on 20 bins, and the class of factor j.
modularity = mean over codes of 1 - sum of I_ij^2 over all factors but the best / ((K - 1) max_j I_ij^2): 1
where every code knows of one factor only. A code that knows of none counts 0; K = 1: others count 1.
explicitness = mean over factors, and over the classes of each, of the area under the ROC curve by which a
logistic regression on the standardised codes tells the class from the rest; classes of one row, of which
nothing can be learnt, are left out. Range [0, 1] for both;
factors that do not vary are left out.

Counts give independent codes a little information, in proportion to the number of classes less one. So their
modularity is .34 for three factors of four classes (`chance`), .24 for ten, and .82 for 3, 6 and 10
classes; a code that knows of something is hardly touched. Their explicitness is .5, as is that of a
constant code (`dead`). Modularity does not see what no code knows.

Departures from the reference code (reached by rank_transform=False and a split): codes on bins of equal
numbers of rows and not of equal width, so that a heavy tail does not take up the bins; all rows, and
explicitness held out in five folds.
One multinomial regression tells all classes, as in the reference code with today's scikit-learn; with that
of its day, and in the paper, each class has a regression of its own (classifier="one_vs_rest"), which
cannot tell a class between two others on one code: explicitness is then about .8 for a perfect code of
many classes. scikit-learn's penalty keeps the other a little below 1 (.99 for forty on 1,200 rows).
"""

import warnings

import numpy as np

from custodes.checks import count, flag, one_of
from custodes.contracts import AFFINE, GRID, Metric
from custodes.errors import Undefined
from custodes.statistics.columns import distinct_columns, ranks, standardise
from custodes.statistics.discrete import class_labels, judged_classes
from custodes.statistics.information import binned_information, equal_width_bins, modularities
from custodes.statistics.rows import held_out_rows, varying_factors
from custodes.statistics.threads import one_thread
from custodes.streams import generator

BINS = 20
ITERATIONS = 1000


def score(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    rank_transform=True,
    classifier="multinomial",
    folds=5,
    min_rows=10,
):
    """Modularity and explicitness of discrete factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices: explicitness is fitted on the first, all else sees the test rows only;
    None: all rows, and `folds` shuffled folds for explicitness.
    rank_transform: codes as ranks, for modularity. classifier: "multinomial" or "one_vs_rest", for
    explicitness.
    Raises Undefined below `min_rows` scored rows (4 without a split), where no factor varies, and where
    one has less than two rows per value; explicitness alone is undefined where no held-out part has two
    classes of a factor.
    """
    check(rank_transform=rank_transform, classifier=classifier, folds=folds, min_rows=min_rows)
    name = "modularity_explicitness"
    z, z_hat, scored, parts = held_out_rows(z, z_hat, split, name, folds, generator(rng), min_rows)
    labels = class_labels(z, varying_factors(z[scored], name), name)
    information = _information(z_hat[scored], labels[scored], rank_transform)
    scores = {"modularity": float(modularities(information).mean())}
    areas = _areas(labels, z_hat, parts, CLASSIFIERS[classifier])
    if not areas:
        raise Undefined("explicitness: no held-out part has two classes of a factor", scores)
    return scores | {"explicitness": float(np.mean(areas))}


def _information(z_hat, labels, rank_transform):
    if not rank_transform:
        return binned_information(equal_width_bins(z_hat, BINS), labels)
    codes, copies = distinct_columns(ranks(z_hat))  # a reversed code is to have the same bins
    return binned_information(equal_width_bins(codes, BINS), labels)[copies.argmax(axis=1)]


def _areas(labels, z_hat, parts, classify):
    """Areas under the curves of the factors, without those that have one class in every held-out part."""
    predictors = [(*standardise(z_hat[train], z_hat[test]), train, test) for train, test in parts]
    areas = []
    with one_thread():
        for y in labels.T:
            each = [
                _concordance(classify(x_train, y[train], x_test, y.max() + 1), y[test])
                for x_train, x_test, train, test in predictors
            ]
            concordant, pairs = np.sum(each, axis=0) * judged_classes(y, parts)
            if pairs.any():
                areas.append(np.mean(concordant[pairs > 0] / pairs[pairs > 0]))
    return areas


def _concordance(evidence, y):
    """Pairs of a row in a class and a row outside: those that `evidence` (n, classes) orders, and all.

    Per class, as (2, classes); a pair that ties counts half. Pairs lie within one part, because evidence
    from two regressions is not to be compared.
    """
    own = y[:, None] == np.arange(evidence.shape[1])
    inside = own.sum(axis=0)
    below = np.where(own, ranks(evidence), 0.0).sum(axis=0) - inside * (inside + 1) / 2
    return np.stack([below, inside * (len(y) - inside)])


def _multinomial(x_train, y, x_test, classes):
    """Probability (test rows, classes) of each class; 0 for classes that are not in y."""
    from sklearn.linear_model import LogisticRegression

    evidence, present = np.zeros((len(x_test), classes)), np.unique(y)
    if len(present) > 1:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The number of unique classes")  # of few rows
            model = LogisticRegression(max_iter=ITERATIONS).fit(x_train, y)
        evidence[:, present] = model.predict_proba(x_test)
    return evidence


def _one_vs_rest(x_train, y, x_test, classes):
    """Log odds (test rows, classes) of each class against all others; 0 for classes that are not in y."""
    from sklearn.linear_model import LogisticRegression

    evidence, present = np.zeros((len(x_test), classes)), np.unique(y)
    for label in present if len(present) > 1 else ():
        model = LogisticRegression(max_iter=ITERATIONS).fit(x_train, y == label)
        evidence[:, label] = model.decision_function(x_test)
    return evidence


CLASSIFIERS = {"multinomial": _multinomial, "one_vs_rest": _one_vs_rest}

METRIC = Metric(
    scores={"modularity": (0.0, 1.0), "explicitness": (0.0, 1.0)},
    needs=GRID,
    invariant_to=(*AFFINE, "factor_monotone"),
    options={
        "rank_transform": flag,
        "classifier": one_of(*CLASSIFIERS),
        "folds": count(2),
        "min_rows": count(1),
    },
    chance={"modularity": 0.34, "explicitness": 0.5},
    dead={"explicitness": 0.5},
)
check = METRIC.check
