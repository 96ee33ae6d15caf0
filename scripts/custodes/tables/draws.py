"""Files of draws: factors and codes, one row per draw.

Columns: the labels of the factors or of the cell, the seed, and the sample z (n, d) or z_hat (n, m) as one
list of doubles, row by row, so that draws of all sizes have one layout.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa

from custodes.tables.columns import FACTOR_LABELS, LABELS, SEED, factor_key
from custodes.tables.files import label_table, read_table, replacing, without_nulls, write_table


def write_draws(path, name, labels, arrays):
    """Write draws: dictionaries `labels` and as many arrays `name`: "z" (n, d) or "z_hat" (n, m).

    Raises ValueError when an array has entries that are not finite, or not the size of its labels.
    """
    width = "d" if name == "z" else "m"
    for label, array in zip(labels, arrays, strict=True):
        if array.shape != (label["n"], label[width]):
            raise ValueError(f"{path}: {name} of {label} has shape {array.shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"{path}: {name} of {label} has entries that are not finite")
    offsets = np.cumsum([0] + [array.size for array in arrays])
    values = np.concatenate([array.ravel() for array in arrays]) if arrays else np.empty(0)
    known = FACTOR_LABELS if name == "z" else LABELS
    table = label_table(labels, known | SEED)
    table = table.append_column(name, pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(values)))
    with replacing(path) as temporary:
        # Samples of floats do not compress.
        write_table(table, temporary, compression="none", use_dictionary=False)


def read_draws(path, name):
    """Read (labels, arrays) as `write_draws` took them, the labels without null entries."""
    table = read_table(path)
    width = "d" if name == "z" else "m"
    labels = [without_nulls(row) for row in table.drop_columns([name]).to_pylist()]
    arrays = [
        chunk.values.slice(start, stop - start).to_numpy().reshape(-1, label[width])
        for chunk, start, stop, label in _list_bounds(table[name], labels)
    ]
    return labels, arrays


def factors_by_label(path):
    """Read a factors file as a mapping from `factor_key` to z (n, d)."""
    labels, arrays = read_draws(path, "z")
    return {factor_key(label, label["seed"]): array for label, array in zip(labels, arrays, strict=True)}


def _list_bounds(column, labels):
    labels = iter(labels)
    for chunk in column.chunks:
        offsets = chunk.offsets.to_numpy()
        for start, stop in pairwise(offsets):
            yield chunk, start, stop, next(labels)
