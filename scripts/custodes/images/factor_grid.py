"""The factors of an image data set: their names, their values, and the order of its images.

There is one image for every combination of the factors' classes, N in all, in row-major order: the class
of the last of the K factors changes from one image to the next.
"""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class FactorGrid:
    """K factors, each with a name and the values of its classes 0, 1, .. in ascending order."""

    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]

    @property
    def sizes(self):
        """Number of classes of each factor."""
        return tuple(len(values) for values in self.values)

    def __len__(self):
        """Number of images N."""
        return math.prod(self.sizes)

    def classes(self, rows):
        """Classes (n, K) int64 of the images at `rows` (n,) of the complete data set."""
        return np.stack(np.unravel_index(rows, self.sizes), axis=1)

    def rows(self, classes):
        """Rows (n,) of the complete data set at which the images of `classes` (n, K) stand."""
        return np.ravel_multi_index(tuple(classes.T), self.sizes)

    def values_of(self, classes):
        """Factor values (n, K) float64 of `classes` (n, K)."""
        columns = [np.array(values)[column] for values, column in zip(self.values, classes.T, strict=True)]
        return np.stack(columns, axis=1)

    def classes_of_values(self, values, tolerance=1e-4):
        """Classes (n, K) of factor values (n, K), each within `tolerance` of a value of its factor.

        The tolerance admits single precision. Raises ValueError naming the factor and the value otherwise.
        """
        classes = np.empty(values.shape, dtype=np.int64)
        for k, (name, known) in enumerate(zip(self.names, map(np.array, self.values), strict=True)):
            middles = (known[1:] + known[:-1]) / 2
            classes[:, k] = np.searchsorted(middles, values[:, k])
            wrong = ~(np.abs(known[classes[:, k]] - values[:, k]) <= tolerance)
            if wrong.any():
                row = np.argmax(wrong)
                allowed = ", ".join(f"{value:.6g}" for value in known)
                raise ValueError(f"row {row}: {name} = {values[row, k]:.6g}: must be one of {allowed}")
        return classes

    def checked(self, classes):
        """`classes` as an int64 array (n, K); ValueError says what is wrong with anything else."""
        array = np.asarray(classes)
        expected = f"(n, {len(self.names)}): {', '.join(self.names)}"
        if array.ndim != 2 or array.shape[1] != len(self.names):
            raise ValueError(f"factor classes have shape {array.shape}; it must be {expected}")
        if array.dtype.kind not in "iu":
            raise ValueError(f"factor classes are {array.dtype} numbers; integers are needed")
        for name, size, column in zip(self.names, self.sizes, array.T, strict=True):
            outside = (column < 0) | (column >= size)
            if outside.any():
                row = np.argmax(outside)
                raise ValueError(f"row {row}: class {column[row]} of {name}: must be 0 to {size - 1}")
        return array.astype(np.int64)
