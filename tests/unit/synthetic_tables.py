"""Result tables made up for tests of figures."""

from itertools import product

import numpy as np
import pandas as pd

from scripts.core import grid, tables
from scripts.plots import style

COLUMNS = list(tables.STUDY | tables.LABELS | tables.STATISTICS)
DEFAULTS = {
    "protocol": "corrected",
    "experiment": "dropped_factors",
    "dgp": "independent",
    "encoder": "undercomplete",
    "d": 5,
    "n": 1000,
    "m": 5,
    "score": "r2",
    "mean": 0.5,
    "std": 0.1,
    "ci_low": 0.4,
    "ci_high": 0.6,
    "seeds": 5,
    "undefined": 0,
    "status": "ok",
}
NO_VALUE = {"mean": np.nan, "std": np.nan, "ci_low": np.nan, "ci_high": np.nan, "undefined": 5}


def rows(**columns):
    """Rows of a table: the product of the given lists, other columns at their defaults."""
    lists = [value if isinstance(value, list) else [value] for value in columns.values()]
    made = [DEFAULTS | dict(zip(columns, point, strict=True)) for point in product(*lists)]
    table = pd.DataFrame([{"d_eff": row["d"], "metric": row["score"]} | row for row in made])
    return table.reindex(columns=[*COLUMNS, *(name for name in table if name not in COLUMNS)])


def change(table, where, **columns):
    """A copy of the table with other values in the rows that a boolean mask picks."""
    table = table.copy()
    for name, value in columns.items():
        table.loc[where, name] = value
    return table


def table_of(study, protocol, experiment):
    """A table over the cells of a study's experiment, with every score of the main set."""
    rng = np.random.default_rng(0)
    made = []
    for cell, score in product(study.cells(protocol, experiment), style.MAIN):
        mean = rng.random()
        row = DEFAULTS | grid.labels(cell) | {"protocol": protocol, "experiment": experiment}
        row |= {"score": score, "metric": score, "mean": mean}
        row |= {"ci_low": mean - 3, "ci_high": mean + 3}  # two seeds: intervals beyond the axis
        if "infeasible" in cell:
            row |= NO_VALUE | {"status": f"infeasible: {cell['infeasible']}"}
        elif rng.random() < 0.05:
            row |= NO_VALUE | {"status": "needs more rows"}
        made.append(row)
    table = pd.DataFrame(made)
    return table.reindex(columns=[*COLUMNS, *(name for name in table if name not in COLUMNS)])
