"""Compare the tables of a protocol with the published means, cell by cell."""

import numpy as np

from custodes.study import yaml_files
from custodes.tables.files import read_frame, replacing

PARAMETERS = [
    "dgp_rho",
    "dgp_coupling",
    "dgp_constraints",
    "encoder_alpha",
    "encoder_kappa",
    "encoder_codes_per_factor",
]
CELL = ["experiment", "dgp", "encoder", "d", "m", "n", *PARAMETERS]
COLUMNS = [*CELL, "score", "seeds", "published", "ours", "difference", "tolerance", "deterministic"]
WITHIN = "within"
OUTSIDE = "outside"
UNDEFINED_IN_BOTH = "undefined in both"
UNDEFINED_HERE = "undefined here only"
UNDEFINED_THERE = "undefined there only"
NOT_HERE = "not in this study"
EXPLAINED = "explained"
VERDICTS = [
    WITHIN,
    OUTSIDE,
    EXPLAINED,
    UNDEFINED_IN_BOTH,
    UNDEFINED_HERE,
    UNDEFINED_THERE,
    NOT_HERE,
]
DISAGREEING = [OUTSIDE, UNDEFINED_HERE, UNDEFINED_THERE]


def compare(results, published, tolerances):
    """One row per published cell and score, with both means, the tolerance and a verdict.

    A cell is "not in this study" when no row has it or when its number of seeds differs. A
    disagreement that `tolerances` gives a numerical reason for is "explained", with the `reason`.

    Args:
        results: DataFrame of result tables of one protocol, the one that scores as published.
        published: DataFrame of workflow/resources/published_cell_means.csv.
        tolerances: content of workflow/resources/tolerances.yaml.

    Raises:
        ValueError: a published cell has several rows in `results`, or a score has no tolerance.
    """
    unknown = sorted(set(published["score"]) - set(tolerances["scores"]))
    if unknown:
        raise ValueError(f"tolerances: no entry for the score {unknown[0]}")
    rows = published.rename(columns={"mean": "published"}).merge(
        _ours(results), on=[*CELL, "score"], how="left", suffixes=("", "_here")
    )
    if len(rows) > len(published):
        twice = rows.loc[rows.duplicated([*CELL, "score"]), [*CELL, "score"]].iloc[0]
        raise ValueError(f"results: several rows for {describe(twice)}")
    here = rows["seeds_here"].eq(rows["seeds"])
    rows["ours"] = rows["ours"].where(here)
    rows["difference"] = rows["ours"] - rows["published"]
    rows["tolerance"] = _tolerance(rows, tolerances)
    rows["deterministic"] = rows["score"].map(_entries(tolerances, "deterministic"))
    rows["verdict"] = _verdict(rows, here)
    rows["reason"] = None
    _explain(rows, tolerances["explanations"])
    return rows[[*COLUMNS, "verdict", "reason"]]


def summarise(comparison, by=("experiment", "score")):
    """Counts of cells and verdicts and the size of the differences, for each group of `by`."""
    groups = comparison.assign(size=comparison["difference"].abs()).groupby(list(by), sort=False)
    sizes = groups["size"].agg(["median", "max"]).set_axis(["median", "largest"], axis=1)
    counts = groups["verdict"].value_counts().unstack().reindex(columns=VERDICTS)
    counts = counts.fillna(0).astype(int)
    counts.insert(0, "cells", counts.sum(axis=1))
    return counts.join(sizes).reset_index()


def describe(row):
    """A cell and score in one line, without the parameters that it does not have."""
    given = [f"{column}={value}" for column, value in row[CELL].dropna().items()]
    return f"{row['score']} ({', '.join(given)})"


def compare_published(
    paths_to_tables, path_to_published, path_to_tolerances, path_to_comparison, path_to_summary
):
    """Read result tables, compare, and write comparison and summary as CSV."""
    import pandas as pd

    comparison = compare(
        read_frame(paths_to_tables),
        pd.read_csv(path_to_published),
        yaml_files.read_yaml(path_to_tolerances),
    )
    summary = summarise(comparison)
    for frame, path in ((comparison, path_to_comparison), (summary, path_to_summary)):
        with replacing(path) as temporary:
            frame.to_csv(temporary, index=False, float_format="%.9g")
    print(summarise(comparison, by=("score",)).to_string(index=False, float_format="%.2g"))


def _ours(results):
    ours = results[[*CELL, "score", "mean", "seeds"]].rename(columns={"mean": "ours"})
    return ours.astype(dict.fromkeys(PARAMETERS, float))


def _tolerance(rows, tolerances):
    usual = _entries(tolerances, "tolerance")
    null = usual | _entries(tolerances, "null_tolerance")
    is_null = rows["encoder"].isin(tolerances["null_encoders"])
    return rows["score"].map(usual).where(~is_null, rows["score"].map(null))


def _entries(tolerances, key):
    """Score -> its value of `key`, for the scores that have one."""
    return {score: entry[key] for score, entry in tolerances["scores"].items() if key in entry}


def _verdict(rows, here):
    undefined_here, undefined_there = rows["ours"].isna(), rows["published"].isna()
    return np.select(
        [
            ~here,
            undefined_here & undefined_there,
            undefined_here,
            undefined_there,
            rows["difference"].abs() <= rows["tolerance"],
        ],
        [NOT_HERE, UNDEFINED_IN_BOTH, UNDEFINED_HERE, UNDEFINED_THERE, WITHIN],
        default=OUTSIDE,
    )


def _explain(rows, explanations):
    for explanation in explanations:
        fits = rows["verdict"].isin(DISAGREEING) & rows["score"].isin(explanation["scores"])
        for column, value in explanation["cell"].items():
            fits &= rows[column] == value
        rows.loc[fits, ["verdict", "reason"]] = EXPLAINED, explanation["reason"]
