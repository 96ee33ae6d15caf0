"""Null calibration: what a score is worth beside codes that know nothing of the factors.

The rows of z_hat are permuted, which keeps both distributions and breaks every tie between them.
For each score, over B permutations: null_mean mu_0, null_q95 (the 95 % quantile),
p_value = (1 + number of null scores >= observed) / (B + 1) and adjusted = (observed - mu_0) / (1 - mu_0),
which is 0 on average for such codes and 1 where the score is 1. For scores that a metric lists under
lower_is_better (counts of errors) the p-value counts the null scores that are as small.
"""

import numpy as np

from custodes import streams
from custodes.errors import Undefined
from custodes.tables.columns import OK, without_value


def null_calibrate(metric, z, z_hat, permutations=199, *, seed=0, split=None, **parameters):
    """Calibrate every score of a metric module on z (n, d) and z_hat (n, m).

    metric: a module of custodes.metrics. permutations: B, 0 for none. seed: of the metric's own draws and of
    the permutations. split, parameters: as for the metric's `score`.
    Returns {score: columns} of all its scores: status "ok", value, null_permutations and, where some
    permutation has a value, null_mean, null_q95, p_value and, for scores whose upper bound is 1, adjusted;
    or status "undefined", null_permutations 0 and the reason.
    """
    scores, reason = _scores(metric, z, z_hat, seed, split, parameters)
    nulls = _null_scores(metric, z, z_hat, permutations, seed, split, parameters) if scores else []
    found = {}
    for name in metric.METRIC.scores:
        if name in scores or reason is None:
            columns = {"value": scores[name], "status": OK} | _calibration(metric, name, scores[name], nulls)
        else:
            columns = without_value(reason)
        found[name] = {"null_permutations": 0} | columns
    return found


def _scores(metric, z, z_hat, seed, split, parameters):
    """Scores that exist, {score: value}, and why others do not (None where all do)."""
    try:
        return metric.score(z, z_hat, streams.metric(seed), split=split, **parameters), None
    except Undefined as reason:
        return reason.scores, str(reason)


def _null_scores(metric, z, z_hat, permutations, seed, split, parameters):
    """Scores of permuted codes, a list of {score: value} of those that exist."""
    rng = streams.null(seed)
    permuted = (z_hat[rng.permutation(len(z_hat))] for _ in range(permutations))
    return [_scores(metric, z, codes, seed, split, parameters)[0] for codes in permuted]


def _calibration(metric, name, value, nulls):
    """Null statistics of one score, given the scores of permuted codes.

    Permutations for which this score is undefined are left out; {} where none is left.
    """
    null = np.array([scores[name] for scores in nulls if name in scores])
    if null.size == 0:
        return {}
    mean = float(null.mean())
    as_good = null <= value if name in metric.METRIC.lower_is_better else null >= value
    statistics = {
        "null_permutations": len(null),
        "null_mean": mean,
        "null_q95": float(np.quantile(null, 0.95)),
        "p_value": float((1 + as_good.sum()) / (len(null) + 1)),
    }
    if metric.METRIC.scores[name][1] == 1.0 and mean < 1:
        statistics["adjusted"] = (value - mean) / (1 - mean)
    return statistics
