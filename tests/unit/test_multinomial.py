"""Multinomial logistic regression: its minimum, and that the way there does not matter.

Agreement with scikit-learn is in test_information.py.
"""

import numpy as np
import pytest

from custodes.metrics.infomec import multinomial

PENALTY = 1e-3


def draw(n, q, classes, noise):
    """Predictors (n, q), uncorrelated and of mean square 1, the first nearly constant; quantile labels."""
    rng = np.random.default_rng(0)
    x = np.linalg.qr(np.hstack([np.ones((n, 1)), rng.standard_normal((n, q - 1))]))[0] * np.sqrt(n)
    seen = x[:, -1] + noise * rng.standard_normal(n)
    return x, np.argsort(np.argsort(seen)) * classes // n


def gradient_length(weights, x, y):
    residual = multinomial.predict(weights, x) - np.eye(weights.shape[1])[y]
    return np.linalg.norm(x.T @ residual + PENALTY * weights) / len(x)


@pytest.mark.parametrize("direct_size", [0, 10**6], ids=["class by class", "factorised"])
@pytest.mark.parametrize(
    ("n", "q", "classes", "noise"),
    [(400, 6, 20, 0.0), (400, 6, 20, 5.0), (60, 20, 10, 1.0), (30, 30, 3, 1.0)],
)
def test_the_gradient_vanishes(monkeypatch, n, q, classes, noise, direct_size):
    monkeypatch.setattr(multinomial, "DIRECT_SIZE", direct_size)
    x, y = draw(n, q, classes, noise)
    weights = multinomial.fit(x, y, PENALTY)
    assert gradient_length(weights, x, y) < 1e-4 * gradient_length(0 * weights, x, y)


@pytest.mark.parametrize("noise", [0.0, 0.3, 5.0])
def test_where_the_search_begins_does_not_matter(noise):
    x, y = draw(300, 5, 8, noise)
    start = np.random.default_rng(1).standard_normal((5, 8))
    expected = multinomial.predict(multinomial.fit(x, y, PENALTY), x)
    assert multinomial.predict(multinomial.fit(x, y, PENALTY, start), x) == pytest.approx(expected, abs=1e-3)


def test_without_predictors_the_probabilities_are_the_frequencies():
    weights = multinomial.fit(np.ones((12, 1)), np.repeat([0, 1, 2], [2, 4, 6]), 1e-6)
    assert multinomial.predict(weights, np.ones((1, 1))) == pytest.approx(np.array([[1, 2, 3]]) / 6, abs=1e-6)


def test_equal_frequencies_leave_nothing_to_do():
    assert not multinomial.fit(np.ones((6, 1)), np.repeat([0, 1], 3), 1.0).any()


def test_one_class_has_probability_one():
    x, _ = draw(10, 3, 2, 0.0)
    assert (multinomial.predict(multinomial.fit(x, np.zeros(10, dtype=int), PENALTY), x) == 1).all()
