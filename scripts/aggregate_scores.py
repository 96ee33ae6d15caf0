"""Reduce the scores of one experiment to one row per cell and score: statistics over seeds."""

from collections import Counter, defaultdict

import numpy as np

from scripts.core import grid, registry, tables


def aggregate_scores(paths_to_scores, protocol, experiment, metrics, cells, seeds, path_to_table):
    """Write the table of an experiment.

    Every cell, infeasible ones included, gets a row for each score of each metric, in the order of
    `cells` and `metrics`. A cell that lacks a draw is an error: no row may vanish on the way.
    """
    groups = defaultdict(list)
    for path in paths_to_scores:
        for row in tables.read_rows(path):
            groups[_key(row), row["score"]].append(row)
    table = [
        {"protocol": protocol, "experiment": experiment}
        | grid.labels(cell)
        | {"metric": metric, "score": score, "seeds": len(seeds)}
        | _statistics(cell, groups[_key(cell), score], len(seeds))
        for cell in cells
        for metric in metrics
        for score in registry.load("metrics", metric).SCORES
    ]
    tables.write_rows(path_to_table, table, tables.STUDY | tables.LABELS | tables.STATISTICS)


def _key(row):
    return tuple(sorted((key, row[key]) for key in row if key in tables.LABELS or tables.is_parameter(key)))


def _statistics(cell, rows, seeds):
    if "infeasible" in cell:
        return {
            "undefined": seeds,
            "status": f"infeasible: {cell['infeasible']}",
            "null_permutations": 0,
        }
    if len(rows) != seeds:
        raise ValueError(f"expected {seeds} draws and found {len(rows)} for {grid.labels(cell)}")
    values = np.array([row["value"] for row in rows if "value" in row])
    reasons = Counter(row["status"] for row in rows if "value" not in row)
    statistics = {
        "undefined": seeds - values.size,
        "status": reasons.most_common(1)[0][0] if reasons else tables.OK,
        "null_permutations": min(row["null_permutations"] for row in rows),
    }
    if values.size:
        statistics["mean"] = float(values.mean())
    if values.size > 1:
        statistics |= _spread(values)
    return statistics | _null_statistics(rows)


def _null_statistics(rows):
    """Null calibration over the seeds: means, and for the p-value the median."""
    reduce = {"null_mean": np.mean, "null_q95": np.mean, "p_value": np.median, "adjusted": np.mean}
    return {
        column: float(statistic([row[column] for row in rows if column in row]))
        for column, statistic in reduce.items()
        if any(column in row for row in rows)
    }


def _spread(values):
    """Standard deviation (ddof 1) and 95 % t interval of the mean."""
    from scipy.special import stdtrit

    std = float(values.std(ddof=1))
    half_width = float(stdtrit(values.size - 1, 0.975)) * std / values.size**0.5
    mean = float(values.mean())
    return {"std": std, "ci_low": mean - half_width, "ci_high": mean + half_width}


if __name__ == "__main__":
    aggregate_scores(
        paths_to_scores=snakemake.input.scores,
        protocol=snakemake.wildcards.protocol,
        experiment=snakemake.wildcards.experiment,
        metrics=snakemake.params.metrics,
        cells=snakemake.params.cells,
        seeds=snakemake.params.seeds,
        path_to_table=snakemake.output.table,
    )
