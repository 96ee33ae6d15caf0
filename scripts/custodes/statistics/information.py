"""Mutual information of columns that are classes: bins, entropies, all pairs at once, what chance gives.

Natural logarithms: all results are in nats. Counts (columns, classes) hold how many of the n rows
fall in each class of each column; a class that a column lacks counts 0.
"""

from functools import lru_cache

import numpy as np

from custodes.statistics.columns import constant_columns, unit_and_constant

# The chance expectation sums a hypergeometric law within this many standard deviations (and as many
# units) of its mean; what lies outside is below 1e-14.
REACH = 8
EDGE = 1e-6  # of the range: how far below an edge rounding moves a level that lies on it
ROUNDING = 1e-12  # nats; what is left of the sums of an independent code, or a constant one


def equal_width_bins(x, bins):
    """Bin 0 .. bins - 1 of each value of x (n, columns) on equal widths between its column's extremes.

    The edges are those of numpy.histogram: a bin has its lower edge, the last one both. A value that repeats
    and lies a rounding error below an edge lies on it. A column that does not vary beyond rounding noise is
    all 0. Columns are scaled first, so that no range overflows.
    """
    scale, constant = unit_and_constant(x)
    varying = np.flatnonzero(~constant)
    values = np.ascontiguousarray((x / scale).T[varying])
    edges = np.linspace(values.min(axis=1), values.max(axis=1), bins + 1, axis=1)[:, 1:-1]
    binned = np.zeros(x.shape, dtype=np.intp)
    for row, column in enumerate(varying):
        binned[:, column] = np.searchsorted(edges[row], values[row], side="right")
        nudged = np.searchsorted(edges[row] - EDGE * np.ptp(values[row]), values[row], side="right")
        for value in np.unique(values[row, nudged != binned[:, column]]):
            same = values[row] == value
            binned[same, column] = nudged[same] if same.sum() > 1 else binned[same, column]
    return binned


def factor_classes(z, bins, most=None):
    """Class of each value of z (n, d): its equal-width bin, or the value itself where there are few.

    Few: at most `most`, which is `bins` if not given, and half the rows.
    """
    classes, most = equal_width_bins(z, bins), min(most or bins, len(z) // 2)
    for factor in np.flatnonzero(~constant_columns(z)):
        values = np.unique(z[:, factor])
        if len(values) <= most:
            classes[:, factor] = np.searchsorted(values, z[:, factor])
    return classes


def class_counts(classes):
    """Rows in each class of each column of classes (n, columns): integers (columns, classes)."""
    number = int(classes.max()) + 1
    keys = classes + number * np.arange(classes.shape[1])
    return np.bincount(keys.ravel(), minlength=number * classes.shape[1]).reshape(-1, number)


def entropies(counts):
    """Plug-in entropy (columns,) of each row of counts (columns, classes), at least 0."""
    n = counts[0].sum()
    return np.maximum(np.log(n) - _times_log(n)[counts].sum(axis=1) / n, 0.0)


def binned_information(x_classes, y_classes):
    """Plug-in mutual information (m, d) of columns of x_classes (n, m) with those of y_classes (n, d)."""
    n, x_counts, y_counts = len(x_classes), class_counts(x_classes), class_counts(y_classes)
    (m, x_number), (d, y_number) = x_counts.shape, y_counts.shape
    times_log = _times_log(n)
    offsets = (y_classes + y_number * np.arange(d)).T * x_number
    joint = np.empty((m, d))
    for code, classes in enumerate(x_classes.T):
        cells = np.bincount((offsets + classes).ravel(), minlength=d * y_number * x_number)
        joint[code] = times_log[cells].reshape(d, -1).sum(axis=1)
    return entropies(x_counts)[:, None] + entropies(y_counts) + joint / n - np.log(n)


def modularities(information):
    """Modularity (m,) of codes with mutual information (m, K) on each of K factors, in [0, 1].

    1 - sum of squares of all but the largest / ((K - 1) largest squared); 0 for a code that knows of none.
    """
    largest = information.max(axis=1)
    informative = largest > ROUNDING
    shares = (information / np.where(informative, largest, 1.0)[:, None]) ** 2
    others = (shares.sum(axis=1) - 1) / max(information.shape[1] - 1, 1)
    return np.where(informative, np.clip(1 - others, 0.0, 1.0), 0.0)


def expected_information(x_counts, y_counts):
    """Mean (m, d) of the plug-in information over all permutations of the rows.

    x_counts (m, classes), y_counts (d, classes). Vinh, Epps and Bailey, "Information theoretic measures
    for clusterings comparison", 2010, equation 24a, which sums over pairs of columns and classes; here
    once per pair of different counts.
    """
    n = x_counts[0].sum()
    marginal = entropies(x_counts)[:, None] + entropies(y_counts)
    return marginal + _expected_joint(x_counts, y_counts) / n - np.log(n)


def _expected_joint(x_counts, y_counts):
    """Mean (m, d) over permutations of sum of k log k over the cells k of each pair of columns."""
    a, x_place = np.unique(x_counts, return_inverse=True)
    b, y_place = np.unique(y_counts, return_inverse=True)
    table = _expected_cells(tuple(a.tolist()), tuple(b.tolist()), int(x_counts[0].sum()))
    y_sums = np.stack([table[:, place].sum(axis=1) for place in y_place.reshape(y_counts.shape)], axis=1)
    return np.stack([y_sums[place].sum(axis=0) for place in x_place.reshape(x_counts.shape)])


@lru_cache(maxsize=1)
def _expected_cells(a, b, n):
    """Table of `_expected_cell` for all pairs of counts a and b; permuted rows have the same counts."""
    pairs = np.array(np.meshgrid(a, b, indexing="ij")).reshape(2, -1)
    return _expected_cell(*pairs, n).reshape(len(a), len(b))


def _expected_cell(a, b, n):
    """Mean of k log k, k hypergeometric: how many of a rows are among b chosen of n. a, b: (pairs,)."""
    mean = a * b / n
    reach = REACH * (np.sqrt(mean) + 1)
    low = np.maximum.reduce([np.zeros_like(a), a + b - n, np.floor(mean - reach).astype(a.dtype)])
    steps = np.minimum.reduce([a, b, np.ceil(mean + reach).astype(a.dtype)]) - low
    longest_first = np.argsort(-steps, kind="stable")
    a, b, k, steps = (values[longest_first] for values in (a, b, low, steps))
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    probability = np.exp(
        log_factorial[a] + log_factorial[b] + log_factorial[n - a] + log_factorial[n - b] - log_factorial[n]
        - log_factorial[k] - log_factorial[a - k] - log_factorial[b - k] - log_factorial[n - a - b + k]
    )  # fmt: skip
    times_log, total, mass = _times_log(n), np.zeros(len(a)), np.zeros(len(a))
    for step in range(int(steps[0]) + 1):
        active = np.searchsorted(-steps, -step, side="right")
        a, b, k, probability = a[:active], b[:active], k[:active], probability[:active]
        mass[:active] += probability
        total[:active] += probability * times_log[k]
        probability = probability * ((a - k) * (b - k) / ((k + 1) * (n - a - b + k + 1)))
        k = k + 1
    return (total / mass)[np.argsort(longest_first)]


def _times_log(n):
    """Table of k log k for k = 0 .. n."""
    k = np.arange(n + 1)
    return k * np.log(np.maximum(k, 1))
