"""How much of every code's variance is each factor's, estimated from factors to codes.

Shares are those under independent factors: they do not move with the dependence of the factors. Factors
(n, d) and codes (n, m) have centred columns of variance 1.
"""

import numpy as np

from custodes.metrics.focus.leave_one_out import linear_errors, neighbour_errors

READOUT_FLOOR = 1e-9  # noise in units of a code's variance that every code has: codes may be dependent
PREDICTORS = ("all factors", "factor lines", "factor neighbours")


def factor_shares(factors, codes, predictors=PREDICTORS, leave_out=True, groups=None):
    """Shares Q (m, d) in [0, 1] of the factors in the codes.

    Each code is predicted by least squares on all factors, and from each factor alone by a line and by its
    neighbours in the order of the factor. With E the least unexplained share and b the coefficients of
    all factors, its row is (1 - E) b_i^2 / sum_k b_k^2; where one factor alone does no worse, 1 - E for that
    factor and 0 for the others. Rows sum to at most 1, and to 0 where E >= 1.
    predictors: those of PREDICTORS to try. leave_out=False: straight fits are judged on the rows they fit.
    groups: integers (n,) from 0; rows of one have the same factors and are left out together.
    """
    joint, coefficients = linear_errors(factors, codes, leave_out, groups)
    if "all factors" not in predictors:
        joint[:] = np.inf
    alone = np.full((factors.shape[1], codes.shape[1]), np.inf)
    for factor, errors in zip(factors.T[:, :, None], alone, strict=True):
        if "factor lines" in predictors:
            errors[:] = linear_errors(factor, codes, leave_out, groups)[0]
        if "factor neighbours" in predictors:
            errors[:] = np.minimum(errors, neighbour_errors(factor, codes, groups))
    best, least = alone.argmin(axis=0), alone.min(axis=0)
    squares = np.where(least <= joint, np.eye(len(alone))[:, best], coefficients**2)
    total = squares.sum(axis=0)
    explained = np.clip(1 - np.minimum(least, joint), 0.0, 1.0)
    return (squares / np.where(total > 0, total, 1.0) * explained).T


def mean_share(shares, relative=False):
    """Mean (d,) of each column of shares (m, d), weighted by itself; 0 for a column of zeros.

    relative: mean of the shares in what the factors explain of a code, with the same weights.
    """
    total, squares = shares.sum(axis=0), shares**2
    if relative:
        explained = shares.sum(axis=1, keepdims=True)
        squares /= np.where(explained > 0, explained, 1.0)
    return squares.sum(axis=0) / np.where(total > 0, total, 1.0)


def largest_share(factors, codes):
    """Largest share (d,) that each factor has in any linear readout of the codes.

    a_i' (A A' + N)^-1 a_i (a Rayleigh quotient) where codes are A z + noise of covariance N, a_i is column i
    of A (m, d). Not defined by the data where factors are linearly dependent; A then has minimum norm.
    """
    mixing = linear_errors(factors, codes)[1]
    noise = codes - factors @ mixing
    spread = mixing.T @ mixing + noise.T @ noise / len(noise) + READOUT_FLOOR * np.eye(codes.shape[1])
    return np.clip(np.einsum("dm,md->d", mixing, np.linalg.solve(spread, mixing.T)), 0.0, 1.0)
