"""Which code follows which factor: matrices (codes, factors) of three kinds, and what chance gives.

Paper: Suter et al., "Robustly disentangled causal mechanisms: validating deep representations for
interventional robustness", 2019, appendix D. Discrete factors z (n, d), codes z_hat (n, m).
robustness: IRS({l} | {i}, all other factors); a code's score is its largest entry.
importance: random forests of 50 trees that predict the class of a factor from the ranks of all codes, one
random code per split, impurity importances, each column with sum 1; a code's score is
1 - entropy of its shares of the factors / log d.
information: mutual information in nats; a code's score is its modularity. Codes are on 20 bins of equal
width, as in the paper; the metric modularity_explicitness has the bins on their ranks.

Departure: the paper's leaves have 500 rows or more. Below 100,000 rows that is n / 200, since a forest of
leaves as large as its sample knows nothing.
"""

from typing import NamedTuple

import numpy as np

from custodes.statistics.columns import constant_columns, ranks
from custodes.statistics.combinations import observed_combinations
from custodes.statistics.discrete import value_classes
from custodes.statistics.information import binned_information, equal_width_bins, modularities
from custodes.statistics.inputs import check_pair
from custodes.statistics.interventions import robustness_matrix

TREES, LARGEST_LEAF, LEAF_SHARE = 50, 500, 200
BINS = 20


class Correspondence(NamedTuple):
    """A matrix, the score of each code and its weight in their mean; null: the scores of permuted codes."""

    matrix: np.ndarray  # (m, d)
    scores: np.ndarray  # (m,)
    weights: np.ndarray  # (m,), sum 1, or 0 where no code counts
    null: np.ndarray | None = None  # (m,)

    def mean(self, scores):
        """Mean of scores (m,) by the weights of the codes."""
        return float(self.weights @ scores)


def robustness(z, z_hat, rng):
    """IRS of single codes and factors; draws nothing. Raises Undefined for factors that are not discrete."""
    combinations = observed_combinations(z, z_hat)
    matrix = robustness_matrix(combinations)
    return _correspondence(matrix, matrix.max(axis=1), combinations.codes.values.any(axis=1).astype(float))


def importance(z, z_hat, rng):
    """Importances of the codes in random forests, 0 for a factor that does not vary."""
    from sklearn.ensemble import RandomForestClassifier

    z, z_hat = check_pair(z, z_hat)
    codes, classes = ranks(z_hat), value_classes(z, "importance")[1]
    matrix = np.zeros((z_hat.shape[1], z.shape[1]))
    for factor in np.flatnonzero(~constant_columns(z)):
        forest = RandomForestClassifier(
            n_estimators=TREES,
            min_samples_leaf=smallest_leaf(len(z)),
            max_features=1,
            random_state=int(rng.integers(2**31)),
        )
        matrix[:, factor] = forest.fit(codes, classes[factor]).feature_importances_
    mass = matrix.sum(axis=1)
    share = matrix / np.where(mass > 0, mass, 1.0)[:, None]
    entropy = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1)
    scores = 1 - entropy / np.log(max(z.shape[1], 2))
    return _correspondence(matrix, np.where(mass > 0, scores, 0.0), mass)


def smallest_leaf(n):
    """Rows that a leaf of the forests has at least, given n rows in all."""
    return min(LARGEST_LEAF, max(1, n // LEAF_SHARE))


def information(z, z_hat, rng):
    """Mutual information in nats; draws nothing."""
    z, z_hat = check_pair(z, z_hat)
    classes = value_classes(z, "information")[1].T.astype(np.intp)
    matrix = np.maximum(binned_information(equal_width_bins(z_hat, BINS), classes), 0.0)
    return _correspondence(matrix, modularities(matrix), np.ones(len(matrix)))


def beside_null(measure, z, z_hat, permutations, rng):
    """A Correspondence with its null: mean scores of each code over permutations of the rows of z_hat."""
    found = measure(z, z_hat, rng)
    null = [measure(z, z_hat[rng.permutation(len(z_hat))], rng).scores for _ in range(permutations)]
    return found._replace(null=np.mean(null, axis=0))


def _correspondence(matrix, scores, weights):
    return Correspondence(matrix, scores, weights / (weights.sum() or 1.0))


def most_informative(matrix, count):
    """Indices, in order, of the `count` codes with the largest entries in a matrix (m, d)."""
    return np.sort(np.argsort(-matrix.max(axis=1), kind="stable")[:count])
