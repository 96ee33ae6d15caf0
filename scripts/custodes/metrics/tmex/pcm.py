"""Test of conditional independence of every code and every factor given the other factors.

Projected covariance measure (PCM; Lundborg, Kim, Shah and Samworth, "The projected covariance measure
for assumption-lean variable significance testing", 2022) with least-squares regressions, averaged
over random halvings of the rows. Response Y = code i, X = factor j, Z = the other factors:
half A fits Y on (X, Z) and that fit on Z; their difference f(X, Z) is the direction in which Y is
thought to depend on X. On half B the residuals of f and of Y on Z, both refitted, are multiplied;
T = sqrt(n_B) mean(product) / standard deviation(product) is standard normal under independence and
large under dependence. (The sign that PCM gives to f is +1 for least squares: f has a covariance
>= 0 with the residual of Y on half A.)

Fits on "the other factors" are not made for each pair. What a least-squares fit on Z leaves of f is
a multiple of e_j, what it leaves of factor j; what it leaves of Y is R_i + b_ij e_j, with R_i and b_ij
from the one fit of all codes on all factors. One QR of the factors per half thus serves all m d
tests, and the moments of the products are matrix products of powers of e and R.
"""

import numpy as np

from custodes.errors import Undefined

SMALLEST_SINGULAR_VALUE = 1e-9  # relative: a column within this of the others is a combination of them
SMALLEST_COEFFICIENT = 1e-6  # of a column in a dependence between columns; smaller ones are rounding noise


def mean_statistic(z, codes, rng, *, features, halvings, floor, scale_free, count_regressors):
    """T (m, d) of codes (n, m) and factors z (n, d), averaged over `halvings` halvings from rng.

    z, codes: standardised columns (0 where a column does not vary).
    features: function of z that gives the regressors (n, p) and a boolean (d, p): which of them
    involve factor j. `linear` and `quadratic` are two.
    floor: number or (m,), the least variance of a product. A code that the other factors determine
    leaves products of rounding noise only, which this makes a T of 0.
    scale_free: f is given unit length on half B, so that the floor does not depend on its size.
    count_regressors: T has n_B less the regressors of Z and 1 in place of n_B, which keeps its
    variance near 1 when half B is short; Undefined where half B has too few rows to tell a code
    from its fit on all regressors. False: no such limit; T is 0 where Z determines X.
    """
    regressors, involved = features(z)
    n, p = regressors.shape
    first = (n + 1) // 2
    if count_regressors and n - first < p + 2:
        raise Undefined(
            f"half of {n} rows leave no degree of freedom for {p} regressors; {2 * p + 4} rows are needed"
        )
    products = _single_products if np.array_equal(involved, np.eye(p, dtype=bool)) else _group_products
    total = np.zeros((involved.shape[0], codes.shape[1]))
    for _ in range(halvings):
        order = rng.permutation(n)
        a, b = order[:first], order[first:]
        slopes = _inverse(_centred(regressors[a]))[0].T @ codes[a]
        fitted, response = _centred(regressors[b]), _centred(codes[b])
        mean, square = products(fitted, response, slopes, involved, scale_free)
        total += mean / np.sqrt(np.maximum(square - mean**2, floor))
    lost = p + 1 - involved.sum(axis=1) if count_regressors else 0
    return total.T * (np.sqrt(n - first - lost) / halvings)


def linear(z):
    """Regressors: the factors themselves."""
    return z, np.eye(z.shape[1], dtype=bool)


def quadratic(z):
    """Regressors: the factors, their squares and their products of two, those that vary."""
    d = z.shape[1]
    one, other = np.triu_indices(d)
    regressors = np.hstack([z, z[:, one] * z[:, other]])
    identity = np.eye(d, dtype=bool)
    involved = np.hstack([identity, identity[:, one] | identity[:, other]])
    spread = regressors.std(axis=0)
    varying = spread > SMALLEST_SINGULAR_VALUE
    return (regressors / np.where(varying, spread, 1.0))[:, varying], involved[:, varying]


def rejected(p, alpha, correction):
    """Boolean (m, d): which hypotheses, of p-values p (m, d), are rejected at level alpha.

    correction: "holm" (Holm, 1979) bounds the chance of any false rejection among all; "none" that of each.
    """
    if correction == "none":
        return p < alpha
    ordered = np.sort(p, axis=None)
    passed = np.append(ordered <= alpha / np.arange(p.size, 0, -1), False)
    return p <= np.append(-1.0, ordered)[passed.argmin()]


def _centred(x):
    return x - x.mean(axis=0)


def _inverse(x):
    """Transposed Moore-Penrose inverse (rows, p) of x (rows, p), and which columns others determine (p,)."""
    q, r = np.linalg.qr(x)
    u, singular, v = np.linalg.svd(r)
    rank = int((singular > SMALLEST_SINGULAR_VALUE * singular[0]).sum())
    determined = (np.abs(v[rank:]) > SMALLEST_COEFFICIENT).any(axis=0)
    return q @ ((u[:, :rank] / singular[:rank]) @ v[:rank]), determined


def _single_products(z, codes, slopes, involved, scale_free):
    """Mean and mean square (d, m) of the products, where each factor is one regressor."""
    n = len(z)
    inverse, determined = _inverse(z)
    coefficients = inverse.T @ codes
    rest = codes - z @ coefficients
    # Column j of the inverse is e_j / |e_j|^2 unless the other factors determine factor j: e_j is 0.
    length = np.where(determined, np.inf, np.sqrt((inverse**2).sum(axis=0)))
    e = inverse * (np.sqrt(n) / length)  # mean square 1
    size = 1 / (np.sqrt(n) * length[:, None])
    b = coefficients * size
    f = np.sign(slopes) if scale_free else slopes * size
    power = e * e
    square = power.T @ (rest * rest) + 2 * b * ((power * e).T @ rest)
    square += b * b * (power * power).sum(axis=0)[:, None]
    return f * b, f * f * square / n


def _group_products(regressors, codes, slopes, involved, scale_free):
    """Mean and mean square (d, m) of the products, where a factor has several regressors.

    The fits on Z are made in the coordinates of an orthonormal basis, in which they are small.
    """
    basis, coordinates = np.linalg.qr(regressors)
    seen = basis.T @ codes
    rest = codes - basis @ seen
    mean, square = np.empty((2, len(involved), codes.shape[1]))
    for j, own in enumerate(involved):
        direction = coordinates[:, own] @ slopes[own]
        both = np.hstack([direction, seen])
        if not own.all():
            others = coordinates[:, ~own]
            both = both - others @ np.linalg.lstsq(others, both, rcond=SMALLEST_SINGULAR_VALUE)[0]
        f, y = np.hsplit(basis @ both, 2)
        if scale_free:
            f = _unit_length(f, np.sqrt((direction**2).sum(axis=0)))
        product = f * (rest + y)
        mean[j], square[j] = product.mean(axis=0), (product**2).mean(axis=0)
    return mean, square


def _unit_length(f, before):
    """Columns f (n, m) with mean square 1; 0 where the fit on Z left but rounding noise of `before`."""
    length = np.sqrt((f**2).sum(axis=0))
    free = length > SMALLEST_SINGULAR_VALUE * before
    return np.where(free, f, 0.0) * (np.sqrt(len(f)) / np.where(free, length, 1.0))
