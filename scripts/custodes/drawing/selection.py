"""From result tables to the rows of a figure: filters, derived columns, order; no table is changed."""

import numpy as np

from custodes.drawing import style
from custodes.synthetic import closed_forms
from custodes.tables.columns import DRAWS, RATIOS, STATISTICS
from custodes.tables.filters import column_of, infeasible, matches, ratio


def select(table, *, scores, where=None, groups=None):
    """Rows of `table` that a figure draws, and those of its scores that the study did not compute.

    The rows get derived columns: the ratios, null_floor, and `group` where groups are given.
    """
    cells = table.assign(
        **{name: ratio(table, name) for name in RATIOS},
        null_floor=closed_forms.null_floor(table["n_scored"], table["m"]),
    )
    computed = set(cells["score"])
    names = style.score_names(scores, computed)
    absent = [name for name in names if name not in computed]
    cells = cells[cells["score"].isin(names) & matches(cells, where or {})]
    if groups is not None:
        cells = _grouped(cells, groups)
    return cells, absent


def values(cells, column):
    """Distinct values of `column` in the order in which figures show them; [None] for no column.

    ValueError when some rows have no value there, since they would vanish from the figure.
    """
    if column is None:
        return [None]
    entries = column_of(cells, column)
    if entries.isna().any():
        without = ", ".join(style.ordered("encoder", cells.loc[entries.isna(), "encoder"]))
        raise ValueError(
            f"column {column!r} has no value for some rows ({without}); leave them out with where"
        )
    if column == "group":
        return [label for label in entries.cat.categories if label in set(entries)]
    return style.ordered(column, entries)


def part(cells, **wanted):
    """Rows with the given value in each column; a column or value None does not narrow."""
    masks = [cells[column] == value for column, value in wanted.items() if value is not None]
    return cells[np.logical_and.reduce(masks)] if masks else cells


def by_point(cells, *columns):
    """The rows in order of `columns`; ValueError when two are at one point, and in what they differ."""
    repeated = cells.duplicated(list(columns), keep=False)
    if repeated.any():
        repeated = cells[repeated]
        point = repeated.iloc[0]
        twins = repeated[(repeated[list(columns)] == point[list(columns)]).all(axis=1)]
        ignored = {*columns, *STATISTICS.keys() - {"metric", "score"}, *DRAWS, "group"}
        differ = [name for name in twins if name not in ignored and twins[name].nunique(dropna=False) > 1]
        place = ", ".join(f"{name} = {point[name]}" for name in columns)
        raise ValueError(
            f"several cells at {place}; they differ in {', '.join(differ) or 'nothing'}: narrow with where"
        )
    return cells.sort_values(columns[0])


def undefined(cells, value="mean"):
    """Mask of the cells that could exist but have no value."""
    return cells[value].isna().to_numpy() & ~infeasible(cells)


def partial(cells):
    """Mask of the cells whose value leaves out seeds in which the score is undefined."""
    return ((cells["undefined"] > 0) & cells["mean"].notna()).to_numpy()


def _grouped(cells, groups):
    import pandas as pd

    # A cell where two sweeps cross belongs to both.
    parts = [cells[matches(cells, where)].assign(group=label) for label, where in groups.items()]
    grouped = pd.concat(parts)
    return grouped.assign(group=pd.Categorical(grouped["group"], categories=list(groups)))
