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
from custodes.errors import Undefined, UnsoundScore
from custodes.scoring.sound_scores import scored
from custodes.statistics.inputs import check_pair


def null_calibrate(metric, z, z_hat, permutations=199, *, seed=0, split=None, **parameters):
    """Calibrate every score of a metric module on z (n, d) and z_hat (n, m), of whatever type metrics take.

    metric: a module of custodes.metrics. permutations: B, at least 1. seed: of the metric's own draws and of
    the permutations. split, parameters: as for the metric's `score`.
    Returns {score: {value, null_permutations, null_mean, null_q95, p_value, adjusted}}, `adjusted` only
    for scores whose upper bound is 1. A score that is undefined has the Undefined as its value and
    nothing else; nor has one that is undefined for all permuted codes. Raises Undefined and ValueError where
    the metric does, and UnsoundScore for what is no score.
    """
    require_count("permutations", permutations, 1)
    z, z_hat = check_pair(z, z_hat)
    name = metric.__name__.rpartition(".")[2]
    scores = scored(name, metric, z, z_hat, seed, split, parameters)
    nulls = null_scores(name, metric, z, z_hat, permutations, seed, split, parameters)
    return {
        name: {"value": value} | calibration(metric, name, value, nulls) for name, value in scores.items()
    }


def null_scores(name, metric, z, z_hat, permutations, seed, split, parameters):
    """Scores of permuted codes, a list of {score: value} without the permutations that are undefined.

    z (n, d) and z_hat (n, m) are arrays. Raises UnsoundScore, which names the metric `name`.
    """
    rng = streams.null(seed)
    found = []
    for number in range(permutations):
        permuted = z_hat[rng.permutation(len(z_hat))]
        try:
            found.append(scored(name, metric, z, permuted, seed, split, parameters))
        except Undefined:
            continue
        except UnsoundScore as fault:
            raise UnsoundScore(f"permutation {number} of the null calibration: {fault}") from None
    return found


def calibration(metric, name, value, nulls):
    """Null statistics of one score, given the scores of permuted codes.

    Permutations for which this score is undefined are left out; {} where none is left, or no value.
    """
    null = np.array([scores[name] for scores in nulls if not isinstance(scores[name], Undefined)])
    if isinstance(value, Undefined) or null.size == 0:
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
