"""Rows that share the class of one factor: what the beta-VAE and the FactorVAE score have in common."""

import numpy as np

from custodes.errors import Undefined
from custodes.statistics.columns import constant_columns
from custodes.statistics.discrete import check_discrete, class_labels
from custodes.statistics.rows import held_out_rows

FOLDS = 3  # of which one is for testing: half as many rows as for training, as there are half as many points


def for_fixing(z, z_hat, rng, split, name):
    """Labels (n, K) of the K factors z (n, d) that vary, checked codes (n, m), and (train, test) rows.

    For scores that hold one factor fixed at a time. split: (train, test) row indices; None: a random third is
    for testing. No row is in both, because the few rows of a class can be learnt by heart. Raises
    Undefined below 4 rows, where fewer than two factors vary, and where a factor has less than two rows
    per value, on average, in either part.
    """
    z, z_hat, _, (split, *_) = held_out_rows(z, z_hat, split, name, FOLDS, rng)
    varying = np.flatnonzero(~constant_columns(z))
    if len(varying) < 2:
        raise Undefined(f"{name} needs two factors that vary, got {len(varying)}")
    labels = class_labels(z, varying, name)
    for rows in split:
        for factor, column in zip(varying, labels[rows].T, strict=True):
            check_discrete(factor, len(np.unique(column)), len(column), name)
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
