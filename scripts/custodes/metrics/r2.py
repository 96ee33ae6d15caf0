"""Coefficient of determination of a linear prediction of the factors from the codes (R2).

Paper: "Who guards the guardians?", section 2; null behaviour, section F.3.
R2_j = 1 - SSE_j / SST_j of factor z_j predicted from all m codes on rows that were not fitted,
clipped to [0, 1]; r2 = mean over the factors. Range [0, 1].
Factors that do not vary on the predicted rows are left out; if none varies, the score is Undefined.
Departures from the reference code (its behaviour: intercept=False, standardise=False and a split):
an intercept; codes standardised on the fitted rows, so that units do not matter and a code with a
huge range does not make the solver drop the others; five shuffled folds, each factor's predictions
pooled over the folds before R2 is taken (a fold of a few rows has no usable R2 of its own).
Mixing the codes by an invertible matrix changes nothing while they are fewer than the fitted rows.
"""

import numpy as np

from custodes.checks import count, flag
from custodes.contracts import AFFINE, PAIRED, Metric
from custodes.errors import Undefined
from custodes.statistics.columns import standardise as standardise_columns
from custodes.statistics.held_out import held_out_r2
from custodes.statistics.threads import one_thread
from custodes.streams import generator

METRIC = Metric(
    scores={"r2": (0.0, 1.0)},
    needs=PAIRED,
    invariant_to=(*AFFINE, "code_mixing"),
    options={"intercept": flag, "standardise": flag, "folds": count(2)},
)
check = METRIC.check

SMALLEST_SINGULAR_VALUE = 1e-9  # relative; keeps duplicated codes from sharing out rounding noise


def score(z, z_hat, rng=None, *, split=None, intercept=True, standardise=True, folds=5):
    """R2 of factors z (n, d) given codes z_hat (n, m); see the module.

    split: (train, test) row indices, one fit; None: `folds` shuffled folds (at most n // 2).
    standardise: centre and scale the codes by the fitted rows, and hold codes of predicted rows
    within the fitted range widened by its own width, since a heavy-tailed code is otherwise
    extrapolated by orders of magnitude; False: plain least squares on the codes as they are.
    Raises Undefined below 4 rows without a split, where no factor varies, or where the solver fails.
    """
    check(intercept=intercept, standardise=standardise, folds=folds)

    def predict(z_train, codes_train, codes_test):
        return _predict(z_train, codes_train, codes_test, intercept, standardise)

    with one_thread():
        return {"r2": held_out_r2(z, z_hat, generator(rng), predict, name="r2", split=split, folds=folds)}


def _predict(z_train, codes_train, codes_test, intercept, standardise):
    """Least-squares prediction (test rows, d), minimum norm where codes are dependent."""
    if standardise:
        codes_train, codes_test = standardise_columns(codes_train, codes_test)
    offset = z_train.mean(axis=0) if intercept else 0.0
    centre = codes_train.mean(axis=0) if intercept and not standardise else 0.0
    cutoff = SMALLEST_SINGULAR_VALUE if standardise else None
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # non-finite results are refused below
            weights = np.linalg.lstsq(codes_train - centre, z_train - offset, rcond=cutoff)[0]
            predicted = (codes_test - centre) @ weights + offset
    except np.linalg.LinAlgError as error:
        raise Undefined(f"r2: least squares failed ({error})") from error
    if not np.isfinite(predicted).all():
        raise Undefined("r2: the least-squares prediction is not finite")
    return predicted
