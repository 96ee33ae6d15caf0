"""Null calibration: what a score is worth beside codes that know nothing of the factors.

The rows of z_hat are permuted, which keeps both distributions and breaks every tie between them.
For each score, over B permutations: null_mean mu_0, null_q95 (the 95 % quantile),
p_value = (1 + number of null scores >= observed) / (B + 1) and adjusted = (observed - mu_0) / (1 - mu_0),
which is 0 on average for such codes and 1 where the score is 1. For scores that a metric lists under
lower_is_better (counts of errors) the p-value counts the null scores that are as small.
"""

import numpy as np

from custodes import streams
from custodes.checks import require_count
from custodes.scoring.sound_scores import naming, scored
from custodes.statistics.inputs import check_pair
from custodes.tables.columns import OK, without_value


def null_calibrate(metric, z, z_hat, permutations=199, *, seed=0, split=None, **parameters):
    """Calibrate every score of a metric module on z (n, d) and z_hat (n, m), of whatever type metrics take.

    metric: a module of custodes.metrics. permutations: B, 0 for none. seed: of the metric's own draws and of
    the permutations. split, parameters: as for the metric's `score`.
    Returns {score: columns} of all its scores: status "ok", value, null_permutations and, where some
    permutation has a value, null_mean, null_q95, p_value and, for scores whose upper bound is 1, adjusted;
    or status "undefined", null_permutations 0 and the reason. Raises ValueError where the metric does, and
    UnsoundScore for what is no score.
    """
    require_count("permutations", permutations, 0)
    z, z_hat = check_pair(z, z_hat)
    scores, reason = scored(metric, z, z_hat, seed, split, parameters)
    nulls = _null_scores(metric, z, z_hat, permutations, seed, split, parameters) if scores else []
    found = {}
    for name in metric.METRIC.scores:
        if name in scores or reason is None:
            columns = {"value": scores[name], "status": OK} | _calibration(metric, name, scores[name], nulls)
        else:
            columns = without_value(reason)
        found[name] = {"null_permutations": 0} | columns
    return found


def _null_scores(metric, z, z_hat, permutations, seed, split, parameters):
    """Scores of permuted codes, a list of {score: value} of those that exist."""
    rng = streams.null(seed)
    found = []
    for number in range(permutations):
        with naming({"permutation of the null calibration": number}):
            permuted = z_hat[rng.permutation(len(z_hat))]
            found.append(scored(metric, z, permuted, seed, split, parameters)[0])
    return found


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
