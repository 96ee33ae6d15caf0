"""Tab. 2: the metrics, by what their modules say of themselves."""

import math

from custodes import registry
from custodes.reproduction import html_table

CAPTION = "Table 2. Metrics: what they are, the range of their scores, and what does not change them."
NOTE = html_table.Note(
    "Ranges end with the best value, but for errors, where 0 is best. Invariances are those of the corrected "
    "scores; the tests check each, and that the others do not hold."
)


def tabulate_metrics(metrics, path_to_template, path_to_csv, path_to_html):
    """Write the table of `metrics` (names of modules)."""
    import pandas as pd

    rows = [_row(name, registry.load("metrics", name)) for name in metrics]
    html_table.write_plain(
        pd.DataFrame(rows),
        path_to_csv,
        path_to_html,
        path_to_template,
        name="table_2",
        caption=CAPTION,
        notes=[NOTE],
    )


def _row(name, module):
    return {
        "metric": name,
        "description": module.__doc__.strip().splitlines()[0],
        "scores and ranges": "; ".join(
            f"{score} {_bound(low)} to {_bound(high)}" for score, (low, high) in module.METRIC.scores.items()
        ),
        "invariant to": ", ".join(invariance.replace("_", " ") for invariance in module.METRIC.invariant_to),
        "needs": module.METRIC.needs,
    }


def _bound(value):
    return f"{value:g}" if math.isfinite(value) else "unbounded"
