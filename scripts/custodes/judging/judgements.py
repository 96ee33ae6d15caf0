"""Judge every score whose best value is 1 by every property, from the scores of all draws."""

from pathlib import Path

import numpy as np

from custodes.drawing import style
from custodes.judging import verdicts, wording
from custodes.tables.columns import is_label
from custodes.tables.files import read_frame, replacing
from custodes.tables.filters import matches

_PLACEMENTS = ("main", "appendix", "extra")


def judge_properties(paths_to_scores, protocol, scores, rule, figures, paper, path_to_verdicts):
    """Write one row per score and property.

    paths_to_scores: .../{experiment}/{dgp}/{metric}.parquet. scores: score -> its metric or variant, of
    those whose best value is 1. rule: what `properties.load` or `properties.within` returned.
    figures: name -> specification, of those that may be cited. paper: score ->
    property -> its verdict in the paper.
    """
    import pandas as pd

    draws = _read(paths_to_scores)
    judged = {
        name: _judge(name, given, draws, scores, figures, rule["margin"])
        for name, given in rule["properties"].items()
    }
    rows = []
    listed = list(style.SCORES)
    # Those that are not listed, such as variants, stay in their order.
    for score in sorted(scores, key=lambda name: listed.index(name) if name in listed else len(listed)):
        for name, given in rule["properties"].items():
            row = {"protocol": protocol, "metric": scores[score], "score": score, "property": name}
            row |= judged[name][score] | {"paper": paper.get(score, {}).get(name, "")}
            rows.append(row | {"explanation": wording.explanation(row, given["parts"])})
    with replacing(path_to_verdicts) as temporary:
        pd.DataFrame(rows).to_csv(temporary, index=False, float_format="%.6f")


def _read(paths):
    import pandas as pd

    return pd.concat(
        [read_frame([path]).assign(experiment=Path(path).parts[-3]) for path in paths],
        ignore_index=True,
    )


def _judge(name, given, draws, scores, figures, margin):
    """Score -> columns of its row, for one property."""
    cells, draws = _cells(draws, given["cells"])
    found = verdicts.differences(given["statistic"], cells, **given["options"])
    involved = found.involved()
    rows = {}
    for score in scores:
        values = _values(draws[draws["score"] == score], len(cells))
        bounds = verdicts.bounds(found.of(values), **margin)
        judgement = verdicts.judge(bounds)
        thresholds = given["thresholds"]
        row = {
            "statistic": judgement.statistic,
            "ci_low": judgement.ci_low,
            "ci_high": judgement.ci_high,
            **thresholds,
            "verdict": verdicts.verdict(judgement, thresholds),
            "cells": len(involved),
            "undefined": int(np.isnan(values[involved]).all(axis=1).sum()),
            "worst_case": "",
            "parts": "",
            "figure": "",
        }
        if judgement.worst is not None:
            cell, against = (
                (cells.loc[index], np.nanmean(values[index])) if index >= 0 else None
                for index in (found.cell[judgement.worst], found.against[judgement.worst])
            )
            over = given["options"].get("over")
            row["worst_case"] = wording.finding(given["statistic"], score, cell, against, over)
            row["parts"] = _parts(given["parts"], cells, found, bounds)
            row["figure"] = _figure(figures, int(name[1:]), cells.loc[[cell[0].name]], score, scores)
        rows[score] = row
    return rows


def _cells(draws, sources):
    """The distinct cells that `sources` select, and the draws of these with a column `cell`."""
    labels = [column for column in draws if is_label(column)]
    chosen = np.zeros(len(draws), dtype=bool)
    for source in sources:
        chosen |= matches(draws, {"experiment": source["experiment"]} | source["where"])
    draws = draws[chosen]
    draws = draws.assign(cell=draws.groupby(labels, dropna=False, sort=False).ngroup())
    cells = draws.drop_duplicates("cell").set_index("cell").sort_index()
    return cells[[*labels, "experiment"]], draws


def _values(draws, count):
    """Scores (cells, seeds) of one score's draws; NaN where undefined or not drawn."""
    wide = draws.drop_duplicates(["cell", "seed"]).pivot(index="cell", columns="seed", values="value")
    return wide.reindex(range(count)).to_numpy(dtype=float)


def _parts(column, cells, found, bounds):
    """The statistic for every value of a column: "E5 0.00, E7 0.35"."""
    values = cells[column].to_numpy()[found.cell]
    statistics = {
        value: verdicts.judge(bounds, values == value).statistic for value in style.ordered(column, values)
    }
    return ", ".join(
        f"{wording.name(column, value)} {'undefined' if statistic is None else wording.number(statistic)}"
        for value, statistic in statistics.items()
    )


def _figure(figures, number, cell, score, scores):
    """The first figure of a property, in the order of the paper, that draws this score of this cell."""
    for placement in _PLACEMENTS:
        for name, spec in figures.items():
            options = spec.get("options", {})
            where = options.get("where", {})
            if (
                spec.get("property") == number
                and spec["placement"] == placement
                and cell["experiment"].item() in spec["tables"]
                and "panels" not in options
                and score in style.score_names(options.get("scores", "main"), scores)
                and set(where) <= set(cell)
                and matches(cell, where).all()
            ):
                return name
    return ""
