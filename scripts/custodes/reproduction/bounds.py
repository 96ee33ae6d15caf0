"""Bounds of a number made from bounds of cells: what several cells become when some may hold anything.

low, high: bounds of the cells (arrays, in order), infinite where nothing is known and equal where all is.
Every reduction returns the two bounds of its number.
"""

import numpy as np


def _range(low, high):
    return max(0.0, low.max() - high.min()), high.max() - low.min()


def _steps(low, high):
    return low[1:] - high[:-1], high[1:] - low[:-1]


def _largest(low, high):
    sizes = np.abs([low, high])
    return np.where((low <= 0) & (high >= 0), 0.0, sizes.min(axis=0)).max(), sizes.max()


# From the bounds of cells (arrays, in order) to those of the number.
COMPARISONS = {  # reductions that compare cells, and need two of them
    "range": _range,
    "smallest_step": lambda low, high: tuple(steps.min() for steps in _steps(low, high)),
    "largest_step": lambda low, high: tuple(steps.max() for steps in _steps(low, high)),
    "rise": lambda low, high: (low[-1] - high[0], high[-1] - low[0]),
}
REDUCTIONS = COMPARISONS | {
    "min": lambda low, high: (low.min(), high.min()),
    "max": lambda low, high: (low.max(), high.max()),
    "mean": lambda low, high: (low.mean(), high.mean()),
    "largest": _largest,
}
