"""How much of the entropy of each factor a logistic regression on the codes explains, (H - log loss) / H.

Two ways, both on rows that were not fitted: `held_out` and, as the published study did, `balanced`.
"""

import numpy as np

from custodes.metrics.infomec import multinomial
from custodes.statistics.columns import constant_columns, standardise, unit
from custodes.statistics.information import class_counts, entropies, factor_classes
from custodes.statistics.threads import one_thread

PENALTY = 1e-3  # a thousandth of scikit-learn's default; see `held_out`
LARGEST = np.finfo(np.float64).max
SMALLEST_SINGULAR_VALUE = 1e-9  # relative; directions below are rounding noise of dependent codes


def held_out(z, z_hat, parts, bins):
    """Explained share of the entropy of factors z (n, d) by codes z_hat (n, m), an array of one per factor.

    parts: (train, test) row indices. One set of bin edges, from all rows; H on the test rows of all
    parts, their log loss pooled. Next to no penalty: the weights of uncorrelated predictors of unit
    variance cost 0.0005 times their sum of squares, where the log loss counts 1 a row. With none the weights
    of separable classes are infinite, and with a tenth of it held-out loss grows in as many cases
    as it falls. Predictions are mixed with the uniform distribution over the bins, which counts as one
    row of training: a bin that occurs on test rows only, or a confident error, has a finite loss.
    """
    classes = factor_classes(z, bins)
    occupied = (class_counts(classes) > 0).sum(axis=1)
    log_likelihood, rows = np.zeros(z.shape[1]), 0
    with one_thread():
        x_all, _ = _predictors(z_hat, z_hat)
        log_odds = [_log_odds(x_all, labels) for labels in classes.T]
        for train, test in parts:
            rows += len(test)
            x_train, x_test = _predictors(z_hat[train], z_hat[test])
            own = [
                _own_probabilities(x_train, x_test, labels[train], labels[test], near[train])
                for labels, near in zip(classes.T, log_odds, strict=True)
            ]
            mixed = (len(train) * np.array(own).T + 1 / occupied) / (len(train) + 1)
            log_likelihood += np.log(mixed).sum(axis=0)
    counts = class_counts(classes[np.concatenate([test for _, test in parts])])
    varying = (counts > 0).sum(axis=1) > 1
    return 1 + log_likelihood[varying] / rows / entropies(counts)[varying]


def _log_odds(x, labels):
    """Log odds (n, classes) fitted to all rows, near those of every part; 0 for a class that no row is in."""
    present, y = np.unique(labels, return_inverse=True)
    log_odds = np.zeros((len(x), present[-1] + 1))
    log_odds[:, present] = x @ multinomial.fit(x, y, PENALTY)
    return log_odds


def _own_probabilities(x_train, x_test, train, test, near):
    """Predicted probability of the class that each test row is in.

    near (train rows, classes): log odds at whose least-squares fit the search begins. They come from all
    rows; as there is one minimum, they save steps and leave nothing in the weights.
    """
    present, y = np.unique(train, return_inverse=True)
    start = x_train.T @ near[:, present] / len(train)  # the columns of x_train are orthogonal
    probabilities = multinomial.predict(multinomial.fit(x_train, y, PENALTY, start), x_test)
    place = np.minimum(np.searchsorted(present, test), len(present) - 1)
    return np.where(present[place] == test, probabilities[np.arange(len(test)), place], 0.0)


def _predictors(train, test):
    """A column of ones, and the codes as uncorrelated columns of unit variance on the train rows."""
    train, test = standardise(train, test)
    _, singular, directions = np.linalg.svd(train, full_matrices=False)
    kept = singular > SMALLEST_SINGULAR_VALUE * singular[0]
    basis = directions[kept].T / singular[kept] * np.sqrt(len(train))
    return [np.hstack([np.ones((len(x), 1)), x @ basis]) for x in (train, test)]


def balanced(z, z_hat, parts, bins):
    """The same as in the published study, artefacts included.

    scikit-learn's regression with its default penalty, at most 100 iterations, and classes weighted to
    equal sums although the loss is not; bins of train and test rows from their own extremes. A factor
    whose train and test rows fill different numbers of bins has no log loss there and is left out, as
    are predictions that overflow; so the array has one entry per factor that is left, for each part.
    """
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    shares = []
    for train, test in parts:
        x_train, x_test = _scaled(z_hat[train], z_hat[test])
        fitted, scored = factor_classes(z[train], bins), factor_classes(z[test], bins)
        entropy = entropies(class_counts(scored))
        for factor, (y, labels) in enumerate(zip(fitted.T, scored.T, strict=True)):
            if not 1 < len(np.unique(y)) == len(np.unique(labels)):
                continue
            with (
                warnings.catch_warnings(),
                np.errstate(over="ignore", invalid="ignore"),
                one_thread(),
            ):
                warnings.simplefilter("ignore", ConvergenceWarning)
                model = LogisticRegression(class_weight="balanced", max_iter=100).fit(x_train, y)
                probabilities = model.predict_proba(x_test)
            if np.isfinite(probabilities).all():
                shares.append(1 - log_loss(labels, probabilities) / entropy[factor])
    return np.array(shares)


def _scaled(train, test):
    """Columns in standard deviations of the train rows; what overflows is held at the largest double."""
    scale = unit(train)
    train = train / scale
    spread = np.where(constant_columns(train), 1.0, train.std(axis=0))
    with np.errstate(over="ignore"):
        test = (test / scale - train.mean(axis=0)) / spread
    return (train - train.mean(axis=0)) / spread, np.clip(test, -LARGEST, LARGEST)
