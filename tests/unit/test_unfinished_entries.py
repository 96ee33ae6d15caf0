"""Unfinished files in the folders of entries: they stop what asks for them, in one line, and nothing else."""

import sys

import pytest

from custodes import registry
from custodes.drawing import options
from custodes.errors import ConfigError
from custodes.study import experiments

FOLDER = registry.PACKAGE / "metrics"
UNFINISHED = {
    "syntax": ("def score(z:\n", r"metrics/own_syntax.py, line 1: '\(' was never closed"),
    "import": (
        "import no_such_library\n\ndef score(): ...\n",
        "metrics/own_import.py, line 1: No module named 'no_su",
    ),
    "name": (
        "X = 1\nY = Z\n\ndef score(): ...\n",
        "metrics/own_name.py, line 2: NameError: name 'Z' is not defined",
    ),
    "contract": ("def score(): ...\n", "is no metric: METRIC must be a custodes.contracts.Metric"),
}


@pytest.fixture(params=UNFINISHED)
def unfinished(request, tmp_path, monkeypatch):
    """The name of an unfinished metric beside the others, and what is said of it."""
    import custodes.metrics

    (tmp_path / "metrics").mkdir()
    for path in [*FOLDER.glob("*.py"), *FOLDER.glob("*/__init__.py")]:
        link = tmp_path / "metrics" / path.relative_to(FOLDER)
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(path)
    text, message = UNFINISHED[request.param]
    name = f"own_{request.param}"
    (tmp_path / "metrics" / f"{name}.py").write_text(text)
    (tmp_path / "metrics" / ".#r2.py").symlink_to("no_file")
    (tmp_path / "metrics" / "r2 (copy).py").write_text("def score(): ...")
    monkeypatch.setattr(registry, "PACKAGE", tmp_path)
    monkeypatch.setattr(custodes.metrics, "__path__", [*custodes.metrics.__path__, str(tmp_path / "metrics")])
    forget()
    yield name, message
    monkeypatch.undo()
    forget()
    sys.modules.pop(f"custodes.metrics.{name}", None)


def forget():
    for cached in (registry.names, registry._own, registry.load, registry.usable):
        cached.cache_clear()


def test_it_stops_what_asks_for_it_in_one_line(unfinished):
    name, message = unfinished
    for wanted in ([name], "all"):
        with pytest.raises(ConfigError, match=f"^config: metrics: metric '{name}': .*{message}") as refusal:
            experiments.metrics(wanted)
        assert "\n" not in str(refusal.value)


def test_it_stops_nothing_else(unfinished):
    assert experiments.metrics(["r2", "mig"]) == ["r2", "mig"]
    assert experiments.read("candidate_ablation")["variants"]
    assert "mig" in options.known_scores()


def test_locks_and_copies_of_editors_are_no_entries(unfinished):
    assert all(name.isidentifier() for name in registry.names("metrics"))
