"""The locks, the conda definition, the direct dependencies and the running interpreter agree."""

import ast
import re
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
ENVS = ROOT / "envs"
FOLDERS = ("scripts", "tests", "config")
PYTHONS = ("3.11.2", "3.12.0", "3.13.0")  # the first is that of Debian 12
CONDA_NAMES = {"snakemake": "snakemake-minimal", "matplotlib": "matplotlib-base", "torch": "pytorch"}


def read_requirements(path):
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    parsed = [Requirement(line) for line in lines if line]
    return {canonicalize_name(requirement.name): requirement for requirement in parsed}


DIRECT = read_requirements(ENVS / "requirements.in")
LOCK = read_requirements(ENVS / "requirements.txt")
CUDA_LOCK = read_requirements(ENVS / "requirements-cuda.txt")


def pin(requirement):
    (specifier,) = requirement.specifier
    assert specifier.operator == "=="
    return specifier.version


OF_PYTORCH = {canonicalize_name(one.name): one for one in map(Requirement, requires("torch"))}
HAS_CUDA = "cuda-toolkit" in OF_PYTORCH
HAS_LOCKED_CUDA = HAS_CUDA and OF_PYTORCH["cuda-toolkit"].specifier.contains(pin(CUDA_LOCK["cuda-toolkit"]))
INSTALLED = LOCK | (CUDA_LOCK if HAS_LOCKED_CUDA else {})


def dependencies_of(name, follow):
    """All that `name` needs, itself included; `follow` decides whether a requirement is taken."""
    found, waiting = set(), [(name, "")]
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.add(current)
            package, extra = current
            needed = (Requirement(line) for line in requires(package) or [])
            waiting += [
                (canonicalize_name(one.name), wanted)
                for one in needed
                if follow(one, extra)
                for wanted in ("", *one.extras)
            ]
    return {package for package, _ in found}


def needed_here(requirement, extra):
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def needed_somewhere(requirement, extra):
    in_lock = canonicalize_name(requirement.name) in LOCK
    return in_lock and (needed_here(requirement, extra) or "extra" not in str(requirement.marker))


def imported_modules():
    """Top-level names of all modules that the project's Python files import."""
    found = set()
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    for node in (node for path in files for node in ast.walk(ast.parse(path.read_text()))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-cuda.txt"])
def test_lock_lines_are_plain_exact_pins(lock):
    for line in (ENVS / lock).read_text().splitlines():
        name, version = line.split("==")
        assert name.replace("-", "").replace("_", "").replace(".", "").isalnum(), line
        assert version.replace(".", "").isalnum(), line


def test_lock_has_every_direct_dependency_at_an_allowed_version():
    for name, requirement in DIRECT.items():
        assert requirement.specifier.contains(pin(LOCK[name])), name


def test_locks_have_nothing_in_common():
    assert set(LOCK) & set(CUDA_LOCK) == set()


@pytest.mark.skipif(HAS_CUDA and not HAS_LOCKED_CUDA, reason="PyTorch for another CUDA than that of the lock")
def test_locks_are_closed_under_dependencies():
    needed = set().union(*(dependencies_of(name, needed_here) for name in DIRECT))
    assert needed - set(LOCK) == set(INSTALLED) - set(LOCK)


def test_lock_has_nothing_that_no_direct_dependency_needs():
    needed = set().union(*(dependencies_of(name, needed_somewhere) for name in DIRECT))
    assert set(LOCK) - needed == set()


@pytest.mark.parametrize("name", INSTALLED)
def test_interpreter_runs_the_locked_version(name):
    # Without the local part: builds of PyTorch for different devices have one public version.
    assert Version(distribution(name).version).public == pin(INSTALLED[name])


@pytest.mark.parametrize("name", INSTALLED)
def test_locked_version_admits_every_python_of_the_project(name):
    admitted = SpecifierSet(distribution(name).metadata["Requires-Python"] or "")
    assert [python for python in PYTHONS if not admitted.contains(python)] == []


def test_every_import_is_a_direct_dependency():
    distributions = packages_distributions()
    own = {"scripts", "custodes", "tests"} | {path.stem for path in (ROOT / "tests").rglob("*.py")}
    modules = imported_modules() - set(sys.stdlib_module_names) - own
    for module in modules:
        providers = {canonicalize_name(name) for name in distributions.get(module, [])}
        assert providers & set(DIRECT), module


def test_conda_definition_pins_the_direct_dependencies_as_the_lock_does():
    conda = YAML(typ="safe").load(ENVS / "environment.yaml")
    expected = {CONDA_NAMES.get(name, name): pin(LOCK[name]) for name in DIRECT} | {"python": "3.11"}
    given = dict(line.split("=") for line in conda["dependencies"])
    assert {canonicalize_name(name): version for name, version in given.items()} == expected


def test_the_workflow_refuses_the_versions_of_snakemake_that_its_extra_excludes():
    (allowed,) = re.findall(r'^SNAKEMAKE = "(.*)"', (ROOT / "Snakefile").read_text(), flags=re.MULTILINE)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (extra,) = (one for one in map(Requirement, extras["workflow"]) if one.name == "snakemake")
    assert SpecifierSet(allowed) == extra.specifier
    assert SpecifierSet(allowed).contains(pin(LOCK["snakemake"]))


def test_conda_channels_are_names():
    channels = YAML(typ="safe").load(ENVS / "environment.yaml")["channels"]
    assert channels == ["conda-forge", "bioconda", "nodefaults"]


def test_interpreter_is_one_the_project_declares():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    running = ".".join(map(str, sys.version_info[:3]))
    assert SpecifierSet(project["requires-python"]).contains(running)
