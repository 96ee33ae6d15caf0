"""Discrete factors: rows grouped by class, the mean code of each combination.

A combination is one value of every factor, such as occurs in the data. All is linear in the number of rows
but for one sort of them.
"""

from typing import NamedTuple

import numpy as np

from custodes.statistics.columns import constant_columns, unit
from custodes.statistics.discrete import value_classes
from custodes.statistics.inputs import check_pair

SPARSEST = 8  # labels per item: beyond, they are renumbered, so that counting them stays cheap
BLOCK = 2048  # rows: transposed within the cache, several times faster than all at once
SMALLEST_SPREAD = 1e-9  # of mean codes, relative to the rows: below, they do not vary


class Codes(NamedTuple):
    """Codes in units of their own: z_hat = origin + scale * values. One that does not vary is exactly 0."""

    values: np.ndarray  # (m, rows or combinations)
    origin: np.ndarray  # (m,)
    scale: np.ndarray  # (m,), powers of two


class Combinations(NamedTuple):
    """The combinations that occur, sorted by the class of the first factor, then of the second, and so on."""

    levels: tuple  # sorted values of each of the d factors
    classes: np.ndarray  # (d, combinations), places in `levels`
    counts: np.ndarray  # (combinations,), rows
    codes: Codes  # (m, combinations), means of the rows


class Groups(NamedTuple):
    """Items sorted by group, and where each group starts in that order."""

    order: np.ndarray  # (items,)
    starts: np.ndarray  # (groups,)


def observed_combinations(z, z_hat):
    """Combinations of discrete factors z (n, d) and codes z_hat (n, m).

    Raises ValueError for unusable arrays, and Undefined for a factor that is not discrete.
    """
    z, z_hat = check_pair(z, z_hat)
    levels, classes = value_classes(z, "irs")
    rows = group(classes, levels)
    codes = own_units(z_hat)
    means = sorted_by(codes.values, rows)
    if len(rows.starts) < len(z):
        spread = np.ptp(means, axis=1)
        means = np.add.reduceat(means, rows.starts, axis=1) / sizes(rows)
        means[np.ptp(means, axis=1) <= SMALLEST_SPREAD * spread] = 0.0
    classes = classes[:, rows.order[rows.starts]]
    return Combinations(levels, classes, sizes(rows), codes._replace(values=means))


def own_units(z_hat):
    """Codes z_hat (n, m) as Codes of n rows: no sum of them overflows, and none loses a small signal."""
    values = np.empty(z_hat.shape[::-1])
    for start in range(0, len(z_hat), BLOCK):
        values[:, start : start + BLOCK] = z_hat[start : start + BLOCK].T
    extremes = np.stack([values.min(axis=1), values.max(axis=1)])  # all that the next two look at
    still, scale = constant_columns(extremes), unit(extremes)
    values /= scale[:, None]
    values -= values[:, :1].copy()
    values[still] = 0.0
    scale[still] = np.finfo(np.float64).tiny  # of no weight in a group of codes
    return Codes(values, z_hat[0].copy(), scale)


def labels(classes, levels):
    """One integer for each column of classes (k, items): of its group, sorted by the first factor first.

    levels: those of the k factors. There are at most SPARSEST times as many labels as items.
    """
    items = classes.shape[1]
    combined, number = np.zeros(items, dtype=np.int64), 1
    for column, values in zip(classes, levels, strict=True):
        combined, number = combined * len(values) + column, number * len(values)
        if number > SPARSEST * items:
            combined = np.unique(combined, return_inverse=True)[1]
            number = int(combined.max()) + 1
    return combined.astype(np.min_scalar_type(number))  # 8 and 16 bits are sorted in linear time


def group(classes, levels):
    """Groups of items with equal columns of classes (k, items); see `labels`. No factor: one group."""
    of_items = labels(classes, levels)
    order = np.argsort(of_items, kind="stable")
    ordered = of_items[order]
    return Groups(order, np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])))


def sorted_by(values, groups):
    """The columns of values (m, items) in the order of the groups."""
    if np.all(groups.order[1:] > groups.order[:-1]):
        return values
    return np.take(values, groups.order, axis=1)


def sizes(groups):
    """Items in each group (groups,)."""
    return np.diff(groups.starts, append=len(groups.order))
