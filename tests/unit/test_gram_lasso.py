"""The lasso from inner products: scikit-learn on the samples, closed forms, collinear columns."""

import importlib

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from custodes.errors import Undefined
from custodes.metrics.udr.gram_lasso import gram_lasso
from custodes.statistics.columns import unit_columns

module = importlib.import_module("custodes.metrics.udr.gram_lasso")  # the function has its name


def problem(kind, seed=0, n=80, columns=8, targets=12):
    """Standardised columns and targets that depend on them."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, columns))
    if kind == "entangled":
        x = x @ rng.standard_normal((columns, columns))
    elif kind == "nearly equal":
        x = x[:, :1] + 1e-3 * x
    elif kind == "dependent":
        x = x[:, :3] @ rng.standard_normal((3, columns))
    elif kind == "more columns than rows":
        x = x[: columns // 2]
    y = x @ rng.standard_normal((columns, targets)) / columns + rng.standard_normal((len(x), targets))
    return np.sqrt(len(x)) * unit_columns(x), np.sqrt(len(x)) * unit_columns(y)


def solve(x, y, alpha):
    return gram_lasso(x.T @ x / len(x), x.T @ y / len(x), alpha)


def textbook(x, y, alpha):
    return Lasso(alpha=alpha, tol=1e-14, max_iter=10**6).fit(x, y).coef_.T


@pytest.mark.parametrize("alpha", [0.003, 0.1, 0.3])
@pytest.mark.parametrize("kind", ["independent", "entangled"])
def test_agrees_with_scikit_learn(kind, alpha):
    x, y = problem(kind)
    assert solve(x, y, alpha) == pytest.approx(textbook(x, y, alpha), abs=1e-9)


def assert_minimum(x, y, w, alpha):
    """The conditions of Karush, Kuhn and Tucker."""
    slope = x.T @ (y - x @ w) / len(x)
    assert np.abs(slope).max() <= alpha + 1e-8
    assert slope[w != 0] == pytest.approx(alpha * np.sign(w[w != 0]), abs=1e-8)


@pytest.mark.parametrize("alpha", [0.001, 0.1])
@pytest.mark.parametrize("kind", ["nearly equal", "dependent", "more columns than rows"])
@pytest.mark.parametrize("seed", range(5))
def test_collinear_columns_reach_the_minimum(kind, seed, alpha):
    x, y = problem(kind, seed)
    assert_minimum(x, y, solve(x, y, alpha), alpha)


def test_uncorrelated_columns_are_soft_thresholded():
    correlations = np.array([[0.9, -0.4], [0.05, 0.3], [-0.1, 0.0]])
    expected = [[0.8, -0.3], [0.0, 0.2], [0.0, 0.0]]
    assert gram_lasso(np.eye(3), correlations, 0.1) == pytest.approx(np.array(expected))


def test_copies_of_a_column_get_nothing():
    x, y = problem("entangled")
    copies = np.hstack([x, -x, np.sqrt(80) * unit_columns(x.astype(np.float32).astype(float))])
    w = solve(copies, y, 0.1)
    assert w[:8] == pytest.approx(solve(x, y, 0.1), abs=1e-9)
    assert not w[8:].any()
    assert_minimum(copies, y, w, 0.1)


def test_columns_without_variance_get_nothing():
    x, y = problem("entangled")
    dead = np.hstack([0 * x[:, :2], x])
    assert solve(dead, y, 0.05)[2:] == pytest.approx(solve(x, y, 0.05))
    assert not solve(dead, y, 0.05)[:2].any()
    assert not solve(0 * x, y, 0.05).any()


def test_batches_change_nothing(monkeypatch):
    x, y = problem("entangled")
    whole = solve(x, y, 0.05)
    monkeypatch.setattr(module, "MOST_ENTRIES", 5 * 8**2)
    assert solve(x, y, 0.05) == pytest.approx(whole, abs=1e-12)


def test_input_is_left_alone():
    x, y = problem("entangled")
    gram, targets = x.T @ x / 80, x.T @ y / 80
    before = targets.copy()
    gram_lasso(gram, targets, 0.05)
    assert np.array_equal(targets, before)


def test_no_answer_is_no_number(monkeypatch):
    x, y = problem("nearly equal")
    monkeypatch.setattr(module, "MOST_ROUNDS", 1)
    with pytest.raises(Undefined, match="did not settle within 1 rounds"):
        solve(x, y, 0.001)
