"""The folders are the registry: an entry is a module that defines its folder's entry function.

Metrics may lie in other installed packages too: one that names a module in its entry point group
`custodes.metrics` adds a metric under the name of the entry point, and any module is a metric under its
dotted name.
"""

import importlib
import inspect
import re
import traceback
from functools import cache
from pathlib import Path

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
NAME = "[a-z][a-z0-9_]*"  # of an entry point
# What importing a file that is not finished may raise.
UNFINISHED = (
    *(ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError),
    *(OSError, RuntimeError, SyntaxError, TypeError, ValueError),
)


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
    """Names of the entries in the folder of `kind`, sorted: modules, packages; no locks of editors."""
    files = {path.stem: path for path in (PACKAGE / kind).glob("*.py")}
    files |= {path.parent.name: path for path in (PACKAGE / kind).glob("*/__init__.py")}
    return tuple(
        name for name, path in sorted(files.items()) if name.isidentifier() and _is_entry(kind, path)
    )


def _is_entry(kind, path):
    """Whether a file defines an entry; one that cannot be parsed counts, and `load` says what is wrong."""
    package = f"custodes.{kind}.{path.parent.name}" if path.name == "__init__.py" else f"custodes.{kind}"
    try:
        return not contents(path, package).functions.isdisjoint(ENTRY_FUNCTIONS[kind])
    except (OSError, SyntaxError, ValueError):
        return True


@cache
def usable(kind):
    """Names of the entries of `kind` that can be imported; others stop only what asks for them."""
    return tuple(name for name in names(kind) if _imports(kind, name))


def _imports(kind, name):
    try:
        load(kind, name)
    except ConfigError:
        return False
    return True


@cache
def _entry_points():
    """{name: dotted module} of the metrics that other installed packages offer."""
    from importlib.metadata import entry_points

    found = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        where = f"entry point {point.name!r} of {GROUP} ({point.value})"
        if not re.fullmatch(NAME, point.name):
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


def configured(folder):
    """Names of the YAML files in config/<folder> of the checkout, sorted; none where there is no checkout."""
    return _stems(CHECKOUT / "config" / folder)


@cache
def _stems(folder):
    paths = sorted(folder.glob("[!.]*.yaml"))
    for path in paths:
        if not re.fullmatch("[A-Za-z0-9_-]+", path.stem):
            raise ConfigError(
                f"config/{folder.name}/{path.name}: its name must be of letters, digits, - and _"
            )
    return tuple(path.stem for path in paths)


@cache
def load(kind, name):
    """Import the entry `name`; ConfigError with the known names where there is none, or its fault."""
    module = module_name(kind, name)
    if name == module:
        where = f"metric {name!r}"
    elif name in _own(kind):
        where = f"{kind.removesuffix('s')} {name!r}"
    else:
        where = f"entry point {name!r} of {GROUP} ({module})"
    try:
        found = importlib.import_module(module)
    except UNFINISHED as reason:
        raise ConfigError(f"{where}: cannot be imported: {_place(reason)}{_said(reason)}") from None
    if kind == "metrics" and missing(found):
        raise ConfigError(f"{where}: is no metric: {missing(found)}")
    return found


def _place(error):
    """File and line of an error in importing a module: of its text, or the last line that was run."""
    if isinstance(error, SyntaxError) and error.filename:
        file, line = error.filename, error.lineno
    else:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_source(frame.filename)]
        if not frames:
            return ""
        file, line = frames[-1].filename, frames[-1].lineno
    path = Path(file)
    return f"{path.relative_to(CHECKOUT) if path.is_relative_to(CHECKOUT) else path}, line {line}: "


def _is_source(file):
    return not file.startswith("<") and file != __file__ and Path(file).parent.name != "importlib"


def _said(error):
    text = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    return text if isinstance(error, ImportError | SyntaxError) else f"{type(error).__name__}: {text}"


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
