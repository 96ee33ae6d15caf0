"""Information from bins and from neighbours, logistic regression: scikit-learn, numpy, brute force."""

from itertools import permutations

import numpy as np
import pytest
from scipy.special import digamma
from sklearn.feature_selection import mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information
from threadpoolctl import threadpool_limits

from custodes.metrics.infomec import explicitness, multinomial
from custodes.metrics.infomec.knn_information import jittered_neighbour_information, neighbour_information
from custodes.statistics.columns import ranks
from custodes.statistics.information import (
    binned_information,
    class_counts,
    entropies,
    equal_width_bins,
    expected_information,
    factor_classes,
)


def histogram_information(z, z_hat, bins=20):
    """Plug-in information (m, d), one numpy.histogram2d per pair."""
    result = np.empty((z_hat.shape[1], z.shape[1]))
    for i, code in enumerate(z_hat.T):
        for j, factor in enumerate(z.T):
            p = np.histogram2d(code, factor, bins)[0] / len(z)
            independent = np.outer(p.sum(axis=1), p.sum(axis=0))
            result[i, j] = (p[p > 0] * np.log(p[p > 0] / independent[p > 0])).sum()
    return result


def mutual_info_per_factor(z_hat, classes, seed):
    """scikit-learn's estimates (m, d)."""
    with threadpool_limits(limits=1):  # its threads wait for one another on such small work
        columns = [
            mutual_info_classif(z_hat, labels, n_neighbors=10, random_state=seed) for labels in classes.T
        ]
    return np.stack(columns, axis=1)


def related(n, d, m, seed=0):
    rng = np.random.default_rng(seed)
    z, z_hat = rng.standard_normal((n, d)), rng.standard_normal((n, m))
    z_hat[:, : min(d, m)] += 2 * z[:, : min(d, m)]
    return z, z_hat


@pytest.mark.parametrize("values", ["continuous", "on the edges", "huge", "tiny"])
def test_bins_are_those_of_numpy_histogram(values):
    x = related(500, 3, 1)[0]
    x = {"continuous": x, "on the edges": np.round(4 * x), "huge": x * 1e150, "tiny": x * 1e-150}[values]
    expected = [np.histogram(column, 20)[0] for column in x.T]
    counts = class_counts(equal_width_bins(x, 20))
    assert np.array_equal(counts, expected)


def test_the_largest_range_does_not_overflow():
    x = np.array([[-1.7e308], [0.0], [1.7e308]])
    assert equal_width_bins(x, 20).ravel().tolist() == [0, 10, 19]


def test_rounding_noise_is_one_bin():
    x = np.full((40, 1), 0.1)
    x[::3] += np.spacing(0.1)
    assert not equal_width_bins(x, 20).any()
    assert not factor_classes(x, 20).any()


def test_few_values_are_classes_and_many_are_binned():
    few, many = np.repeat([[-5.0], [0.0], [1e9]], 7, axis=0), np.arange(21.0)[:, None] ** 2
    assert factor_classes(few, 20).ravel().tolist() == [0] * 7 + [1] * 7 + [2] * 7
    assert np.array_equal(factor_classes(many, 20), equal_width_bins(many, 20))
    assert np.array_equal(factor_classes(many[:19], 20), equal_width_bins(many[:19], 20))
    far = np.round(3e8 + 1e6 * related(200, 1, 1)[0])  # integers, and yet no classes
    assert factor_classes(far, 20).max() == 19


def test_entropies_of_known_counts():
    counts = np.array([[5, 5, 0, 0], [10, 0, 0, 0], [1, 2, 3, 4]])
    p = np.array([0.1, 0.2, 0.3, 0.4])
    assert entropies(counts) == pytest.approx([np.log(2), 0, -(p * np.log(p)).sum()], abs=1e-15)
    assert entropies(np.full((1, 7), 3)) == pytest.approx(np.log(7))
    assert entropies(np.array([[60, 0]])).min() >= 0


@pytest.mark.parametrize(("n", "d", "m"), [(40, 1, 1), (60, 3, 2), (1000, 2, 5)])
def test_information_agrees_with_a_histogram_per_pair(n, d, m):
    z, z_hat = related(n, d, m)
    codes, factors = equal_width_bins(z_hat, 20), factor_classes(z, 20)
    information = binned_information(codes, factors)
    assert information == pytest.approx(histogram_information(z, z_hat), abs=1e-12)
    assert information[0, 0] == pytest.approx(mutual_info_score(codes[:, 0], factors[:, 0]), abs=1e-12)
    assert np.all(information <= entropies(class_counts(factors)) + 1e-12)


def test_expectation_is_the_mean_over_all_permutations():
    x, y = np.array([[0, 0, 0, 1, 1, 2, 3]]).T, np.array([[0, 0, 1, 1, 1, 1, 2]]).T
    shuffled = [binned_information(x[list(order)], y)[0, 0] for order in permutations(range(7))]
    assert expected_information(class_counts(x), class_counts(y))[0, 0] == pytest.approx(
        np.mean(shuffled), abs=1e-13
    )


@pytest.mark.parametrize("n", [30, 300, 3000])
def test_expectation_agrees_with_scikit_learn(n):
    z, z_hat = related(n, 2, 3)
    z[:, 1] = z[:, 1] > 2  # a rare class
    z_hat[:, 2] = 0.0
    codes, factors = equal_width_bins(z_hat**3, 20), factor_classes(z, 20)
    expected = [
        [expected_mutual_information(contingency_matrix(code, factor), n) for factor in factors.T]
        for code in codes.T
    ]
    result = expected_information(class_counts(codes), class_counts(factors))
    assert result == pytest.approx(np.array(expected), abs=1e-9)
    assert result[2] == pytest.approx([0, 0], abs=1e-13)


CODES = {
    "continuous": lambda z_hat: z_hat,
    "few rows of each class": lambda z_hat: z_hat[:60],
    "ties": np.round,
    "zero almost everywhere": lambda z_hat: np.where(np.abs(z_hat) > 4, z_hat, 0.0),
    "heavy tails": lambda z_hat: np.sinh(z_hat),
    "far from zero": lambda z_hat: 1e6 + z_hat,
    "constant": lambda z_hat: np.hstack([z_hat, np.zeros((len(z_hat), 1))]),
}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("case", CODES)
def test_jittered_neighbours_are_scikit_learns(case, seed):
    z, z_hat = related(400, 3, 4)
    z_hat = CODES[case](z_hat)
    z = z[: len(z_hat)]
    z[:, 2] = np.round(z[:, 2])  # few large classes
    classes = factor_classes(z, 20)
    noise = np.random.RandomState(seed).standard_normal(z_hat.shape)
    result = jittered_neighbour_information(z_hat, classes, 10, noise)
    assert result == pytest.approx(mutual_info_per_factor(z_hat, classes, seed), abs=1e-12)
    assert class_counts(classes)[:2].min() <= 1  # some rows are alone in their class


def by_definition(values, labels, neighbours):
    """The estimate with ties counted, from the matrix of all distances."""
    size = np.array([np.sum(labels == label) for label in labels])
    values, labels, size = values[size > 1], labels[size > 1], size[size > 1]
    distance = np.abs(values[:, None] - values)
    same = labels[:, None] == labels
    terms = []
    for row in range(len(values)):
        others = np.arange(len(values)) != row
        of_class = np.sort(distance[row, others & same[row]])
        inside = others & (distance[row] <= of_class[min(neighbours, len(of_class)) - 1])
        terms.append(digamma((inside & same[row]).sum()) - digamma(inside.sum()) - digamma(size[row]))
    return max(digamma(len(values)) + np.mean(terms), 0.0) if terms else 0.0


@pytest.mark.parametrize("decimals", [None, 1, 0])
@pytest.mark.parametrize("n", [5, 12, 150])
def test_counted_neighbours_by_their_definition(n, decimals):
    z, z_hat = related(n, 2, 3)
    z[:, 1] = np.round(z[:, 1])
    if decimals is not None:
        z_hat = np.round(z_hat, decimals)
    classes = factor_classes(z, 20)
    for values in (z_hat, ranks(z_hat)):
        expected = [[by_definition(code, labels, 10) for labels in classes.T] for code in values.T]
        assert neighbour_information(values, classes, 10) == pytest.approx(np.array(expected), abs=1e-12)


def test_without_ties_both_estimates_are_the_same():
    z, z_hat = related(400, 1, 3)
    classes = factor_classes(np.round(z), 20)
    classes[class_counts(classes)[0][classes] <= 21] = 0  # large classes, where distances are exact
    counted = neighbour_information(z_hat, classes, 10)
    assert counted == pytest.approx(jittered_neighbour_information(z_hat, classes, 10, 0 * z_hat), abs=1e-12)


def test_a_class_per_row_has_no_estimate_and_gives_nothing():
    assert neighbour_information(np.arange(4.0)[:, None], np.arange(4)[:, None], 10) == [[0.0]]


def predictors(n, q, classes, seed=0):
    """A column of ones and q - 1 others; labels that depend on the second column."""
    rng = np.random.default_rng(seed)
    x = np.hstack([np.ones((n, 1)), rng.standard_normal((n, q - 1))])
    return x, np.digitize(x[:, 1] + 0.2 * rng.standard_normal(n), np.linspace(-1, 1, classes - 1))


@pytest.mark.parametrize("direct_size", [0, 400], ids=["conjugate gradients", "factorised"])
@pytest.mark.parametrize("penalty", [1.0, 1e-3])
def test_logistic_regression_is_scikit_learns(monkeypatch, direct_size, penalty):
    monkeypatch.setattr(multinomial, "DIRECT_SIZE", direct_size)
    x, y = predictors(200, 6, 7)
    reference = LogisticRegression(C=1 / penalty, fit_intercept=False, tol=1e-9, max_iter=100_000).fit(x, y)
    weights = multinomial.fit(x, y, penalty)
    assert weights - weights.mean(axis=1, keepdims=True) == pytest.approx(reference.coef_.T, abs=0.1)
    assert multinomial.predict(weights, x) == pytest.approx(reference.predict_proba(x), abs=5e-3)


def test_separable_classes_have_finite_weights():
    x, _ = predictors(100, 3, 2)
    weights = multinomial.fit(x, (x[:, 1] > 0).astype(int), 1e-3)
    probabilities = multinomial.predict(weights, x)
    assert np.isfinite(weights).all()
    assert (probabilities[:, 1] > 0.5).tolist() == (x[:, 1] > 0).tolist()


def halves(n):
    return [(np.arange(n // 2), np.arange(n // 2, n))]


def test_explained_share_of_perfect_and_useless_codes():
    z, noise = np.random.default_rng(1).standard_normal((2, 2000, 2))
    assert explicitness.held_out(z, z @ [[1.0, 0.5], [0.0, -3.0]], halves(2000), 20) == pytest.approx(
        0.9, abs=0.03
    )
    assert np.all(np.abs(explicitness.held_out(z, noise, halves(2000), 20)) < 0.05)


def test_a_class_in_test_rows_only_costs_its_share_of_one_row():
    z = np.repeat([0.0, 1.0, 0.0, 1.0, 2.0], 20)[:, None]
    parts = [(np.arange(40), np.arange(40, 100))]
    expected = 1 + np.log(1 / 3 / 41) / 3 / np.log(3)
    assert explicitness.held_out(z, z, parts, 20) == pytest.approx(expected, abs=0.02)
    assert len(explicitness.balanced(z, z, parts, 20)) == 0


@pytest.mark.parametrize("share", [explicitness.held_out, explicitness.balanced])
def test_codes_that_say_nothing_at_all_and_factors_of_one_class(share):
    z = np.repeat([0.0, 1.0], 50)[:, None]
    parts = [(np.arange(0, 100, 2), np.arange(1, 100, 2))]
    assert share(z, np.full((100, 3), 7.0), parts, 20) == pytest.approx(0, abs=0.02)
    assert len(share(z, z, [(np.arange(50), np.arange(50))], 20)) == 0


def test_more_codes_than_rows():
    z, z_hat = related(60, 2, 100)
    shares = explicitness.held_out(z, z_hat, halves(60), 20)
    assert np.isfinite(shares).all()
    assert shares.max() < 1
