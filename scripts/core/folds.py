"""Cross-validation folds that depend on the generator and on the rows themselves, not on their order."""

import numpy as np


def in_canonical_order(z, z_hat):
    """The rows of z (n, d) and z_hat (n, m) sorted by z, then by z_hat.

    Shuffled or sorted rows are then the same data set, and get the same folds and the same score.
    """
    order = np.argsort(z[:, 0], kind="stable")
    first = z[order, 0]
    if np.any(first[1:] == first[:-1]):
        order = np.lexsort(np.hstack([z, z_hat]).T[::-1])
    return z[order], z_hat[order]


def shuffled_folds(n, k, rng):
    """Split range(n) into at most k folds, sizes differing by at most one, drawn from rng.

    Returns a list of (train, test) index arrays, each sorted. There are at most n // 2 folds, so
    that every test part has two rows or more; n >= 4 is needed for two folds.
    """
    k = min(k, n // 2)
    fold_of_row = rng.permutation(np.arange(n) % k)
    return [(np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)) for fold in range(k)]
