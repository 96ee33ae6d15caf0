"""Left-out predictions: the closed forms against one refit, or one search, for every row."""

import numpy as np
import pytest

from custodes.metrics.focus.leave_one_out import linear_errors, neighbour_errors


def centred(*shape, seed=0):
    x = np.random.default_rng(seed).standard_normal(shape)
    return x - x.mean(axis=0)


def refitted(x, y, groups=None):
    """Unexplained shares, one least-squares fit of minimum norm without each row, or its group."""
    residual, groups = np.empty_like(y), np.arange(len(x)) if groups is None else groups
    for row in range(len(x)):
        rest = groups != groups[row]
        centre, level = x[rest].mean(axis=0), y[rest].mean(axis=0)
        weights = np.linalg.lstsq(x[rest] - centre, y[rest] - level, rcond=1e-9)[0]
        residual[row] = y[row] - level - (x[row] - centre) @ weights
    return (residual**2).sum(axis=0) / (y**2).sum(axis=0)


@pytest.mark.parametrize("p", [1, 5, 24])
def test_linear_errors_are_those_of_a_refit_without_each_row(p):
    x, y = centred(30, p), centred(30, 3, seed=1)
    y[:, 0] += x[:, 0]
    errors, weights = linear_errors(x, y)
    assert errors == pytest.approx(refitted(x, y), rel=1e-3)
    assert weights == pytest.approx(np.linalg.lstsq(x, y, rcond=None)[0], abs=1e-4)


def test_dependent_predictors_share_the_coefficients():
    x, y = centred(30, 4), centred(30, 2, seed=1)
    doubled = np.hstack([x, x])
    errors, weights = linear_errors(doubled, y)
    assert errors == pytest.approx(linear_errors(x, y)[0], rel=1e-4)
    assert weights == pytest.approx(np.tile(linear_errors(x, y)[1] / 2, (2, 1)), abs=1e-4)


@pytest.mark.parametrize("p", [40, 300])
def test_more_predictors_than_rows(p):
    """They fit every row exactly, of noise too; a left-out row they do not predict."""
    x, y = centred(30, p), centred(30, 8, seed=1)
    assert linear_errors(x, y)[0] == pytest.approx(refitted(x, y), rel=0.02)
    assert linear_errors(x, y, leave_out=False)[0].max() < 1e-6


@pytest.mark.parametrize("p", [28, 29, 30, 31, 60])
def test_noise_explains_nothing_at_any_number_of_predictors(p):
    errors = linear_errors(centred(30, p), centred(30, 500, seed=1))[0]
    assert np.clip(1 - errors, 0, 1).mean() < 0.05


def test_exact_relations_leave_nothing():
    x = centred(40, 5)
    assert linear_errors(x, x @ centred(5, 3, seed=2))[0].max() < 1e-9


def test_fitted_rows_flatter():
    x, y = centred(30, 10), centred(30, 3, seed=1)
    weights = np.linalg.lstsq(x, y, rcond=None)[0]
    expected = ((y - x @ weights) ** 2).sum(axis=0) / (y**2).sum(axis=0)
    errors = linear_errors(x, y, leave_out=False)[0]
    assert errors == pytest.approx(expected, rel=1e-6)
    assert (errors < linear_errors(x, y)[0]).all()


@pytest.mark.parametrize("p", [2, 3])
def test_neighbours_are_the_two_nearest_other_rows(p):
    x, y = centred(50, p), centred(50, 3, seed=1)
    distance = np.linalg.norm(x[:, None] - x[None], axis=2)
    np.fill_diagonal(distance, np.inf)
    predicted = y[np.argsort(distance, axis=1)[:, :2]].mean(axis=1)
    expected = ((y - predicted) ** 2).sum(axis=0) / (y**2).sum(axis=0)
    assert neighbour_errors(x, y) == pytest.approx(expected)


def test_neighbours_in_one_column_are_before_and_after():
    x = np.array([[3.0], [-9.0], [1.0], [8.0]])  # order: rows 1, 2, 0, 3
    y = np.array([[2.0], [-4.0], [-1.0], [3.0]])
    predicted = np.array([(-1 + 3) / 2, -1, (-4 + 2) / 2, 2])
    expected = ((y[:, 0] - predicted) ** 2).sum() / (y**2).sum()
    assert neighbour_errors(x, y) == pytest.approx(expected)
    assert neighbour_errors(np.exp(x), y) == neighbour_errors(x, y)


@pytest.mark.parametrize("p", [1, 2])
def test_neighbours_of_noise_explain_nothing(p):
    assert neighbour_errors(centred(3000, p), centred(3000, 4, seed=1)) == pytest.approx(1.5, abs=0.1)


def repeated(rows, p, seed=0):
    """Predictors (24, p) of which several rows are equal, targets, and which rows are."""
    groups = np.random.default_rng(seed).permutation(np.arange(24) % rows)
    x = np.random.default_rng(seed).standard_normal((rows, p))[groups]
    return x - x.mean(axis=0), centred(24, 3, seed=seed + 1), groups


@pytest.mark.parametrize("p", [1, 4])
def test_rows_of_a_group_are_left_out_together(p):
    x, y, groups = repeated(9, p)
    y += x[:, :1]
    errors, weights = linear_errors(x, y, groups=groups)
    assert errors == pytest.approx(refitted(x, y, groups), rel=1e-3)
    assert weights == pytest.approx(linear_errors(x, y)[1])
    assert (errors != linear_errors(x, y)[0]).all()


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("grouped", [False, True])
def test_equal_rows_predict_each_other_unless_they_are_left_out_together(p, grouped):
    x, y, groups = repeated(20, p)
    predicted = np.empty_like(y)
    for row in range(24):
        others = (groups == groups[row]) & (np.arange(24) != row)
        if grouped or not others.any():
            apart = [value for value in range(20) if value != groups[row]]
            distance = {value: np.linalg.norm(x[groups == value][0] - x[row]) for value in apart}
            if p == 1:
                sides = [
                    [v for v in apart if (x[groups == v][0, 0] > x[row, 0]) == up] for up in (False, True)
                ]
                near = [min(side, key=distance.get) for side in sides if side]
            else:
                near = sorted(apart, key=distance.get)[:2]
            predicted[row] = np.mean([y[groups == value].mean(axis=0) for value in near], axis=0)
        else:
            predicted[row] = y[others].mean(axis=0)
    expected = ((y - predicted) ** 2).sum(axis=0) / (y**2).sum(axis=0)
    assert neighbour_errors(x, y, groups if grouped else None) == pytest.approx(expected)


def test_a_row_of_a_group_has_the_others_of_its_value_beside_it():
    x = np.array([[0.0], [0.0], [0.0], [1.0], [1.0]])
    y = np.array([[1.0], [2.0], [-6.0], [1.0], [2.0]])
    predicted = np.array([-6, -6, 1.5, 2, 1])  # the first two are a group
    expected = ((y[:, 0] - predicted) ** 2).sum() / (y**2).sum()
    assert neighbour_errors(x, y, np.array([0, 0, 1, 2, 3])) == pytest.approx(expected)


@pytest.mark.parametrize("p", [1, 2])
def test_the_order_of_equal_rows_does_not_matter(p):
    x, y, _ = repeated(3, p)
    order = np.argsort(y[:, 0])
    assert neighbour_errors(x[order], y[order]) == pytest.approx(neighbour_errors(x, y), rel=1e-12)
    assert neighbour_errors(x, y).min() > 0.5
