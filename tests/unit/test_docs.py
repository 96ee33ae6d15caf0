"""The documentation site: nothing is missing, its links lead somewhere, its docstrings stay readable."""

import importlib
import re
import shutil
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from custodes import registry

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    return importlib.import_module("pages")


@pytest.fixture
def docstrings(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    return importlib.import_module("docstrings")


@pytest.mark.parametrize("kind", registry.ENTRY_FUNCTIONS)
def test_reference_has_every_entry_once(kind, pages):
    page = pages.reference()[f"reference/{kind}.rst"]
    assert re.findall(rf"automodule:: custodes\.{kind}\.(\w+)\n", page) == list(registry.names(kind))


def test_reference_has_every_room(pages):
    paths = (ROOT / "scripts" / "custodes").iterdir()
    rooms = {path.stem for path in paths if path.stem[0] != "_" and path.suffix in ("", ".py")}
    written = pages.reference()
    assert {f"reference/{room}.rst" for room in rooms} | {"reference/index.rst"} == set(written)
    assert all(f"<{room}>`: " in written["reference/index.rst"] for room in rooms)


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_links_between_documents_lead_to_documents_of_the_site(pages):
    seen = 0
    for document in (path for path in pages.DOCUMENTS if path.endswith(".md")):
        text = re.sub(r"```.*?```", "", (ROOT / document).read_text(), flags=re.DOTALL)
        for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
            path, _, anchor = link.partition("#")
            target = (ROOT / document).parent / path if path else ROOT / document
            assert target.resolve().relative_to(ROOT).as_posix() in pages.DOCUMENTS, (document, link)
            assert not anchor or anchor in anchors(target.read_text()), (document, link)
            seen += 1
    assert seen > 5


def test_every_document_of_the_repository_is_on_the_site(pages):
    documents = [path for folder in (".", "docs", "config") for path in (ROOT / folder).glob("*.md")]
    assert {path.relative_to(ROOT).as_posix() for path in documents} < set(pages.DOCUMENTS)


def test_gallery_shows_what_is_drawn_with_its_title(pages, tmp_path):
    shutil.copytree(ROOT / "config", tmp_path / "config")
    for figure in ("corrected/figures/fig02.png", "images/figures/dsprites_score_profiles.png"):
        path = tmp_path / "results" / figure
        path.parent.mkdir(parents=True)
        path.touch()
    page = pages.gallery(tmp_path)
    assert re.findall(r"figure:: /results/(\S+)", page) == [
        "corrected/figures/fig02.png",
        "images/figures/dsprites_score_profiles.png",
    ]
    assert "**fig02.** MCC grows with the correlation of the factors" in page
    assert "**dsprites_score_profiles.** dsprites score profiles" in page


def test_gallery_without_figures_says_what_draws_them(pages, tmp_path):
    page = pages.gallery(tmp_path)
    assert "none yet" in page
    assert "``make run``" in page
    assert "figure::" not in page


def laid_out(docstrings, text, obj=None):
    lines = text.splitlines()
    docstrings.lay_out(None, "function", "name", obj, None, lines)
    return lines


def test_wrapped_words_flow_and_formulas_keep_their_line(docstrings):
    prose = "word " * 20
    lines = laid_out(docstrings, f"Summary.\n\n{prose}\nand more.\nD = 1\nC = 2 of\n\n    a  b\n")
    assert lines == [
        *("| Summary.", ""),
        *(f"| {prose} and more.", "| D = 1", "| C = 2 of", ""),
        *("::", "", "    a  b", ""),
    ]


def test_arguments_begin_a_line_and_are_code(docstrings):
    def function(split, folds):
        raise NotImplementedError

    long = "folds: " + "word " * 18
    lines = laid_out(docstrings, f"{long}\nsplit, folds: rows.\nother: thing", function)
    assert lines[0].startswith(r"| \ ``folds``\ \: word")
    assert lines[1:] == [r"| \ ``split``\ , \ ``folds``\ \: rows.", r"| other\: thing", ""]


def test_nothing_but_code_is_markup(docstrings):
    assert docstrings.escaped("|z_i|* <a>") == r"\|z\_i\|\* \<a\>"
    assert docstrings.escaped("`m` codes") == r"\ ``m``\  codes"


def test_sections_are_left_to_napoleon(docstrings):
    section = "Args:\n    table: a table."
    assert laid_out(docstrings, section) == [*section.splitlines(), ""]


def test_object_without_docstring_has_none(docstrings):
    assert laid_out(docstrings, "") == []


def test_hooks_before_a_commit_are_tools_of_make_check():
    """The other way round there may be more: what takes too long before every commit."""
    config = YAML(typ="safe").load(ROOT / ".pre-commit-config.yaml")
    hooks = [hook for repository in config["repos"] for hook in repository["hooks"]]
    assert {repository["repo"] for repository in config["repos"]} == {"local"}
    assert {hook["language"] for hook in hooks} == {"system"}
    recipe = re.search(r"^check:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)[1]
    for hook in hooks:
        tool = re.match(r"(?:env \S+ )?\.venv/bin/(\w[\w-]*(?: [a-z]+)?)", hook["entry"])[1]
        assert f"$(BIN)/{tool}" in recipe, hook["id"]
