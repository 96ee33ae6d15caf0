"""Tables of an experiment: one row per cell and score, what is undefined, and of which draws they are."""

import pandas as pd
import pytest

from custodes.tables.columns import LABELS, OK, SCORES, SEED, without_value
from custodes.tables.experiment_tables import aggregate_scores
from custodes.tables.files import write_rows

CELL = {"dgp": "independent", "d": 2, "d_eff": 2, "n": 101, "encoder": "identity", "m": 2}
IMPOSSIBLE = CELL | {"dgp": "correlated", "dgp_rho": -1.0, "infeasible": "rho = -1: no such covariance"}
SEEDS = [7, 8, 9]


def table(folder, outcomes, seed_offset=1_000_000, split="none", cells=(CELL, IMPOSSIBLE)):
    """The table of two cells, of which one cannot exist, from a value or a reason for each seed."""
    rows = [
        CELL
        | {"seed": seed, "metric": "r2", "score": "r2", "null_permutations": 0}
        | (without_value(one) if isinstance(one, str) else {"value": one, "status": OK})
        for seed, one in zip(SEEDS, outcomes, strict=False)
    ]
    write_rows(folder / "r2.parquet", rows, LABELS | SEED | SCORES)
    aggregate_scores(
        [folder / "r2.parquet"],
        "corrected",
        "sizes",
        {"r2": "r2"},
        cells,
        SEEDS,
        seed_offset,
        split,
        folder / "table.parquet",
    )
    return pd.read_parquet(folder / "table.parquet")


def test_a_cell_with_a_value_for_every_seed_is_ok(tmp_path):
    row = table(tmp_path, [0.5, 0.6, 0.7]).iloc[0]
    assert row["mean"] == pytest.approx(0.6)
    assert (row["status"], row["undefined"]) == ("ok", 0)
    assert pd.isna(row["reason"])


def test_a_cell_with_some_undefined_seeds_says_so_and_has_the_mean_of_the_others(tmp_path):
    row = table(tmp_path, ["few rows", 0.6, "few rows"]).iloc[0]
    assert row["mean"] == pytest.approx(0.6)
    assert (row["status"], row["reason"], row["undefined"]) == ("undefined", "few rows", 2)
    assert table(tmp_path, ["rare", "common", "common"]).iloc[0]["reason"] == "common"


def test_a_cell_that_cannot_exist_is_a_row_that_says_why(tmp_path):
    row = table(tmp_path, [0.5, 0.6, 0.7]).iloc[1]
    assert (row["status"], row["reason"]) == ("infeasible", "rho = -1: no such covariance")
    assert (row["undefined"], row["seeds"]) == (3, 3)


def test_a_missing_draw_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="expected 3 draws and found 2 for"):
        table(tmp_path, [0.5, 0.6])


@pytest.mark.parametrize(
    ("split", "scored"), [("none", 101), ("in_sample", 101), ({"test_fraction": 0.2}, 21)]
)
def test_every_row_says_of_which_draws_it_is(tmp_path, split, scored):
    found = table(tmp_path, [0.5, 0.6, 0.7], seed_offset=5, split=split)
    assert set(found["first_seed"]) == {7}
    assert set(found["code_offset"]) == {5}
    assert set(found["n_scored"]) == {scored}
