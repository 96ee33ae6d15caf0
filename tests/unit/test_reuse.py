"""Rows of an earlier run: kept where all that they depend on is the same, and nowhere else."""

from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq
import pytest

from custodes import registry
from custodes.contracts import PAIRED, Metric
from custodes.scoring import blocks, fingerprints
from custodes.tables.columns import SEED
from custodes.tables.files import read_rows

COLUMNS = {"seed": SEED["seed"]}


@pytest.fixture
def scored(monkeypatch):
    """Seeds that the metric was asked for, in order."""
    seeds = []

    def score(z, z_hat, rng, *, split=None, factor=1.0):
        seeds.append(int(z[0, 0]))
        rows = slice(None) if split is None else split[1]
        return {"total": float(factor * z_hat[rows].sum() + rng.random())}

    metric = Metric(scores={"total": (-np.inf, np.inf)}, needs=PAIRED)
    module = SimpleNamespace(METRIC=metric, score=score)
    monkeypatch.setattr(registry, "load", lambda kind, name: module)
    return seeds


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "total.py"
    path.write_text("one\n")
    return path


def draw(seed, **changes):
    z = np.full((4, 2), float(seed))
    return blocks.Draw({"seed": seed}, seed, None, z, z + 1)._replace(**changes)


def run(tmp_path, source, draws, metric="total", parameters=(), permutations=0):
    path = tmp_path / "scores.parquet"
    blocks.score_draws(metric, draws, dict(parameters), permutations, 1, path, [source], COLUMNS)
    return path.read_bytes()


def test_new_seeds_alone_are_scored_and_the_bytes_are_those_of_a_run_from_nothing(tmp_path, source, scored):
    run(tmp_path, source, [draw(1), draw(2)])
    scored.clear()
    grown = run(tmp_path, source, [draw(0), draw(1), draw(2), draw(3)])
    assert scored == [0, 3]
    (tmp_path / "scores.parquet").unlink()
    assert run(tmp_path, source, [draw(0), draw(1), draw(2), draw(3)]) == grown


def test_equal_draws_of_two_cells_are_scored_once_and_keep_one_row_each(tmp_path, source, scored):
    twin = draw(1)._replace(labels={"seed": 7})
    first = run(tmp_path, source, [draw(1), twin])
    assert scored == [1]
    assert run(tmp_path, source, [draw(1), twin]) == first
    assert [row["seed"] for row in read_rows(tmp_path / "scores.parquet")] == [1, 7]


def test_rows_of_draws_that_are_no_longer_asked_for_go(tmp_path, source, scored):
    run(tmp_path, source, [draw(1), draw(2)])
    run(tmp_path, source, [draw(2)])
    assert [row["seed"] for row in read_rows(tmp_path / "scores.parquet")] == [2]
    assert scored == [1, 2]


CHANGES = {
    "factors": {"draws": [draw(1, z=np.full((4, 2), 1.5))]},
    "codes": {"draws": [draw(1, z_hat=np.full((4, 2), 2.5))]},
    "precision": {"draws": [draw(1, z_hat=np.full((4, 2), 2.0, dtype=np.float32))]},
    "shape": {"draws": [draw(1, z=np.full((2, 4), 1.0), z_hat=np.full((2, 4), 2.0))]},
    "seed": {"draws": [draw(1)._replace(seed=9)]},
    "split": {"draws": [draw(1, split=(np.arange(2), np.arange(2, 4)))]},
    "parameters": {"parameters": {"factor": 2.0}},
    "permutations": {"permutations": 2},
    "metric": {"metric": "sum"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_anything_that_a_score_depends_on_scores_again(tmp_path, source, scored, change):
    given = {"draws": [draw(1)]} | CHANGES[change]
    alone = tmp_path / "alone"
    alone.mkdir()
    expected = run(alone, source, **given)
    run(tmp_path, source, [draw(1)])
    scored.clear()
    assert run(tmp_path, source, **given) == expected
    assert scored


def test_an_edit_of_the_source_scores_again(tmp_path, source, scored):
    run(tmp_path, source, [draw(1)])
    source.write_text("two\n")
    run(tmp_path, source, [draw(1)])
    assert scored == [1, 1]


def test_another_version_of_a_library_scores_again(tmp_path, source, scored, monkeypatch):
    run(tmp_path, source, [draw(1)])
    monkeypatch.setattr(fingerprints, "version", lambda name: "0.0")
    run(tmp_path, source, [draw(1)])
    assert scored == [1, 1]


@pytest.mark.parametrize("left", [b"", b"PAR1 cut", None])
def test_a_file_that_cannot_be_read_is_made_anew(tmp_path, source, scored, left):
    whole = run(tmp_path, source, [draw(1)])
    (tmp_path / "scores.parquet").write_bytes(whole[:-20] if left is None else left)
    assert run(tmp_path, source, [draw(1)]) == whole
    assert scored == [1, 1]


def test_rows_without_a_fingerprint_are_not_kept(tmp_path, source, scored):
    run(tmp_path, source, [draw(1)])
    path = tmp_path / "scores.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["fingerprint"]), path)
    run(tmp_path, source, [draw(1)])
    assert scored == [1, 1]
