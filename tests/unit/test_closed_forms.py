"""Closed forms against cases worked by hand, simulations, and the modules that they predict."""

import numpy as np
import pytest

from custodes import streams
from custodes.dgps import correlated
from custodes.encoders import linearly_entangled
from custodes.metrics import dci, mcc_pearson
from custodes.synthetic import closed_forms


def three_factors(rho, epsilon):
    """Mixing matrix and covariance of the paper's example (App. F.1)."""
    mixing = np.array([[2.0, 0, 0], [0, 1, epsilon], [0, epsilon, 1]])
    sigma = np.eye(3)
    sigma[1, 2] = sigma[2, 1] = rho
    return mixing, sigma


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("rho", [-0.95, -0.5, -0.1, 0.0, 0.3, 0.99])
def test_three_factor_example_is_the_population_score_of_its_mixing_matrix(rho, epsilon):
    expected = closed_forms.population_mcc_pearson(*three_factors(rho, epsilon))
    assert closed_forms.mcc_three_factors(rho, epsilon) == pytest.approx(expected, abs=1e-12)


def test_three_factor_example_has_its_minimum_inside_and_tends_to_one_at_both_ends():
    epsilon = 0.5
    rho = np.linspace(-0.999, 0.999, 1999)
    scores = closed_forms.mcc_three_factors(rho, epsilon)
    # For rho below -epsilon the swapped pairs win, so the minimum of the best pairs is at -epsilon.
    assert closed_forms.mcc_three_factors(-epsilon, epsilon) == pytest.approx(
        (1 + 2 * np.sqrt(1 - epsilon**2)) / 3
    )
    assert scores[[0, -1]] == pytest.approx([1, 1], abs=0.01)
    assert scores[rho > 0] == pytest.approx(np.sort(scores[rho > 0]))
    assert scores.min() < 0.95


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.6])
def test_degenerate_three_factor_example(rho):
    expected = (1 + 2 * np.sqrt((1 + rho) / 2)) / 3
    assert closed_forms.mcc_three_factors(rho, 1) == pytest.approx(expected)


def test_population_score_is_the_limit_of_the_score_of_an_entangled_code():
    d, rho, kappa, n = 4, 0.6, 10.0, 200_000
    mixing = linearly_entangled.mixing_matrix(streams.codes(42), d, kappa)
    z = correlated.sample(streams.factors(42), n, d, rho=rho)
    z_hat = linearly_entangled.encode(z, streams.codes(42), d, kappa=kappa)
    observed = mcc_pearson.score(z, z_hat, streams.metric(42))["mcc_pearson"]
    expected = closed_forms.population_mcc_pearson(mixing, closed_forms.equicorrelation(d, rho))
    assert observed == pytest.approx(expected, abs=0.005)
    assert 0.4 < expected < 0.99


def test_population_score_averages_over_the_smaller_side():
    mixing = np.array([[0.0, 2.0, 0.0], [1.0, 1.0, 0.0]])
    assert closed_forms.population_mcc_pearson(mixing, np.eye(3)) == pytest.approx((1 + np.sqrt(0.5)) / 2)


@pytest.mark.parametrize(
    ("n", "m", "expected"),
    [
        (2, 5, 1),  # two points always lie on a line
        (3, 1, 2 / np.pi),  # |r| has the arcsine law
        (4, 1, 1 / 2),  # |r| is uniform
        (4, 7, 7 / 8),
        (4, 200, 200 / 201),
        (6, 1, 3 / 8),  # |r| has density 3/2 (1 - x^2) / 2 on each side
    ],
)
def test_largest_null_correlation_where_it_has_a_simple_law(n, m, expected):
    assert closed_forms.null_maximum(n, m) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("n", "m"), [(10, 3), (100, 50), (1000, 200)])
def test_largest_null_correlation_against_simulation(n, m):
    rng = np.random.default_rng(0)
    draws = 400
    largest = np.empty(draws)
    for draw in range(draws):
        z, codes = rng.standard_normal(n), rng.standard_normal((n, m))
        largest[draw] = np.abs(np.corrcoef(z, codes, rowvar=False)[0, 1:]).max()
    error = largest.std() / np.sqrt(draws)
    assert closed_forms.null_maximum(n, m) == pytest.approx(largest.mean(), abs=4 * error)


@pytest.mark.parametrize(("d", "m"), [(4, 4), (3, 12), (6, 2)])
def test_null_score_lies_between_the_bounds_of_the_largest_correlations(d, m):
    n, draws = 30, 300
    scores = np.empty(draws)
    for seed in range(draws):
        z = streams.factors(seed).standard_normal((n, d))
        z_hat = streams.codes(seed).standard_normal((n, m))
        scores[seed] = mcc_pearson.score(z, z_hat, streams.metric(seed))["mcc_pearson"]
    error = 3 * scores.std() / np.sqrt(draws)
    candidates = max(m, d) - np.arange(min(m, d))
    upper = closed_forms.null_maximum(n, candidates[0])
    lower = closed_forms.null_maximum(n, candidates).mean()
    assert lower - error < scores.mean() < upper + error


def test_floor_of_the_paper_against_its_own_table():
    ratios = np.array([0.1, 0.2, 0.5, 1.0])  # m / n; the table of App. F.3 is that of ten codes
    floor = closed_forms.null_floor(10 / ratios, 10)
    assert floor == pytest.approx([0.21, 0.30, 0.48, 0.68], abs=0.005)


def test_floor_approaches_the_exact_value():
    gaps = [
        closed_forms.null_floor(n, m) - closed_forms.null_maximum(n, m)
        for n, m in [(100, 50), (10_000, 50), (1_000_000, 50)]
    ]
    assert gaps == sorted(gaps, reverse=True)
    assert 0 < gaps[-1] < 0.001


@pytest.mark.parametrize(("n", "m"), [(1, 3), (10, 0)])
def test_impossible_sizes_are_refused(n, m):
    with pytest.raises(ValueError, match="n >= 2 and m >= 1"):
        closed_forms.null_maximum(n, m)


@pytest.mark.parametrize("rho", [0.0, 0.5, -0.1])
def test_r2_of_dropped_factors_solves_the_normal_equations(rho):
    d = 6
    sigma = closed_forms.equicorrelation(d, rho)
    for m in range(1, d + 1):
        explained = sigma[:, :m] @ np.linalg.solve(sigma[:m, :m], sigma[:m])
        expected = np.diag(explained).mean()
        assert closed_forms.r2_dropped(m, d, rho) == pytest.approx(expected)


def test_r2_of_dropped_independent_factors_is_the_share_that_is_kept():
    assert closed_forms.r2_dropped([1, 5, 10], 10) == pytest.approx([0.1, 0.5, 1.0])


def test_dropped_factors_leave_disentanglement_at_one():
    z = streams.factors(42).standard_normal((1000, 5))
    scores = dci.score(z, 2 * z[:, :2], streams.metric(42))
    expected = closed_forms.dci_dropped(2)
    assert scores["dci_disentanglement"] == pytest.approx(expected, abs=0.02)
