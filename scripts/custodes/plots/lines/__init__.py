"""Scores along a swept column: mean and 95 % band for each line, in a grid of panels, beside closed forms."""

import numpy as np

from custodes.drawing import closed_form_curves as closed
from custodes.drawing import marks, options, panels, selection
from custodes.drawing import style as styles
from custodes.plots.lines import sweep_axis
from custodes.tables.filters import matches

CURVE_DASHES = ((1, 1), (3, 1, 1, 1), (5, 2))
LEVEL_DASHES = (1, 2.5)
PANEL_HEIGHT = 1.35  # inches, with its title and ticks


def check(**given):
    """Check the options of `draw`; ValueError names the option, its value and what is allowed."""
    options.check(draw, given)
    options.check_number("x", given["x"])


def draw(
    table,
    *,
    x,
    hue="score",
    style=None,
    rows=None,
    columns=None,
    scores="main",
    where=None,
    groups=None,
    baseline=None,
    curves=None,
    x_scale="linear",
    wrap=None,
    width="two",
    figure=None,
):
    """Draw one line for each value of `hue` and `style` in every panel.

    x, hue, style, rows, columns: columns of the table (or `group`): the axis, what colour and marker
    tell apart, what the dashes tell apart, and the panels. baseline: a filter; the rows it selects
    are level lines and have no place on the axis. curves: names of closed forms. wrap: panels side by
    side. figure: a part of a figure to draw on, without the corner note. The other options: see `options`.
    A dashed vertical line marks m = d_eff where m or m/d is swept. Cells without a value are gaps:
    a cross at the foot of the panel where a score is undefined, hatching where no cell is feasible.
    """
    import matplotlib

    cells, absent = selection.select(table, scores=scores, where=where, groups=groups)
    if cells.empty:
        return panels.not_run(figure, table, where, width)
    cells = cells.assign(level=matches(cells, baseline) if baseline else False)
    grid = panels.facets(cells, rows, columns, wrap)
    lines = _lines(cells, hue, style)
    whole = figure is None
    with matplotlib.rc_context(styles.PARAMETERS):
        if whole:
            figure = panels.sheet(width, 0.45 + len(grid) * PANEL_HEIGHT)
        handles = _line_handles(lines, hue, style)
        labels = (styles.axis_label(x), panels.score_label(cells))
        for axes, part in panels.axes_of(figure, grid, *labels, shared=_one_sweep(grid, x)):
            sweep_axis.set_scale(axes, x_scale, cells.loc[~cells["level"], x])
            crosses = 0
            for line in lines:
                swept = selection.part(part, **line["values"])
                if baseline:
                    _draw_level(axes, swept[swept["level"]], line)
                    swept = swept[~swept["level"]]
                swept = selection.by_point(swept, x)
                crosses += _draw_line(axes, swept, x, line, crosses)
                handles += _draw_curves(axes, swept, x, x_scale, curves or ())
            handles += sweep_axis.mark(axes, part[~part["level"]], x) + marks.gap_handles(part)
        panels.score_axis(figure, cells)
        panels.legend(figure, handles, whole)
        if whole:
            panels.corner_note(figure, cells, absent)
    return figure


def _lines(cells, hue, style):
    """Looks of all lines: colour and marker from `hue`, dashes from `style` where it is given."""
    hues, kinds = selection.values(cells, hue), selection.values(cells, style)
    lines = []
    for one, colour in zip(hues, styles.looks(hue, hues), strict=True):
        for rank, (two, look) in enumerate(zip(kinds, styles.looks(style, kinds), strict=True)):
            values = _named(hue, one) | _named(style, two)
            own = selection.part(cells, **values)
            if len(own):
                level = own["level"].all()
                dashes = styles.DASHES[rank % len(styles.DASHES)] if style else colour.dashes
                lines.append(
                    {
                        "values": values,
                        "color": (colour if hue else look).colour,
                        "marker": None if level else (colour if hue else look).marker,
                        "dashes": LEVEL_DASHES if level else dashes,
                    }
                )
    for rank, line in enumerate(lines):
        # The first are the thickest: lines that coincide stay visible below one another.
        share = rank / max(1, len(lines) - 1)
        line |= {"linewidth": 1.7 - 0.8 * share, "markersize": 3.6 - share}
    return lines


def _one_sweep(grid, x):
    """Whether all panels sweep the same values of `x`."""
    parts = [panel[2] for line in grid for panel in line if panel is not None]
    return len({tuple(selection.values(part, x)) for part in parts if len(part)}) == 1


def _named(column, value):
    return {column: value} if column else {}


def _draw_line(axes, cells, x, line, crosses):
    """Draw one line above `crosses` others with undefined cells; return whether it has some too."""
    from matplotlib.collections import LineCollection

    place, mean = cells[x].to_numpy(dtype=float), cells["mean"].to_numpy(dtype=float)
    low, high = (cells[name].to_numpy(dtype=float) for name in ("ci_low", "ci_high"))
    stroke = {name: line[name] for name in ("color", "linewidth", "dashes")}
    axes.plot(place, mean, **stroke, zorder=3)
    marks.points(axes, place, cells, line["color"], line["marker"], line["markersize"], crosses)
    axes.fill_between(place, low, high, color=line["color"], alpha=0.16, linewidth=0, zorder=2)
    # A band has no width at a point between gaps.
    drawn = np.concatenate([[False], np.isfinite(low), [False]])
    alone = drawn[1:-1] & ~drawn[:-2] & ~drawn[2:]
    ends = np.stack([np.stack([place, low], axis=1), np.stack([place, high], axis=1)], axis=1)[alone]
    if len(ends):
        bars = LineCollection(ends, color=line["color"], linewidth=0.9, zorder=2)
        axes.add_collection(bars, autolim=False)  # with it those of a single x on a log axis collapse
    return selection.undefined(cells).any()


def _draw_level(axes, cells, line):
    for mean, low, high in cells[["mean", "ci_low", "ci_high"]].itertuples(index=False):
        axes.axhspan(low, high, color=line["color"], alpha=0.1, linewidth=0, zorder=1)
        axes.axhline(mean, color=line["color"], linewidth=1.1, dashes=LEVEL_DASHES, zorder=1.5)


def _draw_curves(axes, cells, x, x_scale, names):
    """Draw the closed forms that apply to a line, and return their handles."""
    handles = []
    for name, dashes in zip(names, CURVE_DASHES, strict=False):
        points = closed.trace(name, cells, x, x_scale == "log")
        if points is not None:
            label = closed.CURVES[name].label
            handles += axes.plot(*points, color="black", linewidth=0.8, dashes=dashes, zorder=4, label=label)
    return handles


def _line_handles(lines, hue, style):
    """Legend handles: colours (and, where nothing else has them, dashes) first, then dashes."""
    from matplotlib.lines import Line2D

    lines = sorted(lines, key=lambda line: line["marker"] is None)
    looks = {}
    for line in lines if hue else ():
        look = {"color": line["color"], "marker": line["marker"]}
        looks.setdefault((hue, line["values"][hue]), look if style else look | {"dashes": line["dashes"]})
    for line in lines if style else ():
        look = {"dashes": line["dashes"], "color": "black"}
        if not hue:
            look |= {"color": line["color"], "marker": line["marker"]}
        looks.setdefault((style, line["values"][style]), look)
    return [
        Line2D([], [], label=styles.value_label(column, value), markersize=3.5, **look)
        for (column, value), look in looks.items()
    ]
