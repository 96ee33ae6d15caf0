"""A scratch copy of the workflow with a study of its own: two experiments, two metrics, seconds long."""

import fcntl
import inspect
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from served import Snakemake

from custodes import registry

ROOT = Path(__file__).resolve().parents[2]
TINY = Path(__file__).parent / "tiny"
WORKFLOW = ("Snakefile", "workflow", "scripts", "profiles", "config", "envs")


@dataclass(frozen=True)
class Copy:
    """A working directory with a copy of the workflow."""

    path: Path

    def start(self, *arguments, fork_jobs=True):
        """Start Snakemake here; its jobs are forks, or start from nothing as a user's do."""
        run = Snakemake(self.path, arguments, fork_jobs)
        run.start()
        return run

    def snakemake(self, *arguments, check=True, fork_jobs=True):
        """Run Snakemake here and return what it printed."""
        return self.start(*arguments, fork_jobs=fork_jobs).end(check)

    def planned(self, *arguments):
        """What a run would do: the messages of its jobs."""
        printed = self.snakemake("--dry-run", *arguments)
        return set(re.findall(r"^Job \d+: (.*)$", printed, flags=re.MULTILINE))

    def tables(self):
        """Bytes of every result table, by path."""
        return {
            str(path.relative_to(self.path)): path.read_bytes()
            for path in sorted(self.path.glob("results/*/tables/*.parquet"))
        }


def copied(destination, tiny=True):
    """A copy of the workflow at `destination`, with the tiny study in place of the configuration."""
    for name in WORKFLOW:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, destination / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            destination.mkdir(exist_ok=True)
            shutil.copy2(source, destination / name)
    if tiny:
        shutil.rmtree(destination / "config" / "experiments")
        shutil.copytree(TINY, destination / "config", dirs_exist_ok=True)
    return Copy(destination)


def read_from(copy, monkeypatch):
    """Have the configuration read from a copy, in this process."""
    replaced = {"CHECKOUT": copy.path, "configured": inspect.unwrap(registry.configured)}
    for name in [name for name in sys.modules if name.startswith("custodes.")]:
        for attribute, value in replaced.items():
            if hasattr(sys.modules[name], attribute):
                monkeypatch.setattr(sys.modules[name], attribute, value)


@pytest.fixture
def fresh(tmp_path):
    """A copy of the workflow with the tiny study, nothing run yet."""
    return copied(tmp_path / "study")


@pytest.fixture(scope="session")
def finished(tmp_path_factory, worker_id):
    """The tiny study, run once for all workers of pytest; tests must not change it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "finished"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            study = copied(tmp_path_factory.mktemp("finished") / "study")
            study.snakemake("--cores", "2")
            study.path.rename(folder)
    return Copy(folder)


@pytest.fixture
def rerunnable(finished, tmp_path):
    """A copy of the finished tiny study that a test may change."""
    shutil.copytree(finished.path, tmp_path / "study", dirs_exist_ok=True)
    return Copy(tmp_path / "study")
