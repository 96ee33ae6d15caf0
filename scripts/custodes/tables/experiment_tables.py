"""Reduce the scores of one experiment to one row per cell and score: statistics over seeds."""

from collections import defaultdict

from custodes.tables import summaries
from custodes.tables.columns import LABELS, STATISTICS, STUDY, cell_labels, is_parameter
from custodes.tables.files import read_rows, write_rows


def aggregate_scores(paths_to_scores, protocol, experiment, scores, cells, seeds, path_to_table):
    """Write the table of an experiment.

    scores: score -> the metric or variant that has it. Every cell, infeasible ones included, gets a row
    for each, in the order of `cells` and `scores`. A cell that lacks a draw is an error: no row may vanish
    on the way.
    """
    groups = defaultdict(list)
    for path in paths_to_scores:
        for row in read_rows(path):
            groups[_key(row), row["score"]].append(row)
    table = [
        {"protocol": protocol, "experiment": experiment}
        | cell_labels(cell)
        | {"metric": metric, "score": score, "seeds": len(seeds)}
        | _statistics(cell, groups[_key(cell), score], len(seeds))
        for cell in cells
        for score, metric in scores.items()
    ]
    write_rows(path_to_table, table, STUDY | LABELS | STATISTICS)


def _key(row):
    return tuple(sorted((key, row[key]) for key in row if key in LABELS or is_parameter(key)))


def _statistics(cell, rows, seeds):
    if "infeasible" in cell:
        return {
            "undefined": seeds,
            "status": f"infeasible: {cell['infeasible']}",
            "null_permutations": 0,
        }
    if len(rows) != seeds:
        raise ValueError(f"expected {seeds} draws and found {len(rows)} for {cell_labels(cell)}")
    return summaries.summary(rows)
