"""Image data sets that are read a few images at a time; they are never in memory as floats.

Every kind of images has a `shape` (N, 64, 64) or (N, 64, 64, 3), a `dtype` (uint8), a length N, and gives
the pixels of the rows that are asked for: `images[rows]`, with a slice, row numbers or a mask.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from custodes.images.bits import unpack
from custodes.images.factor_grid import FactorGrid

BATCH = 2048  # images read at a time when all are gone through


class ImagesOnDemand:
    """Images of which only those that are asked for are made."""

    dtype = np.dtype(np.uint8)

    def __init__(self, shape: tuple, read: Callable):
        """`shape` is that of all images; `read` makes those of row numbers (n,)."""
        self.shape = shape
        self._read = read
        self._rows = np.arange(shape[0])

    def __len__(self):
        """Number of images N."""
        return self.shape[0]

    def __getitem__(self, rows):
        """Pixels of a row number, or of a slice, row numbers or a mask, as NumPy would give them."""
        rows = self._rows[rows]
        return self._read(np.atleast_1d(rows)).reshape(*rows.shape, *self.shape[1:])


@dataclass(frozen=True)
class ImageSet:
    """A data set: N images and the classes (N, K) of the K factors of `grid`.

    white: the value of a white pixel, 255, or 1 where the images are binary.
    origin: where the images come from, in words, for the record.
    """

    dataset: str
    source: str
    origin: str
    grid: FactorGrid
    classes: np.ndarray
    images: ImagesOnDemand | np.ndarray
    white: int

    def __len__(self):
        """Number of images N."""
        return len(self.classes)

    @property
    def values(self):
        """Factor values (N, K) float64."""
        return self.grid.values_of(self.classes)


def batches(n):
    """Slices that together go through n rows in order."""
    return [slice(start, min(start + BATCH, n)) for start in range(0, n, BATCH)]


def packed(words):
    """Binary images kept as words (N, size) of 64 pixels, in memory or memory-mapped."""
    return ImagesOnDemand((*words.shape, 64), lambda rows: unpack(words[rows]))


def open_images(path):
    """The images of a prepared .npy file, memory-mapped: pixels, or words of 64 binary pixels."""
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    return packed(array) if array.dtype == np.uint64 else array
