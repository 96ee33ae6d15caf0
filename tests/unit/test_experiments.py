"""The experiment and protocol files: they load, name what exists and hold every published cell."""

import csv

import pandas as pd
import pytest

from custodes.errors import ConfigError
from custodes.sources import CHECKOUT
from custodes.study import study
from custodes.study.yaml_files import read_yaml
from custodes.tables.columns import cell_labels
from custodes.tables.filters import matches

PUBLISHED = CHECKOUT / "workflow" / "resources" / "published_cell_means.csv"
EVERYTHING = {
    "protocols": "all",
    "experiments": "all",
    "metrics": "all",
    "figures": "all",
    "seeds": 5,
    "first_seed": 42,
    "thin": None,
}
LABELS = {
    "dgp": str,
    "encoder": str,
    "d": int,
    "m": int,
    "n": int,
    "dgp_rho": float,
    "dgp_coupling": float,
    "dgp_constraints": int,
    "encoder_alpha": float,
    "encoder_kappa": float,
    "encoder_codes_per_factor": int,
}


@pytest.fixture(scope="module")
def everything():
    return study.load(EVERYTHING)


@pytest.fixture(scope="module")
def published():
    with PUBLISHED.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def key(cell):
    return tuple(cell.get(label) for label in LABELS)


def published_key(row):
    return tuple(kind(row[label]) if row[label] else None for label, kind in LABELS.items())


def test_published_grids_hold_every_published_cell(everything, published):
    ours = {
        name: {key(cell) for cell in everything.cells("published", name)} for name in everything.experiments
    }
    missing = {
        (row["experiment"], published_key(row))
        for row in published
        if published_key(row) not in ours[row["experiment"]]
    }
    assert not missing


def test_published_cells_have_the_published_number_of_seeds(everything, published):
    for row in published:
        assert len(everything.seeds(row["experiment"])) == int(row["seeds"])


PUBLISHED_ONLY = {  # against the text: E5 and E6 with d + 1 codes, and uniform null codes
    "overcomplete": 10,
    "null_collapse": 24,
}


@pytest.mark.parametrize(("experiment", "count"), PUBLISHED_ONLY.items())
def test_cells_that_the_published_study_ran_against_its_text(everything, experiment, count):
    published, corrected = (
        {key(cell): cell for cell in everything.cells(name, experiment)}
        for name in ("published", "corrected")
    )
    alone = [published[key] for key in published.keys() - corrected.keys()]
    assert len(alone) == count
    for cell in alone:
        assert cell["encoder"] == "null_uniform" or cell["m"] == cell["d"] + 1


def test_the_corrected_protocol_only_adds_cells(everything):
    for name in everything.experiments.keys() - PUBLISHED_ONLY.keys():
        published, corrected = (
            {key(cell) for cell in everything.cells(protocol, name)}
            for protocol in ("published", "corrected")
        )
        assert published <= corrected, name


@pytest.mark.parametrize(
    ("experiment", "added"),
    [
        ("correlation", {"d": {20}}),
        ("dropped_factors", {"d": {5, 20}}),
        ("redundancy_compression", {"m": {10}, "dgp_constraints": {2, 3, 4}}),
        ("null_phase_diagram", {"n": {250}}),
    ],
)
def test_what_the_corrected_protocol_adds(everything, experiment, added):
    published, corrected = (everything.cells(name, experiment) for name in ("published", "corrected"))
    old = {key(cell) for cell in published}
    new = [cell for cell in corrected if key(cell) not in old]
    assert new
    for cell in new:
        assert any(cell.get(label) in values for label, values in added.items())
    for label, values in added.items():
        assert values <= {cell.get(label) for cell in new}


def test_dropped_factors_have_the_same_ratios_at_every_number_of_factors(everything):
    ratios = {
        d: {cell["m"] / d for cell in everything.cells("corrected", "dropped_factors") if cell["d"] == d}
        for d in (5, 10, 20)
    }
    assert ratios[20] == ratios[10] == {m / 10 for m in range(1, 11)}
    assert ratios[5] == {m / 5 for m in range(1, 6)}


def test_published_single_constraint_cells_of_the_compression_have_one_constraint(everything):
    cells = everything.block("published", "redundancy_compression", "single_constraint")
    assert {cell["dgp_constraints"] for cell in cells} == {1}
    assert {cell["dgp_function"] for cell in cells} == {"tanh_cube"}


@pytest.mark.parametrize("experiment", ["correlation", "correlation_entanglement"])
def test_infeasible_points_are_kept_and_are_those_without_a_covariance(everything, experiment):
    for cell in everything.cells("published", experiment):
        assert ("infeasible" in cell) == (cell["dgp_rho"] < -1 / (cell["d"] - 1))


def test_protocols_differ_in_how_they_draw(everything):
    alike = everything.settings("published", "sample_size")
    assert alike["split"] == {"test_fraction": 0.2}
    assert everything.settings("corrected", "sample_size")["split"] == "none"
    in_sample = everything.settings("published", "predictability")
    assert (in_sample["split"], in_sample["encoder_seed_offset"]) == ("in_sample", 0)
    assert in_sample["dgps"] == alike["dgps"]


def test_a_quick_study_may_thin_one_experiment_otherwise():
    limits = {"points": 2, "dgps": 1, "n": 1000, "work": 130_000}
    others = {"dropped_factors": {"dgps": 2}, "perfect_recovery": {"work": 30_000}}
    quick = study.load(EVERYTHING | {"thin": limits | {"experiments": others}})
    assert quick.dgps("corrected", "sample_size") == ["independent"]
    assert quick.dgps("corrected", "dropped_factors") == ["multi_constraint", "independent"]
    assert {cell["d"] for cell in quick.cells("corrected", "perfect_recovery")} == {5}


def conditions(options):
    """All `where` of a figure's options, at any depth."""
    if isinstance(options, list):
        return [where for part in options for where in conditions(part)]
    if not isinstance(options, dict):
        return []
    own = [where for key, where in options.items() if key == "where"]
    return own + conditions(list(options.values()))


def test_no_part_of_a_figure_of_the_quick_study_is_empty():
    quick = study.load(read_yaml(CHECKOUT / "config" / "quick.yaml"))
    for name, spec in quick.figures.items():
        labels = [
            cell_labels(cell) | {"experiment": experiment}
            for experiment in spec["tables"]
            for cell in quick.cells("corrected", experiment)
        ]
        table = pd.DataFrame(labels)
        for where in [{}, *conditions(spec.get("options", {}))]:
            cells = {column: value for column, value in where.items() if column in table}
            assert matches(table, cells).sum() >= 2, f"{name}: {where}"


def test_a_quick_study_may_leave_out_metrics_and_variants_of_an_experiment():
    limits = {"points": 2, "dgps": 1, "n": 1000, "work": 30_000}
    everywhere = study.load(EVERYTHING).scorers("candidate_ablation")
    left_out = {"candidate_ablation": {"without": ["r2", "focus_without_purity"]}}
    quick = study.load(EVERYTHING | {"thin": limits | {"experiments": left_out}})
    assert set(everywhere) - set(quick.scorers("candidate_ablation")) == {"r2", "focus_without_purity"}
    assert "r2" in quick.scorers("correlation")
    unknown = {"candidate_ablation": {"without": ["mig"]}}
    with pytest.raises(
        ConfigError, match=r"thin.experiments.candidate_ablation.without: unknown metric 'mig'"
    ):
        study.load(EVERYTHING | {"thin": limits | {"experiments": unknown}})
