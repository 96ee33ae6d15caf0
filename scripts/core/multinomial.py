"""Multinomial logistic regression with next to no penalty, to convergence, by Newton's method.

Log odds are linear in the predictors x (n, q), the first of them 1: p_k ~ exp(x w_k), k = 1 .. K.
Minimised is the mean log loss plus `penalty` / (2 n) times the sum of W^2, strictly convex, so that the
result does not depend on the way there. First-order solvers need thousands of steps where classes are
nearly separable; this one 10 to 30.
"""

import numpy as np

TOLERANCE = 1e-6  # nats by which the last step was to lower the loss
SHORTEST_STEP = 1e-9
DIRECT_SIZE = 400  # weights up to which factorising the Hessian is faster than conjugate gradients
ACCURACY, MOST_PRODUCTS = 0.1, 200  # of a step by conjugate gradients
PATIENCE = 10  # products with the Hessian that a step may take before the preconditioner is renewed


def fit(x, y, penalty):
    """Weights (q, K) for predictors x (n, q) and labels y (n,) of 0 .. K - 1, each of which occurs."""
    ridge, rows = penalty / len(x), np.arange(len(x))
    frequencies = np.bincount(y) / len(y)
    weights = np.zeros((x.shape[1], len(frequencies)))
    weights[0] = np.log(frequencies) - np.log(frequencies).mean()
    if len(frequencies) == 1:
        return weights
    step_of = _direct_steps(x, ridge) if weights.size <= DIRECT_SIZE else _iterative_steps(x, ridge)
    value, probabilities = _loss(weights, x, y, ridge)
    promised = np.inf
    while promised > TOLERANCE:
        residual = probabilities.copy()
        residual[rows, y] -= 1.0
        gradient = x.T @ residual / len(x) + ridge * weights
        step = step_of(probabilities, gradient)
        promised, length = np.vdot(step, gradient), 1.0
        while True:
            proposed = weights - length * step
            lower, probabilities = _loss(proposed, x, y, ridge)
            if lower <= value - 1e-4 * length * promised:
                break
            if length < SHORTEST_STEP:  # no lower value in floating-point numbers
                return weights
            length /= 2
        weights, value = proposed, lower
    return weights


def predict(weights, x):
    """Probabilities (n, K) of the classes for predictors x (n, q)."""
    return _softmax(x @ weights)[0]


def _softmax(logits):
    """Probabilities of logits (n, K), which are overwritten, and the log of their divisors (n, 1)."""
    largest = logits.max(axis=1, keepdims=True)
    logits -= largest
    probabilities = np.exp(logits, out=logits)
    total = probabilities.sum(axis=1, keepdims=True)
    probabilities /= total
    return probabilities, largest + np.log(total)


def _loss(weights, x, y, ridge):
    logits = x @ weights
    own = logits[np.arange(len(y)), y]
    probabilities, normaliser = _softmax(logits)
    return (normaliser[:, 0] - own).mean() + ridge / 2 * np.vdot(weights, weights), probabilities


def _direct_steps(x, ridge):
    """Function of probabilities and gradient that returns Newton's step, from the factorised Hessian.

    The Hessian is the mean over rows of (diag p - p p^T) x (x x^T), plus ridge.
    """
    n, q = x.shape
    products = (x[:, :, None] * x[:, None, :]).reshape(n, -1) / n

    def step(probabilities, gradient):
        each = np.arange(probabilities.shape[1])
        spread = (probabilities[:, :, None] * x[:, None, :]).reshape(n, -1)
        hessian = spread.T @ spread / -n
        blocks = hessian.reshape(len(each), q, len(each), q)
        blocks[each, :, each, :] += (probabilities.T @ products).reshape(-1, q, q)
        hessian[np.diag_indices_from(hessian)] += ridge
        return np.linalg.solve(hessian, gradient.T.ravel()).reshape(-1, q).T

    return step


def _iterative_steps(x, ridge):
    """The same by conjugate gradients, to a relative accuracy, each class preconditioned on its own."""
    n = len(x)
    transposed = np.ascontiguousarray(x.T)
    inverse = None

    def precondition(residual):
        return np.matmul(inverse, residual.T[:, :, None])[:, :, 0].T

    def step(probabilities, gradient):
        nonlocal inverse
        if inverse is None:
            inverse = _class_inverses(x, probabilities, ridge)
        result, residual = np.zeros_like(gradient), gradient.copy()
        direction = precondition(residual)
        size = first = np.vdot(residual, direction)
        for products in range(1, MOST_PRODUCTS + 1):
            image = x @ direction
            image *= probabilities
            image -= probabilities * image.sum(axis=1, keepdims=True)
            image = transposed @ image / n + ridge * direction
            length = size / np.vdot(direction, image)
            result += length * direction
            residual -= length * image
            preconditioned = precondition(residual)
            previous, size = size, np.vdot(residual, preconditioned)
            renew = products > PATIENCE
            if size < ACCURACY**2 * first:
                break
            direction = preconditioned + size / previous * direction
        if renew:
            inverse = None
        return result

    return step


def _class_inverses(x, probabilities, ridge):
    """Inverses (K, q, q) of the Hessian's diagonal blocks."""
    weights = probabilities * (1 - probabilities) / len(x)
    blocks = np.stack([(x * weight[:, None]).T @ x for weight in weights.T])
    diagonal = np.arange(x.shape[1])
    blocks[:, diagonal, diagonal] += ridge
    return np.linalg.inv(blocks)
