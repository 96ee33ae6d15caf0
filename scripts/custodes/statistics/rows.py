"""How a metric begins: checked arrays, the rows that are scored, held-out parts, the factors that vary."""

from typing import NamedTuple

import numpy as np

from custodes.errors import Undefined
from custodes.statistics.columns import constant_columns
from custodes.statistics.folds import in_canonical_order, shuffled_folds
from custodes.statistics.inputs import check_pair, check_split


class HeldOut(NamedTuple):
    """Rows of a metric that fits: all rows, which of them are scored, and (train, test) rows of each fit."""

    z: np.ndarray  # (n, d)
    z_hat: np.ndarray  # (n, m)
    scored: np.ndarray
    parts: list


def scored_rows(z, z_hat, split, name, min_rows=1):
    """Factors (n, d) and codes (n, m) of the rows that are scored: test rows as given, or all.

    All rows come in canonical order, so that it does not matter how they came. split: (train, test) row
    numbers, or None. Raises ValueError for unusable input and Undefined, which names the metric `name`,
    below `min_rows` of them.
    """
    z, z_hat = check_pair(z, z_hat)
    if split is None:
        z, z_hat = in_canonical_order(z, z_hat)
    else:
        _, test = check_split(split, len(z))
        z, z_hat = z[test], z_hat[test]
    _refuse_few(len(z), min_rows, name)
    return z, z_hat


def held_out_rows(z, z_hat, split, name, folds, rng, min_rows=1):
    """HeldOut rows of factors z (n, d) and codes z_hat (n, m).

    With a split, one part, whose test rows are scored. None: `folds` shuffled folds, drawn from rng, of all
    rows in canonical order, which are all scored. Raises ValueError for unusable input and Undefined, which
    names the metric `name`, below `min_rows` scored rows (4 without a split, for two folds of two, else 2).
    """
    z, z_hat = check_pair(z, z_hat)
    if split is not None:
        split = check_split(split, len(z))
        _refuse_few(len(split[1]), max(min_rows, 2), name)
        return HeldOut(z, z_hat, split[1], [split])
    _refuse_few(len(z), max(min_rows, 4), name)
    z, z_hat = in_canonical_order(z, z_hat)
    return HeldOut(z, z_hat, np.arange(len(z)), shuffled_folds(len(z), folds, rng))


def varying_factors(z, name):
    """Numbers of the columns of z (n, d) that vary; Undefined, which names the metric `name`, without one."""
    varying = np.flatnonzero(~constant_columns(z))
    if len(varying) == 0:
        raise Undefined(f"{name}: no factor varies")
    return varying


def _refuse_few(rows, needed, name):
    if rows < needed:
        raise Undefined(f"{name} needs {needed} scored rows, got {rows}")
