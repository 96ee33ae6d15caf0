"""What the kinds share on the page: sheet, grid of titled panels, legend and corner note."""

import re
from math import ceil
from textwrap import fill

import numpy as np

from custodes.drawing import selection, style

NOTE_COLOUR = "#555555"
LEGEND_LINE, TITLE_LETTER = 0.145, 0.058  # inches


def sheet(width, height):
    """New figure; width: "one" or "two" columns of the page; height in inches."""
    import matplotlib
    from matplotlib.figure import Figure

    class Sheet(Figure):
        arranged = False

        def savefig(self, *arguments, **settings):
            # Which fonts a file embeds, and its identifiers, are settled when it is written.
            with matplotlib.rc_context(style.PARAMETERS):
                if not self.arranged:
                    self.get_layout_engine().execute(self)
                    self.arranged = True
                super().savefig(*arguments, **settings)

        def get_layout_engine(self):
            # Once for all files: matplotlib would arrange the panels again, and draw them twice, for each.
            return None if self.arranged else super().get_layout_engine()

    return Sheet(figsize=(style.WIDTHS[width], height), layout="constrained")


def facets(cells, rows, columns, wrap):
    """Grid (list of lists) of (title, side title, rows of the panel); None where a wrapped grid has no panel.

    A panel without rows (a combination that was not run) stays in the grid.
    """
    down, across = selection.values(cells, rows), selection.values(cells, columns)
    grid = []
    for side in down:
        line = []
        for head in across:
            wanted = {name: value for name, value in ((rows, side), (columns, head)) if name}
            title = style.value_label(columns, head) if side == down[0] else ""
            beside = style.value_label(rows, side) if head == across[-1] else ""
            line.append((title, beside, selection.part(cells, **wanted)))
        grid.append(line)
    if wrap:
        line = grid[0] + [None] * (-len(across) % wrap)
        grid = [line[start : start + wrap] for start in range(0, len(line), wrap)]
    return grid


def axes_of(figure, grid, x_label, y_label, shared=True, room=None):
    """Make the titled and labelled axes of a grid; yield (axes, rows of the panel) unless it has none.

    shared: whether the panels have the same x axis, which then shows its numbers once. room: inches
    that the title of a panel may take, by default nine tenths of its share of the figure.
    """
    room = room or 0.9 * figure.bbox.width / figure.figure.dpi / len(grid[0])
    array = figure.subplots(len(grid), len(grid[0]), squeeze=False, sharex=shared, sharey=True)
    for down, line in enumerate(grid):
        for across, panel in enumerate(line):
            axes = array[down, across]
            if panel is None:
                axes.remove()
                continue
            title, beside, cells = panel
            axes.set_title(_fitted(title, room), pad=3)
            if beside:
                axes.annotate(
                    wrapped(beside, 18),
                    (1, 0.5),
                    (3, 0),
                    "axes fraction",
                    "offset points",
                    rotation=270,
                    ha="left",
                    va="center",
                )
            lowest = down + 1 == len(grid) or grid[down + 1][across] is None
            axes.tick_params(labelbottom=lowest or not shared, labelleft=across == 0)
            axes.set_xlabel(_fitted(x_label, room) if lowest else "")
            axes.set_ylabel(y_label if across == 0 else "")
            if cells.empty:
                blank(axes, "not run")
            else:
                yield axes, cells


def _fitted(text, room):
    """The text on as many lines as it needs where `room` inches are as wide as a line may be."""
    return text if len(letters(text)) * TITLE_LETTER <= room else wrapped(text, int(room / TITLE_LETTER))


def score_axis(figure, cells):
    """Scores run from 0 to 1, and beyond only where a mean does; bands are cut there."""
    from matplotlib.ticker import MaxNLocator, MultipleLocator

    low = np.nanmin([0.0, cells["mean"].min()])
    high = np.nanmax([1.0, cells["mean"].max()])
    margin = 0.04 * (high - low)
    for axes in figure.axes:
        axes.set_ylim(low - margin, high + margin)
        axes.yaxis.set_major_locator(MultipleLocator(0.25) if high - low < 1.6 else MaxNLocator(5))
        axes.grid(axis="y", linewidth=0.4, color="#E4E4E4")
        axes.set_axisbelow(True)


def score_label(cells):
    """Label of the score axis: the score's own where there is but one."""
    names = selection.values(cells, "score")
    return style.value_label("score", names[0]) if len(names) == 1 else "score"


def blank(axes, text):
    """Say in an empty panel why it is empty."""
    axes.text(
        0.5,
        0.5,
        text,
        transform=axes.transAxes,
        ha="center",
        va="center",
        color=NOTE_COLOUR,
        fontsize=6.5,
    )


def not_run(figure, table, where, width):
    """A (part of a) figure whose cells the study leaves out, as a thinned one may."""
    import matplotlib

    whole = figure is None
    with matplotlib.rc_context(style.PARAMETERS):
        if whole:
            figure = sheet(width, 1.2)
        axes = figure.add_subplot()
        axes.set_axis_off()
        chosen = ", ".join(f"{column} = {value}" for column, value in (where or {}).items())
        blank(axes, wrapped(f"not run: {chosen or 'no cell of these scores'}", 60))
        if whole:
            corner_note(figure, table)
    return figure


def legend(figure, handles, whole):
    """One legend for all panels, outside them; handles with equal labels are shown once.

    whole: whether the figure is a sheet, which grows by the lines of the legend above its panels; a
    part of a sheet has its title there, and the legend below.
    """
    distinct = list({handle.get_label(): handle for handle in handles}.values())
    if not distinct:
        return
    columns = _legend_columns([handle.get_label() for handle in distinct], figure)
    if whole:
        lines = ceil(len(distinct) / columns)
        figure.set_figheight(figure.get_figheight() + LEGEND_LINE * lines)
    figure.legend(
        handles=distinct,
        loc="outside upper center" if whole else "outside lower center",
        ncols=columns,
        frameon=False,
        handlelength=2.6,
        columnspacing=1.2,
        handletextpad=0.5,
        borderaxespad=0.1,
        labelspacing=0.35,
    )


def _legend_columns(labels, figure):
    """The most columns that fit, judged by the number of letters."""
    inches = figure.bbox.width / figure.figure.dpi
    widths = [0.42 + 0.053 * len(letters(label)) for label in labels]
    for columns in range(len(labels), 1, -1):
        lines = ceil(len(labels) / columns)
        starts = range(0, len(labels), lines)
        if sum(max(widths[start : start + lines]) for start in starts) < inches:
            return ceil(len(labels) / lines)
    return 1


def corner_note(figure, cells, absent=()):
    """Small print in the lower right corner: protocol, number of seeds, and scores that were not computed."""
    low, high = int(cells["seeds"].min()), int(cells["seeds"].max())
    seeds = f"{low} to {high} seeds" if low < high else f"{low} seeds" if low > 1 else "1 seed"
    parts = [f"protocol: {', '.join(sorted(set(cells['protocol'])))}", seeds]
    if absent:
        parts.append("not computed: " + ", ".join(style.value_label("score", score) for score in absent))
    figure.supxlabel("; ".join(parts), x=0.995, ha="right", fontsize=5.5, color=NOTE_COLOUR)


def wrapped(label, width):
    """A label in lines of at most `width` letters where its words and formulas allow it."""
    whole = re.sub(r"\$[^$]*\$", lambda formula: formula[0].replace(" ", ""), label)
    return fill(whole, width, break_long_words=False, break_on_hyphens=False)


def letters(label):
    """A label without its mathematical markup, to judge its length."""
    return label.replace("mathbf", "").replace("mathrm", "").translate(_MARKUP)


_MARKUP = str.maketrans("", "", r"$\{}^_,/")
