"""Blocks that grow: old rows stay, and none survives an edit of what it depends on."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import copied

SCORES = "results/corrected/scores/sizes/independent/r2.parquet"
MORE_SEEDS = ("--config", "seeds=3")
MARK = 0.125  # a value that no run computes


def run(study, *arguments):
    study.snakemake("--cores", "2", *arguments, "--", SCORES)
    return (study.path / SCORES).read_bytes()


def values(study):
    scores = pq.read_table(study.path / SCORES).to_pylist()
    return {(row["n"], row["seed"]): row["value"] for row in scores if row["score"] == "r2"}


def mark(study, seed):
    """Change the value of a seed, so that it can be told from one that is computed."""
    path = study.path / SCORES
    table = pq.read_table(path)
    changed = [MARK if row["seed"] == seed else row["value"] for row in table.to_pylist()]
    place = table.column_names.index("value")
    pq.write_table(table.set_column(place, "value", pa.array(changed)), path)


@pytest.fixture(scope="module")
def from_nothing(tmp_path_factory):
    """A study with three seeds that never had two."""
    study = copied(tmp_path_factory.mktemp("nothing") / "study")
    run(study, *MORE_SEEDS)
    return study


def test_more_seeds_give_the_bytes_of_a_run_from_nothing(rerunnable, from_nothing):
    assert run(rerunnable, *MORE_SEEDS) == (from_nothing.path / SCORES).read_bytes()


def test_old_rows_are_kept_when_seeds_are_added_and_go_when_the_metric_is_edited(rerunnable, from_nothing):
    mark(rerunnable, 42)
    run(rerunnable, *MORE_SEEDS)
    grown = values(rerunnable)
    assert sorted(grown) == [(n, seed) for n in (50, 100) for seed in (42, 43, 44)]
    assert {key for key, value in grown.items() if value == MARK} == {(50, 42), (100, 42)}
    edited = rerunnable.path / "scripts/custodes/statistics/held_out.py"
    edited.write_text(edited.read_text() + "# an edit\n")
    run(rerunnable, *MORE_SEEDS)
    assert values(rerunnable) == values(from_nothing)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("scripts/custodes/dgps/independent.py", "return rng", "return 2.0 * rng"),
        ("config/protocols/corrected.yaml", "", "metrics:\n  r2:\n    folds: 4\n"),
    ],
    ids=["the factors' source", "parameters"],
)
def test_no_row_survives_other_factors_or_parameters(rerunnable, path, old, new):
    mark(rerunnable, 42)
    assert MARK in values(rerunnable).values()
    edited = rerunnable.path / path
    text = edited.read_text()
    edited.write_text(text.replace(old, new) if old else text + new)
    run(rerunnable)
    assert MARK not in values(rerunnable).values()
