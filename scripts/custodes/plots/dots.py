"""Scores by category: a dot with its 95 % interval for each cell, in a grid of panels."""

import numpy as np

from custodes.drawing import marks, options, panels, selection, style

PANEL_HEIGHT = 1.5  # inches, with its title and ticks
SPREAD = 0.75  # part of a category's place over which its dots are spread


def check(**given):
    """Check the options of `draw`; ValueError names the option, its value and what is allowed."""
    options.check(draw, given)


def draw(
    table,
    *,
    x,
    hue="score",
    rows=None,
    columns=None,
    scores="main",
    where=None,
    groups=None,
    wrap=None,
    width="two",
    figure=None,
):
    """Draw the cells of each category of `x` side by side, one for each value of `hue`.

    x, hue, rows, columns: columns of the table (or `group`). wrap: panels side by side. figure: a part
    of a figure to draw on, without the corner note. The other options: see `options`. A cross at the
    foot of the panel marks a score that is undefined, an empty dot one that is so in some seeds.
    """
    import matplotlib

    cells, absent = selection.select(table, scores=scores, where=where, groups=groups)
    if cells.empty:
        return panels.not_run(figure, table, where, width)
    grid = panels.facets(cells, rows, columns, wrap)
    categories, hues = selection.values(cells, x), selection.values(cells, hue)
    whole = figure is None
    with matplotlib.rc_context(style.PARAMETERS):
        if whole:
            figure = panels.sheet(width, 0.45 + len(grid) * PANEL_HEIGHT)
        room = 72 * 0.85 * figure.bbox.width / figure.figure.dpi / len(grid[0]) / len(categories)
        size = min(3.6, SPREAD * room / len(hues))  # points
        names = _names(x, categories, letters=int(room / 3.8))
        handles = []
        labels = (style.axis_label(x), panels.score_label(cells))
        for axes, part in panels.axes_of(figure, grid, *labels):
            for place in range(1, len(categories), 2):
                axes.axvspan(place - 0.5, place + 0.5, color="#F4F4F4", linewidth=0, zorder=0)
            for index, (value, look) in enumerate(zip(hues, style.looks(hue, hues), strict=True)):
                own = selection.by_point(selection.part(part, **({hue: value} if hue else {})), x)
                offset = SPREAD * ((index + 0.5) / len(hues) - 0.5)
                places = np.array([categories.index(entry) for entry in own[x]]) + offset
                _draw_dots(axes, own, places, look, size)
            handles += marks.gap_handles(part)
            axes.set_xticks(range(len(categories)), names)
            axes.set_xlim(-0.5, len(categories) - 0.5)
            axes.tick_params(axis="x", length=0)
        panels.score_axis(figure, cells)
        panels.legend(figure, _handles(hue, hues) + handles, whole)
        if whole:
            panels.corner_note(figure, cells, absent)
    return figure


def _names(x, categories, letters):
    """Names of the categories, in full where their words fit into as many letters."""
    labels = [style.value_label(x, category) for category in categories]
    longest = max(len(panels.letters(word)) for label in labels for word in label.split())
    if longest > letters:
        return [style.value_label(x, category, short=True) for category in categories]
    return [panels.wrapped(label, letters) for label in labels]


def _draw_dots(axes, cells, places, look, size):
    low, high = (cells[name].to_numpy(dtype=float) for name in ("ci_low", "ci_high"))
    axes.vlines(places, low, high, color=look.colour, linewidth=1.0, zorder=2)
    marks.points(axes, places, cells, look.colour, look.marker, size)


def _handles(hue, hues):
    from matplotlib.lines import Line2D

    if hue is None:
        return []
    return [
        Line2D([], [], linestyle="none", color=look.colour, marker=look.marker, label=look.label)
        for look in style.looks(hue, hues)
    ]
