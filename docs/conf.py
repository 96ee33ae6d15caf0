"""Settings of Sphinx for the documentation site; `make docs` builds it into docs/_build/html.

Sphinx reads a folder of copies of the documents, in the places they have in the repository, and of pages made
from the package and from the figures found (pages.py): so a link between documents is the same on the site.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "docs")]

project = "custodes"
author = copyright = "The custodes authors"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "docstrings", "pages"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 3
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 80
highlight_language = "none"
smartquotes = False

html_theme = "furo"
html_title = f"custodes {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
