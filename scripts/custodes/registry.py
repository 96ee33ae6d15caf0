"""The folders are the registry: an entry is a module that defines its folder's entry function.

Metrics may lie in other installed packages too: one that names a module in its entry point group
`custodes.metrics` adds a metric under the name of the entry point, and any module is a metric under its
dotted name.
"""

import importlib
import inspect
import re
from functools import cache

from custodes.contracts import missing
from custodes.errors import ConfigError
from custodes.sources import CHECKOUT, PACKAGE, contents

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


GROUP = "custodes.metrics"  # of entry points


@cache
def names(kind):
    """Names of all entries of `kind` (a key of ENTRY_FUNCTIONS): of its folder, then of other packages."""
    return _own(kind) + (tuple(_entry_points()) if kind == "metrics" else ())


def known_metrics(wanted):
    """Names of all metrics, with those among `wanted` (names, a name or "all") that are dotted modules."""
    given = [wanted] if isinstance(wanted, str) else wanted
    return names("metrics") + tuple(dict.fromkeys(name for name in given if "." in name))


@cache
def _own(kind):
    """Names of the entries in the folder of `kind`, sorted: modules, packages."""
    files = {path.stem: path for path in (PACKAGE / kind).glob("*.py")}
    files |= {path.parent.name: path for path in (PACKAGE / kind).glob("*/__init__.py")}
    return tuple(
        name
        for name, path in sorted(files.items())
        if not contents(path, _package(kind, path)).functions.isdisjoint(ENTRY_FUNCTIONS[kind])
    )


def _package(kind, path):
    """The package that the relative imports of an entry's file start from."""
    return f"custodes.{kind}.{path.parent.name}" if path.name == "__init__.py" else f"custodes.{kind}"


@cache
def _entry_points():
    """{name: dotted module} of the metrics that other installed packages offer."""
    from importlib.metadata import entry_points

    found = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        where = f"entry point {point.name!r} of {GROUP} ({point.value})"
        if not re.fullmatch("[a-z][a-z0-9_]*", point.name):
            raise ConfigError(f"{where}: its name must have small letters, digits and underscores")
        if point.name in _own("metrics") or found.get(point.name, point.value) != point.value:
            raise ConfigError(f"{where}: there is another metric of this name")
        found[point.name] = point.value
    return found


def module_name(kind, name):
    """The dotted module of an entry; ConfigError with the known names where there is none."""
    if name in _own(kind):
        return f"custodes.{kind}.{name}"
    if kind == "metrics" and "." in name and not name.startswith("custodes."):
        return name
    if kind == "metrics" and name in _entry_points():
        return _entry_points()[name]
    raise ConfigError(f"unknown {kind.removesuffix('s')} {name!r}; known: {', '.join(names(kind))}")


@cache
def configured(folder):
    """Names of the YAML files in config/<folder> of the checkout, sorted; none where there is no checkout."""
    return tuple(path.stem for path in sorted((CHECKOUT / "config" / folder).glob("*.yaml")))


def load(kind, name):
    """Import the entry `name`; ConfigError with the known names when there is none."""
    module = module_name(kind, name)
    return importlib.import_module(module) if name in _own(kind) else _foreign(name, module)


@cache
def _foreign(name, module):
    """The module of another package, which has to be a metric."""
    where = f"metric {name!r}" if name == module else f"entry point {name!r} of {GROUP} ({module})"
    try:
        found = importlib.import_module(module)
    except ImportError as reason:
        raise ConfigError(f"{where}: cannot be imported: {reason}") from None
    if missing(found):
        raise ConfigError(f"{where}: is no metric: {missing(found)}")
    return found


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
    """ConfigError that begins with `where` unless the metric is known and takes all parameters `given`."""
    check_parameters("metrics", metric, given, where)
    try:
        load("metrics", metric).check(**given)
    except ValueError as reason:
        raise ConfigError(f"{where}: metrics.{metric}: {reason}") from None


def takes(kind, name, argument):
    """Whether the entry's function takes `argument` (such as `redundant`)."""
    return argument in inspect.signature(entry(kind, name)).parameters


def lazily(kind):
    """`__getattr__` and `__dir__` of the package of `kind`: entries are imported when they are asked for."""

    def get(name):
        if name not in _own(kind):
            raise AttributeError(f"custodes.{kind} has no entry {name!r}; it has {', '.join(_own(kind))}")
        return load(kind, name)

    return get, lambda: [*_own(kind)]
