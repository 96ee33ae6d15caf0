"""Classifying by thresholds on one number: the intervals with the highest balanced accuracy."""

import numpy as np

from custodes.statistics.columns import ranks


def predict(x_train, labels, x_test):
    """Labels (test rows,) from thresholds fitted to x_train (n,) and its labels (n,), integers.

    Each class gets one interval of the line, which may be empty; the classes come in the order of their mean
    ranks. The thresholds maximise the mean over the classes of the share of their rows that lie in
    the own interval, exactly, by dynamic programming; they lie midway between neighbouring values.
    """
    present, y, counts = np.unique(labels, return_inverse=True, return_counts=True)
    place = np.argsort(np.bincount(y, ranks(x_train[:, None])[:, 0]) / counts, kind="stable")
    order = np.argsort(x_train, kind="stable")
    x, y = x_train[order], y[order]
    cuts = np.concatenate([[0], 1 + np.flatnonzero(x[1:] > x[:-1]), [len(x)]])  # rows below each threshold
    below = np.concatenate([[-np.inf], (x[cuts[1:-1] - 1] + x[cuts[1:-1]]) / 2, [np.inf]])
    ends = _best_ends(((y == k) / counts[k] for k in place), cuts)
    interval = np.searchsorted(below[ends], x_test, side="right")
    return present[place[interval]]


def _best_ends(gains, cuts):
    """Where all intervals but the last end, as indices of cuts.

    gains: for each interval in order, what each row (n,) adds if it lies in it.
    """
    best, begins = np.concatenate([[0.0], np.full(len(cuts) - 1, -np.inf)]), []
    for gain in gains:
        total = np.concatenate([[0.0], np.cumsum(gain)])[cuts]
        before = best - total
        most = np.maximum.accumulate(before)
        begins.append(np.maximum.accumulate(np.where(before == most, np.arange(len(cuts)), 0)))
        best = most + total
    ends, end = [], len(cuts) - 1
    for begin in begins[:0:-1]:
        end = begin[end]
        ends.append(end)
    return ends[::-1]
