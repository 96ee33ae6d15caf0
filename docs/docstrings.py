r"""Docstrings are plain text whose lines mean something; here they become the markup that shows them so.

Words wrapped to fill a line flow together; a line that was ended early (a formula, the next parameter) stays
a line of its own, an indented block stays as it is, and no character is markup but `code`.
"""

import inspect
import re

FULL = 88  # a line that had room for the next word up to here was ended on purpose
SECTION = re.compile(r"(Args|Returns|Raises|Yields|Attributes|Examples?|Notes?):$")  # napoleon's
TERMS = re.compile(r"(\w+(?:, \w+)*): ")


def setup(app):
    """Make this module an extension of Sphinx."""
    app.connect("autodoc-process-docstring", lay_out, priority=400)  # before napoleon
    app.connect("autodoc-skip-member", says_nothing)


def lay_out(app, what, name, obj, options, lines):
    """Sphinx's hook: change `lines` in place."""
    arguments = set(inspect.signature(obj).parameters) if inspect.isfunction(obj) else set()
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))
    marked_up = [_marked_up(text.splitlines(), arguments) for text in paragraphs if text]
    lines[:] = [line for paragraph in marked_up for line in [*paragraph, ""]]


def says_nothing(app, what, name, obj, skip, options):
    """Sphinx's hook: leave out fields of a named tuple, which the docstring of the tuple explains."""
    return True if (obj.__doc__ or "").startswith("Alias for field number") else None


def _marked_up(paragraph, arguments):
    if SECTION.match(paragraph[0]):
        return paragraph
    if all(line.startswith("    ") for line in paragraph):
        return ["::", "", *paragraph]
    return [f"| {escaped(line)}" for line in logical_lines(paragraph, arguments)]


def logical_lines(paragraph, arguments=()):
    """The lines of a paragraph without the breaks that only fill it; names of `arguments` become code."""
    found = []
    for before, line in zip(["", *paragraph], paragraph, strict=False):
        terms = TERMS.match(line)
        names = terms[1].split(", ") if terms else []
        early = len(before) + 1 + len(line.split()[0]) <= FULL or before.endswith(".")
        if names and arguments.issuperset(names):
            found.append(", ".join(f"`{name}`" for name in names) + line[terms.end(1) :])
        elif early or line.startswith(("Raises ", "Returns ")):
            found.append(line)
        else:
            found[-1] += " " + line.strip()
    return found


def escaped(line):
    """A line as reStructuredText that shows it: `code` as code, all else as it is."""
    parts = re.split(r"`+([^`]+)`+", line)
    parts[::2] = [re.sub(r"([\\*_|:<>`])", r"\\\1", text) for text in parts[::2]]
    parts[1::2] = [f"\\ ``{code}``\\ " for code in parts[1::2]]
    return "".join(parts)
