"""beta-VAE score: closed forms, chance, a point-by-point version, few rows of a class, units."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from custodes.errors import Undefined
from custodes.metrics import beta_vae_score
from custodes.metrics._fixed_factor import pairs_of_one_class
from tests.unit.grid_factors import drawn, noise, noisy


def score(z, z_hat, seed=0, **arguments):
    return beta_vae_score.score(z, z_hat, np.random.default_rng(seed), **arguments)["beta_vae_score"]


def point_by_point(z, z_hat, train, test, seed=0):
    """The textbook: one point after the other, its factor at random, each pair by searching the rows."""
    rng = np.random.default_rng(seed)

    def point(rows):
        factor = rng.integers(z.shape[1])
        differences = []
        for _ in range(64):
            one = rng.choice(rows)
            same = rows[(z[rows, factor] == z[one, factor]) & (rows != one)]
            differences.append(np.abs(z_hat[one] - z_hat[rng.choice(same)]))
        return np.mean(differences, axis=0), factor

    x_train, y_train = zip(*(point(train) for _ in range(400)), strict=True)
    x_test, y_test = zip(*(point(test) for _ in range(400)), strict=True)
    return LogisticRegression().fit(x_train, y_train).score(x_test, y_test)


def test_perfect_codes():
    z = drawn((3, 4, 5))
    assert score(z, z) == 1
    assert score(z, -7 * z[:, [2, 0, 1]] + 1) == 1
    assert score(z, np.hstack([noise(z), z])) == 1


def test_a_code_of_two_factors_cannot_tell_them_apart():
    z = drawn((4, 4, 4))
    merged = np.stack([z[:, 0] + z[:, 1], z[:, 2]], axis=1)
    assert score(z, merged) == pytest.approx(2 / 3, abs=0.03)


def test_a_factor_without_a_code_is_told_from_the_others():
    """The weakness that Kim and Mnih found: one factor less is still perfect."""
    z = drawn((4, 4, 4))
    assert score(z, z[:, :2]) > 0.99


@pytest.mark.parametrize("sizes", [(4, 4, 4), (3, 6, 40), (2, 30)])
def test_independent_codes_are_at_chance(sizes):
    found = []
    for seed in range(10):
        z = drawn(sizes, n=1000, seed=seed)
        found.append(score(z, noise(z, seed=seed + 100), train_points=1000, test_points=1000))
    assert np.mean(found) == pytest.approx(1 / len(sizes), abs=0.03)


def test_rows_of_training_are_not_used_again():
    """With few rows a class the same rows give the factor away, even by an independent code."""
    z = drawn((2, 20), n=240)
    rows = np.arange(240)
    apart, again = [], []
    for seed in range(10):
        codes = noise(z, 10, seed=seed)
        apart.append(score(z, codes, seed, train_points=1000, test_points=500))
        again.append(score(z, codes, seed, split=(rows, rows), train_points=1000, test_points=500))
    assert np.mean(apart) == pytest.approx(0.5, abs=0.05)
    assert np.mean(again) > np.mean(apart) + 0.1


def test_constant_codes_are_exactly_at_chance():
    z = drawn((4, 4, 4))
    assert score(z, np.ones((len(z), 2))) == pytest.approx(1 / 3, abs=1 / 5000)


@pytest.mark.parametrize("spread", [1.5, 3.0])
def test_agrees_with_a_point_by_point_version(spread):
    z = drawn((4, 4, 4), n=900)
    z_hat = noisy(z, spread)
    split = np.arange(600), np.arange(600, 900)
    ours = score(z, z_hat, split=split, rank_transform=False, train_points=400, test_points=5000)
    assert 0.45 < ours < 0.98
    assert ours == pytest.approx(point_by_point(z, z_hat, *split), abs=0.07)


def test_features_are_mean_differences():
    z, z_hat = drawn((3, 4), n=60), noise(drawn((3, 4), n=60))
    features, fixed = beta_vae_score._points(z, z_hat, 5, 8, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    drawn_pairs = [pairs_of_one_class(z[:, factor], (5 - 2 - factor, 8), rng) for factor in (0, 1)]
    expected = [
        np.mean([np.abs(z_hat[a] - z_hat[b]) for a, b in zip(*pair, strict=True)], axis=0)
        for one, other in drawn_pairs
        for pair in zip(one, other, strict=True)
    ]
    assert features == pytest.approx(np.array(expected), abs=1e-12)
    assert fixed.tolist() == [0, 0, 0, 1, 1]


def test_more_pairs_tell_more():
    z = drawn((4, 4, 4))
    z_hat = noisy(z, 3.0)
    few, many = (score(z, z_hat, pairs=pairs, train_points=1000) for pairs in (4, 256))
    assert many > few + 0.1


def test_ranks_make_units_and_tails_harmless():
    z = drawn((4, 4, 4))
    z_hat = noisy(z)
    heavy = np.hstack([np.sinh(3 * z_hat[:, :1] ** 2), z_hat[:, 1:]])
    assert score(z, heavy) == pytest.approx(score(z, z_hat), abs=0.01)
    tiny = 1e-4 * z_hat
    assert score(z, tiny) == pytest.approx(score(z, z_hat), abs=1e-6)
    assert score(z, tiny, rank_transform=False) < score(z, z_hat, rank_transform=False) - 0.2


def test_overflow_is_undefined():
    z = drawn((4, 4, 4))
    huge = np.where(z[:, :1] > 1, 1.5e308, -1.5e308)
    with pytest.raises(Undefined, match="overflow"):
        score(z, huge, rank_transform=False)
    assert 0 < score(z, huge) <= 1


@pytest.mark.parametrize("name", ["pairs", "train_points", "test_points"])
def test_counts_are_checked(name):
    z = drawn()
    with pytest.raises(ValueError, match=f"{name} = 0: must be a whole number, at least 1"):
        score(z, z, **{name: 0})


def test_one_factor_leaves_nothing_to_tell():
    z = drawn((4,))
    with pytest.raises(Undefined, match="needs two factors that vary, got 1"):
        score(z, z)
