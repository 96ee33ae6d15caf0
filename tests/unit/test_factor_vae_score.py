"""FactorVAE score: closed forms, chance, a point-by-point version, collapsed and heavy-tailed codes."""

import numpy as np
import pytest
from scipy.stats import rankdata

from custodes.errors import Undefined
from custodes.metrics import factor_vae_score
from custodes.metrics._fixed_factor import rows_of_one_class
from tests.unit.grid_factors import drawn, noise, noisy


def score(z, z_hat, seed=0, **arguments):
    return factor_vae_score.score(z, z_hat, np.random.default_rng(seed), **arguments)["factor_vae_score"]


def point_by_point(z, z_hat, train, test, seed=0):
    """The textbook: one vote after the other, the factor at random, rows by searching them."""
    rng = np.random.default_rng(seed)
    scale = z_hat.var(axis=0, ddof=1)

    def votes(rows, points):
        found = np.zeros((z.shape[1], z_hat.shape[1]))
        for _ in range(points):
            factor = rng.integers(z.shape[1])
            same = rows[z[rows, factor] == z[rng.choice(rows), factor]]
            found[factor, np.argmin(z_hat[rng.choice(same, 64)].var(axis=0, ddof=1) / scale)] += 1
        return found

    learned, judged = votes(train, 3000), votes(test, 3000)
    return sum(judged[learned[:, code].argmax(), code] for code in range(z_hat.shape[1])) / judged.sum()


def test_perfect_codes():
    z = drawn((3, 4, 5))
    assert score(z, z) == 1
    assert score(z, -7 * z[:, [2, 0, 1]] + 1) == 1
    assert score(z, np.hstack([noise(z), z, z])) == 1


def test_a_code_of_two_factors_stands_for_one_of_them():
    z = drawn((4, 4, 4))
    merged = np.stack([z[:, 0] + z[:, 1], z[:, 2]], axis=1)
    assert score(z, merged) == pytest.approx(2 / 3, abs=0.01)


def test_a_factor_without_a_code_costs_its_votes():
    """Noise has its votes only while the third factor is fixed, but not all of those."""
    z = drawn((4, 4, 4))
    assert 0.7 < score(z, np.hstack([z[:, :2], noise(z, 1)])) < 0.85
    assert score(z, z[:, :2]) == pytest.approx(2 / 3, abs=0.01)


@pytest.mark.parametrize("sizes", [(4, 4, 4), (3, 6, 40), (2, 30)])
def test_independent_codes_are_at_chance(sizes):
    found = []
    for seed in range(10):
        z = drawn(sizes, n=1000, seed=seed)
        found.append(score(z, noise(z, seed=seed + 100), train_points=1000, test_points=1000))
    assert np.mean(found) == pytest.approx(1 / len(sizes), abs=0.04)


def test_rows_of_training_are_not_used_again():
    """With few rows a class the same rows give the factor away, even by independent codes."""
    z = drawn((2, 20), n=240)
    rows = np.arange(240)
    apart, again = [], []
    for seed in range(10):
        codes = noise(z, 10, seed=seed)
        apart.append(score(z, codes, seed, train_points=1000, test_points=500))
        again.append(score(z, codes, seed, split=(rows, rows), train_points=1000, test_points=500))
    assert np.mean(again) > np.mean(apart) + 0.02


@pytest.mark.parametrize("spread", [2.0, 4.0])
@pytest.mark.parametrize("rank_transform", [False, True])
def test_agrees_with_a_point_by_point_version(spread, rank_transform):
    z = drawn((4, 4, 4), n=900)
    z_hat = np.hstack([noisy(z, spread), noise(z, 1)])
    split = np.arange(600), np.arange(600, 900)
    expected = point_by_point(z, rankdata(z_hat, axis=0) if rank_transform else z_hat, *split)
    assert 0.4 < expected < 0.99
    ours = score(z, z_hat, split=split, rank_transform=rank_transform)
    assert ours == pytest.approx(expected, abs=0.03)


def test_votes_go_to_the_least_relative_variance():
    z, z_hat = drawn((3, 4), n=60), noise(drawn((3, 4), n=60))
    votes = factor_vae_score._votes(z, z_hat, 9, 8, np.random.default_rng(1))
    rng, expected = np.random.default_rng(1), np.zeros((2, 3))
    for factor, points in enumerate((5, 4)):
        for rows in rows_of_one_class(z[:, factor], points, 8, rng):
            expected[factor, np.argmin(z_hat[rows].var(axis=0, ddof=1))] += 1
    assert np.array_equal(votes, expected)


def test_codes_that_tie_share_the_vote():
    """The order of copies does not matter, nor which factor they copy."""
    z = drawn((4, 4, 4))
    codes = np.hstack([z, z[:, :1]])
    votes = factor_vae_score._votes(z, codes.astype(float), 300, 64, np.random.default_rng(0))
    assert votes.tolist() == [[50, 0, 0, 50], [0, 100, 0, 0], [0, 0, 100, 0]]


def test_collapsed_codes_are_left_out():
    z = drawn((4, 4, 4))
    collapsed = z * [0.01, 1, 1]
    assert score(z, collapsed) == pytest.approx(2 / 3, abs=0.01)
    assert score(z, collapsed, smallest_spread=0.001) == 1
    assert score(z, 1e-4 * z) == 0
    assert score(z, 1e-4 * z, smallest_spread=0) == 1
    assert score(z, np.ones_like(z), smallest_spread=0) == 0
    assert score(z, z * [1e-300, 1, 1e300], smallest_spread=0) == 1


def test_a_heavy_tailed_code_takes_no_votes():
    z = drawn((4, 4, 4))
    codes = np.hstack([np.sinh(noise(z, 1) ** 3), noisy(z, 0.3)])
    assert score(z, codes) > 0.99
    assert score(z, codes, rank_transform=False) < 0.6


def test_options_are_checked():
    z = drawn()
    for name, value, least in (("samples", 1, 2), ("train_points", 0, 1), ("test_points", 1.5, 1)):
        with pytest.raises(ValueError, match=f"{name} = {value}: must be a whole number, at least {least}"):
            score(z, z, **{name: value})
    with pytest.raises(ValueError, match="smallest_spread = -1: must be"):
        score(z, z, smallest_spread=-1)


def test_one_factor_leaves_nothing_to_tell():
    z = drawn((4,))
    with pytest.raises(Undefined, match="needs two factors that vary, got 1"):
        score(z, z)
