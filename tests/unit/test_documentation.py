"""The documents say what is there: code runs, paths exist, columns and targets are complete."""

import importlib.util
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from ruamel.yaml import YAML

from custodes import testing
from custodes.study import image_figures
from custodes.tables.columns import TABLE

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/README.md"),
    *("docs/runbook.md", "docs/cluster.md", "docs/focus.md"),
)
EXAMPLE = "scripts/custodes/metrics/best_correlation.py"  # the README's, not in the tree
FOLDERS = "scripts|config|workflow|envs|tests|docs|profiles"


def python_block(containing):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    (block,) = (block for block in blocks if containing in block)
    return block


@pytest.fixture
def example_metric(tmp_path):
    path = tmp_path / Path(EXAMPLE).name
    path.write_text(python_block("METRIC ="))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_example_metric_lets_one_code_serve_two_factors(example_metric):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((200, 2))
    z[:, 1] = -3 * z[:, 0]
    scores = example_metric.score(z, z[:, :1], rng)
    assert scores == {"best_correlation": pytest.approx(1)}
    assert list(scores) == list(example_metric.METRIC.scores)


def test_example_metric_keeps_what_all_owe(example_metric):
    testing.check_metric(example_metric)


def test_example_metric_sees_the_test_rows_only(example_metric):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((200, 2))
    z_hat = z.copy()
    z_hat[:100] = rng.standard_normal((100, 2))
    split = (np.arange(100), np.arange(100, 200))
    assert example_metric.score(z, z_hat, rng, split=split)["best_correlation"] == pytest.approx(1)
    assert example_metric.score(z, z_hat, rng)["best_correlation"] < 0.8


@pytest.mark.parametrize("score", ["mcc_pearson", "dci_disentanglement"])
def test_notebook_example_finds_a_perfect_code(score, capsys):
    exec(python_block("print("), {})
    (value,) = re.findall(rf"'{score}': ([0-9.]+)", capsys.readouterr().out)
    assert float(value) > 0.98


@pytest.mark.parametrize("document", DOCUMENTS)
def test_paths_exist(document):
    paths = re.findall(rf"(?:{FOLDERS})/[\w./-]*\w", (ROOT / document).read_text())
    built = {path for path in paths if path.startswith("docs/_build")}  # by make docs
    missing = {path for path in paths if not (ROOT / path).exists()} - {EXAMPLE} - built
    assert missing == set()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_tables_and_figures_are_declared(document):
    experiments = {path.stem: path for path in (ROOT / "config" / "experiments").glob("*.yaml")}
    figures = {
        figure for path in experiments.values() for figure in YAML(typ="safe").load(path).get("figures", {})
    }
    text = (ROOT / document).read_text()
    assert set(re.findall(r"tables/(\w+)\.parquet", text)) <= set(experiments)
    assert set(re.findall(r"(?<!images/)figures/(\w+)\.pdf", text)) <= figures
    of_images = (*image_figures.RANKINGS, "irs_matrices", "interventions", "violins")
    assert all(name.endswith(of_images) for name in re.findall(r"images/figures/(\w+)\.pdf", text))


def test_named_targets_are_rules():
    smk = "".join(path.read_text() for path in (ROOT / "workflow" / "rules").rglob("*.smk"))
    table = re.search(r"\| target \|.*?\n\n", (ROOT / "README.md").read_text(), re.DOTALL).group()
    named = re.findall(r"`(\w+)`", table)
    assert len(named) == 12
    assert set(named) <= set(re.findall(r"^rule (\w+):", smk, re.MULTILINE))


def test_every_column_of_the_tables_is_explained():
    text = (ROOT / "results" / "README.md").read_text().split("## Columns of the tables")[1]
    explained = [
        name
        for line in text.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    ]
    assert sorted(explained) == sorted(TABLE)


def test_versions_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = YAML(typ="safe").load(ROOT / "CITATION.cff")
    assert str(citation["version"]) == project["version"]
    assert citation["license"] == project["license"]
    assert f"## {project['version']} " in (ROOT / "CHANGELOG.md").read_text()
