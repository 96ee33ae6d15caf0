"""What the codes of one model do as factors change: interventional effects, and distributions as violins."""

import numpy as np

from custodes.drawing import panels, style
from custodes.image_plots import models

ROW_HEIGHT = 0.62  # inches
OWN_COLOUR, GROUND = "#0072B2", "#EEF4F9"
COLOURS = "viridis"
BRIGHTEST = 0.92  # of the colours: yellow is lost on white
OUTLINE = 50  # points of half a violin: more are not seen


def interventions(effects, codes, factors, labels, *, notes=()):
    """Draw the mean of each code under interventions: rows are codes, columns the factor that is set.

    effects: of analysis.interventional_effects. codes: indices of those that are drawn. factors: names.
    labels: of the model, with n. notes: parts of the small print. A shaded panel has the factor that the
    code follows, with the range of the means when one other factor is set too; the others have a line for
    each value of that factor, level where the code is robust.
    """
    import matplotlib
    from matplotlib.cm import ScalarMappable

    with matplotlib.rc_context(style.PARAMETERS):
        figure, grid = _grid(codes, factors, labels)
        colours = matplotlib.colormaps[COLOURS]
        for (row, column), axes in np.ndenumerate(grid):
            own = effects[effects["code"] == codes[row]]
            part = own[own["shifted"] == column]
            if (part["kept"] == column).all():
                _draw_followed(axes, part, own[own["shifted"] != column])
                continue
            lines = list(part.groupby("kept_value"))
            for place, (_, line) in enumerate(lines):
                colour = colours(BRIGHTEST * place / max(len(lines) - 1, 1))
                axes.plot(line["shifted_value"], line["expected"], color=colour, linewidth=0.8)
        shades = matplotlib.colors.LinearSegmentedColormap.from_list(
            "shades", colours(np.linspace(0, BRIGHTEST, 64))
        )
        colourbar = figure.colorbar(ScalarMappable(cmap=shades), ax=grid, aspect=40, pad=0.01)
        colourbar.set_ticks([0, 1], labels=["lowest", "highest"])
        colourbar.set_label("lines: value of the factor that the code follows (shaded panel)")
        colourbar.outline.set_linewidth(0.4)
        models.note(
            figure,
            f"n = {labels['n']:,} images; codes in their own units",
            "level lines: robust",
            "shaded: the mean, and its range when one other factor is set too",
            *notes,
        )
    return figure


def violins(z, z_hat, codes, factors, labels, *, notes=()):
    """Draw the distribution of each code given the value of each factor, with its median.

    z (n, d) with few values, z_hat (n, m); the other arguments as for `interventions`.
    """
    import matplotlib

    with matplotlib.rc_context(style.PARAMETERS):
        figure, grid = _grid(codes, factors, labels)
        for (row, column), axes in np.ndenumerate(grid):
            values = np.unique(z[:, column])
            parts = [z_hat[z[:, column] == value, codes[row]] for value in values]
            width = 0.85 * np.diff(values).min() if len(values) > 1 else 0.85
            drawn = axes.violinplot(
                parts, values, widths=width, points=OUTLINE, showextrema=False, showmedians=True
            )
            for body in drawn["bodies"]:
                body.set(facecolor=style.SKY, edgecolor=OWN_COLOUR, linewidth=0.4, alpha=0.7)
            drawn["cmedians"].set(color="black", linewidth=0.9)
        models.note(figure, f"n = {labels['n']:,} images; codes in their own units", "bars: medians", *notes)
    return figure


def _grid(codes, factors, labels):
    """A figure with a panel for each code and factor, labelled at its edges."""
    figure = panels.sheet("two", 0.75 + ROW_HEIGHT * len(codes))
    grid = figure.subplots(len(codes), len(factors), squeeze=False, sharex="col", sharey="row")
    for axes, factor in zip(grid[-1], factors, strict=True):
        axes.set_xlabel(f"{factor} (class)")
    for axes, code in zip(grid[:, 0], codes, strict=True):
        axes.set_ylabel(models.code_name(code), rotation=0, va="center", labelpad=9)
    figure.suptitle(f"{models.described_data(labels)}: {models.described(labels)}", fontsize=7.5)
    return figure, grid


def _draw_followed(axes, means, others):
    """The mean of a code given the factor it follows, and its range over single further interventions."""
    reach = others.groupby("kept_value")["expected"].agg(["min", "max"])
    axes.set_facecolor(GROUND)
    axes.vlines(reach.index, reach["min"], reach["max"], color=OWN_COLOUR, linewidth=0.8)
    axes.plot(means["kept_value"], means["expected"], color=OWN_COLOUR, marker="o", markersize=2)
