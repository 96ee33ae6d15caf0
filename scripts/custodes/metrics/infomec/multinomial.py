"""Multinomial logistic regression with next to no penalty, to convergence, by Newton's method.

Log odds are linear in the predictors x (n, q), the first of them 1: p_k ~ exp(x w_k), k = 1 .. K.
Minimised is the mean log loss plus `penalty` / (2 n) times the sum of W^2, strictly convex, so that the
result does not depend on the way there. First-order solvers need thousands of steps where classes are
nearly separable; this one 5 to 30.

Loss and gradient have double precision. A step need not be exact: it comes from conjugate gradients in
single precision, preconditioned with the inverse of the Hessian of an earlier step.
"""

import numpy as np

TOLERANCE = 1e-7  # nats by which the last step was to lower the loss
SHORTEST_STEP = 1e-9
ACCURACY = 0.2  # of a step, relative
CAUTION = 0.003  # curvature added per unit length of the gradient: flat directions have no overlong steps
PATIENCE = 5  # products with the Hessian that a step may take before the preconditioner is renewed
MOST_PRODUCTS = 200  # that it may take with a new one
DIRECT_SIZE = 600  # weights up to which factorising the Hessian pays
LEAST_CURVATURE = 1e-6  # of a preconditioner, above the rounding noise of the Hessian
NEVER = 1e-9  # mean product of the probabilities of two classes that are never confused
LEAST_LOG_ODDS = -35.0  # to the likeliest class; the numbers that follow from less are slow to compute with


def fit(x, y, penalty, start=None):
    """Weights (q, K) for predictors x (n, q) and labels y (n,) of 0 .. K - 1, each of which occurs.

    The search begins at the weights `start`, if given.
    """
    n, transposed = len(x), np.ascontiguousarray(x.T)
    ridge, frequencies = penalty / n, np.bincount(y) / n
    if start is None:
        start = np.zeros((x.shape[1], len(frequencies)))
        start[0] = np.log(frequencies)
    if len(frequencies) == 1:
        return np.zeros_like(start)
    weights = np.ascontiguousarray(start.T) - start.mean(axis=1)  # from here on the classes come first
    observed = np.eye(len(frequencies))[:, y] @ x / n
    value, probabilities = _loss(weights, transposed, observed, ridge)
    step_of = _newton_steps(x, probabilities, ridge)
    while True:
        gradient = probabilities @ x / n - observed + ridge * weights
        step, accurate = step_of(probabilities, gradient)
        promised, length = np.vdot(step, gradient), 1.0
        while True:
            proposed = weights - length * step
            lower, probabilities = _loss(proposed, transposed, observed, ridge)
            if lower <= value - 1e-4 * length * promised:
                break
            if length < SHORTEST_STEP:  # no lower value in floating-point numbers
                return weights.T
            length /= 2
        weights, value = proposed, lower
        if promised <= (TOLERANCE if accurate else TOLERANCE**2):
            return weights.T


def predict(weights, x):
    """Probabilities (n, K) of the classes for predictors x (n, q)."""
    return _softmax(weights.T @ x.T)[0].T


def _softmax(logits):
    """Probabilities of logits (K, n), which are overwritten, and the log of their divisors (n,)."""
    largest = logits.max(axis=0)
    logits -= largest
    np.maximum(logits, LEAST_LOG_ODDS, out=logits)
    probabilities = np.exp(logits, out=logits)
    total = probabilities.sum(axis=0)
    probabilities /= total
    return probabilities, largest + np.log(total)


def _loss(weights, transposed, observed, ridge):
    """Penalised loss, and probabilities; observed (K, q): the sums of x within the classes, over n."""
    probabilities, normaliser = _softmax(weights @ transposed)
    penalty = ridge / 2 * np.vdot(weights, weights)
    return normaliser.mean() - np.vdot(weights, observed) + penalty, probabilities


def _newton_steps(x, probabilities, ridge):
    """Function of probabilities (K, n) and gradient (K, q): Newton's step, and whether it is accurate.

    The Hessian is the mean over rows of (diag p - p p^T) x (x x^T), plus ridge. The first
    preconditioner, for the `probabilities` of the start, is the cheap one: with it alone few steps may do.
    """
    x = x.astype(np.float32)
    transposed, moments = np.ascontiguousarray(x.T), _moments(x)
    renewed = _whole_inverse if len(probabilities) * x.shape[1] <= DIRECT_SIZE else _class_inverses
    precondition = _class_inverses(probabilities.astype(np.float32), moments, ridge)

    def step(probabilities, gradient):
        nonlocal precondition
        p, residual = probabilities.astype(np.float32), gradient.astype(np.float32)
        damping = ridge + CAUTION * np.linalg.norm(residual)
        new = precondition is None
        if new:
            precondition = renewed(p, moments, damping)
        result, direction = np.zeros_like(residual), precondition(residual)
        size = np.vdot(residual, direction)
        enough, products = ACCURACY**2 * size, 0
        while size > enough and products < (MOST_PRODUCTS if new else PATIENCE):
            image = direction @ transposed
            image *= p
            image -= p * image.sum(axis=0)
            image = image @ x / len(x) + damping * direction
            length = size / np.vdot(direction, image)
            result += length * direction
            residual -= length * image
            preconditioned = precondition(residual)
            previous, size = size, np.vdot(residual, preconditioned)
            direction = preconditioned + size / previous * direction
            products += 1
        if products >= PATIENCE:
            precondition = None
        return result.astype(np.float64), size <= enough

    return step


def _moments(x):
    """Function of weights (k, n) that returns the weighted means (k, q, q) of x x^T, x (n, q)."""
    upper = np.triu_indices(x.shape[1])
    products = x[:, upper[0]] * x[:, upper[1]] / len(x)
    place = np.zeros((x.shape[1], x.shape[1]), dtype=np.intp)
    place[upper] = place.T[upper] = np.arange(len(upper[0]))
    return lambda weights: (weights @ products)[:, place]


def _class_inverses(p, moments, damping):
    """Function that applies the inverse of each class's own block of the damped Hessian."""
    blocks = moments(p * (1 - p))
    diagonal = np.arange(blocks.shape[1])
    blocks[:, diagonal, diagonal] += max(damping, LEAST_CURVATURE)
    inverses = np.linalg.inv(blocks)
    return lambda residual: np.matmul(inverses, residual[:, :, None])[:, :, 0]


def _whole_inverse(p, moments, damping):
    """Function that applies the inverse of the damped Hessian.

    Rows of diag p - p p^T add up to 0. So the Hessian's blocks on the diagonal are sums of the others,
    of which many are 0: those of classes that are never confused. Equal changes of all classes, which no
    gradient asks for, are given a curvature of 1.
    """
    from scipy.linalg.lapack import spotrf, spotrs

    one, other = np.nonzero(np.triu(p @ p.T, 1) > NEVER * p.shape[1])
    between = moments(p[one] * p[other])
    classes, q, each = len(p), between.shape[1], np.arange(len(p))
    blocks = np.zeros((classes, q, classes, q), dtype=np.float32)
    blocks[one, :, other, :] = blocks[other, :, one, :] = -between
    blocks[each, :, each, :] = -blocks.sum(axis=2)
    blocks += np.eye(q, dtype=np.float32)[:, None, :] / classes
    hessian = blocks.reshape(classes * q, -1)
    hessian[np.diag_indices_from(hessian)] += max(damping, LEAST_CURVATURE)
    factor, failed = spotrf(hessian.T, lower=True, overwrite_a=True)
    if failed:
        raise np.linalg.LinAlgError("the Hessian is not positive definite")
    return lambda residual: spotrs(factor, residual.ravel(), lower=True)[0].reshape(-1, q)
