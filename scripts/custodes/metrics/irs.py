"""Interventional robustness score (IRS).

Paper: Suter et al., "Robustly disentangled causal mechanisms: validating deep representations for
interventional robustness", 2019, equation 3 and appendix A. Factors z (n, d) are discrete.
D_l = max over factors i of IRS({l} | {i}, the others): does code l stay when factor i is kept and all others
are changed? The definition, and sets of codes and factors, are in `custodes/statistics/interventions.py`.
irs = mean of D_l over the codes that vary; 0 if none does. 1: every code follows one factor and nothing
else. 0: fixing a factor helps nothing. At least -1: deviations given a factor can exceed those overall.
Factors that do not vary are left out.

estimator="backdoor": the paper's; where factors are confounded their values are weighted as if each had
been set by intervention. Only combinations that occur can be compared.
estimator="percentile": that of the reference library (disentanglement_lib). For every level of factor i the
99th percentile of |code - its mean in the level| instead of the largest; the unweighted mean over the
levels, divided by the largest deviation from the overall mean. Its faults: confounding is ignored; rare
levels count as much as others; noise counts as lack of robustness; the average over codes is weighted by
that largest deviation, so that units matter (three perfect codes and one of noise score .86, with the noise
times 1000 .45, as the noise alone); its count of active codes adds up their values (not copied here).

A code that knows nothing scores well above 0 under both, since the rows of one level reach less far than all
rows do: on 1000 rows about .35 (backdoor, five factors as in dSprites) and .48 (percentile, Gaussian factors
in 20 bins). Look at the null beside the score.
Undefined where fewer than two factors vary (nothing else could be changed) and for a factor with less than
two rows per value.
"""

from typing import NamedTuple

import numpy as np

from custodes.checks import one_of
from custodes.contracts import AFFINE, GRID, Metric
from custodes.errors import Undefined
from custodes.statistics.combinations import group, observed_combinations, own_units
from custodes.statistics.discrete import value_classes
from custodes.statistics.inputs import check_pair
from custodes.statistics.interventions import farthest, robustness_matrix
from custodes.statistics.rows import scored_rows

QUANTILE = 0.99  # of the estimator "percentile"


class Disentanglement(NamedTuple):
    """IRS of every code and factor, and what follows; a code that does not vary has 0 and no weight."""

    matrix: np.ndarray  # (m, d); a factor that does not vary gives no D_l
    scores: np.ndarray  # (m,), D_l
    factors: np.ndarray  # (m,), index of the factor that gives D_l
    weights: np.ndarray  # (m,), of each code in the mean; sum 1, or 0 where no code varies


def score(z, z_hat, rng=None, *, split=None, estimator="backdoor"):
    """IRS of discrete factors z (n, d) and codes z_hat (n, m); see the module. Draws nothing from rng.

    split: (train, test) row indices: the test rows are scored; None: all rows.
    """
    check(estimator=estimator)
    if split is not None:
        z, z_hat = scored_rows(z, z_hat, split, "irs")
    result = disentanglement(z, z_hat, estimator)
    return {"irs": float(result.weights @ result.scores)}


def disentanglement(z, z_hat, estimator="backdoor"):
    """Disentanglement by factors z (n, d) of codes z_hat (n, m); see the module.

    Raises Undefined where the score is, and ValueError for unusable arrays or an unknown estimator.
    """
    check(estimator=estimator)
    matrix, weights, varying = ESTIMATORS[estimator](z, z_hat)
    weights = weights / (weights.sum() or 1.0)
    candidates = np.where(varying, matrix, -np.inf)
    return Disentanglement(matrix, candidates.max(axis=1), candidates.argmax(axis=1), weights)


def _backdoor(z, z_hat):
    """Matrix (m, d), weights (m,), the same for all codes that vary, and which factors vary (d,)."""
    combinations = observed_combinations(z, z_hat)
    varying = _varying(combinations.levels)
    return robustness_matrix(combinations), combinations.codes.values.any(axis=1).astype(float), varying


def _percentile(z, z_hat):
    """Matrix (m, d), weights (m,), the largest deviation of each code from its mean, and (d,) as above."""
    z, z_hat = check_pair(z, z_hat)
    levels, classes = value_classes(z, "irs")
    varying = _varying(levels)
    codes = own_units(z_hat)
    varies = codes.values.any(axis=1)
    most = farthest(codes.values, codes.values.mean(axis=1))
    groups = [group(classes[[factor]], [values]) for factor, values in enumerate(levels)]
    reach = np.array([[_typical_reach(code, by_level) for by_level in groups] for code in codes.values])
    matrix = np.where(varies[:, None], 1 - reach / np.where(varies, most, 1.0)[:, None], 0.0)
    return matrix, np.where(varies, most, 0.0) * (codes.scale / codes.scale.max()), varying


def _typical_reach(code, by_level):
    """Mean over the levels of the quantile of |code - its mean in the level|, of one code (n,)."""
    parts = np.split(code[by_level.order], by_level.starts[1:])
    return np.mean([_quantile_from_mean(part) for part in parts])


def _quantile_from_mean(values):
    """As numpy.quantile of |values - mean|, several times faster; `values` (n,) are overwritten."""
    values -= values.mean()
    np.abs(values, out=values)
    position = QUANTILE * (len(values) - 1)
    below = int(position)
    values.partition(below)
    above = values[below:][1:].min(initial=values[-1])
    return values[below] + (position - below) * (above - values[below])


def _varying(levels):
    varying = np.array([len(values) > 1 for values in levels])
    if varying.sum() < 2:
        raise Undefined(f"irs needs 2 factors that vary, got {varying.sum()}")
    return varying


ESTIMATORS = {"backdoor": _backdoor, "percentile": _percentile}

METRIC = Metric(
    scores={"irs": (-1.0, 1.0)},
    needs=GRID,
    invariant_to=(*AFFINE, "factor_monotone"),
    options={"estimator": one_of(*ESTIMATORS)},
)
check = METRIC.check
