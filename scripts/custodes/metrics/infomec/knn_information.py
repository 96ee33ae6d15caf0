"""Mutual information of continuous codes with classes, from distances to the nearest rows of one class.

Around each row lies an interval that reaches to its k-th nearest row of the same class, k = `neighbours`
or one less than the class has rows. With k rows of the class and m rows of any class inside,
I = psi(N) - mean psi(class size) + mean psi(k) - mean psi(m), N rows, psi = digamma, in nats; a negative
estimate counts as 0. Rows that are alone in their class are left out.
Papers: Ross, "Mutual information between discrete and continuous data sets", 2014; for ties Gao et al.,
"Estimating mutual information for discrete-continuous mixtures", 2017.

All factors share the sort of a code. Its rows are grouped by the classes of every factor in a stable
sort of small integers, and the k-th distances of all rows are k + 1 differences of shifted arrays.
"""

from typing import NamedTuple

import numpy as np

from custodes.statistics.information import class_counts

JITTER = 1e-10  # scikit-learn's, in units of a code's standard deviation


def neighbour_information(values, classes, neighbours):
    """Estimates (m, d) of the information of codes values (n, m) on classes (n, d), ties counted.

    k and m count all rows in the closed interval, the row itself excepted (Gao et al.).
    """
    layout = _layout(classes, neighbours)
    return np.array([_ties_counted(layout, column) for column in values.T])


def jittered_neighbour_information(values, classes, neighbours, noise):
    """The estimates (m, d) of scikit-learn's mutual_info_classif: noise (n, m), standard normal, breaks ties.

    With RandomState(s).standard_normal((n, m)) the values are those for random_state = s. There m
    counts the rows nearer than the k-th, and the row itself. In classes of up to 2 neighbours + 1 rows
    the k-th distance comes from x^2 - 2 x y + y^2, and its rounding decides whether the k-th row is
    counted; so here, since estimates from small classes move by hundredths.
    """
    values = np.ascontiguousarray(values.T)  # as scikit-learn sums, to the last bit
    spread = values.std(axis=1, keepdims=True)
    values = values / np.where(spread > 0, spread, 1.0)
    values += JITTER * np.maximum(1.0, np.abs(values).mean(axis=1, keepdims=True)) * noise.T
    layout = _layout(classes, neighbours)
    return np.array([_ties_broken(layout, column) for column in values])


class _Layout(NamedTuple):
    """What depends on the classes alone. Arrays (d, n), but for the first, have rows grouped by class."""

    classes: np.ndarray  # in the order of the input
    neighbours: int
    group: np.ndarray  # which class of which factor
    start: np.ndarray  # first row of the class
    size: np.ndarray  # of the class
    k: np.ndarray
    whole: np.ndarray  # (d, n - neighbours): a row and the `neighbours`-th after it are of one class
    psi: np.ndarray  # (n + 1,): digamma of 0 .. n, where that of 0 is never used


def _layout(classes, neighbours):
    from scipy.special import digamma

    counts = class_counts(classes)
    (d, number), n = counts.shape, len(classes)
    group = np.repeat(np.arange(d * number), counts.ravel()).reshape(d, n)
    size = counts.ravel()[group]
    return _Layout(
        classes=classes.T.astype(np.uint8),
        neighbours=neighbours,
        group=group,
        start=(counts.cumsum(axis=1) - counts).ravel()[group],
        size=size,
        k=np.minimum(neighbours, size - 1),
        whole=group[:, :-neighbours] == group[:, neighbours:],
        psi=np.concatenate([[0.0], digamma(np.arange(1, n + 1))]),
    )


def _ties_counted(layout, column):
    ordered, place, values = _group(layout, column)
    low, high = _interval(ordered, values, _kth_distance(layout, values))
    keys, n = layout.group * len(ordered) + place, len(ordered)
    of_class = [np.searchsorted(keys.ravel(), layout.group * n + edge) for edge in (low, high)]
    inside = _rows_between(layout, place, low, high) - 1
    return _estimate(layout, of_class[1] - of_class[0] - 1, inside)


def _ties_broken(layout, column):
    ordered, place, values = _group(layout, column)
    distance = _kth_distance(layout, values)
    small = (layout.size > 1) & (layout.size <= 2 * layout.neighbours + 1)
    distance[small] = _expanded_kth_distance(layout, values, small)
    low, high = _interval(ordered, values, np.nextafter(distance, 0.0))
    return _estimate(layout, layout.k, _rows_between(layout, place, low, high))


def _group(layout, column):
    """Column (n,) in order; the place (d, n) in that order of the rows grouped by class; their values."""
    order = np.argsort(column, kind="stable")
    ordered = column[order]
    place = np.argsort(layout.classes[:, order], axis=1, kind="stable")
    return ordered, place, ordered[place]


def _kth_distance(layout, values):
    """Distance (d, n) of each row to its k-th nearest of the class, 0 where it is alone."""
    k, windows = layout.neighbours, layout.whole.shape[1]
    first, last = values[:, :windows], np.where(layout.whole, values[:, k:], np.inf)
    distance = np.full(values.shape, np.inf)
    for shift in range(k + 1):
        own, nearest = values[:, shift : shift + windows], distance[:, shift : shift + windows]
        np.minimum(nearest, np.maximum(last - own, own - first), out=nearest)
    factor, row = np.nonzero(layout.size <= k)  # classes without a k-th: the farthest of the class
    lowest = layout.start[factor, row]
    highest = lowest + layout.size[factor, row] - 1
    own = values[factor, row]
    distance[factor, row] = np.maximum(values[factor, highest] - own, own - values[factor, lowest])
    return distance


def _expanded_kth_distance(layout, values, small):
    """The same for the rows `small`, from the square's expansion as scikit-learn rounds it."""
    factor, row = np.nonzero(small)
    offset = np.arange(2 * layout.neighbours + 1)
    other = layout.start[small][:, None] + offset
    absent = (offset >= layout.size[small][:, None]) | (other == row[:, None])
    x, y = values[small][:, None], values[factor[:, None], np.minimum(other, values.shape[1] - 1)]
    squares = np.where(absent, np.inf, np.maximum(x * x - 2 * (x * y) + y * y, 0.0))
    squares.sort(axis=1)
    return np.sqrt(squares[np.arange(len(row)), layout.k[small] - 1])


def _interval(ordered, values, radius):
    """Places low, high (d, n): |ordered[low : high] - value| <= radius, judged by the rounded difference."""
    levels, first = np.unique(ordered, return_index=True)
    first = np.append(first, len(ordered))
    padded = np.concatenate([[-np.inf], levels, [np.inf]])
    low = np.searchsorted(levels, values - radius, side="left")
    high = np.searchsorted(levels, values + radius, side="right")
    while True:  # these sums are rounded otherwise than differences: one level off at times, seldom more
        too_high, too_low = values - padded[low] <= radius, values - padded[low + 1] > radius
        short, long = padded[high + 1] - values <= radius, padded[high] - values > radius
        low += too_low.view(np.int8) - too_high.view(np.int8)
        high += short.view(np.int8) - long.view(np.int8)
        if not (too_high.any() or too_low.any() or short.any() or long.any()):
            return first[low], first[high]


def _rows_between(layout, place, low, high):
    """How many rows, those alone in their class left out, have places low .. high - 1; (d, n)."""
    before = np.zeros((len(place), place.shape[1] + 1), dtype=np.intp)
    np.put_along_axis(before[:, 1:], place, layout.size > 1, axis=1)
    np.cumsum(before, axis=1, out=before)
    return np.take_along_axis(before, high, axis=1) - np.take_along_axis(before, low, axis=1)


def _estimate(layout, of_class, inside):
    """Information (d,) from the rows (d, n) of the class and of any class within each interval."""
    used = layout.size > 1
    terms = layout.psi[of_class] - layout.psi[layout.size] - layout.psi[inside]
    rows = used.sum(axis=1)
    mean = np.where(used, terms, 0.0).sum(axis=1) / np.maximum(rows, 1)
    return np.maximum(layout.psi[rows] + mean, 0.0)
