"""A metric of another installed package goes through a study, and an edit of it scores again."""

import os

import pyarrow.parquet as pq
import pytest

from tests.unit.test_foreign_metrics import METRIC

TABLE = "results/corrected/tables/sizes.parquet"


@pytest.mark.parametrize("name", ["half", "other_package.half"])
def test_a_study_of_it(fresh, tmp_path, monkeypatch, name):
    package, info = tmp_path / "site" / "other_package", tmp_path / "site" / "other_package-1.0.dist-info"
    for folder, files in {
        package: {"__init__.py": "", "half.py": METRIC.lstrip(), "numbers.py": "HALF = 0.5\n"},
        info: {
            "METADATA": "Metadata-Version: 2.1\nName: other-package\nVersion: 1.0\n",
            "entry_points.txt": "[custodes.metrics]\nhalf = other_package.half\n",
        },
    }.items():
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package.parent), os.environ["PYTHONPATH"]]))
    monkeypatch.syspath_prepend(package.parent)
    settings = (f"--config=metrics=['r2','{name}']",)
    fresh.snakemake("--cores", "2", *settings, "--", TABLE)
    rows = [row for row in pq.read_table(fresh.path / TABLE).to_pylist() if row["score"] == "half"]
    assert {(row["metric"], row["mean"]) for row in rows} == {(name, 0.5)}
    assert not fresh.planned(*settings, "--", TABLE)
    (package / "numbers.py").write_text("HALF = 0.25\n")
    planned = fresh.planned(*settings, "--", TABLE)
    assert any(f"with {name} (corrected)" in message for message in planned)
    assert not any("with r2" in message for message in planned)
