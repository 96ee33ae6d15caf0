"""What the coefficients of determination share: predictions of rows that were not fitted, and their score."""

import numpy as np

from custodes.errors import Undefined
from custodes.statistics.columns import unit_and_constant
from custodes.statistics.rows import held_out_rows


def held_out_r2(z, z_hat, rng, predict, *, name, split, folds):
    """Mean over the factors z (n, d) of R2, clipped to [0, 1], of `predict` from the codes z_hat (n, m).

    predict: function of z_train, codes_train and codes_test that returns a prediction (test rows, d).
    split: (train, test) row indices, one fit; None: `folds` shuffled folds (at most n // 2), each
    factor's predictions pooled before R2 is taken. Factors that do not vary on the predicted rows are
    left out. Raises Undefined, which names the score `name`, below 4 rows without a split, 2 test rows with
    one, and where no factor varies.
    """
    z, z_hat, _, parts = held_out_rows(z, z_hat, split, name, folds, rng)
    predicted = [predict(z[train], z_hat[train], z_hat[test]) for train, test in parts]
    return _mean_r2(np.vstack([z[test] for _, test in parts]), np.vstack(predicted), name)


def _mean_r2(z, predicted, name):
    scale, constant = unit_and_constant(z)
    if constant.all():
        raise Undefined(f"{name}: no factor varies on the predicted rows")
    z, predicted = ((values / scale)[:, ~constant] for values in (z, predicted))
    with np.errstate(over="ignore"):  # a prediction that is far off gives minus infinity, clipped
        residual = ((z - predicted) ** 2).sum(axis=0)
    r2 = 1 - residual / ((z - z.mean(axis=0)) ** 2).sum(axis=0)
    return float(np.clip(r2, 0.0, 1.0).mean())
