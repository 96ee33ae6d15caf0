"""Factors that are classes: which are, their labels, and rows that share the class of one factor.

What is drawn depends on the order of the rows and on which rows are equal, not on the values of the
factors: other units or names of the classes give the same draws.
"""

import numpy as np

from scripts.core.arrays import check_pair, constant_columns, unit
from scripts.core.errors import Undefined
from scripts.core.folds import in_canonical_order, shuffled_folds

RULES = ("few values", "integers")
MOST_CLASSES = 20
FOLDS = 3  # of which one is for testing: half as many rows as for training, as there are half as many points


def discrete_columns(z, rule):
    """Boolean (d,): which factors z (n, d) are classes.

    "few values": those with at most 20 values and two rows or more per value; "integers": those whose
    values are all integers.
    """
    if rule == "integers":
        return np.all(z == np.round(z), axis=0)
    return np.array([len(np.unique(column)) <= min(MOST_CLASSES, len(z) // 2) for column in z.T])


def value_classes(z, name):
    """Sorted values of each factor of z (n, d), d arrays, and the class (d, n) of each entry among them.

    Values that differ by rounding noise are one. Raises Undefined, which names the metric `name`, for a
    factor with less than two rows per value.
    """
    levels, classes = _value_classes(z, range(z.shape[1]), name)
    return levels, np.array(classes, dtype=np.min_scalar_type(max(map(len, levels))))


def class_labels(z, factors, name):
    """Class of the values of some `factors` (column indices) of z (n, d): integers (n, factors).

    As `value_classes`.
    """
    _, classes = _value_classes(z, factors, name)
    return np.array(classes, dtype=np.intp).reshape(len(factors), len(z)).T


def _value_classes(z, factors, name):
    scale = unit(z)
    levels, classes = [], []
    for factor in factors:
        column = z[:, factor] / scale[factor]
        values = np.unique(column)
        noise = 4 * np.finfo(np.float64).eps * max(-values[0], values[-1])
        values = values[np.diff(values, prepend=-np.inf) > noise]
        _check_discrete(factor, len(values), len(z), name)
        levels.append(values * scale[factor])
        classes.append(np.searchsorted(values, column, side="right") - 1)
    return tuple(levels), classes


def _check_discrete(factor, values, rows, name):
    if values > rows // 2:
        raise Undefined(
            f"{name}: factor {factor} has {values} values on {rows} rows; "
            "it must be discrete, with two rows or more per value"
        )


def for_fixing(z, z_hat, rng, split, name):
    """Labels (n, K) of the K factors z (n, d) that vary, checked codes (n, m), and (train, test) rows.

    For scores that hold one factor fixed at a time. split: (train, test) row indices; None: a random third is
    for testing. No row is in both, because the few rows of a class can be learnt by heart. Raises
    Undefined below 4 rows, where fewer than two factors vary, and where a factor has less than two rows
    per value in either part.
    """
    z, z_hat = check_pair(z, z_hat)
    if len(z) < 4:
        raise Undefined(f"{name} needs 4 rows, got {len(z)}")
    if split is None:
        z, z_hat = in_canonical_order(z, z_hat)
        split = shuffled_folds(len(z), FOLDS, rng)[0]
    varying = np.flatnonzero(~constant_columns(z))
    if len(varying) < 2:
        raise Undefined(f"{name} needs two factors that vary, got {len(varying)}")
    labels = class_labels(z, varying, name)
    for rows in split:
        for factor, column in zip(varying, labels[rows].T, strict=True):
            _check_discrete(factor, len(np.unique(column)), len(column), name)
    return labels, z_hat, split


def pairs_of_one_class(labels, shape, rng):
    """Two different rows with the same of the labels (n,), twice `shape`: the first row at random.

    Classes of one row are left out.
    """
    members, first, size, place = _by_class(labels)
    rows = _any_row(size, shape, rng)
    step = rng.integers(1, size[rows])
    return rows, members[first[rows] + (place[rows] + step) % size[rows]]


def rows_of_one_class(labels, points, samples, rng):
    """For each of `points` a class, that of a random row, and `samples` of its rows, (points, samples).

    Rows are drawn with replacement: a class may have fewer. Classes of one row are left out.
    """
    members, first, size, _ = _by_class(labels)
    rows = _any_row(size, (points, 1), rng)
    return members[first[rows] + rng.integers(size[rows], size=(points, samples))]


def _by_class(labels):
    """Rows sorted by class; of each row, where its class begins there, its size and the row's place in it."""
    members = np.argsort(labels, kind="stable")
    ordered = labels[members]
    begin = np.searchsorted(ordered, ordered, side="left")
    end = np.searchsorted(ordered, ordered, side="right")
    first, size, place = np.empty((3, len(labels)), dtype=np.intp)
    first[members], size[members], place[members] = begin, end - begin, np.arange(len(labels)) - begin
    return members, first, size, place


def _any_row(size, shape, rng):
    eligible = np.flatnonzero(size > 1)
    return eligible[rng.integers(len(eligible), size=shape)]


def shares(points, parts):
    """Numbers that add up to `points` and differ by at most one, (parts,)."""
    return np.bincount(np.arange(points) % parts, minlength=parts)
