"""The pages of the site: which documents it shows, and the pages made from the package and the figures."""

import importlib
import inspect
import pkgutil
import shutil
from itertools import groupby
from pathlib import Path, PurePosixPath

from ruamel.yaml import YAML

import custodes
import docstrings
from custodes import registry

DOCUMENTS = (  # and what they link to
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff"),
    *("config/README.md", "results/README.md"),
    *("docs/runbook.md", "docs/cluster.md", "docs/focus.md", "docs/fig01.png"),
)
# Of the rooms without a registry, those that are meant for users; the others are for contributors.
FOR_USERS = ("scoring", "registry", "errors", "testing")

FRONT = """\
```{include} README.md
:end-before: "The full study, both protocols"
```

## Where to go

| to | read |
|---|---|
| run the study, score your own codes, add a metric | [the guide](README.md) |
| know a metric, its range and its source | [the reference](reference/index.rst), [focus](docs/focus.md) |
| change what runs | [the keys of the configuration](config/README.md) |
| read the tables | [files and columns of the results](results/README.md) |
| see the figures | [the gallery](gallery.rst) |
| go on after a failure, run on a cluster | [the runbook](docs/runbook.md), [on a cluster](docs/cluster.md) |
| change the code | [contributing](CONTRIBUTING.md), [the changelog](CHANGELOG.md) |

```{toctree}
:hidden:
:caption: Use

Guide <README>
Configuration <config/README>
Results <results/README>
gallery
The metric focus <docs/focus>
```

```{toctree}
:hidden:
:caption: Run

docs/runbook
docs/cluster
```

```{toctree}
:hidden:
:caption: Code

reference/index
CONTRIBUTING
CHANGELOG
```
"""


def setup(app):
    """Make this module an extension of Sphinx that fills the folder that Sphinx reads."""
    root, folder = Path(app.confdir).parent, Path(app.srcdir)
    shutil.rmtree(folder)
    for path, text in made(root).items():
        _place(folder, path).write_text(text, encoding="utf-8")
    for path in (*DOCUMENTS, *pictures(root)):
        shutil.copy2(root / path, _place(folder, path))


def _place(folder, path):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    return folder / path


def made(root):
    """{path: text} of the pages that are no document of the repository."""
    return {"index.md": FRONT, "gallery.rst": gallery(root)} | reference()


def pictures(root):
    """Paths of all figures that have been drawn, from the checkout `root` on, sorted."""
    return sorted(path.relative_to(root).as_posix() for path in root.glob("results/*/figures/*.png"))


def reference():
    """The reference: a page for every room of the package, its entries or modules, and an index of rooms."""
    rooms = [module.name for module in pkgutil.iter_modules(custodes.__path__) if module.name[0] != "_"]
    entries = [room for room in rooms if room in registry.ENTRY_FUNCTIONS]
    users = [room for room in FOR_USERS if room in rooms]
    others = [room for room in rooms if room not in (*entries, *users)]
    index = _title("Reference") + _automodule("custodes", members=False)
    for caption, group in (("Entries", entries), ("Around them", users), ("For contributors", others)):
        index += "\n" + _title(caption, "-")
        index += "".join(f"- :doc:`custodes.{room} <{room}>`: {_summary(room)}\n" for room in group)
        index += "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   {room}\n" for room in group)
    return {"reference/index.rst": index} | {f"reference/{room}.rst": _room(room) for room in rooms}


def _room(room):
    """The page of a room: its own docstring, and a section for each entry or module."""
    page = _title(f"custodes.{room}") + _automodule(f"custodes.{room}")
    for name in _modules(room):
        page += "\n" + _title(name, "-") + _automodule(f"custodes.{room}.{name}")
    return page


def _summary(room):
    first = inspect.getdoc(importlib.import_module(f"custodes.{room}")).splitlines()[0]
    return docstrings.escaped(first)


def _modules(room):
    """Names of the entries of a registry's room, of the modules of another; none of a room that is a file."""
    if room in registry.ENTRY_FUNCTIONS:
        return registry.names(room)
    path = getattr(importlib.import_module(f"custodes.{room}"), "__path__", ())
    return [module.name for module in pkgutil.iter_modules(path) if module.name[0] != "_"]


def _title(text, line="="):
    return f"{text}\n{line * len(text)}\n\n"


def _automodule(name, members=True):
    return f".. automodule:: {name}\n" + ("   :members:\n" if members else "")


def gallery(root):
    """The page of all figures that have been drawn, by folder of the results; it says what draws more."""
    titles = _titles(root)
    found = [PurePosixPath(path) for path in pictures(root)]
    page = _title("Gallery")
    page += "The figures in ``results/`` when this page was made" + (".\n" if found else ": none yet.\n")
    page += (
        "``make run`` draws those of the quick study, ``make study`` all; ``make docs`` shows them here.\n"
    )
    for folder, paths in groupby(found, key=lambda path: path.parts[1]):
        page += "\n" + _title(folder, "-")
        for path in paths:
            title = titles.get(path.stem, path.stem.replace("_", " "))
            caption = f"**{path.stem}.** {docstrings.escaped(title)}"
            page += f"\n.. figure:: /{path}\n   :alt: {title}\n\n   {caption}\n"
    return page


def _titles(root):
    """{figure: title} of the figures that experiments declare."""
    found = {}
    for path in sorted((root / "config" / "experiments").glob("*.yaml")):
        figures = YAML(typ="safe").load(path).get("figures") or {}
        found |= {name: figure["title"] for name, figure in figures.items()}
    return found
