"""The quick study, end to end, in a scratch copy: what `make run` shows a newcomer."""

import re

import pandas as pd
import pytest
from conftest import copied

from custodes.sources import CHECKOUT
from custodes.study import study
from custodes.study.yaml_files import read_yaml

QUICK = ("--configfile", "config/quick.yaml")


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    copy = copied(tmp_path_factory.mktemp("quick") / "study", tiny=False)
    printed = copy.snakemake("--cores", "2", *QUICK)
    return copy, printed


def test_the_quick_study_completes_within_its_number_of_jobs(quick):
    copy, printed = quick
    (jobs,) = {int(number) for number in re.findall(r"^total +(\d+)$", printed, flags=re.MULTILINE)}
    assert jobs <= 300
    (done,) = re.findall(r"^Done: (.*)$", printed, flags=re.MULTILINE)
    assert "44 figures in results/corrected/figures" in done
    assert "tables in results/images/tables" in done
    assert copy.planned(*QUICK) == set()


def test_every_experiment_and_figure_is_there(quick):
    copy, _ = quick
    asked = study.load(read_yaml(CHECKOUT / "config" / "quick.yaml"))
    results = copy.path / "results" / "corrected"
    assert {path.stem for path in (results / "tables").glob("*.parquet")} == set(asked.experiments)
    for figure in asked.figures:
        assert (results / "figures" / f"{figure}.pdf").read_bytes().startswith(b"%PDF")
        assert (results / "figures" / f"{figure}.png").read_bytes().startswith(b"\x89PNG")


def test_every_row_has_a_value_or_says_why_not(quick):
    copy, _ = quick
    for path in (copy.path / "results" / "corrected" / "tables").glob("*.parquet"):
        table = pd.read_parquet(path)
        assert len(table) > 0
        assert (table["mean"].notna() | (table["status"] != "ok")).all(), path.name
        assert (table["seeds"] >= 2).all()
        assert (table.loc[table["status"] == "ok", "undefined"] == 0).all()


def test_the_papers_tables_and_the_report_are_there(quick):
    copy, _ = quick
    results = copy.path / "results"
    assert all((results / f"tables/table_{number}.html").stat().st_size > 1000 for number in (1, 2, 3))
    claims = read_yaml(CHECKOUT / "workflow" / "resources" / "claims.yaml")["claims"]
    assert len(pd.read_csv(results / "report/reproduction.csv")) >= len(claims)
    assert (results / "report/reproduction.html").stat().st_size > 1_000_000  # the figures are in it


def test_models_of_images_are_scored(quick):
    copy, _ = quick
    asked = study.load(read_yaml(CHECKOUT / "config" / "quick.yaml")).images
    assert asked.datasets
    for dataset in asked.datasets:
        table = pd.read_parquet(copy.path / f"results/images/tables/{dataset}.parquet")
        assert len(table[["model", "setting", "restart"]].drop_duplicates()) == len(asked.runs(dataset))
        assert set(table["metric"]) == set(asked.metrics)
        assert (table["value"].notna() | (table["status"] != "ok")).all()
