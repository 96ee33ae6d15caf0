"""Columns of arrays x (n, columns): units, ranks, standardised and distinct columns."""

import numpy as np


def constant_columns(x):
    """Boolean (columns,): which columns of x (n, columns) do not vary beyond rounding noise.

    A constant such as 0.1 that went through a little arithmetic differs in its last bits; a range of
    a few units in the last place of the largest entry is no signal.
    """
    return unit_and_constant(x)[1]


def unit(x):
    """A power of two (columns,) near the largest modulus of each column of x (n, columns).

    Dividing by it is exact, and keeps squares and sums from overflowing.
    """
    return unit_and_constant(x)[0]


def unit_and_constant(x):
    """`unit` and `constant_columns` of x (n, columns) at the price of one."""
    low, high = x.min(axis=0), x.max(axis=0)
    largest = np.maximum(-low, high)
    constant = high / 2 - low / 2 <= 4 * np.finfo(np.float64).eps * largest
    return np.ldexp(1.0, np.frexp(largest)[1] - 1), constant


def unit_columns(x):
    """Columns of x (n, columns) centred and of length 1; 0 where the column does not vary.

    The inner product of two such columns is their Pearson correlation. No finite input overflows.
    """
    rows = np.array(x.T, order="C")  # contiguous in memory, which is several times faster
    scale, constant = unit_and_constant(rows.T)
    rows /= scale[:, None]
    rows[constant] = 0.0
    rows -= rows.mean(axis=1, keepdims=True)
    length = np.sqrt(np.einsum("in,in->i", rows, rows))
    length[constant] = 1.0
    return (rows / length[:, None]).T


def ranks(x):
    """Ranks 1 .. n within each column of x (n, columns), ties averaged.

    A column that does not vary beyond rounding noise has one tie: all ranks are (n + 1) / 2.
    """
    n = len(x)
    rows = np.array(x.T, order="C")  # sorting along rows is several times faster
    rows[constant_columns(rows.T)] = 0.0
    order = np.argsort(rows, axis=1) + n * np.arange(len(rows))[:, None]  # into the flat array
    ordered = rows.ravel()[order]
    changes = ordered[:, 1:] != ordered[:, :-1]
    position = np.arange(n)
    if changes.all():
        ranked = position + 1.0
    else:
        edge = np.ones((len(rows), 1), dtype=bool)
        first = np.where(np.hstack([edge, changes]), position, 0)
        last = np.where(np.hstack([changes, edge]), position, n - 1)
        first = np.maximum.accumulate(first, axis=1)
        last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
        ranked = (first + last) / 2 + 1
    rows.ravel()[order] = ranked
    return rows.T


def standardise(train, test):
    """Columns of train (n, columns) with mean 0 and standard deviation 1, and test in the same units.

    Columns that do not vary in train become 0. Test values are first held within the range of train
    widened by its own width on either side: a heavy-tailed column would otherwise be extrapolated by
    orders of magnitude. No finite input overflows.
    """
    scale, constant = unit_and_constant(train)
    train = np.asfortranarray(train / scale)  # reducing contiguous columns is several times faster
    low, high = train.min(axis=0), train.max(axis=0)
    with np.errstate(over="ignore"):  # a test value may be out of range in these units; it is cut
        test = np.clip(test / scale, 2 * low - high, 2 * high - low)
    spread = train.std(axis=0)
    spread[constant] = np.inf
    centre = train.mean(axis=0)
    return (train - centre) / spread, (test - centre) / spread


def standardised(x):
    """The columns of x (n, columns) with mean 0 and standard deviation 1; those that do not vary become 0."""
    return standardise(x, x[:0])[0]


def distinct_columns(ranked):
    """The distinct columns of ranked (n, m), and the matrix (m, distinct) that shares them out.

    A reversed column counts as the same. The columns come in an order of their own, so that neither
    the order nor the direction of the codes matters to a probe that breaks ties by position.
    """
    centred = ranked - (len(ranked) + 1) / 2
    leading = centred[np.argmax(centred != 0, axis=0), np.arange(centred.shape[1])]
    columns, which, count = np.unique(
        np.where(leading < 0, -centred, centred), axis=1, return_inverse=True, return_counts=True
    )
    return columns, np.eye(len(count))[which] / count


def largest_gap(x):
    """Mean over the columns of x (m, d) of the largest minus the second largest entry, in [0, 1].

    Negative entries count as 0. One row has no second: 0.
    """
    if len(x) == 1:
        return 0.0
    second, largest = np.sort(np.maximum(x, 0.0), axis=0)[-2:]
    return float(np.clip(np.mean(largest - second), 0.0, 1.0))
