"""Factors that are classes: which are, their labels, and rows that share the class of one factor.

What is drawn depends on the order of the rows and on which rows are equal, not on the values of the
factors: other units or names of the classes give the same draws.
"""

import numpy as np

from custodes.errors import Undefined
from custodes.statistics.columns import unit

RULES = ("few values", "integers")
MOST_CLASSES = 20


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
        check_discrete(factor, len(values), len(z), name)
        levels.append(values * scale[factor])
        classes.append(np.searchsorted(values, column, side="right") - 1)
    return tuple(levels), classes


def check_discrete(factor, values, rows, name):
    """Raise Undefined, naming metric and factor, unless there are two of the `rows` or more per value."""
    if values > rows // 2:
        raise Undefined(
            f"{name}: factor {factor} has {values} values on {rows} rows; "
            "it must be discrete, with two rows or more per value"
        )
