"""Reduce the scores of one experiment to one row per cell and score: statistics over seeds."""

from collections import defaultdict

from custodes import streams
from custodes.tables import summaries
from custodes.tables.columns import INFEASIBLE, TABLE, cell_key, cell_labels
from custodes.tables.files import read_rows, write_rows


def aggregate_scores(
    paths_to_scores, protocol, experiment, scores, cells, seeds, seed_offset, split, path_to_table
):
    """Write the table of an experiment.

    scores: score -> the metric or variant that has it. seed_offset: of the codes. split: "none",
    "in_sample" or a mapping with `test_fraction`. Every cell, infeasible ones included, gets a row
    for each, in the order of `cells` and `scores`. A cell that lacks a draw is an error: no row may vanish
    on the way.
    """
    groups = defaultdict(list)
    for path in paths_to_scores:
        for row in read_rows(path):
            groups[cell_key(row), row["score"]].append(row)
    table = [
        {"protocol": protocol, "experiment": experiment}
        | cell_labels(cell)
        | {"metric": metric, "score": score, "seeds": len(seeds)}
        | _statistics(cell, groups[cell_key(cell), score], len(seeds))
        | {"first_seed": seeds[0], "code_offset": seed_offset}
        | {"n_scored": streams.rows_scored(cell["n"], split)}
        for cell in cells
        for score, metric in scores.items()
    ]
    write_rows(path_to_table, table, TABLE)


def _statistics(cell, rows, seeds):
    if "infeasible" in cell:
        why = {"status": INFEASIBLE, "reason": cell["infeasible"]}
        return why | {"undefined": seeds, "null_permutations": 0}
    if len(rows) != seeds:
        raise ValueError(f"expected {seeds} draws and found {len(rows)} for {cell_labels(cell)}")
    return summaries.summary(rows)
