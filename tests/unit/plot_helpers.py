"""Result tables made up for tests of figures, and what to find in a figure."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from custodes.drawing import style
from custodes.tables.columns import INFEASIBLE, TABLE, UNDEFINED, cell_labels

COLUMNS = list(TABLE)
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
    "first_seed": 42,
    "code_offset": 1_000_000,
}
NO_VALUE = {"mean": np.nan, "std": np.nan, "ci_low": np.nan, "ci_high": np.nan, "undefined": 5}
NO_VALUE |= {"status": UNDEFINED, "reason": "needs more rows"}
IMPOSSIBLE = NO_VALUE | {"status": INFEASIBLE, "reason": "no such covariance"}


def rows(**columns):
    """Rows of a table: the product of the given lists, other columns at their defaults."""
    lists = [value if isinstance(value, list) else [value] for value in columns.values()]
    made = [DEFAULTS | dict(zip(columns, point, strict=True)) for point in product(*lists)]
    return _table([{"d_eff": row["d"], "n_scored": row["n"], "metric": row["score"]} | row for row in made])


def _table(made):
    table = pd.DataFrame(made)
    table = table.reindex(columns=[*COLUMNS, *(name for name in table if name not in COLUMNS)])
    return table.astype({"reason": object})


def change(table, where, **columns):
    """A copy of the table with other values in the rows that a boolean mask picks."""
    table = table.copy()
    for name, value in columns.items():
        table.loc[where, name] = value
    return table


def table_of(study, protocol, experiment):
    """A table over the cells of a study's experiment, with every score of the full suite."""
    rng = np.random.default_rng(0)
    made = []
    for cell, score in product(study.cells(protocol, experiment), style.FULL):
        mean = rng.random()
        row = DEFAULTS | cell_labels(cell) | {"protocol": protocol, "experiment": experiment}
        row |= {"score": score, "metric": score, "mean": mean, "n_scored": cell["n"]}
        row |= {"ci_low": mean - 3, "ci_high": mean + 3}  # two seeds: intervals beyond the axis
        if "infeasible" in cell:
            row |= IMPOSSIBLE
        elif rng.random() < 0.05:
            row |= NO_VALUE
        made.append(row)
    return _table(made)


def legend_texts(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def rectangles(axes, hatch):
    return [
        patch for patch in axes.patches if isinstance(patch, Rectangle) and bool(patch.get_hatch()) == hatch
    ]


def crosses(axes):
    return [line for line in axes.lines if line.get_marker() == "x"]


def line_through(axes, values):
    """The drawn line with these heights, markers apart."""
    found = [
        line for line in axes.lines if line.get_marker() == "None" and len(line.get_ydata()) == len(values)
    ]
    return next(line for line in found if np.allclose(line.get_ydata(), values, equal_nan=True))
