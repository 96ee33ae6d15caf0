"""Metrics of other packages: by entry point, by dotted module; what is wrong with one is said by its name."""

import sys
from textwrap import dedent

import pytest

from custodes import registry, sources
from custodes.errors import ConfigError
from custodes.study import experiments

METRIC = '''
"""A half: what every code is.

Range: a half.
Source: none."""
from custodes.contracts import PAIRED, Metric
from other_package.numbers import HALF

METRIC = Metric(scores={"half": (0.0, 1.0)}, needs=PAIRED)
check = METRIC.check


def score(z, z_hat, rng=None, *, split=None):
    return {"half": HALF}
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Where an installed package lies; function of further files of it and of its entry points."""

    def installed(entry_points="", **modules):
        given = {"__init__": "", "numbers": "HALF = 0.5", "half": METRIC, "unused": ""} | modules
        (tmp_path / "other_package").mkdir()
        for name, text in given.items():
            (tmp_path / "other_package" / f"{name}.py").write_text(dedent(text).lstrip())
        info = tmp_path / "other_package-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-package\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[custodes.metrics]\n{entry_points}\n")
        monkeypatch.syspath_prepend(tmp_path)
        forget()
        return tmp_path / "other_package"

    yield installed
    for name in [name for name in sys.modules if name.split(".")[0] == "other_package"]:
        del sys.modules[name]
    monkeypatch.undo()
    forget()


def forget():
    for cached in (registry.names, registry._entry_points, registry.load, registry.usable, sources._root):
        cached.cache_clear()


def test_an_entry_point_is_a_metric(package):
    package("half = other_package.half")
    assert registry.names("metrics")[-1] == "half"
    assert registry.load("metrics", "half").METRIC.needs == "paired samples"
    assert "half" in experiments.metrics("all")
    assert experiments.metrics(["half", "r2"]) == ["half", "r2"]
    assert registry.parameters("metrics", "half") == {}


def test_a_dotted_module_is_a_metric_where_it_is_named(package):
    package()
    assert experiments.metrics(["r2", "other_package.half"]) == ["r2", "other_package.half"]
    assert "other_package.half" not in experiments.metrics("all")


@pytest.mark.parametrize("name", ["half", "other_package.half"])
def test_its_files_are_sources_of_its_jobs(package, name):
    folder = package("half = other_package.half")
    found = sources.sources(registry.module_name("metrics", name))
    own = [str(folder / f"{module}.py") for module in ("__init__", "half", "numbers")]
    assert [path for path in found if "other_package" in path] == own
    assert "scripts/custodes/contracts.py" in found


@pytest.mark.parametrize(
    ("entry_points", "modules", "wanted", "message"),
    [
        (
            "r2 = other_package.half",
            {},
            "all",
            "entry point 'r2' of custodes.metrics (other_package.half): the",
        ),
        ("Half = other_package.half", {}, "all", "'Half'.*: its name must have small letters"),
        (
            "half = other_package.no",
            {},
            "all",
            "entry point 'half' .*: cannot be imported: No module named 'oth",
        ),
        ("", {}, ["other_package.no"], "metric 'other_package.no': cannot be imported: No module named"),
        (
            "",
            {},
            ["other_package.numbers"],
            "'other_package.numbers': is no metric: METRIC must be a custodes",
        ),
        ("", {"part": METRIC.replace("check =", "test =")}, ["other_package.part"], "no function check"),
        (
            "",
            {"part": METRIC.replace("def score", "def scored")},
            ["other_package.part"],
            "no function score",
        ),
        ("", {"part": METRIC.replace("half", "r2")}, ["r2", "other_package.part"], "both have a score 'r2'"),
        ("", {}, ["custodes.metrics.r2"], "unknown metric 'custodes.metrics.r2'; known: beta_vae_score, "),
        ("", {}, ["half"], "unknown metric 'half'; known: "),
    ],
)
def test_what_is_wrong_is_said(package, entry_points, modules, wanted, message):
    package(entry_points, **modules)
    with pytest.raises(ConfigError, match=message.replace("(", r"\(").replace(")", r"\)")):
        experiments.metrics(wanted)
