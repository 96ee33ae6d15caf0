"""Multinomial logistic regression: scikit-learn, the optimality conditions, and where the search begins."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from scripts.core import multinomial


def draw(n, q, classes, noise, seed=0):
    """Predictors (n, q), uncorrelated, of mean square 1, the first nearly constant; labels in quantiles."""
    rng = np.random.default_rng(seed)
    x = np.hstack([np.ones((n, 1)), rng.standard_normal((n, q - 1))])
    x = np.linalg.qr(x)[0] * np.sqrt(n)
    x *= np.sign(x[0, 0])
    score = x[:, -1] + noise * rng.standard_normal(n)
    return x, np.argsort(np.argsort(score)) * classes // n


def gradient(weights, x, y, penalty):
    residual = multinomial.predict(weights, x) - np.eye(len(weights))[:, y]
    return (residual @ x + penalty * weights) / len(x)


@pytest.mark.parametrize("penalty", [1e-3, 1.0])
@pytest.mark.parametrize("noise", [0.0, 0.5, 10.0])
def test_agrees_with_scikit_learn(noise, penalty):
    x, y = draw(200, 4, 3, noise)
    reference = LogisticRegression(
        C=1 / penalty, fit_intercept=False, solver="newton-cg", tol=1e-10, max_iter=10000
    ).fit(x, y)
    weights = multinomial.fit(x, y, penalty)
    np.testing.assert_allclose(
        multinomial.predict(weights, x).T, reference.predict_proba(x), rtol=0, atol=1e-3
    )


@pytest.mark.parametrize("factorised", [0, 10**6])
@pytest.mark.parametrize(
    ("n", "q", "classes", "noise"),
    [(400, 6, 20, 0.0), (400, 6, 20, 5.0), (60, 20, 10, 1.0), (30, 30, 3, 1.0)],
)
def test_the_gradient_vanishes_with_either_preconditioner(n, q, classes, noise, factorised, monkeypatch):
    monkeypatch.setattr(multinomial, "FACTORISED_SIZE", factorised)
    x, y = draw(n, q, classes, noise)
    weights = multinomial.fit(x, y, 1e-3)
    at_start = gradient(np.zeros_like(weights), x, y, 1e-3)
    assert np.linalg.norm(gradient(weights, x, y, 1e-3)) < 1e-4 * np.linalg.norm(at_start)


def test_where_the_search_begins_does_not_matter():
    x, y = draw(300, 5, 8, 0.3)
    expected = multinomial.predict(multinomial.fit(x, y, 1e-3), x)
    start = np.random.default_rng(1).standard_normal((8, 5))
    assert multinomial.predict(multinomial.fit(x, y, 1e-3, start=start), x) == pytest.approx(
        expected, abs=1e-3
    )


def test_independent_labels_have_their_frequencies():
    x, y = np.ones((12, 1)), np.repeat([0, 1, 2], [2, 4, 6])
    probabilities = multinomial.predict(multinomial.fit(x, y, 1e-6), x)
    np.testing.assert_allclose(probabilities, np.repeat([[1 / 6], [1 / 3], [1 / 2]], 12, axis=1), atol=1e-6)


def test_equal_frequencies_leave_nothing_to_do():
    assert not multinomial.fit(np.ones((6, 1)), np.repeat([0, 1], 3), 1.0).any()


def test_one_class_has_probability_one():
    x, _ = draw(10, 3, 2, 0.0)
    weights = multinomial.fit(x, np.zeros(10, dtype=int), 1e-3)
    assert (multinomial.predict(weights, x) == 1).all()
