"""The source files behind a job: its script, and every module of this package that it imports.

Snakemake does not see edits of imported modules; rules list these files as input.
"""

import ast
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parents[1]  # where the workflow is; of an installed package, a folder without a meaning


class Contents(NamedTuple):
    """What a file defines at its top level, and the dotted modules that it may import anywhere."""

    functions: frozenset
    modules: tuple


def sources(*targets):
    """Files of `targets` and of all that they import of this package or of their own, sorted.

    targets: dotted modules, or paths of scripts from the checkout on. Files of the checkout are relative
    to it, those of another installed package absolute. A module brings the packages that it lies in.
    """
    found, pending = {}, []
    for target in targets:
        followed = {PACKAGE.name, target.split(".")[0]}
        if target.endswith(".py"):
            pending.append((CHECKOUT / target, "", followed))
        else:
            pending += [(path, module, followed) for module, path in _files(target)]
    while pending:
        path, module, followed = pending.pop()
        if path not in found:
            found[path] = True
            package = module if path.name == "__init__.py" else module.rpartition(".")[0]
            for imported in contents(path, package).modules:
                if imported.split(".")[0] in followed:
                    pending += [(file, name, followed) for name, file in _files(imported)]
    return sorted(_shown(path) for path in found)


@cache
def contents(path, package=""):
    """Contents of a file; `package`: the one that relative imports start from."""
    # The tree is not kept: with all of them in memory, collecting garbage takes longer than parsing.
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    modules = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            modules += [source, *(f"{source}.{alias.name}" for alias in node.names)]
    return Contents(
        functions=frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef)),
        modules=tuple(modules),
    )


def _files(module):
    """(name, file) of a dotted module and of the packages that it lies in, as far as they are files."""
    parts = module.split(".")
    found = []
    for count in range(1, len(parts) + 1):
        place = _root(parts[0]).joinpath(*parts[1:count])
        for path in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if path.is_file():
                found.append((".".join(parts[:count]), path))
                break
    return found


@cache
def _root(package):
    """The folder of a top-level package, or where its folder would be if it is a single file."""
    if package == PACKAGE.name:
        return PACKAGE
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return CHECKOUT / package
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin.with_suffix("")


def _shown(path):
    return str(path.relative_to(CHECKOUT)) if path.is_relative_to(CHECKOUT) else str(path)
