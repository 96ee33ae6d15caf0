"""Which values of a column are equal: the one rule, that of the precision in which they came.

Arithmetic leaves noise in the last bits: (k + 1) * 0.1 and (k + 1) / 10 are one level and two numbers, and so
are a value in single and in double precision. Values of a column are one where, in ascending order, each lies
within NOISE units of the precision of the next, all of them within SPAN, and all others farther than SPAN;
other near values belong to a continuous column and stay as they are. Such values become one, the shortest
decimal number among them in their precision, so that levels without noise are no other levels, and all that
compares afterwards (ranks, classes, repeats, constants) compares exactly; doing it again changes nothing.

The precision of a column is that of its type; a column of double precision, part of which came in single
precision, has the latter: it shows in numbers that have the bits of single precision and no more. Whole
numbers are exact.
"""

import numpy as np

NOISE, SPAN = 4, 16  # units of precision, relative to the larger of the value and the column's usual size
SINGLE, DOUBLE = np.finfo(np.float32).eps, np.finfo(np.float64).eps
SHORT = 12  # bits of a number that any precision holds, such as 0.5 or 100
MIXED = 0.05  # share of numbers of single precision from which on a column counts as such
NEAR = 1e-6  # of the middle half of a column: below it two rows are one setting, measured twice


def settled(x, precision=DOUBLE):
    """Return x (n, columns) float64 with equal values made the same; x itself where there is nothing to do.

    precision: relative spacing of the numbers as they came (numpy.finfo(...).eps, 0 for whole numbers), one
    or one for each column.
    """
    precision, digits = _shown_precision(x, np.broadcast_to(precision, x.shape[1]))
    ordered = np.sort(np.array(x.T, order="C"), axis=1)
    with np.errstate(over="ignore"):  # an infinite gap is no near value
        gaps = np.diff(ordered, axis=1)
    most = NOISE * precision * np.maximum(-ordered[:, 0], ordered[:, -1])
    doubtful = np.flatnonzero(((gaps > 0) & (gaps <= most[:, None])).any(axis=1))
    if len(doubtful) == 0:
        return x
    x = x.copy()
    for column in doubtful:
        place = np.searchsorted(ordered[column], x[:, column])
        x[:, column] = _merged(ordered[column], precision[column], digits[column])[place]
    return x


def setting_of_rows(z):
    """Number of the setting (n,) of each row of z (n, d): rows that are near in every column share one.

    Near: in ascending order of a column, within NEAR of the range of its middle half of the next. Rows that
    were measured twice are then one setting; rows of continuous columns are hardly ever near in all.
    """
    ordered = np.sort(z, axis=0)
    n = len(z)
    near = NEAR * (ordered[(3 * n) // 4] - ordered[n // 4])
    chain = np.vstack([np.zeros(z.shape[1]), np.cumsum(np.diff(ordered, axis=0) > near, axis=0)])
    places = [np.searchsorted(column, values) for column, values in zip(ordered.T, z.T, strict=True)]
    settings = np.stack([links[place] for links, place in zip(chain.T, places, strict=True)], axis=1)
    return np.unique(settings, axis=0, return_inverse=True)[1].reshape(n)


def _merged(ordered, precision, digits):
    """Ascending values (n,) in which every chain of near values that stands apart is one number.

    digits: precision that this number is given in.
    """
    while True:
        # A level at 0 has the noise of the others, whose usual size is the median modulus.
        sizes = np.abs(ordered[ordered != 0])
        unit = precision * np.maximum(np.abs(ordered), np.median(sizes) if len(sizes) else 0.0)
        gaps = np.diff(ordered)
        starts = np.flatnonzero(np.concatenate([[True], gaps > NOISE * unit[1:]]))
        ends = np.append(starts[1:], len(ordered))
        around = np.concatenate([[np.inf], gaps[starts[1:] - 1], [np.inf]])
        apart = np.minimum(around[:-1], around[1:])
        last = ends - 1
        width, most = ordered[last] - ordered[starts], SPAN * unit[last]
        several = (width > 0) & (width <= most) & (apart >= most)
        merged = ordered.copy()
        for start, end in zip(starts[several], ends[several], strict=True):
            room = unit[end - 1] / 2
            merged[start:end] = _shortest(ordered[start] - room, ordered[end - 1] + room, digits)
        if np.array_equal(merged, ordered):
            return merged
        ordered = merged  # whose usual size may be another


def _shortest(low, high, digits):
    """The number in [low, high] of the fewest decimal digits, rounded to a precision."""
    middle = low / 2 + high / 2
    decimals = (float(f"{middle:.{places}e}") for places in range(17))
    shortest = next((number for number in decimals if low <= number <= high), middle)
    mantissa, exponent = np.frexp(shortest)
    return np.ldexp(np.rint(mantissa * 2 / digits) * digits / 2, exponent)


def _shown_precision(x, precision):
    """Precision of each column, and that of its most precise values.

    The first is that of its type, or single where a part of the column evidently came so, or all of it.
    """
    found = np.array(precision, dtype=float)
    whole = np.flatnonzero(x[0] == np.rint(x[0]))
    found[whole[(x[:, whole] == np.rint(x[:, whole])).all(axis=0)]] = 0.0
    with np.errstate(over="ignore"):
        of_single = x.astype(np.float32) == x
    for column in np.flatnonzero((of_single.mean(axis=0) >= MIXED) & (found > 0) & (found < SINGLE)):
        is_short = np.ldexp(np.frexp(x[of_single[:, column], column])[0], SHORT) % 1 == 0
        if np.sum(~is_short) >= MIXED * len(x):
            found[column] = SINGLE
    return found, np.where(of_single.all(axis=0), found, np.maximum(precision, DOUBLE))
