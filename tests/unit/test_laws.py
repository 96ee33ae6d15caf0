"""Laws that are found, laws that are missed, and correlations that are none."""

import numpy as np
import pytest

from custodes.metrics.focus.exact_laws import law_errors

FOUND = {
    "sum": lambda x: x[:, 0] + x[:, 1],
    "product": lambda x: x[:, 0] * x[:, 1],
    "squares": lambda x: x[:, 0] ** 2 + x[:, 1] ** 2,
    "function of one": lambda x: np.tanh(2 * x[:, 0] ** 3),
    "sign": lambda x: np.sign(x[:, 0]),
}
MISSED = {
    "product of three": lambda x: x[:, :3].prod(axis=1),
    "quotient": lambda x: x[:, 0] / x[:, 1],
    "larger of two": lambda x: x[:, :2].max(axis=1),
    "independent": lambda x: np.random.default_rng(1).standard_normal(len(x)),
}


def errors(laws, n=1000, k=8, products=True):
    known = 3 + np.random.default_rng(0).standard_normal((n, k)) * np.logspace(-3, 3, k)
    scaled = (known - 3) / np.logspace(-3, 3, k)
    hidden = np.column_stack([law(scaled) for law in laws.values()])
    return dict(zip(laws, law_errors(known, hidden, products), strict=True))


def test_polynomials_and_functions_of_one_leave_nothing():
    assert max(errors(FOUND).values()) < 0.003


def test_other_laws_are_missed():
    found = errors(MISSED)
    assert min(found.values()) > 0.03
    assert found["independent"] > 0.9


def test_without_products_only_straight_laws_count():
    found = errors(FOUND, products=False)
    assert found.pop("sum") < 1e-6
    assert min(found.values()) > 0.05


def test_products_need_more_rows_than_terms():
    assert errors(FOUND, n=46)["product"] < 0.001  # 8 + 36 terms
    few = errors(FOUND, n=44)
    assert few["product"] > 0.1
    assert few["sum"] < 1e-6


def test_correlation_is_no_law():
    rng = np.random.default_rng(0)
    z = np.sqrt(0.01) * rng.standard_normal((1000, 10)) + np.sqrt(0.99) * rng.standard_normal((1000, 1))
    assert law_errors(z[:, :9], z[:, 9:], True) == pytest.approx(0.0111, abs=0.003)
    assert law_errors(z[:, :1], z[:, 1:], True) == pytest.approx(0.02, abs=0.005)


def test_factors_of_two_values():
    bits = np.random.default_rng(0).integers(0, 2, (200, 3)).astype(float)
    hidden = np.column_stack([bits[:, 0] * bits[:, 1], (bits[:, 0] + bits[:, 1]) % 2])
    assert law_errors(bits, hidden, True).max() < 1e-6
    assert law_errors(2 * bits - 1, hidden, True).max() < 1e-6  # whose squares are constant
