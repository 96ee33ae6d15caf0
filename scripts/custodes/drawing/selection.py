"""From result tables to the rows of a figure: filters, derived columns, order; no table is changed."""

import numpy as np

from custodes.drawing import style
from custodes.tables.filters import column_of, infeasible, matches


def select(table, *, scores, where=None, groups=None, rows_scored=None):
    """Rows of `table` that a figure draws, and those of its scores that the study did not compute.

    The rows get derived columns: m_over_d, m_over_n, d_over_n (ratios), n_scored (rows that
    correlation scores see), null_floor, and `group` where groups are given.
    """
    fractions = table["protocol"].map(lambda protocol: (rows_scored or {}).get(protocol, 1.0))
    n_scored = table["n"] * fractions
    cells = table.assign(
        # Rounded, so that 9/10 and 18/20 are one value of an axis.
        m_over_d=(table["m"] / table["d"]).round(9),
        m_over_n=(table["m"] / table["n"]).round(9),
        d_over_n=(table["d"] / table["n"]).round(9),
        n_scored=n_scored,
        null_floor=np.sqrt(2 * np.log(table["m"]) / n_scored),
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
        ignored = {
            *columns,
            *style.STATISTICS,
            "ci_low",
            "ci_high",
            "status",
            "seeds",
            "undefined",
            "group",
        }
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
