"""Separated attribute predictability (SAP).

Paper: Kumar, Sattigeri and Balakrishnan, "Variational inference of disentangled latent concepts from
unlabeled observations", 2018, section 3. S (m, d): how well code i alone predicts factor j; SAP = mean
over the factors of the largest minus the second largest S_ij over the codes. Range [0, 1].
Continuous factor: S_ij is the squared correlation. Discrete factor: the balanced accuracy (mean over the
classes of the share of their rows that are predicted) of thresholds, each class being one interval.
Classes of one row, which nothing can predict, are left out.
A code that does not vary has S_ij = 0. One code has no gap: m = 1 gives 0. Factors that do not vary
are left out.

Departures from the paper: thresholds predict other rows than they are fitted to (five folds); an accuracy
of 1/K, which an independent code has for K classes, counts as 0, so that a perfect code scores 1
whatever K is (adjust_for_chance=False: 1 - 1/K).
The reference code is classifier="linear_svm", adjust_for_chance=False, classes="integers" and a split; its
accuracy is not balanced, which is the same for classes of one size. Its linear machine, each class against
all others, hardly ever predicts a class between two others: of a perfect code of ten classes it predicts
the two at the ends, so that its scores are low where classes are many.
"""

import warnings

import numpy as np

from custodes.checks import count, flag, one_of
from custodes.contracts import AFFINE, PAIRED, Metric
from custodes.errors import Undefined
from custodes.metrics.sap import thresholds
from custodes.statistics.columns import constant_columns, distinct_columns, largest_gap, ranks
from custodes.statistics.discrete import RULES, class_labels, discrete_columns, judged_classes
from custodes.statistics.matching import correlation_matrix
from custodes.statistics.rows import held_out_rows, varying_factors
from custodes.streams import generator

PENALTY = 0.01  # C of the reference code's machine
LARGEST = np.finfo(np.float32).max


def score(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    classifier="thresholds",
    adjust_for_chance=True,
    classes="few values",
    folds=5,
    min_rows=10,
):
    """SAP of factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices: classifiers are fitted on the first, all else sees the test rows
    only; None: all rows, and `folds` shuffled folds for classifiers.
    classes: a factor is discrete if it has at most 20 values and two rows or more per value on
    average ("few values"), or if all its values are integers ("integers").
    classifier: "thresholds" or "linear_svm".
    Raises Undefined below `min_rows` scored rows (4 without a split), where no factor varies, where a
    discrete one has less than two rows per value, and for codes beyond float32 with a linear machine.
    """
    check(
        classifier=classifier,
        adjust_for_chance=adjust_for_chance,
        classes=classes,
        folds=folds,
        min_rows=min_rows,
    )
    z, z_hat, scored, parts = held_out_rows(z, z_hat, split, "sap", folds, generator(rng), min_rows)
    varying = varying_factors(z[scored], "sap")
    discrete = discrete_columns(z[:, varying], classes)
    labels = class_labels(z, varying[discrete], "sap")
    correlations = correlation_matrix(z[scored][:, varying[~discrete]], z_hat[scored])
    accuracies = CLASSIFIERS[classifier](z_hat, labels, parts, adjust_for_chance)
    accuracies[constant_columns(z_hat[scored])] = 0.0
    return {"sap": largest_gap(np.hstack([correlations.T**2, accuracies]))}


def _by_thresholds(z_hat, labels, parts, adjust_for_chance):
    """Accuracies (m, factors) of thresholds on ranks; copies of a code, reversed or not, have the same."""
    codes, copies = distinct_columns(ranks(z_hat))
    found = _accuracies(thresholds.predict, codes, labels, parts, adjust_for_chance)
    return found[copies.argmax(axis=1)]


def _by_linear_svm(z_hat, labels, parts, adjust_for_chance):
    """The same with the reference code's machine on the codes as they are."""
    if np.abs(z_hat).max() > LARGEST:
        raise Undefined("sap: codes beyond float32, on which the solver of the linear machine never ends")
    return _accuracies(_linear_svm, z_hat, labels, parts, adjust_for_chance)


def _linear_svm(x_train, labels, x_test):
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    if len(np.unique(labels)) == 1:
        return np.full(len(x_test), labels[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of codes in odd units
        model = LinearSVC(C=PENALTY, class_weight="balanced").fit(x_train[:, None], labels)
    return model.predict(x_test[:, None])


CLASSIFIERS = {"thresholds": _by_thresholds, "linear_svm": _by_linear_svm}

METRIC = Metric(
    scores={"sap": (0.0, 1.0)},
    needs=PAIRED,
    invariant_to=AFFINE,
    options={
        "classifier": one_of(*CLASSIFIERS),
        "adjust_for_chance": flag,
        "classes": one_of(*RULES),
        "folds": count(2),
        "min_rows": count(1),
    },
)
check = METRIC.check


def _accuracies(predict, codes, labels, parts, adjust_for_chance):
    """Balanced accuracy (m, factors) of `predict` from each code, predictions of all parts taken together."""
    accuracies = np.empty((codes.shape[1], labels.shape[1]))
    for factor, y in enumerate(labels.T):
        observed = np.concatenate([y[test] for _, test in parts])
        occurring = np.unique(observed)
        own = observed[:, None] == occurring[judged_classes(y, parts)[occurring]]
        if own.shape[1] < 2:
            raise Undefined("sap: a factor has but one class on the test rows that can be judged")
        for code, x in enumerate(codes.T):
            predicted = np.concatenate([predict(x[train], y[train], x[test]) for train, test in parts])
            right = own[predicted == observed].sum(axis=0)
            accuracies[code, factor] = np.mean(right / own.sum(axis=0))
        if adjust_for_chance:
            chance = 1 / own.shape[1]
            accuracies[:, factor] = (accuracies[:, factor] - chance) / (1 - chance)
    return accuracies
