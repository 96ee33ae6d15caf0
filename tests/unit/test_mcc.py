"""MCC-P and MCC-S: closed forms, scipy, the null, matching and cross-fit."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from scipy.special import beta

from custodes.errors import Undefined
from custodes.metrics import mcc_pearson, mcc_spearman
from custodes.statistics.columns import ranks
from custodes.statistics.folds import in_canonical_order, shuffled_folds
from custodes.statistics.matching import correlation_matrix

BOTH = pytest.mark.parametrize("metric", [mcc_pearson, mcc_spearman], ids=["pearson", "spearman"])


def score(metric, z, z_hat, seed=0, **arguments):
    """The three scores of an MCC: value, coverage, crossfit."""
    return list(metric.score(z, z_hat, np.random.default_rng(seed), **arguments).values())


def sample_with_covariance(sigma, n=200, seed=0):
    """Rows whose sample covariance is sigma exactly, so that population formulas hold exactly."""
    x = np.random.default_rng(seed).standard_normal((n, len(sigma)))
    x -= x.mean(axis=0)
    white = x @ np.linalg.inv(np.linalg.cholesky(x.T @ x / n)).T
    return white @ np.linalg.cholesky(sigma).T


@pytest.mark.parametrize("rho", [-0.95, -0.6, -0.3, 0.0, 0.4, 0.9])
@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.8, 1.0])
def test_three_factor_example(rho, epsilon):
    z = sample_with_covariance(np.array([[1, 0, 0], [0, 1, rho], [0, rho, 1]]))
    z_hat = np.stack([-2 * z[:, 0], z[:, 1] + epsilon * z[:, 2], epsilon * z[:, 1] + z[:, 2]], axis=1)
    best = max(abs(1 + epsilon * rho), abs(epsilon + rho)) / np.sqrt(1 + epsilon**2 + 2 * epsilon * rho)
    assert score(mcc_pearson, z, z_hat)[0] == pytest.approx((1 + 2 * best) / 3, abs=1e-12)
    if epsilon == 1:
        assert best == pytest.approx(np.sqrt((1 + rho) / 2))


@pytest.mark.parametrize("decimals", [None, 0], ids=["distinct", "ties"])
def test_correlations_agree_with_scipy(decimals):
    rng = np.random.default_rng(1)
    z = rng.standard_normal((40, 3))
    z_hat = z @ rng.standard_normal((3, 4)) + rng.standard_normal((40, 4))
    if decimals is not None:
        z, z_hat = np.round(z, decimals), np.round(z_hat, decimals)
    pearson = [[stats.pearsonr(a, b).statistic for b in z_hat.T] for a in z.T]
    spearman = [[stats.spearmanr(a, b).statistic for b in z_hat.T] for a in z.T]
    assert correlation_matrix(z, z_hat) == pytest.approx(np.array(pearson), abs=1e-14)
    assert mcc_spearman.rank_correlation(z, z_hat) == pytest.approx(np.array(spearman), abs=1e-14)
    assert np.array_equal(ranks(z), stats.rankdata(z, axis=0))


@BOTH
def test_matching_is_the_best_of_all(metric):
    rng = np.random.default_rng(2)
    for d, m in [(3, 3), (3, 5), (4, 2)]:
        z, z_hat = rng.standard_normal((15, d)), rng.standard_normal((15, m))
        correlate = correlation_matrix if metric is mcc_pearson else mcc_spearman.rank_correlation
        strength = np.abs(correlate(z, z_hat))
        if d > m:
            strength = strength.T
        rows = np.arange(len(strength))
        best = max(strength[rows, list(chosen)].sum() for chosen in permutations(range(max(d, m)), min(d, m)))
        value, coverage, _ = score(metric, z, z_hat)
        assert value == pytest.approx(best / min(d, m))
        assert coverage == pytest.approx(best / d)


def test_null_expectation_is_that_of_one_correlation():
    """d = m = 1: r^2 is Beta(1/2, (n - 2)/2), the t law of section F.3."""
    n, draws = 30, 1500
    expected = beta(1, (n - 2) / 2) / beta(1 / 2, (n - 2) / 2)
    spread = np.sqrt(1 / (n - 1) - expected**2)
    rng = np.random.default_rng(3)
    values = [mcc_pearson.score(*rng.standard_normal((2, n, 1)), rng)["mcc_pearson"] for _ in range(draws)]
    assert np.mean(values) == pytest.approx(expected, abs=3 * spread / np.sqrt(draws))
    assert 3 * spread / np.sqrt(draws) < 0.01


@BOTH
def test_crossfit_of_a_null_code_is_centred_on_zero(metric):
    rng = np.random.default_rng(4)
    scores = np.array([score(metric, *rng.standard_normal((2, 40, 4)), seed) for seed in range(300)])
    value, _, crossfit = scores.mean(axis=0)
    error = scores[:, 2].std() / np.sqrt(len(scores))
    assert abs(crossfit) < 3 * error < 0.03
    assert value > 0.2


@BOTH
def test_a_dropped_factor_lowers_the_coverage_only(metric):
    z = np.random.default_rng(5).standard_normal((300, 5))
    assert score(metric, z, -z[:, 1:]) == pytest.approx([1, 0.8, 1])


@BOTH
def test_split_scores_the_test_rows_and_matches_on_the_train_rows(metric):
    rng = np.random.default_rng(6)
    z = rng.standard_normal((100, 3))
    train, test = np.arange(80), np.arange(80, 100)
    z_hat = z.copy()
    z_hat[train] *= -1
    assert score(metric, z, z_hat, split=(train, test)) == pytest.approx([1, 1, -1])
    z_hat[train] = rng.standard_normal((80, 3))
    assert score(metric, z, z_hat, split=(train, test))[:2] == pytest.approx([1, 1])


@pytest.mark.parametrize("n", [4, 7, 23])
def test_crossfit_is_the_mean_over_folds(n):
    rng = np.random.default_rng(7)
    z, z_hat = in_canonical_order(*rng.standard_normal((2, n, 1)))
    folds = shuffled_folds(n, 5, np.random.default_rng(0))
    assert len(folds) == min(5, n // 2)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(n))
    expected = [
        np.sign(np.corrcoef(z[train, 0], z_hat[train, 0])[0, 1])
        * np.corrcoef(z[test, 0], z_hat[test, 0])[0, 1]
        for train, test in folds
    ]
    assert score(mcc_pearson, z, z_hat)[2] == pytest.approx(np.mean(expected))


@BOTH
def test_rows_needed(metric):
    z = np.random.default_rng(8).standard_normal((10, 2))
    split = np.arange(8), np.arange(8, 10)
    assert score(metric, z, z, split=split)[0] == pytest.approx(1)
    with pytest.raises(Undefined, match="needs 3 scored rows, got 2"):
        score(metric, z, z, split=split, min_rows=3)
    with pytest.raises(Undefined, match="needs 2 scored rows, got 1"):
        score(metric, z, z, split=(np.arange(9), np.arange(9, 10)))
    with pytest.raises(Undefined, match="needs 4 scored rows, got 3"):
        score(metric, z[:3], z[:3])


@BOTH
def test_constant_codes_correlate_with_nothing_and_constant_factors_are_left_out(metric):
    z = np.random.default_rng(9).standard_normal((50, 1))
    noisy = np.full((50, 1), 0.1)
    noisy[::3] += np.spacing(0.1)
    assert score(metric, z, noisy) == [0, 0, 0]
    assert score(metric, np.hstack([noisy, z]), np.hstack([z, noisy])) == pytest.approx([1, 1, 1])
    with pytest.raises(Undefined, match="no factor varies"):
        score(metric, noisy, z)


def test_small_signal_on_a_large_offset_is_not_a_constant():
    z = np.random.default_rng(10).standard_normal((50, 1))
    assert score(mcc_pearson, z, 1e6 + 1e-6 * z)[0] == pytest.approx(1, abs=1e-6)


def test_values_up_to_the_largest_float():
    z = np.random.default_rng(11).standard_normal((50, 2))
    z_hat = z / np.abs(z).max() * 1.7e308
    assert score(mcc_pearson, z, z_hat) == pytest.approx([1, 1, 1])
    assert score(mcc_pearson, z_hat, z * 1e-300) == pytest.approx([1, 1, 1])
