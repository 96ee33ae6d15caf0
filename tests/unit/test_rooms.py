"""The rooms of the package: which may import which, what lives where, and how long a file may be."""

import re
import tomllib
from collections import defaultdict

import pytest

from custodes import registry
from custodes.sources import CHECKOUT, PACKAGE, contents

LONGEST = 230  # lines of a module
LONGEST_RULE_SCRIPT = 40
LONG = {"drawing/style.py": "the table of everything that a figure names, a line each"}
ENTRIES_OF_ENTRIES = {"plots.overview": "a sheet of the panels of three other kinds of plot"}
# Modules with a single importer, in another room, where they would belong if it were not for the reason.
AWAY = {"analysis.interventional_effects": "numbers that are of use without the figure"}
FOLDERS = ("synthetic", "images", "figures", "reproduction")


def dotted(path):
    """tables.files of tables/files.py, metrics.udr of metrics/udr/__init__.py, "" of the package itself."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").strip(".")


MODULES = {dotted(path): path for path in sorted(PACKAGE.rglob("*.py"))}
SCRIPTS = {
    f"{folder}/{path.stem}": path
    for folder in FOLDERS
    for path in sorted((CHECKOUT / "scripts" / folder).glob("*.py"))
}


def imported(path, module=None):
    """Modules of the package that a file imports, without itself and the packages around what it imports."""
    package = "" if module is None else f"custodes.{module}"
    if path.name != "__init__.py":
        package = package.rpartition(".")[0]
    names = {name.removeprefix("custodes.") for name in contents(path, package).modules}
    found = names & (MODULES.keys() - {"", module})
    return {name for name in found if not any(other.startswith(f"{name}.") for other in found)}


IMPORTS = {module: imported(path, module) for module, path in MODULES.items() if module}
IMPORTS |= {script: imported(path) for script, path in SCRIPTS.items()}
ENTRIES = {f"{kind}.{name}" for kind in registry.ENTRY_FUNCTIONS for name in registry.names(kind)}


def room(module):
    return module.partition(".")[0]


def layers():
    """Level of every room, from the lowest up, as pyproject.toml has them for import-linter."""
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    return {
        name.strip(): level
        for level, rooms in enumerate(reversed(contract["layers"]))
        for name in rooms.split("|")
    }


def entry_of(module):
    """The entry that a module is, or is a part of; None of a helper that entries share."""
    return next((name for name in ENTRIES if f"{module}.".startswith(f"{name}.")), None)


def test_every_room_has_its_level():
    assert layers().keys() == {room(module) for module in MODULES if module}


@pytest.mark.parametrize("module", [module for module in IMPORTS if module in MODULES])
def test_a_room_imports_lower_ones_only(module):
    level = layers()
    above = [
        name
        for name in IMPORTS[module]
        if room(name) != room(module) and level[room(name)] >= level[room(module)]
    ]
    assert above == [], f"{module} may not import {above}"


def test_entries_know_nothing_of_one_another():
    crossing = {
        module
        for module, names in IMPORTS.items()
        for name in names
        if module in MODULES and room(module) == room(name) and entry_of(module) and entry_of(name)
        if entry_of(module) != entry_of(name)
    }
    assert crossing == set(ENTRIES_OF_ENTRIES)


def test_what_entries_share_has_several_of_them():
    shared = {name for kind in registry.ENTRY_FUNCTIONS for name in MODULES if room(name) == kind}
    shared = {name for name in shared if "." in name and entry_of(name) is None}
    assert shared
    for name in shared:
        users = {entry_of(module) for module, names in IMPORTS.items() if name in names}
        assert len(users) > 1, f"{name} belongs to {users}"


def test_a_module_lives_with_its_only_user():
    users = defaultdict(set)
    for module, names in IMPORTS.items():
        for name in names:
            users[name].add(module)
    away = {
        name: only
        for name, (only, *others) in users.items()
        if not others and only in MODULES and room(only) != room(name) and name not in ENTRIES
    }
    assert away.keys() == AWAY.keys(), away


def test_no_module_is_long():
    lines = {str(path.relative_to(PACKAGE)): lines_of(path) for path in MODULES.values()}
    assert {name: count for name, count in lines.items() if count > LONGEST}.keys() == LONG.keys()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_rule_script_is_short_and_imports_no_other(script):
    path = SCRIPTS[script]
    assert lines_of(path) <= LONGEST_RULE_SCRIPT
    assert not [name for name in contents(path).modules if name.split(".")[0] == "scripts"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_scripts_of_a_folder_are_those_of_its_rules(folder):
    rules = "".join(path.read_text() for path in (CHECKOUT / "workflow/rules" / folder).glob("*.smk"))
    named = re.findall(r'script:\s+"([^"]*)"', rules)
    assert set(named) == {f"../../../scripts/{name}.py" for name in SCRIPTS if name.startswith(f"{folder}/")}


def lines_of(path):
    return len(path.read_text().splitlines())
