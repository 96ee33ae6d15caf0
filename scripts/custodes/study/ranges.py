"""Ranges of the quantities that a study sweeps."""

from custodes.tables.columns import RATIOS


def ranges(cells, columns):
    """Column or ratio -> (least, greatest) over the feasible cells that have it, for those of `columns`."""
    feasible = [cell for cell in cells if "infeasible" not in cell]
    found = {column: [_value(cell, column) for cell in feasible if _has(cell, column)] for column in columns}
    return {column: (min(values), max(values)) for column, values in found.items() if values}


def _has(cell, column):
    return column in RATIOS or column in cell


def _value(cell, column):
    if column in RATIOS:
        above, below = RATIOS[column]
        return cell[above] / cell[below]
    return cell[column]
