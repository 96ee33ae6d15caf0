"""Predictions of every row from all the others, judged by the share of variance that they leave unexplained.

Predictors x (n, p) and targets y (n, t) have centred columns, and targets vary. The share is the mean squared
error over the variance: 0 without error, about 1 for least squares that know nothing, 1.5 for neighbours.
"""

import numpy as np

RANK_TOLERANCE = 1e-10  # relative; smaller singular values are rounding noise of dependent columns
# In units of the mean squared singular value. With as many predictors as rows, least squares fit every row
# exactly and leave no residual to judge by; this keeps the residuals ten digits above rounding noise.
PENALTY = 1e-6


def linear_errors(x, y, leave_out=True, groups=None):
    """Unexplained shares (t,) of least squares with an intercept, and the coefficients (p, t) on all rows.

    Leaving row i out divides its residual by 1 - h_i, h the diagonal of the hat matrix, so that one singular
    value decomposition serves all rows and targets. groups: integers (n,) from 0; rows of one have the same x
    and are left out together: to each of c rows h_i / (1 - c h_i) of the sum of their residuals is added.
    leave_out=False: the residuals of the fit itself.
    Coefficients have minimum norm where columns of x are dependent.
    """
    left, singular, right = np.linalg.svd(x, full_matrices=False)
    kept = singular > RANK_TOLERANCE * singular[0]
    left, singular, right = left[:, kept], singular[kept], right[kept]
    squares = singular**2
    fitted = squares / (squares + PENALTY * squares.mean())
    projected = fitted[:, None] * (left.T @ y)
    residual = y - left @ projected
    leverage = 1 / len(x) + left**2 @ fitted
    if leave_out and groups is None:
        residual /= (1 - leverage)[:, None]
    elif leave_out:
        counts = np.bincount(groups)[groups]
        residual += (leverage / (1 - counts * leverage))[:, None] * _sums(residual, groups)[groups]
    return _share(residual, y), right.T @ (projected / singular[:, None])


def neighbour_errors(x, y, groups=None):
    """Unexplained shares (t,) of the mean of y over the nearest other rows.

    For a row that shares its x with others these are the others, else the rows of the two nearest values of
    x (Euclidean distance; with one column, the values before and after), each value with the mean of its
    rows: the order in which equal rows come does not matter. With one column the share only depends on the
    order of x. groups: as for `linear_errors`; the rows of a group do not count as others. x must vary.
    """
    values, place = np.unique(x[:, 0] if x.shape[1] == 1 else x, axis=0, return_inverse=True)
    place = place.ravel()
    near = _before_and_after(len(values)) if values.ndim == 1 else _nearest(values)
    sums, counts = _sums(y, place), np.bincount(place)
    means = sums / counts[:, None]
    between = sum(means[places] for places in near.T) / near.shape[1]
    if len(values) == len(x):
        return _share(means - between, means)
    own, alike = (y, 1) if groups is None else (_sums(y, groups)[groups], np.bincount(groups)[groups])
    others = counts[place] - alike
    among = (sums[place] - own) / np.maximum(others, 1)[:, None]
    return _share(y - np.where((others > 0)[:, None], among, between[place]), y)


def _share(residual, y):
    return (residual**2).sum(axis=0) / (y**2).sum(axis=0)


def _sums(y, groups):
    """Sums (groups, t) of the rows of y (n, t) with the same integer."""
    order = np.argsort(groups, kind="stable")
    return np.add.reduceat(y[order], np.flatnonzero(np.diff(groups[order], prepend=-1)))


def _before_and_after(n):
    """For each of n places the two beside it; at the ends the one, twice."""
    places = np.arange(n)
    before, after = np.maximum(places - 1, 0), np.minimum(places + 1, n - 1)
    before[0], after[-1] = 1, n - 2
    return np.column_stack([before, after])


def _nearest(values):
    """Places (n, at most 2) of the other rows nearest to each row of values (n, p), which all differ."""
    from scipy.spatial import cKDTree

    wanted = min(3, len(values))
    nearest = cKDTree(values).query(values, k=wanted)[1]
    own = nearest == np.arange(len(values))[:, None]
    own[~own.any(axis=1), -1] = True  # among rows nearer than the smallest number it may not be the first
    return nearest[~own].reshape(-1, wanted - 1)
