"""Filling many polygons on a square pixel grid of at most 64 columns, each row of pixels one 64-bit word.

A pixel is set when its centre (column + 1/2, row + 1/2) lies inside, by the even-odd rule; there is no
antialiasing. Coordinates are in pixels, x to the right and y down. Bit j of a word is column j.
"""

import numpy as np

# FROM_COLUMN[j] has the bits of all columns at or right of j; 64 stands for none.
FROM_COLUMN = np.array([(2**64 - 1) << j & (2**64 - 1) for j in range(65)], dtype=np.uint64)


def row_crossings(outlines, size):
    """Where outlines (n, v, 2) cross the lines through the centres of `size` rows of pixels.

    Returns x-coordinates (c, n, size); c is the largest number of crossings of a row, and rows with
    fewer have inf in the other places. Outlines may reach beyond the rows.
    """
    x, y = outlines[..., 0], outlines[..., 1]
    dx, dy = np.roll(x, -1, axis=1) - x, np.roll(y, -1, axis=1) - y
    first, end = (
        np.clip(np.ceil(bound - 0.5), 0, size).astype(np.int64)
        for bound in (np.minimum(y, y + dy), np.maximum(y, y + dy))
    )
    count = (end - first).ravel()
    edge = np.repeat(np.arange(count.size), count)
    place = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count)
    row = first.ravel()[edge] + place
    crossing = x.ravel()[edge] + (row + 0.5 - y.ravel()[edge]) * (dx.ravel()[edge] / dy.ravel()[edge])
    line = edge // x.shape[1] * size + row
    order = np.argsort(line, kind="stable")
    line, crossing = line[order], crossing[order]
    slot = np.arange(len(line)) - np.searchsorted(line, line)
    table = np.full((slot.max(initial=0) + 1, len(outlines) * size), np.inf)
    table[slot, line] = crossing
    return table.reshape(len(table), len(outlines), size)


def fill(crossings, shift):
    """Words (n, size) of the polygons with `crossings` (c, n, size) moved by `shift` (n,) to the right."""
    words = np.zeros(crossings.shape[1:], dtype=np.uint64)
    offset = shift[:, None] - 0.5
    for crossing in crossings:
        column = np.clip(np.ceil(crossing + offset), 0, 64).astype(np.intp)
        words ^= FROM_COLUMN[column]
    return words
