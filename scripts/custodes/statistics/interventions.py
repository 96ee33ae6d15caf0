"""What codes do when factors are set by intervention, and how robust they are to it.

Paper: Suter et al., "Robustly disentangled causal mechanisms: validating deep representations for
interventional robustness", 2019, section 4 and appendix A. Factors may be confounded but do not cause one
another, so that the factors that are not set are a valid adjustment set:
E[Z | do(g_A)] = sum over g_rest of p(g_rest) E[Z | g_A, g_rest], every factor being in A or in the rest;
PIDA(L | g_I, g_J) = distance of E[Z_L | do(g_I)] and E[Z_L | do(g_I, g_J)];
MPIDA(L | g_I, J) = largest PIDA over g_J; EMPIDA(L | I, J) = mean of MPIDA over p(g_I);
IRS(L | I, J) = 1 - EMPIDA(L | I, J) / EMPIDA(L | none, all).
L (codes), I (kept factors) and J (shifted ones) are sequences of column indices.

Probabilities are shares of rows. Weighting the mean code of every combination of all factors by p(g_rest)
is the paper's weighting of every row of (g_I, g_J) by p(g_rest) / p(g_rest | g_I, g_J).
Departure: where not every combination occurs, the sum is over those that do, divided by the sum of their
p(g_rest). Without that division the mean would be drawn to 0, and depend on where the codes have theirs.
The largest is over those that occur, too.
IRS is 1 for codes that J cannot change and 0 where keeping I helps nothing. It is at least -1, not 0:
deviations from the mean given g_I can exceed all deviations from the overall mean.
"""

import math

import numpy as np

from custodes.errors import Undefined
from custodes.statistics.combinations import group, labels, sizes, sorted_by

DISTANCES = {"euclidean": 2, "manhattan": 1, "largest": np.inf}  # orders of norms


def expected_codes(combinations, factors):
    """E[Z | do(G_factors)] for each combination of values that occurs.

    Returns values (k, combinations) of the k factors, sorted by the first factor first, and codes
    (m, combinations). No factor: one combination, the mean code.
    """
    factors = _indices(factors, len(combinations.levels), "factors")
    groups, _, means = _intervene(combinations, combinations.codes.values, factors)
    first = groups.order[groups.starts]
    values = [combinations.levels[factor][combinations.classes[factor, first]] for factor in factors]
    codes = combinations.codes.origin[:, None] + combinations.codes.scale[:, None] * means
    return np.reshape(values, (len(factors), len(first))), codes


def pida(combinations, codes, kept, shifted, distance="euclidean"):
    """Post-interventional disagreement (combinations,) of every (g_I, g_J) that occurs.

    codes: L; kept: I; shifted: J. In the units of the codes; ordered as expected_codes of I + J.
    """
    distances, _, _ = _disagreement(combinations, codes, kept, shifted, distance)
    return distances * _common_unit(combinations, codes)


def mpida(combinations, codes, kept, shifted, distance="euclidean"):
    """Largest PIDA over g_J for every g_I that occurs, ordered as expected_codes of I."""
    distances, starts, _ = _disagreement(combinations, codes, kept, shifted, distance)
    return np.maximum.reduceat(distances, starts) * _common_unit(combinations, codes)


def empida(combinations, codes, kept, shifted, distance="euclidean"):
    """Mean of MPIDA over the values of the kept factors, each as often as it occurs."""
    mean = _mean_largest(combinations, codes, kept, shifted, distance)
    return float(mean * _common_unit(combinations, codes))


def robustness(combinations, codes, kept, shifted, distance="euclidean"):
    """IRS(L | I, J): do the codes stay, given the kept factors, when the shifted ones are changed?

    distance: "euclidean", "manhattan" or "largest", of the codes as they are: in a group of codes the one
    with the widest range counts most. Robustness to a change of domain is that with kept = () and the
    factors of the domain as shifted. Raises Undefined where the codes do not vary over the combinations.
    """
    most = _mean_largest(combinations, codes, (), range(len(combinations.levels)), distance)
    if most == 0:
        raise Undefined("interventional robustness: the codes do not vary with the factors")
    return float(1 - _mean_largest(combinations, codes, kept, shifted, distance) / most)


def robustness_matrix(combinations):
    """IRS({l} | {i}, all other factors) of every code l and factor i, (m, d).

    The same as `robustness` of every pair, but 0 for a code that does not vary. One code differs most from
    its mean at its extremes, and where every combination occurs there is a grid, whose axes need no sorting.
    """
    codes, share = combinations.codes.values, combinations.counts / combinations.counts.sum()
    most = farthest(codes, np.einsum("lc,c->l", codes, share))[:, None]
    is_grid = len(share) == math.prod(map(len, combinations.levels))
    reach = _grid_reach if is_grid else _group_reach
    kept = range(len(combinations.levels))
    mean_reach = np.stack([reach(combinations, factor) for factor in kept], axis=1)
    return np.where(most > 0, 1 - mean_reach / np.where(most > 0, most, 1.0), 0.0)


def farthest(codes, centre):
    """Largest deviation (m,) of each of codes (m, items) from its centre (m,)."""
    return np.maximum(codes.max(axis=1) - centre, centre - codes.min(axis=1))


def _group_reach(combinations, kept):
    """EMPIDA({l} | {kept}, all others) of every code l, (m,), in its own unit."""
    groups, codes, means = _intervene(combinations, combinations.codes.values, [kept])
    highest = np.maximum.reduceat(codes, groups.starts, axis=1)
    lowest = np.minimum.reduceat(codes, groups.starts, axis=1)
    reach = np.maximum(highest - means, means - lowest)
    return (reach * _probability(combinations, groups)).sum(axis=1)


def _grid_reach(combinations, kept):
    """As _group_reach, where every combination occurs."""
    numbers = list(map(len, combinations.levels))
    before, after = math.prod(numbers[:kept]), math.prod(numbers[kept + 1 :])
    counts = combinations.counts.reshape(before, -1, after)
    codes = combinations.codes.values.reshape(-1, *counts.shape)
    means = np.einsum("lbka,ba->lk", codes, counts.sum(axis=1) / counts.sum())
    reach = np.maximum(codes.max(axis=(1, 3)) - means, means - codes.min(axis=(1, 3)))
    return (reach * (counts.sum(axis=(0, 2)) / counts.sum())).sum(axis=1)


def _intervene(combinations, codes, factors):
    """Combinations grouped by the factors, codes (m, combinations) in that order, E[Z | do] (m, groups)."""
    others = [factor for factor in range(len(combinations.levels)) if factor not in factors]
    groups, of_others = _by(combinations, group, factors), _by(combinations, labels, others)
    weights = np.bincount(of_others, weights=combinations.counts)[of_others[groups.order]]
    total = np.add.reduceat(weights, groups.starts)
    codes = sorted_by(codes, groups)
    return groups, codes, np.add.reduceat(codes * weights, groups.starts, axis=1) / total


def _by(combinations, function, factors):
    return function(combinations.classes[list(factors)], [combinations.levels[factor] for factor in factors])


def _probability(combinations, groups):
    return np.add.reduceat(combinations.counts[groups.order], groups.starts) / combinations.counts.sum()


def _common_unit(combinations, codes):
    return combinations.codes.scale[list(codes)].max()


def _mean_largest(combinations, codes, kept, shifted, distance):
    """EMPIDA in the common unit, in which nothing overflows or vanishes."""
    distances, starts, probability = _disagreement(combinations, codes, kept, shifted, distance)
    return (probability * np.maximum.reduceat(distances, starts)).sum()


def _disagreement(combinations, codes, kept, shifted, distance):
    """PIDA of each (g_I, g_J) in the common unit of the codes, where each g_I starts there, and p(g_I)."""
    codes = _indices(codes, len(combinations.codes.values), "codes")
    kept = _indices(kept, len(combinations.levels), "kept factors")
    shifted = _indices(shifted, len(combinations.levels), "shifted factors")
    if not codes or not shifted:
        raise ValueError("at least one code and one shifted factor are needed")
    if set(kept) & set(shifted):
        raise ValueError(f"factors {sorted(set(kept) & set(shifted))} are both kept and shifted")
    if distance not in DISTANCES:
        raise ValueError(f"distance = {distance!r}: must be one of {', '.join(DISTANCES)}")
    relative = combinations.codes.scale[codes] / _common_unit(combinations, codes)
    chosen = combinations.codes.values[codes] * relative[:, None]
    by_kept, _, means = _intervene(combinations, chosen, kept)
    by_both, _, moved = _intervene(combinations, chosen, kept + shifted)
    place = np.empty(len(by_kept.order), dtype=np.intp)
    place[by_kept.order] = np.repeat(np.arange(len(by_kept.starts)), sizes(by_kept))
    place = place[by_both.order[by_both.starts]]  # of each (g_I, g_J), its g_I; sorted, as I comes first
    distances = np.linalg.norm(moved - means[:, place], ord=DISTANCES[distance], axis=0)
    starts = np.searchsorted(place, np.arange(len(by_kept.starts)))
    return distances, starts, _probability(combinations, by_kept)


def _indices(given, number, name):
    """`given` as a list of distinct indices below `number`, or ValueError."""
    indices = [int(index) for index in given]
    if len(set(indices)) < len(indices) or not all(0 <= index < number for index in indices):
        raise ValueError(f"{name} = {indices}: must be distinct and from 0 to {number - 1}")
    return indices
