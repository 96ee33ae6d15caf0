"""One number of the result tables: pick rows, reduce a column of them; the parts of a claim.

A number is known as far as its cells are. A cell that was not computed (a thinned grid lacks it), or whose
score is undefined, may hold anything; the number then lies between two bounds, of which one may still say
something: the largest of all cells is no smaller than the largest of some.

The keys of a measure are described in workflow/schemas/claims.schema.yaml.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from custodes.reproduction import bounds
from custodes.synthetic import closed_forms
from custodes.tables.columns import RATIOS
from custodes.tables.filters import infeasible, ratio

# Columns that a measure may use beside those of the tables.
_DERIVED = {
    **{name: partial(ratio, name=name) for name in RATIOS},
    "null_floor": lambda rows: closed_forms.null_floor(rows["n"], rows["m"]),
    "undefined_share": lambda rows: rows["undefined"] / rows["seeds"],
}


class Measured(NamedTuple):
    """What the tables say of a measure.

    low, high: bounds of the number, infinite where nothing is known, equal where all is.
    missing: why the tables do not give it at all; "" where they do.
    cells: how many the measure covers. absent, undefined: how many of them were not computed, and how many
        have no value.
    is_undefined: whether all cells were computed, and none has a value.
    samples: numbers of samples of the cells where the full study has others, such as (500,).
    """

    low: float = -np.inf
    high: float = np.inf
    missing: str = ""
    cells: int = 0
    absent: int = 0
    undefined: int = 0
    is_undefined: bool = False
    samples: tuple = ()

    @property
    def value(self):
        """The number; None where it is not known."""
        return self.low if self.low == self.high else None


class _Missing(Exception):
    """The tables lack the rows that a measure needs, or have too many; the message says which."""


def measured(measure, table, grid=None):
    """The number of a measure, as Measured.

    table: DataFrame of result tables (of one protocol). grid: experiment -> DataFrame of the labels of
    all cells that the full study has; None where all that should be there is in the table.
    """
    try:
        found = _statistic(measure, table, grid)
        if "less" not in measure:
            return found
        other = _statistic(_changed(measure, measure["less"]), table, grid)
    except _Missing as reason:
        return Measured(missing=str(reason))
    return Measured(
        low=found.low - other.high,
        high=found.high - other.low,
        cells=found.cells + other.cells,
        absent=found.absent + other.absent,
        undefined=found.undefined + other.undefined,
        is_undefined=found.is_undefined or other.is_undefined,
        samples=tuple(sorted({*found.samples, *other.samples})),
    )


def _changed(measure, changes):
    """The measure with some keys replaced; of `where` and `arguments`, only the entries that are named."""
    nested = {key: measure.get(key, {}) | changes[key] for key in ("where", "arguments") if key in changes}
    return measure | changes | nested


def _statistic(measure, table, grid):
    if "closed_form" in measure:
        value = float(getattr(closed_forms, measure["closed_form"])(**measure["arguments"]))
        return Measured(value, value)
    cells, samples = _cells(measure, _rows(measure, table), grid)
    values = _column(cells, measure.get("column", "mean"))
    if "minus" in measure:
        values = values - _column(cells, measure["minus"])
    # Labels are known of cells that were not computed, too; all else is missing there.
    values = values.astype(float)
    unknown = values.isna()
    absent = int((unknown & cells["absent"]).sum())
    found = Measured(cells=len(cells), absent=absent, undefined=int(unknown.sum()) - absent, samples=samples)
    if unknown.all():
        return found._replace(is_undefined=not absent)
    cells = cells.assign(low=values.fillna(-np.inf), high=values.fillna(np.inf))
    if "along" in measure:
        cells = cells.assign(order=_column(cells, measure["along"])).sort_values("order")
    groups = [cells]
    if "within" in measure:
        groups = [group for _, group in cells.groupby(measure["within"], sort=False, dropna=False)]
    if measure.get("reduce") in bounds.COMPARISONS:
        groups = [group for group in groups if len(group) > 1]
        if not groups:
            raise _Missing(f"one cell, where {measure['reduce']} compares several")
    low, high = np.array([_reduced(measure, group) for group in groups], dtype=float).T
    if "within" in measure:
        low, high = bounds.REDUCTIONS[measure["then"]](low, high)
    else:
        low, high = low[0], high[0]
    return found._replace(low=float(low), high=float(high))


def _reduced(measure, cells):
    if "along" in measure and cells["order"].duplicated().any():
        raise _Missing(f"several cells at one {measure['along']}")
    low, high = cells["low"].to_numpy(), cells["high"].to_numpy()
    if "reduce" in measure:
        return bounds.REDUCTIONS[measure["reduce"]](low, high)
    if len(cells) > 1:
        raise _Missing(f"{len(cells)} cells instead of one")
    return low[0], high[0]


def _cells(measure, rows, grid):
    """The rows of a measure and those that the full grid has besides (`absent`); samples, see Measured."""
    import pandas as pd

    rows = rows.assign(absent=False)
    wanted = (grid or {}).get(measure["experiment"])
    if wanted is None:
        return rows, ()
    for column, value in measure["where"].items():
        wanted = wanted[np.any(list(_fitting(_column(wanted, column), column, value).values()), axis=0)]
    if scores := measure.get("score"):
        wanted = wanted.merge(
            pd.DataFrame({"score": [scores] if isinstance(scores, str) else scores}), "cross"
        )
    labels = [column for column in wanted if column in rows]
    # Where n is no sweep, fewer samples are no other cell.
    but_n = [column for column in labels if column != "n"]
    is_swept = len(but_n) == len(labels) or len(set(_keys(wanted, but_n))) < len(wanted)
    keys = labels if is_swept else but_n
    present = set(_keys(rows, keys))
    absent = wanted.loc[[key not in present for key in _keys(wanted, keys)], labels].assign(absent=True)
    samples = () if is_swept else tuple(sorted(map(int, set(rows["n"]) - set(wanted["n"]))))
    return (rows if absent.empty else pd.concat([rows, absent], ignore_index=True)), samples


def _keys(frame, columns):
    """The rows of some columns as tuples, None for what is missing."""
    part = frame[columns].astype(object)
    return list(part.where(part.notna(), None).itertuples(index=False, name=None))


def _rows(measure, table):
    """Feasible rows of a measure; _Missing where a value that it names has none."""
    named = {column: measure[column] for column in ("experiment", "score") if column in measure}
    for column, wanted in (named | measure["where"]).items():
        fitting = _fitting(_column(table, column), column, wanted)
        for what, fits in fitting.items():
            if not fits.any():
                raise _Missing(f"no {what}")
        table = table[np.any(list(fitting.values()), axis=0)]
    feasible = table[~infeasible(table)]
    if feasible.empty:
        raise _Missing("infeasible")
    return feasible


def _fitting(values, column, wanted):
    """What is wanted of a column, in words -> which of its values are that."""
    if isinstance(wanted, dict):
        within = values.between(wanted.get("from", -np.inf), wanted.get("to", np.inf))
        return {f"{column} {' '.join(f'{end} {value}' for end, value in wanted.items())}": within.to_numpy()}
    wanted = wanted if isinstance(wanted, list) else [wanted]
    return {f"{column} = {value}": _equal(values, value) for value in wanted}


def _equal(values, wanted):
    if isinstance(wanted, str | bool):
        return (values == wanted).to_numpy(dtype=bool)
    return np.isclose(values.to_numpy(dtype=float), wanted, rtol=0, atol=1e-9)


def _column(rows, name):
    if name in _DERIVED:
        return _DERIVED[name](rows)
    if name not in rows:
        raise _Missing(f"no column {name}")
    return rows[name]
