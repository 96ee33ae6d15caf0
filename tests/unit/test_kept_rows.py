"""Tables that a run would make again with fewer rows: refused or said before its first job."""

import pyarrow as pa
import pytest

from custodes.errors import ConfigError
from custodes.run.kept_rows import lost_scores, refuse_loss_of_models
from custodes.tables.files import write_table

RUNS = [("beta_vae", 1, 1), ("beta_vae", 2, 1), ("mine", 1, 1)]


@pytest.fixture
def table(tmp_path):
    columns = dict(zip(("model", "setting", "restart"), map(list, zip(*RUNS, strict=True)), strict=True))
    write_table(pa.table(columns | {"score": ["r2", "mig", "mig"]}), tmp_path / "dsprites.parquet")
    return tmp_path / "dsprites.parquet"


def test_a_study_of_own_codes_alone_does_not_take_trained_models_out_of_a_table(table):
    with pytest.raises(
        ConfigError, match=r"dsprites.parquet has representations \(beta_vae 1 1, beta_vae 2 1\)"
    ):
        refuse_loss_of_models(table, [("mine", 1, 1)])


@pytest.mark.parametrize("runs", [RUNS, [*RUNS, ("other", 1, 1)]])
def test_a_study_that_keeps_all_rows_is_not_refused(table, runs):
    refuse_loss_of_models(table, runs)
    refuse_loss_of_models(table.with_name("other.parquet"), [])


def test_scores_that_would_go_are_said(table):
    assert lost_scores({table: ["r2", "mig", "sap"], table.with_name("no.parquet"): []}) is None
    assert "lose mig: add_metrics" in lost_scores({table: ["r2"]})


def test_a_damaged_table_is_left_to_the_run(table):
    table.write_bytes(table.read_bytes()[:100])
    assert lost_scores({table: []}) is None
