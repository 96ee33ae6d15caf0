"""Which rows of a table satisfy conditions on its columns."""

import numpy as np

from custodes.tables.columns import INFEASIBLE, RATIOS, is_parameter


def matches(cells, where):
    """Boolean mask of the rows that satisfy every entry of `where`; None is a missing value.

    A parameter that the table lacks, as that of a thinned study may, is missing in all rows.
    """
    mask = np.ones(len(cells), dtype=bool)
    for column, wanted in where.items():
        wanted = wanted if isinstance(wanted, list) else [wanted]
        if column not in cells and is_parameter(column):
            mask &= None in wanted
            continue
        values = column_of(cells, column)
        if values.dtype.kind in "iuf":
            numbers = values.to_numpy(dtype=float)
            wanted = np.asarray(wanted, dtype=float)
            mask &= np.isclose(numbers[:, None], wanted, atol=1e-12, equal_nan=True).any(axis=1)
        else:
            mask &= (values.isin(wanted) | (values.isna() & (None in wanted))).to_numpy()
    return mask


def infeasible(cells):
    """Mask of the cells that cannot exist."""
    return (cells["status"] == INFEASIBLE).to_numpy(dtype=bool)


def ratio(cells, name):
    """One of `RATIOS` of every cell, rounded so that 9/10 and 18/20 are one value."""
    above, below = RATIOS[name]
    return (cells[above] / cells[below]).round(9)


def column_of(cells, column):
    """A column of a table; ValueError with the known ones when there is none."""
    if column not in cells:
        raise ValueError(f"column {column!r} is not in the tables; they have {', '.join(cells.columns)}")
    return cells[column]
