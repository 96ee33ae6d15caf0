"""Scores that are known without an experiment: the paper's closed forms, and exact values for some.

Every function takes plain numbers or arrays that broadcast, unless it says otherwise.
"""

import numpy as np

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)


def mcc_three_factors(rho, epsilon):
    """Population MCC-P of the three-factor example.

    z = (Z1, Z2, Z3) with unit variances and corr(Z2, Z3) = rho, the other pairs uncorrelated;
    z_hat = (s Z1, Z2 + epsilon Z3, epsilon Z2 + Z3) with 0 < epsilon <= 1.
    For epsilon < 1 it tends to 1 at both ends of rho, though the code stays entangled.
    Source: Who Guards the Guardians, App. F.1 (epsilon = 1 is its degenerate case).
    """
    rho, epsilon = np.asarray(rho, dtype=float), np.asarray(epsilon, dtype=float)
    scale = np.sqrt(1 + epsilon**2 + 2 * epsilon * rho)
    best = np.maximum(np.abs(1 + epsilon * rho), np.abs(epsilon + rho)) / scale
    return (1 + 2 * best) / 3


def equicorrelation(d, rho):
    """Covariance (d, d) with unit variances and the same correlation `rho` between all pairs."""
    return np.full((d, d), float(rho)) + (1.0 - rho) * np.eye(d)


def population_mcc_pearson(mixing, sigma):
    """MCC-P in the limit of many samples, for codes z_hat = mixing z and factors of covariance `sigma`.

    mixing (m, d), sigma (d, d) with unit diagonal. Corr(z_hat, z) = A Sigma / sqrt(diag(A Sigma A'));
    the score is the mean over the min(m, d) pairs of the best one-to-one matching of its absolute
    values, in [0, 1]. Source: App. F.1, for any linear code.
    """
    from scipy.optimize import linear_sum_assignment

    covariance = mixing @ sigma
    correlation = np.abs(covariance) / np.sqrt((covariance * mixing).sum(axis=1, keepdims=True))
    return float(correlation[linear_sum_assignment(correlation, maximize=True)].mean())


def null_floor(n, m):
    """The paper's estimate sqrt(2 log m / n) of MCC-P under a code independent of the factors.

    n: rows that are scored (a fifth of the sample where only test rows are); m: number of codes. It is
    asymptotic (n and m large, m much larger than d), exceeds 1 for small n, and is 0 at m = 1.
    Source: App. F.3.
    """
    return np.sqrt(2 * np.log(m) / np.asarray(n, dtype=float))


def null_maximum(n, m):
    """Exact mean of the largest absolute correlation of one factor with m codes independent of it.

    n: rows that are scored, at least 2 (there every correlation is 1 or -1); m: number of Gaussian
    codes, at least 1. The squared correlation is Beta(1/2, (n - 2)/2) (the t law of App. F.3), so
    that E max = integral over [0, 1] of 1 - P(|r| <= x)^m. With m the larger of the numbers of codes
    and factors it bounds the expectation of MCC-P from above: every matched pair is at best the
    largest of so many. The mean of null_maximum(n, m - j) over the matched pairs j = 0, 1, ...
    bounds it from below: pairs that take theirs in turn are one of the matchings.
    """
    from scipy.special import betainc, betaincinv

    n, m = np.broadcast_arrays(np.asarray(n, dtype=float), np.asarray(m, dtype=float))
    if (n < 2).any() or (m < 1).any():
        raise ValueError(f"needs n >= 2 and m >= 1, got n from {n.min():g} and m from {m.min():g}")
    half = np.maximum(n - 2, 1e-9)[..., None] / 2
    # Beyond `top` the integrand is below m times 1e-13; most of [0, 1] is empty at large n.
    top = np.sqrt(betaincinv(0.5, half, 1 - 1e-13))
    x = top * (1 + _NODES) / 2
    inside = (1 - betainc(0.5, half, x**2) ** m[..., None]) @ (_WEIGHTS / 2)
    return np.where(n == 2, 1.0, inside * top[..., 0])


def r2_dropped(m, d, rho=0.0):
    """Population R2 of a linear prediction of all d factors from m of them, averaged over the factors.

    m / d for independent factors (Sec. 3.2); with equal correlations `rho` the dropped ones are
    predicted in part, each with R2 = m rho^2 / (1 + (m - 1) rho) (the normal equations).
    """
    m, d, rho = (np.asarray(value, dtype=float) for value in (m, d, rho))
    return (m + (d - m) * m * rho**2 / (1 + (m - 1) * rho)) / d


def dci_dropped(m):
    """DCI-D of m perfectly recovered independent factors of any number: 1, however many are dropped.

    Holds where factors that cannot be predicted have no importance. Source: App. F.2.
    """
    return np.ones_like(np.asarray(m, dtype=float))
