"""The quick study, end to end, in a scratch copy: what `make run` shows a newcomer."""

import re

import pandas as pd
import pytest
from conftest import copied

from scripts.core import study
from scripts.core.config import read_yaml
from scripts.core.registry import ROOT

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
    assert "Done: " in printed
    assert "figures for each protocol" in printed
    assert copy.planned(*QUICK) == set()


def test_every_experiment_and_figure_is_there(quick):
    copy, _ = quick
    asked = study.load(read_yaml(ROOT / "config" / "quick.yaml"))
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
