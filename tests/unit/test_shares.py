"""Shares of factors in codes: closed forms for normal factors, which correlation does not change."""

import numpy as np
import pytest

from custodes.metrics.focus.variance_shares import PREDICTORS, factor_shares, largest_share, mean_share
from custodes.statistics.columns import standardise


def standard(x):
    return standardise(x, x)[0]


def normal(rho=0.0, n=4000, d=3):
    rng = np.random.default_rng(4)
    return np.sqrt(1 - rho) * rng.standard_normal((n, d)) + np.sqrt(rho) * rng.standard_normal((n, 1))


MIXING = np.array([[1.0, 0.0, 0.0], [0.8, -0.6, 0.0], [1.0, 2.0, -2.0], [0.0, 0.0, 0.0]])  # (m, d)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.95])
def test_shares_of_mixtures_are_their_squared_weights(rho):
    z = normal(rho)
    noise = np.random.default_rng(5).standard_normal((len(z), 1))
    codes = np.hstack([z @ MIXING[:3].T, noise])
    expected = MIXING**2 / np.maximum((MIXING**2).sum(axis=1, keepdims=True), 1)
    assert factor_shares(standard(z), standard(codes)) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("rho", [0.0, 0.9])
def test_noise_lowers_every_share(rho):
    z = normal(rho, d=2)
    code = z @ [[0.8], [0.6]]
    code += code.std() * np.random.default_rng(5).standard_normal(code.shape)
    shares = factor_shares(standard(z), standard(code))[0]
    assert shares == pytest.approx([0.32, 0.18], abs=0.04)


@pytest.mark.parametrize("function", [np.sin, np.cos, np.abs, lambda x: x * (x > 1)])
def test_any_function_of_one_factor_is_its_own(function):
    z = normal()
    codes = standard(function(z))
    assert factor_shares(standard(z), codes) == pytest.approx(np.eye(3), abs=0.02)
    straight = factor_shares(standard(z), codes, ["all factors", "factor lines"])
    assert straight.max() < 0.9


def test_one_factor_is_chosen_where_it_does_as_well():
    z = normal(0.9)
    codes = standard(z + 0.5 * np.random.default_rng(5).standard_normal(z.shape))
    chosen = factor_shares(standard(z), codes)
    assert (chosen == 0).sum() >= 4  # of 6; left-out rows favour a superfluous factor now and then
    assert (factor_shares(standard(z), codes, ["all factors"]) > 0).all()
    single = factor_shares(standard(z), standard(z @ MIXING[1:2].T), PREDICTORS[1:])
    assert (single > 0).sum() == 1


def test_mean_share_weighs_by_itself():
    shares = np.array([[0.9, 0.0, 0.0], [0.3, 0.3, 0.0]])
    assert mean_share(shares) == pytest.approx([(0.81 + 0.09) / 1.2, 0.3, 0.0])
    assert mean_share(shares, relative=True) == pytest.approx([(0.9 + 0.15) / 1.2, 0.5, 0.0])
    assert mean_share(np.zeros((2, 2)), relative=True) == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.99])
def test_largest_share_of_a_readout(rho):
    z = standard(normal(rho))
    rotation = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
    assert largest_share(z, standard(z @ rotation)) == pytest.approx(1.0, abs=1e-3)
    assert largest_share(z, standard(z @ rotation @ np.eye(3, 7))[:, :3]) == pytest.approx(1.0, abs=1e-3)
    assert largest_share(z, standard(z.sum(axis=1, keepdims=True))) == pytest.approx(1 / 3, abs=1e-3)
    assert largest_share(z, standard(z[:, :2])) == pytest.approx([1, 1, 0], abs=1e-3)
    noise = 0.5 * np.random.default_rng(5).standard_normal(z.shape)
    assert largest_share(z, standard(z @ rotation + noise)) == pytest.approx(1 / 1.25, abs=0.05)
