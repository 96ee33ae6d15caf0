"""What a second run does: nothing, or just what an edit calls for (of modules: test_edits.py)."""

import os
from pathlib import Path

import pytest

METRIC = "scripts/custodes/metrics/r2.py"
PROTOCOLS = ("published", "corrected")
DATA = ("Sample", "Encode", "Score")  # what the messages of these jobs begin with
ALL = "Everything that the configuration asks for"
REPORT = "Report what reproduces, claim by claim"
FROM_GRIDS = "Write Table 1, symbols and ranges"


@pytest.fixture(scope="module")
def after_scores(finished):
    """Messages of all jobs of the study that depend on scores, or on the list of metrics."""
    everything = finished.planned("--forceall")
    assert {ALL, REPORT, FROM_GRIDS} < everything
    return {message for message in everything if not message.startswith(DATA)} - {FROM_GRIDS}


def scores(metric, *blocks):
    return {f"Score {block} with {metric} ({protocol})" for block in blocks for protocol in PROTOCOLS}


BLOCKS = ("correlation, correlated", "sizes, independent", "sizes, single_constraint")


def test_a_finished_study_has_its_files(finished):
    for protocol in PROTOCOLS:
        made = {path.name for path in (finished.path / "results" / protocol / "figures").iterdir()}
        assert made == {"correlated.pdf", "correlated.png", "sizes.pdf", "sizes.png"}
    across = finished.path / "results" / "comparison"
    assert {str(path.relative_to(across)) for path in across.rglob("*") if path.is_file()} == {
        "figures/sizes_by_protocol.pdf",
        "figures/sizes_by_protocol.png",
        "tables/sizes_by_protocol.csv",
    }
    assert set(finished.tables()) == {
        f"results/{protocol}/tables/{experiment}.parquet"
        for protocol in PROTOCOLS
        for experiment in ("correlation", "sizes")
    }


def test_a_second_run_does_nothing(finished):
    assert finished.planned() == set()


def test_touching_every_file_reruns_nothing(rerunnable):
    for path in rerunnable.path.rglob("*"):
        if path.is_file() and ".snakemake" not in path.parts:
            os.utime(path)
    assert rerunnable.planned() == set()


def test_an_edited_metric_reruns_its_scores_and_what_follows_only(rerunnable, after_scores):
    append(rerunnable.path / METRIC, "# an edit\n")
    assert rerunnable.planned() == scores("r2", *BLOCKS) | after_scores


def test_a_new_sweep_point_reruns_only_the_blocks_that_contain_it(rerunnable):
    grid = rerunnable.path / "config/experiments/sizes.yaml"
    grid.write_text(grid.read_text() + "")  # same content: nothing to do
    assert rerunnable.planned() == set()
    grid.write_text(
        grid.read_text().replace(
            "figures:",
            "  - {dgp: independent, encoder: elementwise_linear, d: 3, n: 200}\nfigures:",
        )
    )
    planned = rerunnable.planned()
    touched = {message for message in planned if message.startswith(("Sample", "Encode", "Score"))}
    assert touched == {
        f"{step} ({protocol})"
        for protocol in PROTOCOLS
        for step in (
            "Sample factors of sizes, independent",
            "Encode sizes, independent with elementwise_linear",
            "Score sizes, independent with mcc_pearson",
            "Score sizes, independent with r2",
        )
    }
    assert {message for message in planned if message.startswith("Draw")} == {
        *(f"Draw sizes ({protocol})" for protocol in PROTOCOLS),
        "Draw sizes_by_protocol (several protocols)",
    }


@pytest.mark.parametrize(
    ("target", "figure"),
    [
        ("results/corrected/figures/sizes.pdf", "sizes"),
        ("property_1", "correlated"),
        ("main_figures", "correlated"),
        ("appendix_figures", "sizes"),
    ],
)
def test_a_target_builds_only_what_it_needs(fresh, target, figure):
    planned = fresh.planned(target)
    drawn = {message for message in planned if message.startswith("Draw")}
    assert {message.split()[1] for message in drawn} == {figure}
    other = {"sizes": "correlation", "correlated": "sizes"}[figure]
    assert not any(f" {other}" in message for message in planned)
    assert all(message.startswith((*DATA, "Aggregate", "Draw")) for message in planned)


def test_a_new_metric_runs_its_own_jobs_and_what_follows(rerunnable, after_scores):
    source = (rerunnable.path / METRIC).read_text()
    new = rerunnable.path / "scripts/custodes/metrics/own_r2.py"
    new.write_text(source.replace('"r2":', '"own_r2":'))
    planned = rerunnable.planned("--config", "metrics=[mcc_pearson,r2,own_r2]")
    assert planned == scores("own_r2", *BLOCKS) | after_scores


def test_a_command_line_override_changes_what_runs(fresh):
    planned = fresh.planned("--config", "protocols=corrected", "experiments=[sizes]", "metrics=r2")
    assert {message for message in planned if message.startswith("Score")} == {
        f"Score sizes, {dgp} with r2 (corrected)" for dgp in ("independent", "single_constraint")
    }


def append(path, text):
    path = Path(path)
    path.write_text(path.read_text() + text)
