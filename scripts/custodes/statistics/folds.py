"""Cross-validation folds that depend on the generator and on the rows themselves, not on their order."""

import numpy as np

from custodes.statistics.columns import ranks


def in_canonical_order(z, z_hat):
    """The rows of z (n, d) and z_hat (n, m) in an order that does not depend on how they came.

    Shuffled or sorted rows are then the same data set, and get the same folds and the same score.
    Rows are sorted by how extreme their factors' ranks are, so that the order (but for exact ties)
    does not depend on the order, the units or the signs of the columns either.
    """
    key = _extremeness(z)
    order = np.argsort(key)
    if np.any(key[order][1:] == key[order][:-1]):
        order = np.lexsort((*z_hat.T, *z.T, _extremeness(z_hat), key))
    return z[order], z_hat[order]


def _extremeness(x):
    """One integer per row of x (n, columns): sum of fourth powers of the centred, doubled ranks.

    Integers, because they add up to the same in any order of the columns (modulo 2^64).
    """
    squares = (2 * ranks(x) - len(x) - 1).astype(np.int64) ** 2
    return (squares * squares).sum(axis=1)


def shuffled_folds(n, k, rng):
    """Split range(n) into at most k folds, sizes differing by at most one, drawn from rng.

    Returns a list of (train, test) index arrays, each sorted. There are at most n // 2 folds, so
    that every test part has two rows or more; n >= 4 is needed for two folds.
    """
    k = min(k, n // 2)
    fold_of_row = rng.permutation(np.arange(n) % k)
    return [(np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)) for fold in range(k)]
