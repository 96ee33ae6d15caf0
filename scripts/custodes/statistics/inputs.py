"""What callers give: factors z (n, d), codes z_hat (n, m), row numbers; checked and made into plain arrays.

Arrays, nested lists, data frames and tensors are taken. Nothing is imported for it: a tensor is what can be
detached, a frame what has named columns.
"""

from numbers import Real

import numpy as np

from custodes.statistics.equality import settled

BFLOAT16 = 2.0**-7  # its relative spacing


def check_pair(z, z_hat):
    """Return z (n, d) and z_hat (n, m) as float64 arrays, or raise ValueError naming the array at fault.

    Integers, booleans and floats of any width are taken, in arrays, nested lists, data frames (their columns
    in order, objects too if they are numbers) and tensors on any device, whose gradients are left alone. A
    one-dimensional, empty, object, text, sparse or masked array, a NaN or an infinity (with its column and
    row), unequal lengths and frames whose indexes differ are refused. Values that are equal in the precision
    in which they came are made the same (`equality`).
    """
    index, other = getattr(z, "index", None), getattr(z_hat, "index", None)
    if hasattr(index, "equals") and hasattr(other, "equals") and not index.equals(other):
        raise ValueError("z and z_hat have different indexes; rows are paired in order, so align them first")
    z, z_hat = check_array(z, "z"), check_array(z_hat, "z_hat")
    if len(z) != len(z_hat):
        raise ValueError(f"z has {len(z)} rows and z_hat has {len(z_hat)}; they must be paired row by row")
    return z, z_hat


def check_array(values, name):
    """Return `values` (rows, columns) as a float64 array; refuse what `check_pair` does, under `name`."""
    array = _plain(values, name)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} holds {array.dtype} values; real numbers are needed")
    if array.ndim != 2:
        raise ValueError(f"{name} has shape {array.shape}; two dimensions (rows, columns) are needed")
    if array.size == 0:
        raise ValueError(f"{name} is empty: its shape is {array.shape}")
    precision = _precision(values, array)
    array = array.astype(np.float64)
    finite = np.isfinite(array)
    if not finite.all():
        row, column = np.argwhere(~finite)[0]
        label = column_names(values, array.shape[1])[column]
        raise ValueError(f"{name} has the value {array[row, column]} in column {label}, row {row}")
    return settled(array, precision)


def _precision(values, array):
    """Relative spacing of the numbers as they came, one or one for each column; 0 for whole numbers."""
    if hasattr(values, "dtypes"):
        return np.array([_spacing(kind) for kind in values.dtypes])
    return BFLOAT16 if str(getattr(values, "dtype", "")).endswith("bfloat16") else _spacing(array.dtype)


def _spacing(kind):
    if kind.kind != "f":
        return 0.0 if kind.kind in "iub" else np.finfo(np.float64).eps
    return np.finfo(kind.numpy_dtype if hasattr(kind, "numpy_dtype") else kind).eps


def column_names(values, columns):
    """The names of the columns of a data frame, an array (columns,); of anything else their numbers."""
    return np.array(getattr(values, "columns", np.arange(columns)))


def check_split(split, n):
    """(train, test) as arrays of row numbers of n rows, in the order given; they may overlap.

    Raises ValueError, which names the part, for what is no pair, and for a part that is empty, that holds
    anything but whole numbers (a mask of booleans too) or a number that is no row.
    """
    try:
        train, test = split
    except (TypeError, ValueError):
        raise ValueError("split must be a pair: row numbers for training and for testing") from None
    return tuple(_row_numbers(part, name, n) for part, name in ((train, "train"), (test, "test")))


def _row_numbers(part, name, n):
    rows = _plain(part, f"split: {name}")
    if rows.size == 0:
        raise ValueError(f"split: {name} is empty")
    if rows.dtype.kind not in "iu" or rows.ndim != 1:
        hint = "; numpy.flatnonzero makes them of a mask" if rows.dtype.kind == "b" else ""
        raise ValueError(
            f"split: {name} has shape {rows.shape} and type {rows.dtype}: must be row numbers{hint}"
        )
    if rows.min() < 0 or rows.max() >= n:
        wrong = rows[(rows < 0) | (rows >= n)][0]
        raise ValueError(f"split: {name} has the row {wrong}: must be at least 0 and below {n}")
    return rows


def _plain(values, name):
    """`values` as an array of whatever type."""
    if hasattr(values, "detach"):  # a tensor, perhaps with gradients or on another device
        values = values.detach().cpu()
        if str(values.dtype).endswith("bfloat16"):  # which numpy does not have
            values = values.float()
    elif hasattr(values, "toarray"):
        raise ValueError(f"{name} is sparse; give {name}.toarray()")
    elif hasattr(values, "columns") and hasattr(values, "items"):
        return _frame(values, name)
    if np.ma.is_masked(values):
        place = tuple(int(i) for i in np.argwhere(np.ma.getmaskarray(values))[0])
        raise ValueError(f"{name} is masked at {place}; every entry must have a value")
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is not a rectangular array of numbers: {error}") from error


def _frame(frame, name):
    """The columns of a data frame, missing values as NaN."""
    columns = [np.empty((len(frame), 0))]
    for label, column in frame.items():
        kind = column.dtype.kind
        if kind not in "fiub" and not (kind == "O" and all(isinstance(entry, Real) for entry in column)):
            raise ValueError(f"{name} holds {column.dtype} values in column {label}; numbers are needed")
        columns.append(column.to_numpy(dtype=np.float64, na_value=np.nan)[:, None])
    return np.hstack(columns)
