"""What changes from one protocol to another: a tile of cells for each experiment and score."""

import numpy as np

from custodes.drawing import options, panels, selection, style
from custodes.tables import protocol_changes

PROTOCOLS = 2  # that a figure of this kind names
NAMED = 5  # changes, in words
MARGIN = 0.08  # part of a tile
TILE_HEIGHT, HEAD_HEIGHT, LINE_HEIGHT = 0.42, 0.6, 0.15  # inches


def check(**given):
    """Check the options of `draw`; ValueError names the option, its value and what is allowed."""
    options.check(draw, given)


def draw(table, *, scores="full", where=None, width="two"):
    """Draw every cell as a dot in the tile of its experiment and score: before across, after up.

    table: rows of two protocols, those of the earlier first. scores, where: see `options`. A tile runs
    from 0 to 1 (cells beyond are at its edge); its colour is the mean size of the changes, and the
    five largest are numbered, and named below. A bar at the left edge is a cell with a score under the
    later protocol only, a bar at the foot one that has it under the earlier only.
    """
    import matplotlib

    cells, absent = selection.select(table, scores=scores, where=where)
    pairs = cells if cells.empty else protocol_changes.paired(cells)
    if pairs.empty:
        return panels.not_run(None, table, where, width)
    summary = protocol_changes.summarised(pairs)
    largest = summary[summary["mean_size"] > 0].head(NAMED)
    down = selection.values(pairs, "experiment")[::-1]  # read from above
    across = selection.values(pairs, "score")
    with matplotlib.rc_context(style.PARAMETERS):
        heights = (HEAD_HEIGHT + TILE_HEIGHT * len(down), LINE_HEIGHT * (len(largest) + 2))
        figure = panels.sheet(width, sum(heights))
        tiles, words = figure.subfigures(2, 1, height_ratios=heights)
        axes = tiles.add_subplot()
        before, after = dict.fromkeys(cells["protocol"])
        _draw_tiles(axes, summary, len(largest), down, across)
        axes.set_xlabel(f"in every tile: {before} score across, {after} score up, from 0 to 1")
        handles = _draw_cells(axes, pairs, down, across, before, after)
        _name_largest(words, pairs, largest)
        panels.legend(figure, handles, whole=True)
        panels.corner_note(figure, cells, absent)
    return figure


def _draw_tiles(axes, summary, numbered, down, across):
    """Colour the tiles by the size of the change, and frame and number the first of the summary."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    sizes = np.full((len(down), len(across)), np.nan)
    rows, columns = summary["experiment"].map(down.index), summary["score"].map(across.index)
    sizes[rows, columns] = summary["mean_size"]
    colours = LinearSegmentedColormap.from_list("size", ["white", style.ORANGE])
    top = max(1e-6, summary["mean_size"].max())  # nothing may have changed
    image = axes.pcolormesh(sizes, cmap=colours, vmin=0, vmax=top, edgecolors="#BBBBBB", linewidth=0.4)
    for rank, (row, column) in enumerate(zip(rows, columns, strict=True), start=1):
        ends = np.array([MARGIN, 1 - MARGIN])
        axes.plot(column + ends, row + ends, color="#999999", linewidth=0.5)
        if rank > numbered:
            continue
        axes.add_patch(Rectangle((column, row), 1, 1, fill=False, linewidth=1.2, zorder=4))
        corner = {"xytext": (-3, 3), "textcoords": "offset points", "ha": "right", "zorder": 5}
        box = {"boxstyle": "square,pad=0.15", "facecolor": "white", "linewidth": 0}
        axes.annotate(str(rank), (column + 1, row), **corner, bbox=box, fontweight="bold")
    names = [style.value_label("score", name) for name in across]
    crowded = max(len(panels.letters(name)) for name in names) * 0.06 * len(names) > 5
    axes.set_xticks(np.arange(len(across)) + 0.5, names, rotation=90 if crowded else 0)
    axes.set_yticks(np.arange(len(down)) + 0.5, [style.value_label("experiment", name) for name in down])
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    colourbar = axes.get_figure(root=False).colorbar(image, ax=axes, aspect=40, pad=0.01)
    colourbar.set_label("mean size of the changes")
    colourbar.outline.set_linewidth(0.4)


def _draw_cells(axes, pairs, down, across, before, after):
    """Draw the dots, and the bars of cells with one score; return handles of what was drawn."""
    from matplotlib.lines import Line2D

    column, row = pairs["score"].map(across.index), pairs["experiment"].map(down.index)
    # A missing score has its place on the edge.
    x, y = (
        corner + MARGIN + (1 - 2 * MARGIN) * pairs[name].clip(0, 1).fillna(-MARGIN / 2)
        for corner, name in ((column, "before"), (row, "after"))
    )
    has_before, has_after = pairs["before"].notna(), pairs["after"].notna()
    dot = {"marker": "o", "markersize": 1.8, "markeredgewidth": 0, "alpha": 0.4}
    bar = {"markersize": 3, "markeredgewidth": 0.6}
    handles = []
    for mask, look, label in (
        (has_before & has_after, dot, "cell"),
        (has_after & ~has_before, bar | {"marker": "_"}, f"cell without a {before} score"),
        (has_before & ~has_after, bar | {"marker": "|"}, f"cell without a {after} score"),
    ):
        if mask.any():
            look = look | {"linestyle": "none", "color": "black"}
            axes.plot(x[mask], y[mask], zorder=3, **look)
            handles.append(Line2D([], [], label=label, **look | {"markersize": 4}))
    return handles


def _name_largest(figure, pairs, largest):
    """Write a line on each of the `largest` changes, and on the cell that changes most."""
    lines = []
    for rank, change in enumerate(largest.itertuples(), start=1):
        most = pairs.loc[change.largest]
        cell = [style.value_label(name, most[name], short=True) for name in ("dgp", "encoder")]
        cell += [
            style.value_label(name, value)
            for name, value in most.drop(["before", "after", "change"]).dropna().items()
            if style.is_number(name)
        ]
        lines.append(
            f"{rank}  {style.value_label('score', change.score)}, "
            f"{style.value_label('experiment', change.experiment)}: {_written(change)} in the mean of "
            f"{change.cells} cells; most for {', '.join(cell)}: {_written(most)}"
        )
    figure.text(0.01, 0.98, "\n".join(lines), va="top", fontsize=6.3, linespacing=1.5)


def _written(change):
    return f"{change.before:.2f} \N{RIGHTWARDS ARROW} {change.after:.2f}".replace("-", "\N{MINUS SIGN}")
