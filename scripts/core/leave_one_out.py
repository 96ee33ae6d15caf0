"""Predictions of every row from all the others, judged by the share of variance that they leave unexplained.

Predictors x (n, p) and targets y (n, t) have centred columns, and targets vary. The share is the mean squared
error over the variance: 0 without error, about 1 for least squares that know nothing, 1.5 for neighbours.
"""

import numpy as np

RANK_TOLERANCE = 1e-10  # relative; smaller singular values are rounding noise of dependent columns
# In units of the mean squared singular value. With as many predictors as rows, least squares fit every row
# exactly and leave no residual to judge by; this keeps the residuals ten digits above rounding noise.
PENALTY = 1e-6


def linear_errors(x, y, leave_out=True):
    """Unexplained shares (t,) of least squares with an intercept, and the coefficients (p, t) on all rows.

    Leaving row i out divides its residual by 1 - h_i, h the diagonal of the hat matrix, so that one singular
    value decomposition serves all rows and targets. leave_out=False: the residuals of the fit itself.
    Coefficients have minimum norm where columns of x are dependent.
    """
    left, singular, right = np.linalg.svd(x, full_matrices=False)
    kept = singular > RANK_TOLERANCE * singular[0]
    left, singular, right = left[:, kept], singular[kept], right[kept]
    squares = singular**2
    fitted = squares / (squares + PENALTY * squares.mean())
    projected = fitted[:, None] * (left.T @ y)
    residual = y - left @ projected
    if leave_out:
        residual /= (1 - 1 / len(x) - left**2 @ fitted)[:, None]
    return _share(residual, y), right.T @ (projected / singular[:, None])


def neighbour_errors(x, y):
    """Unexplained shares (t,) of the mean of y over the two other rows nearest in x (Euclidean distance).

    With one column they are the rows before and after, and the share only depends on the order of x.
    """
    if x.shape[1] > 1:
        return _share(y - y[_nearest(x)].mean(axis=1), y)
    ordered = y[np.argsort(x[:, 0], kind="stable")]
    between = (ordered[:-2] + ordered[2:]) / 2
    return _share(ordered - np.vstack([ordered[1], between, ordered[-2]]), y)


def _share(residual, y):
    return (residual**2).sum(axis=0) / (y**2).sum(axis=0)


def _nearest(x):
    """Indices (n, 2) of the two other rows nearest to each row of x (n, p)."""
    from scipy.spatial import cKDTree

    nearest = cKDTree(x).query(x, k=3)[1]
    own = nearest == np.arange(len(x))[:, None]
    own[~own.any(axis=1), 2] = True  # a row with three equals or more need not be among its own nearest
    return nearest[~own].reshape(-1, 2)
