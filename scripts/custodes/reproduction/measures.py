"""One number of the result tables: pick rows, reduce a column of them; the parts of a claim.

The keys of a measure are described in workflow/schemas/claims.schema.yaml.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from custodes.synthetic import closed_forms
from custodes.tables.columns import RATIOS
from custodes.tables.filters import infeasible, ratio

# Columns that a measure may use beside those of the tables.
_DERIVED = {
    **{name: partial(ratio, name=name) for name in RATIOS},
    "null_floor": lambda rows: closed_forms.null_floor(rows["n"], rows["m"]),
    "undefined_share": lambda rows: rows["undefined"] / rows["seeds"],
}
_COMPARISONS = {  # reductions that compare cells, and need two of them
    "range": np.ptp,
    "smallest_step": lambda values: np.min(np.diff(values)),
    "largest_step": lambda values: np.max(np.diff(values)),
    "rise": lambda values: values[-1] - values[0],
}
_REDUCTIONS = _COMPARISONS | {
    "min": np.min,
    "max": np.max,
    "mean": np.mean,
    "largest": lambda values: np.max(np.abs(values)),
}


class Measured(NamedTuple):
    """What the tables say of a measure.

    value: the number; None where there is none.
    missing: why the tables do not give it; "" where they do. A score that is undefined in all the rows
        has no value though nothing is missing.
    cells, undefined: rows that the measure covers; how many of them have no value and were left out.
    """

    value: float | None
    missing: str = ""
    cells: int = 0
    undefined: int = 0


class _Missing(Exception):
    """The tables lack the rows that a measure needs, or have too many; the message says which."""


def measured(measure, table):
    """The number of a measure in a DataFrame of result tables (of one protocol), as Measured."""
    try:
        found = _statistic(measure, table)
        if "less" not in measure:
            return found
        other = _statistic(_changed(measure, measure["less"]), table)
    except _Missing as reason:
        return Measured(None, missing=str(reason))
    both = found.value is not None and other.value is not None
    return Measured(
        value=found.value - other.value if both else None,
        cells=found.cells + other.cells,
        undefined=found.undefined + other.undefined,
    )


def _changed(measure, changes):
    """The measure with some keys replaced; of `where` and `arguments`, only the entries that are named."""
    nested = {key: measure.get(key, {}) | changes[key] for key in ("where", "arguments") if key in changes}
    return measure | changes | nested


def _statistic(measure, table):
    if "closed_form" in measure:
        value = getattr(closed_forms, measure["closed_form"])(**measure["arguments"])
        return Measured(float(value))
    rows = _rows(measure, table)
    values = _column(rows, measure.get("column", "mean"))
    if "minus" in measure:
        values = values - _column(rows, measure["minus"])
    defined = rows.assign(value=values).dropna(subset="value")
    counts = {"cells": len(rows), "undefined": len(rows) - len(defined)}
    if defined.empty:
        return Measured(None, **counts)
    if "along" in measure:
        defined = defined.assign(order=_column(defined, measure["along"])).sort_values("order")
    groups = [defined]
    if "within" in measure:
        groups = [group for _, group in defined.groupby(measure["within"], sort=False, dropna=False)]
    if measure.get("reduce") in _COMPARISONS:
        groups = [group for group in groups if len(group) > 1]
        if not groups:
            raise _Missing(f"one cell, where {measure['reduce']} compares several")
    parts = np.array([_reduced(measure, group) for group in groups])
    if "within" not in measure:
        return Measured(float(parts[0]), **counts)
    return Measured(float(_REDUCTIONS[measure["then"]](parts)), **counts)


def _reduced(measure, rows):
    values = rows["value"].to_numpy(dtype=float)
    if "along" in measure and rows["order"].duplicated().any():
        raise _Missing(f"several cells at one {measure['along']}")
    if "reduce" in measure:
        return float(_REDUCTIONS[measure["reduce"]](values))
    if len(values) > 1:
        raise _Missing(f"{len(values)} cells instead of one")
    return float(values[0])


def _rows(measure, table):
    """Feasible rows of a measure; _Missing where a value that it names has none."""
    named = {column: measure[column] for column in ("experiment", "score") if column in measure}
    for column, wanted in (named | measure["where"]).items():
        table = table[_fits(_column(table, column), column, wanted)]
    feasible = table[~infeasible(table)]
    if feasible.empty:
        raise _Missing("infeasible")
    return feasible


def _fits(values, column, wanted):
    if isinstance(wanted, dict):
        within = values.between(wanted.get("from", -np.inf), wanted.get("to", np.inf))
        ends = " ".join(f"{end} {value}" for end, value in wanted.items())
        return _some(within.to_numpy(), f"{column} {ends}")
    wanted = wanted if isinstance(wanted, list) else [wanted]
    return np.any([_some(_equal(values, value), f"{column} = {value}") for value in wanted], axis=0)


def _some(fits, what):
    if not fits.any():
        raise _Missing(f"no {what}")
    return fits


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
