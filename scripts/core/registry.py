"""The folders are the registry: an entry is a module that defines its folder's entry function."""

import ast
import importlib
import inspect
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

from scripts.core.errors import ConfigError, Undefined

ROOT = Path(__file__).resolve().parents[2]
ENTRY_FUNCTIONS = {  # of each kind of entry: it defines the first of these or the second
    "datasets": ("load",),
    "dgps": ("sample",),
    "encoders": ("encode",),
    "metrics": ("score", "score_set"),
    "models": ("penalise",),
    "plots": ("draw",),
}
# What the workflow passes itself; every other argument of an entry function is a parameter.
_SUPPLIED = (
    {"rng", "n", "d", "z", "z_hat", "m", "split", "redundant", "table"}
    | {"mean", "log_var", "step", "discriminator"}
    | {"representations", "groups"}
)


@cache
def names(kind):
    """Names of all entries of `kind` (a key of ENTRY_FUNCTIONS), sorted."""
    return tuple(
        path.stem
        for path in sorted((ROOT / "scripts" / kind).glob("*.py"))
        if not _contents(path).functions.isdisjoint(ENTRY_FUNCTIONS[kind])
    )


def load(kind, name):
    """Import the entry `name`; ConfigError with the known names when there is none."""
    if name not in names(kind):
        raise ConfigError(f"unknown {kind.removesuffix('s')} {name!r}; known: {', '.join(names(kind))}")
    return importlib.import_module(f"scripts.{kind}.{name}")


def entry(kind, name):
    """The function that makes the module `name` an entry: of a metric, `score` or `score_set`."""
    module = load(kind, name)
    return next(getattr(module, function) for function in ENTRY_FUNCTIONS[kind] if hasattr(module, function))


def parameters(kind, name):
    """Parameters of an entry's function and their defaults, in the order of its signature."""
    signature = inspect.signature(entry(kind, name))
    return {key: parameter.default for key, parameter in signature.parameters.items() if key not in _SUPPLIED}


def check_parameters(kind, name, given, where):
    """ConfigError that begins with `where` unless the entry is known and has all `given` parameters."""
    try:
        known = parameters(kind, name)
    except ConfigError as reason:
        raise ConfigError(f"{where}: {kind}: {reason}") from None
    for key in given:
        if key not in known:
            raise ConfigError(
                f"{where}: {kind}.{name} has no parameter {key!r}; its parameters: "
                f"{', '.join(known) or 'none'}"
            )


def check_values(metric, given, where):
    """ConfigError that begins with `where` if a metric refuses the values `given`, before it is run on data.

    The metric is asked to score a single row, which it does not before it has looked at its options.
    """
    import numpy as np

    row, rng = np.zeros((1, 1)), np.random.default_rng(0)
    of_a_set = hasattr(load("metrics", metric), "score_set")
    data = ([(row, np.array([True]))],) if of_a_set else (row, row)
    try:
        entry("metrics", metric)(*data, rng, **given)
    except Undefined:
        return
    except (TypeError, ValueError) as reason:
        raise ConfigError(f"{where}.{metric}: {reason}") from None


def takes(kind, name, argument):
    """Whether the entry's function takes `argument` (such as `redundant`)."""
    return argument in inspect.signature(entry(kind, name)).parameters


def sources(*modules):
    """Files of the dotted `modules` and of everything below `scripts` that they import, sorted.

    Snakemake does not see edits of imported modules; rules list these files as input.
    """
    found, pending = set(), [_path(module) for module in modules]
    while pending:
        path = pending.pop()
        if path not in found:
            found.add(path)
            pending.extend(_contents(path).imported)
    return sorted(str(path.relative_to(ROOT)) for path in found)


class _Contents(NamedTuple):
    """What a file defines at its top level, and the files below `scripts` that it imports anywhere."""

    functions: frozenset
    imported: tuple


@cache
def _contents(path):
    # The tree is not kept: with all of them in memory, collecting garbage takes longer than parsing.
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    package, modules = ".".join(path.relative_to(ROOT).parts[:-1]), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            modules += [source, *(f"{source}.{alias.name}" for alias in node.names)]
    paths = [_path(module) for module in modules if module.startswith("scripts.")]
    return _Contents(
        functions=frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef)),
        imported=tuple(path for path in paths if path.exists()),
    )


def _path(module):
    return ROOT.joinpath(*module.split(".")).with_suffix(".py")
