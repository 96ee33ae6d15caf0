"""Marks that the kinds share: points of cells, and what stands for a cell without a value."""

import re

import numpy as np

from custodes.drawing import selection

HATCHES = {"infeasible": "/////", "undefined": "xxxxx"}
HATCH_COLOUR = "#A8A8A8"
PARTIAL = "partly undefined"


def points(axes, places, cells, colour, marker, size, below=0):
    """Draw the means of `cells` at `places`, empty where seeds are missing, and crosses for no mean.

    below: number of lines whose crosses are at the foot already, so that these stand above them.
    """
    mean = cells["mean"].to_numpy(dtype=float)
    partial, missing = selection.partial(cells), selection.undefined(cells)
    foot = np.full(len(mean), 0.03 + 0.05 * below)
    filled = {"marker": marker, "markersize": size, "markeredgewidth": 0.8, "zorder": 3.2}
    hollow = filled | {"markerfacecolor": "white"}
    cross = {
        "marker": "x",
        "markersize": 3,
        "transform": axes.get_xaxis_transform(),
        "clip_on": False,
    }
    for mask, heights, look in (
        (np.isfinite(mean) & ~partial, mean, filled),
        (partial, mean, hollow),
        (missing, foot, cross),
    ):
        if mask.any():  # an empty line would count as a point at the corner of the sheet
            axes.plot(places[mask], heights[mask], linestyle="none", color=colour, **look)


def crosses(axes, places, colour):
    """Draw a cross at the foot of a panel for each value that is undefined; return their legend handle.

    In lists, which are empty where there is none.
    """
    from matplotlib.lines import Line2D

    if not len(places):
        return []
    look = {"linestyle": "none", "marker": "x", "markersize": 3}
    foot = np.full(len(places), 0.03)
    axes.plot(places, foot, color=colour, transform=axes.get_xaxis_transform(), **look)
    return [Line2D([], [], color="black", label="undefined", **look)]


def gap_handles(cells):
    """Legend handles for the marks that `points` uses for cells without a value, or without some seeds."""
    from matplotlib.lines import Line2D

    look = {"linestyle": "none", "color": "black", "markersize": 3.5}
    handles = []
    if selection.undefined(cells).any():
        handles.append(Line2D([], [], marker="x", label="undefined", **look))
    if selection.partial(cells).any():
        handles.append(Line2D([], [], marker="o", markerfacecolor="white", label=PARTIAL, **look))
    return handles


def hatched(label, x=0, y=0, width=1, height=1, **settings):
    """A hatched rectangle for "infeasible" or "undefined" cells, for a panel or its legend."""
    from matplotlib.patches import Rectangle

    return Rectangle(
        (x, y),
        width,
        height,
        facecolor="white",
        edgecolor=HATCH_COLOUR,
        hatch=HATCHES[label],
        linewidth=0,
        label=label,
        **settings,
    )


def two_decimals(number):
    """A number for a cell of a map: no leading zero, and no minus sign before a zero."""
    text = re.sub(r"^(-?)0\.", r"\1.", f"{round(number, 2) + 0.0:.2f}")
    return text.replace("-", "\N{MINUS SIGN}")


def ink(background):
    """Black or white, whichever has the higher contrast with a colour (red, green, blue, alpha)."""
    linear = [((part + 0.055) / 1.055) ** 2.4 for part in background[:3]]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "white" if luminance < 0.18 else "black"  # sqrt(1.05 * 0.05) - 0.05


def seams(axes, columns, rows):
    """White lines between the cells of a map, so that hatched and blank cells have edges too."""
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=0.6)
    axes.tick_params(which="minor", length=0)
