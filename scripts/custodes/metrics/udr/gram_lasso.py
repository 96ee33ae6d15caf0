"""The lasso of many targets on the same columns, from inner products alone.

For columns X (n, L) and a target y (n,): the w that minimises |y - X w|^2 / (2 n) + alpha |w|_1. Only
X'X / n and X'y / n enter, so the number of rows costs nothing here. All targets are solved at once:
coordinate descent from 0, then Newton steps for the signs it found, each cut where a coefficient
reaches 0, until one is not cut; then descent again (feature-sign search, Lee et al., 2007, "Efficient
sparse coding algorithms", with descent to choose the coefficients that enter). Each uncut step is the
minimum for its signs, so few are needed; descent alone takes thousands of sweeps on collinear columns.
"""

import numpy as np

from custodes.errors import Undefined

SWEEPS = 2  # of coordinate descent at a time
MOST_ROUNDS = 1000  # 3 are usual, 100 were needed for dependent columns and a tiny alpha
TOLERANCE = 1e-10  # of the conditions that hold at the minimum, in units of X'y / n
EQUAL = 1e-12  # below 1 in correlation: copies of a column, in single precision too
RIDGE = 1e-14  # keeps the Newton step of dependent columns solvable
MOST_ENTRIES = 2_000_000  # of the matrices of one batch of Newton steps


def gram_lasso(gram, targets, alpha):
    """Coefficients (L, T) of the lasso of T targets on L columns with mean square 1 or 0.

    gram: X'X / n (L, L). targets: X'Y / n (L, T), at most 1 in modulus. alpha: above 0. A column of
    zeros gets 0, and so does one that equals an earlier one but for its sign: the minimum would leave
    open which of them gets how much. Raises Undefined where MOST_ROUNDS do not reach TOLERANCE.
    """
    repeated = np.triu(np.abs(gram) >= 1 - EQUAL, k=1).any(axis=0)
    used = np.flatnonzero((gram.diagonal() > 0) & ~repeated)
    coefficients = np.zeros_like(targets)
    if used.size == 0:
        return coefficients
    gram, targets = gram[np.ix_(used, used)], targets[used]
    batch = max(1, MOST_ENTRIES // len(used) ** 2)
    for start in range(0, targets.shape[1], batch):
        part = slice(start, start + batch)
        coefficients[used, part] = _solve(gram, targets[:, part], alpha)
    return coefficients


def _solve(gram, targets, alpha):
    result = np.zeros_like(targets)
    pending, w = np.arange(targets.shape[1]), result.copy()
    uncut = np.ones(len(pending), dtype=bool)
    for _ in range(MOST_ROUNDS):
        w[:, uncut] = _descend(gram, targets[:, uncut], w[:, uncut], alpha)
        w, uncut = _newton_step(gram, targets, w, alpha)
        settled = _violation(gram, targets, w, alpha) <= TOLERANCE
        result[:, pending[settled]] = w[:, settled]
        pending, uncut = pending[~settled], uncut[~settled]
        targets, w = targets[:, ~settled], w[:, ~settled]
        if pending.size == 0:
            return result
    raise Undefined(f"the lasso did not settle within {MOST_ROUNDS} rounds")


def _descend(gram, targets, w, alpha):
    """The coefficients w (L, T) after minimising over one after the other, SWEEPS times; w is overwritten."""
    for a in [*range(len(gram))] * SWEEPS:
        own = targets[a] - gram[a] @ w + gram[a, a] * w[a]
        w[a] = (own - np.clip(own, -alpha, alpha)) / gram[a, a]
    return w


def _newton_step(gram, targets, w, alpha):
    """The minimum (L, T) for the signs of w, and whether (T,) it was reached.

    Where a coefficient would change its sign on the way there, the first point at which one is 0.
    """
    w = w.T
    signs = np.sign(w)
    used = signs != 0
    system = np.where(used[:, :, None] & used[:, None, :], gram, 0.0)
    system += np.where(used, RIDGE, 1.0)[:, :, None] * np.eye(len(gram))
    right = np.where(used, targets.T - alpha * signs, 0.0)
    goal = np.linalg.solve(system, right[:, :, None])[:, :, 0]
    crosses = goal * signs < 0
    share = np.where(crosses, w / np.where(crosses, w - goal, 1.0), np.inf)
    least = np.minimum(share.min(axis=1), 1.0)[:, None]
    return np.where(share <= least, 0.0, w + least * (goal - w)).T, ~crosses.any(axis=1)


def _violation(gram, targets, w, alpha):
    """By how much each target (T,) misses the conditions of the minimum."""
    slope = targets - gram @ w
    off = np.where(w != 0, np.abs(slope - alpha * np.sign(w)), np.abs(slope) - alpha)
    return off.max(axis=0)
