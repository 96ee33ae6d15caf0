"""HTML tables: what a cell, a heading and a note are, and one template for all tables."""

from dataclasses import dataclass
from pathlib import Path

from custodes.tables.files import replacing


@dataclass(frozen=True)
class Cell:
    """Text; a smaller second line; a sign that screen readers skip; the class of its look; a tooltip."""

    text: str
    detail: str = ""
    sign: str = ""
    look: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Heading:
    """Text over some columns, in one or several rows of the head."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Note:
    """A paragraph below the table, and a list that belongs to it."""

    text: str
    entries: tuple = ()


def write(path, path_to_template, *, name, caption, head, rows, notes=()):
    """Write the table `name` (its id), a piece of HTML.

    head: rows of Heading. rows: rows of Cell, of which the first names the row. notes: of Note.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    template = environment.from_string(Path(path_to_template).read_text(encoding="utf-8"))
    text = template.render(name=name, caption=caption, head=head, rows=rows, notes=notes)
    with replacing(path) as temporary:
        # In ASCII, since a piece of a page cannot say in which encoding it is.
        Path(temporary).write_bytes(text.encode("ascii", "xmlcharrefreplace"))


def write_plain(frame, path_to_csv, path_to_html, path_to_template, *, name, caption, notes=()):
    """Write a DataFrame of texts as CSV and as a table with one row of headings."""
    with replacing(path_to_csv) as temporary:
        frame.to_csv(temporary, index=False)
    head = [[Heading(column) for column in frame]]
    rows = [[Cell(text) for text in row] for row in frame.itertuples(index=False)]
    write(path_to_html, path_to_template, name=name, caption=caption, head=head, rows=rows, notes=notes)
