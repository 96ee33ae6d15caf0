"""Results taken over from another working directory, as docs/runbook.md has it."""

import os
import shutil

METADATA = ".snakemake/metadata"


def take_over(study, finished):
    """Copy results and their records; the workflow's own files are newer, as in a fresh checkout."""
    for folder in ("results", METADATA):
        shutil.copytree(finished.path / folder, study.path / folder)
    for path in (study.path / "scripts").rglob("*.py"):
        os.utime(path)


def test_results_with_their_records_are_up_to_date_elsewhere(fresh, finished):
    take_over(fresh, finished)
    assert fresh.planned() == set()


def test_what_differs_there_runs_again(fresh, finished):
    take_over(fresh, finished)
    planned = fresh.planned("--config", "permutations={mcc_pearson: 19}", "--", "tables")
    assert {message for message in planned if message.startswith("Score")} == {
        f"Score {block} with mcc_pearson ({protocol})"
        for block in ("correlation, correlated", "sizes, independent", "sizes, single_constraint")
        for protocol in ("published", "corrected")
    }


def test_results_without_their_records_hide_a_changed_parameter(fresh, finished):
    """Why the records belong to the copy: without them Snakemake only compares times."""
    take_over(fresh, finished)
    shutil.rmtree(fresh.path / METADATA)
    for path in sorted((fresh.path / "results").rglob("*"), key=lambda path: path.stat().st_mtime):
        os.utime(path)
    assert fresh.planned("--config", "permutations={mcc_pearson: 19}", "--", "tables") == set()
