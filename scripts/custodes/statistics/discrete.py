"""Factors that are classes: which are, their labels, and rows that share the class of one factor.

What is drawn depends on the order of the rows and on which rows are equal, not on the values of the
factors: other units or names of the classes give the same draws.
"""

import numpy as np

from custodes.errors import Undefined

RULES = ("few values", "integers")
MOST_CLASSES = 20


def discrete_columns(z, rule):
    """Boolean (d,): which factors z (n, d) are classes.

    "few values": those with at most 20 values and, on average, two rows or more per value; "integers":
    those whose values are all integers.
    """
    if rule == "integers":
        return np.all(z == np.round(z), axis=0)
    return np.array([len(np.unique(column)) <= min(MOST_CLASSES, len(z) // 2) for column in z.T])


def value_classes(z, name):
    """Sorted values of each factor of z (n, d), d arrays, and the class (d, n) of each entry among them.

    Raises Undefined, which names the metric `name`, for a factor with less than two rows per value, on
    average, and for one that varies of which all values but one have one row each.
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
    levels, classes = [], []
    for factor in factors:
        values, places, counts = np.unique(z[:, factor], return_inverse=True, return_counts=True)
        check_discrete(factor, len(values), len(z), name)
        if len(values) > 1 == (counts > 1).sum():
            raise Undefined(f"{name}: all values of factor {factor} but one have one row each")
        levels.append(values)
        classes.append(places)
    return tuple(levels), classes


def judged_classes(labels, parts):
    """Which classes 0 .. K - 1 of labels (n,) can be judged on held-out rows, (K,): two rows have them.

    parts: (train, test) row indices. A class of one row is never in both, so whatever the codes it is missed;
    averages over classes leave it out.
    """
    return np.bincount(labels[np.concatenate(parts[0])], minlength=labels.max() + 1) > 1


def check_discrete(factor, values, rows, name):
    """Raise Undefined, naming metric and factor, unless there are two of the `rows` or more per value."""
    if values > rows // 2:
        raise Undefined(
            f"{name}: factor {factor} has {values} values on {rows} rows; "
            "it must be discrete, with two rows or more per value"
        )
