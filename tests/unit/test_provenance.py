"""The provenance of a run: complete, truthful about the checkout, and kept when the next run starts."""

import json
import platform
import shlex
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from custodes.run import provenance
from custodes.sources import CHECKOUT

STUDY = SimpleNamespace(
    config={"seeds": 2},
    protocols={"corrected": {"split": "none"}},
    experiments={"sizes": {}},
    seeds=lambda name: [42, 43],
)
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b.c")


def latest(folder):
    return json.loads((folder / "provenance.json").read_text())


def git(folder, *arguments):
    subprocess.run(["git", "-C", folder, *IDENTITY, *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path):
    git(tmp_path, "init")
    (tmp_path / "file").write_text("first\n")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-m", "one")
    return tmp_path


@pytest.fixture
def started(tmp_path):
    provenance.start(tmp_path, CHECKOUT, STUDY, ["snakemake", "--config", "metrics=[r2, dci]"])
    return tmp_path


def test_a_run_that_started_says_what_it_is(started):
    record = latest(started)
    assert record["outcome"] == "not finished"
    assert record["ended"] is None
    assert record["configuration"] == STUDY.config
    assert record["protocols"] == STUDY.protocols
    assert record["seeds"] == {"sizes": [42, 43]}
    assert shlex.split(record["command"]) == ["snakemake", "--config", "metrics=[r2, dci]"]
    assert record["python"] == platform.python_version()
    assert record["versions"]["numpy"] == np.__version__
    assert {"snakemake", "lightgbm", "torch", "ruff"} <= set(record["versions"])


def test_a_run_that_ended_has_times_and_outcome(started):
    before = latest(started)
    provenance.end(started, "complete")
    after = latest(started)
    assert after["ended"] >= after["started"]
    assert after == before | {"ended": after["ended"], "outcome": "complete"}


def test_the_run_before_is_kept(started):
    provenance.end(started, "failed")
    before = latest(started)
    provenance.start(started, CHECKOUT, STUDY, ["snakemake", "again"])
    (kept,) = (started / "provenance").iterdir()
    assert json.loads(kept.read_text()) == before
    assert latest(started)["command"] == "snakemake again"


def test_a_checkout_is_clean_or_dirty(checkout):
    clean = provenance.commit(checkout)
    assert len(clean["commit"]) == 40
    assert clean["dirty"] is False
    (checkout / "file").write_text("second\n")
    assert provenance.commit(checkout) == clean | {"dirty": True}


def test_no_checkout_has_no_commit(tmp_path):
    assert provenance.commit(tmp_path) == {"commit": None, "dirty": None}


def test_a_folder_of_another_checkout_has_no_commit(checkout):
    (checkout / "inside").mkdir()
    assert provenance.commit(checkout / "inside") == {"commit": None, "dirty": None}


def test_without_git_there_is_no_commit(checkout, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert provenance.commit(checkout) == {"commit": None, "dirty": None}


def test_packages_that_are_missing_have_no_version(tmp_path):
    path = tmp_path / "requirements.in"
    path.write_text("# a comment\n\nnumpy>=2  # arrays\nno-such-package-at-all\n")
    assert provenance.versions(path) == {"numpy": np.__version__, "no-such-package-at-all": None}


def test_the_machine_is_described():
    machine = provenance.machine()
    assert machine["processor"]
    assert 1 <= machine["cores_allowed"] <= machine["cores"]
    assert machine["memory_gib"] > 0
    assert all(library["architecture"] for library in machine["blas"])


def test_a_machine_without_a_list_of_processors_is_named_by_its_kind(tmp_path):
    assert provenance._processor(Path(tmp_path / "none")) == platform.machine()
