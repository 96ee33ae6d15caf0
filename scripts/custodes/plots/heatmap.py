"""A statistic of the scores over two swept columns, as annotated colours, in a grid of panels."""

import numpy as np

from custodes.drawing import marks, options, panels, selection, style

CELL_HEIGHT, HEAD_HEIGHT = 0.165, 0.33  # inches: a row of cells; title and ticks of a panel
COLOURS = "viridis"


def check(**given):
    """Check the options of `draw`; ValueError names the option, its value and what is allowed."""
    options.check(draw, given)


def draw(
    table,
    *,
    x,
    y,
    rows=None,
    columns="score",
    scores="main",
    where=None,
    groups=None,
    value="mean",
    wrap=None,
    width="two",
    figure=None,
):
    """Draw one map of `value` over the values of `x` and `y` in every panel, each cell with its number.

    x, y, rows, columns: columns of the table (or `group`); equal steps whatever the values. value: a
    column of statistics. wrap: panels side by side. figure: a part of a figure to draw on, without
    the corner note. The other options: see `options`. Cells without a value are hatched (infeasible
    and undefined apart), cells that were not run are blank, an asterisk marks undefined seeds.
    """
    import matplotlib

    cells, absent = selection.select(table, scores=scores, where=where, groups=groups)
    if cells.empty:
        return panels.not_run(figure, table, where, width)
    grid = panels.facets(cells, rows, columns, wrap)
    across, up = selection.values(cells, x), selection.values(cells, y)
    if not style.is_number(y):
        up.reverse()  # names are read from above
    label, bounded = style.STATISTICS[value]
    top = np.nanmax([1.0 if bounded else 1e-6, cells[value].max()])
    whole = figure is None
    with matplotlib.rc_context(style.PARAMETERS):
        if whole:
            height = len(grid) * (len(up) * CELL_HEIGHT + HEAD_HEIGHT) + 0.45
            figure = panels.sheet(width, height)
        inches = 0.8 * figure.bbox.width / figure.figure.dpi / len(grid[0]) / len(across)
        size = min(6.0, 36 * inches)  # three digits fill most of a cell
        names = [
            [style.value_label(column, entry, short=True) for entry in entries]
            for column, entries in ((x, across), (y, up))
        ]
        handles = []
        room = inches * len(across)
        for axes, part in panels.axes_of(figure, grid, style.axis_label(x), "", room=room):
            part = selection.by_point(part, x, y)
            numbers = np.full((len(up), len(across)), np.nan)
            places = [(across.index(one), up.index(two)) for one, two in part[[x, y]].to_numpy()]
            for (column, row), number in zip(places, part[value], strict=True):
                numbers[row, column] = number
            image = axes.imshow(numbers, COLOURS, aspect="auto", origin="lower", vmin=0, vmax=top)
            handles += _annotate(axes, part, places, value, image, size)
            _tick(axes, *names, inches)
        figure.supylabel(style.axis_label(y), fontsize=7)
        colourbar = figure.colorbar(image, ax=figure.axes, aspect=30, pad=0.01, label=label)
        colourbar.outline.set_linewidth(0.4)
        panels.legend(figure, handles, whole)
        if whole:
            panels.corner_note(figure, cells, absent)
    return figure


def _annotate(axes, cells, places, value, image, size):
    """Write each cell's number, or hatch it; return the handles of the marks that were needed."""
    from matplotlib.lines import Line2D

    impossible, partial = selection.infeasible(cells), selection.partial(cells)
    handles = []
    for (column, row), number, missing, some in zip(places, cells[value], impossible, partial, strict=True):
        if np.isnan(number):
            kind = "infeasible" if missing else "undefined"
            handles.append(axes.add_patch(marks.hatched(kind, column - 0.5, row - 0.5)))
            continue
        axes.text(
            column,
            row,
            marks.two_decimals(number) + ("*" if some else ""),
            color=marks.ink(image.cmap(image.norm(number))),
            fontsize=size,
            ha="center",
            va="center",
        )
    if partial.any():
        label = f"* {marks.PARTIAL}"
        handles.append(Line2D([], [], linestyle="none", label=label))
    return handles


def _tick(axes, across, up, inches):
    """Name the columns and rows of a map whose cells are `inches` wide."""
    crowded = max(len(panels.letters(name)) for name in across) * 0.062 > inches
    axes.set_xticks(range(len(across)), across, rotation=90 if crowded else 0)
    axes.set_yticks(range(len(up)), up)
    marks.seams(axes, len(across), len(up))
