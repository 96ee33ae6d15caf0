"""MIG: closed forms, a histogram per pair, bias on few rows, the published protocol."""

import numpy as np
import pytest

from custodes import registry, streams
from custodes.errors import Undefined
from custodes.metrics import mig

PUBLISHED = {"adjust_for_chance": False, "min_rows": 40}


def score(z, z_hat, **arguments):
    return mig.score(z, z_hat, np.random.default_rng(0), **arguments)["mig"]


def draw(encoder, seed, n=1000, d=5, m=5):
    z = registry.load("dgps", "independent").sample(streams.factors(seed), n, d)
    return z, registry.load("encoders", encoder).encode(z, streams.codes(seed), m)


def histogram_per_pair(z, z_hat):
    """The plug-in score, one numpy.histogram2d per pair."""
    gaps = []
    for factor in z.T:
        information = []
        for code in z_hat.T:
            p = np.histogram2d(code, factor, 20)[0] / len(z)
            independent = np.outer(p.sum(axis=1), p.sum(axis=0))
            information.append((p[p > 0] * np.log(p[p > 0] / independent[p > 0])).sum())
        share = np.histogram(factor, 20)[0] / len(z)
        entropy = -(share[share > 0] * np.log(share[share > 0])).sum()
        second, largest = np.sort(information)[-2:]
        gaps.append((largest - second) / entropy)
    return np.mean(gaps)


@pytest.mark.parametrize("seed", [42, 43, 44])
def test_a_perfect_code_reaches_the_top(seed):
    z, z_hat = draw("elementwise_linear", seed)
    assert score(z, z_hat) > 0.99
    assert score(z, z_hat, **PUBLISHED) < 0.95
    few, _ = draw("elementwise_linear", seed, n=100)
    assert score(few, -few) > 0.93
    assert score(few, -few, **PUBLISHED) < 0.65


@pytest.mark.parametrize("n", [50, 200, 1000])
def test_an_independent_code_is_near_zero(n):
    scores = [score(*draw("null_gaussian", seed, n=n)) for seed in range(10)]
    assert 0 <= np.mean(scores) < 0.06
    assert n < 1000 or np.mean(scores) < 0.005


@pytest.mark.parametrize("encoder", ["elementwise_linear", "linearly_entangled", "null_uniform"])
def test_agrees_with_a_histogram_per_pair(encoder):
    z, z_hat = draw(encoder, 1, n=200)
    assert score(z, z_hat, **PUBLISHED) == pytest.approx(histogram_per_pair(z, z_hat), abs=1e-12)


def test_published_cell():
    """Independent factors, a perfect code, d = m = 5, n = 1000: the mean over seeds 42 to 46."""
    values = []
    for seed in range(42, 47):
        z, z_hat = draw("elementwise_linear", seed)
        values.append(score(z, z_hat, split=streams.row_split(1000, seed, 0.2), **PUBLISHED))
    assert np.mean(values) == pytest.approx(0.741159, abs=1e-6)


def classes(*columns):
    return np.array(columns, dtype=float).T


CUBE = [np.tile([0, 0, 0, 0, 1, 1, 1, 1], 10), np.tile([0, 0, 1, 1], 20), np.tile([0, 1], 40)]
CLOSED_FORMS = {
    "the factors": (classes(*CUBE), 1),
    "two copies of a code": (classes(CUBE[0], *CUBE), 2 / 3),
    "a factor without a code": (classes(*CUBE[:2]), 2 / 3),
    "sums": (classes(CUBE[0] + 2 * CUBE[1], CUBE[2]), 1),
    "one code": (classes(CUBE[0]), 0),
    "a constant code": (classes(*CUBE, np.full(80, 0.1)), 1),
    "only constant codes": (np.full((80, 2), 0.1), 0),
}


@pytest.mark.parametrize("case", CLOSED_FORMS)
def test_known_values_on_a_full_grid_of_classes(case):
    """Every pair of the three factors is exactly independent, so plug-in information needs no correction."""
    codes, expected = CLOSED_FORMS[case]
    assert score(classes(*CUBE), codes, adjust_for_chance=False) == pytest.approx(expected, abs=1e-12)
    assert score(classes(*CUBE), codes) == pytest.approx(expected, abs=0.01)


def test_normalised_by_the_entropy_of_the_factor_and_not_of_the_code():
    code = np.tile(np.arange(16.0), 10)
    z = (code >= 8).astype(float)[:, None]
    assert score(z, np.stack([code, np.zeros(160)], axis=1)) == pytest.approx(1)


def test_factors_that_do_not_vary_are_left_out():
    z, z_hat = draw("elementwise_linear", 1, n=100)
    z_and_constant = np.hstack([np.full((100, 1), 0.1), z])
    assert score(z_and_constant, z_hat) == score(z, z_hat)
    with pytest.raises(Undefined, match="no factor varies"):
        score(z_and_constant[:, :1], z_hat)


def test_classes_are_not_binned():
    """Two of these three values would share a bin of equal width."""
    values = np.array([0.0, 1.0, 1e6])[np.arange(90) % 3]
    codes = np.stack([np.arange(90) % 3, np.zeros(90)], axis=1)
    assert score(values[:, None], codes) == pytest.approx(1)


def test_rows_needed():
    z, z_hat = draw("elementwise_linear", 1, n=50)
    assert 0 < score(z[:10], z_hat[:10]) <= 1
    with pytest.raises(Undefined, match="mig needs 10 scored rows, got 9"):
        score(z[:9], z_hat[:9])
    with pytest.raises(Undefined, match="mig needs 40 scored rows, got 39"):
        score(z, z_hat, split=(np.arange(11), np.arange(11, 50)), **PUBLISHED)


def test_a_split_scores_the_test_rows_only():
    z, z_hat = draw("elementwise_linear", 1, n=100)
    z_hat[:40] = np.random.default_rng(0).standard_normal((40, 5))
    split = np.arange(40), np.arange(40, 100)
    assert score(z, z_hat, split=split) == score(z[40:], z_hat[40:])


@pytest.mark.parametrize("scale", [1e-300, 1e30, 1.7e308])
def test_one_code_in_other_units_changes_nothing(scale):
    z, z_hat = draw("elementwise_linear", 1, n=200)
    other = z_hat / np.abs(z_hat).max()
    expected = score(z, other)
    other[:, 2] *= scale
    assert score(z, other) == pytest.approx(expected, abs=1e-12)


def test_a_factor_of_many_values_is_taken_on_them_if_asked():
    z = np.tile(np.arange(32.0), 100)[:, None]
    z_hat = np.hstack([z, np.zeros_like(z)])
    binned = mig.score(z, z_hat, adjust_for_chance=False)["mig"]
    by_value = mig.score(z, z_hat, adjust_for_chance=False, most_values=100)["mig"]
    sizes = np.bincount(np.minimum(np.arange(32) * 20 // 31, 19)) / 32  # of the bins: one or two values
    entropy = -(sizes * np.log(sizes)).sum()
    assert binned == pytest.approx(1)
    assert by_value == pytest.approx(entropy / np.log(32))
