"""The published protocol gives the published means: cells of several experiments, end to end on arrays.

The full comparison is a rule of the workflow (compare_published); this is the part that takes seconds.
"""

import numpy as np
import pandas as pd
import pytest
from ruamel.yaml import YAML
from threadpoolctl import threadpool_info

from custodes import registry, streams
from custodes.sources import CHECKOUT
from custodes.study import study
from custodes.tables.columns import cell_labels, prefixed

RESOURCES = CHECKOUT / "workflow" / "resources"
CELL = ("dgp", "encoder", "d", "m", "n", "dgp_rho", "dgp_constraints", "encoder_kappa")
DETERMINISTIC = {"mcc_pearson": "mcc_pearson", "mcc_spearman": "mcc_spearman", "r2": "r2"}


@pytest.fixture(scope="module")
def published():
    return study.load({"protocols": "published", "metrics": "all"})


@pytest.fixture(scope="module")
def means():
    return pd.read_csv(RESOURCES / "published_cell_means.csv")


@pytest.fixture(scope="module")
def tolerances():
    scores = YAML(typ="safe").load(RESOURCES / "tolerances.yaml")["scores"]
    return {score: entry["tolerance"] for score, entry in scores.items()}


def published_kernel():
    """Whether OpenBLAS runs on the kernel of the published samples (an environment may pin another)."""
    libraries = threadpool_info()
    return {lib.get("architecture") for lib in libraries} <= {"Haswell", "Zen", None}


def mean_score(published, experiment, cell, metric, score):
    """Mean over the published seeds of one score of one cell."""
    settings = published.settings("published", experiment)
    dgp, encoder = registry.load("dgps", cell["dgp"]), registry.load("encoders", cell["encoder"])
    extra = {"redundant": cell["redundant"]} if cell["encoder"] == "undercomplete" else {}
    values = []
    for seed in published.seeds(experiment):
        z = dgp.sample(streams.factors(seed), cell["n"], cell["d"], **prefixed(cell, "dgp_"))
        rng = streams.codes(seed, settings["encoder_seed_offset"])
        z_hat = encoder.encode(z, rng, cell["m"], **prefixed(cell, "encoder_"), **extra)
        split = streams.row_split(cell["n"], seed, settings["split"]["test_fraction"])
        parameters = settings["metrics"].get(metric, {})
        scores = registry.load("metrics", metric).score(
            z, z_hat, streams.metric(seed), split=split, **parameters
        )
        values.append(scores[score])
    return np.mean(values)


def published_mean(means, experiment, cell, score):
    """The published mean of the cell; its parameters that are not in the file are defaults there."""
    rows = means[(means["experiment"] == experiment) & (means["score"] == score)]
    for key in CELL:
        if key in cell and rows[key].notna().any():
            rows = rows[(rows[key] == cell[key]) | rows[key].isna()]
    assert len(rows) == 1, rows
    return rows["mean"].item()


@pytest.mark.parametrize("metric", DETERMINISTIC)
@pytest.mark.parametrize("experiment", ["perfect_recovery", "dropped_factors", "overcompleteness_ratio"])
def test_deterministic_scores(published, means, tolerances, experiment, metric):
    known = means.loc[means["experiment"] == experiment, "d"].unique()
    cells = [
        cell
        for cell in published.cells("published", experiment)
        if cell["d"] in known and "encoder_codes_per_factor" not in cell
    ]
    if not published_kernel():  # the samples themselves differ then, see custodes/dgps/correlated.py
        cells = [cell for cell in cells if cell["dgp"] != "correlated"]
    assert len(cells) >= 3
    for cell in cells:
        ours = mean_score(published, experiment, cell, metric, metric)
        theirs = published_mean(means, experiment, cell, metric)
        assert ours == pytest.approx(theirs, abs=tolerances[metric]), cell_labels(cell)


@pytest.mark.parametrize("dgp", ["independent", "single_constraint"])
def test_dci(published, means, tolerances, dgp):
    cell = next(
        cell
        for cell in published.cells("published", "perfect_recovery")
        if cell["dgp"] == dgp and cell["d"] == 5
    )
    ours = mean_score(published, "perfect_recovery", cell, "dci", "dci_disentanglement")
    theirs = published_mean(means, "perfect_recovery", cell, "dci_disentanglement")
    assert ours == pytest.approx(theirs, abs=tolerances["dci_disentanglement"])
