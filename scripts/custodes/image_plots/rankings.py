"""Figures over the models of one data set: UDR beside the supervised scores, and scores over settings."""

from math import ceil

import numpy as np

from custodes.drawing import marks, panels, style
from custodes.image_plots import models
from custodes.tables.image_scores import ANY_SETTING, SAME_SETTING, within_setting
from custodes.tables.trainings import RUN

SCATTER_COLUMNS = 5
BESIDE = 5  # points from a mean to its restarts
COMPARISONS = {SAME_SETTING: "UDR: partners of the same setting", ANY_SETTING: "UDR-A2A: of any setting"}
ALL = style.Look("all classes", "all", style.BLACK, "d", style.SOLID)


def supervised(table):
    """Scores of a table that UDR is compared with, in the order of the figures."""
    found = set(table["score"]) - set(style.UNSUPERVISED)
    return [name for name in style.SUPERVISED if name in found]


def udr_against_scores(table, rankings, *, udr):
    """Draw how far UDR ranks models as each supervised score does, and all models at both of their scores.

    table: one row per model and score, with dataset, source, model, setting, restart, n, comparison, score,
    value and null_mean. rankings: rows of analysis.rank_agreement with model (null: all classes), comparison,
    score and reference. udr: the score of a set that ranks the models. A cross at the foot marks a
    correlation that is undefined.
    """
    import matplotlib

    references = supervised(table)
    classes = style.ordered("model", table["model"])
    looks = dict(zip(classes, style.looks("model", classes), strict=True))
    found = rankings[(rankings["score"] == udr) & rankings["reference"].isin(references)]
    with matplotlib.rc_context(style.PARAMETERS):
        lines = ceil(len(references) / SCATTER_COLUMNS)
        figure = panels.sheet("two", 2.75 + 1.35 * lines)
        above, below = figure.subfigures(2, height_ratios=[2.35, 1.35 * lines])
        handles = _draw_correlations(above, found, references, looks)
        handles += _draw_models(below, table, references, looks, udr)
        models.headed_legend(figure, handles, f"{models.data_set(table)}: {style.value_label('score', udr)}")
        models.note(
            figure,
            "above: Spearman's correlation over models, 95 % bootstrap intervals (of no width where all "
            "draws agree)",
            "below: partners of the same setting",
            models.images(table),
            models.restarts(table),
        )
    return figure


def _draw_correlations(figure, found, references, looks):
    from matplotlib.lines import Line2D

    handles = []
    shown = [name for name in COMPARISONS if name in set(found["comparison"])]
    grid = figure.subplots(1, len(shown), squeeze=False, sharey=True)[0]
    undefined = []
    groups = [*looks.items(), *([(None, ALL)] if len(looks) > 1 else [])]
    for axes, comparison in zip(grid, shown, strict=True):
        own = found[found["comparison"] == comparison]
        for place, (name, look) in enumerate(groups):
            part = own[own["model"].isna() if name is None else own["model"] == name]
            part = part.set_index("reference").reindex(references)
            offset = 0.7 * ((place + 0.5) / len(groups) - 0.5)
            places = np.arange(len(references)) + offset
            axes.vlines(places, part["ci_low"], part["ci_high"], color=look.colour, linewidth=0.9)
            dot = {"linestyle": "none", "color": look.colour, "marker": look.marker}
            axes.plot(places, part["correlation"], **dot)
            handles.append(Line2D([], [], label=look.label, **dot))
            undefined += marks.crosses(axes, places[part["correlation"].isna()], look.colour)
        axes.axhline(0, color="black", linewidth=0.5)
        for place in range(1, len(references), 2):
            axes.axvspan(place - 0.5, place + 0.5, color="#F4F4F4", linewidth=0, zorder=0)
        axes.set_xticks(
            range(len(references)), [style.value_label("score", name) for name in references], rotation=90
        )
        axes.set(xlim=(-0.5, len(references) - 0.5), ylim=(-1.05, 1.05))
        counts = own["models"].dropna().astype(int)
        within, across = own["model"].notna(), own["model"].isna()
        size = f"{_most(counts[within])} models a class" if within.any() else ""
        size += f", {_most(counts[across])} in all" if len(looks) > 1 and across.any() else ""
        axes.set_title(f"{COMPARISONS[comparison]}\n({size})")
    grid[0].set_ylabel("rank correlation with UDR")
    return handles + undefined


def _most(counts):
    """The largest of some counts in writing."""
    low, high = counts.min(), counts.max()
    return f"{high}" if low == high else f"up to {high}"


def _draw_models(figure, table, references, looks, udr):
    lines = ceil(len(references) / SCATTER_COLUMNS)
    columns = ceil(len(references) / lines)
    own = within_setting(table)
    values = own.pivot(index=list(RUN), columns="score", values="value").astype(float).reset_index()
    null = own.groupby("score")["null_mean"].mean()
    grid = figure.subplots(lines, columns, squeeze=False, sharex=True)
    handles = []
    for place, (axes, name) in enumerate(zip(grid.flat, references, strict=False)):
        for model, look in looks.items():
            part = values[values["model"] == model]
            dot = {"linestyle": "none", "color": look.colour, "marker": look.marker, "markersize": 2.8}
            axes.plot(part[udr], part[name], alpha=0.8, **dot)
        handles += _null_line(axes, null[name])
        _from_zero(axes, values[name])
        axes.set_title(style.value_label("score", name))
        axes.tick_params(labelbottom=place + columns >= len(references))
    for axes in grid.flat[len(references) :]:
        axes.remove()
    figure.supxlabel(style.value_label("score", udr), fontsize=7)
    figure.supylabel("score", fontsize=7)
    return handles


def score_profiles(table, settings):
    """Draw each score over the settings of each class: mean, 95 % interval over restarts, every restart.

    table: as for `udr_against_scores`. settings: the same over restarts, with mean, ci_low, ci_high and
    restarts. Rows are scores, columns classes. A cross at the foot marks a setting without a value.
    """
    import matplotlib
    from matplotlib.lines import Line2D

    own = within_setting(table)
    scores = [name for name in style.UNSUPERVISED if name in set(own["score"])] + supervised(own)
    classes = style.ordered("model", own["model"])
    looks = style.looks("model", classes)
    with matplotlib.rc_context(style.PARAMETERS):
        figure = panels.sheet("two", 1.0 + 0.72 * len(scores))
        grid = figure.subplots(len(scores), len(classes), squeeze=False, sharex="col", sharey="row")
        handles = [
            Line2D([], [], color="black", marker="o", label="mean and 95 % interval over restarts"),
            Line2D([], [], color="black", marker=".", linestyle="none", alpha=0.4, label="one restart"),
        ]
        for (row, column), axes in np.ndenumerate(grid):
            model, score, look = classes[column], scores[row], looks[column]
            means = within_setting(settings)
            means = means[(means["model"] == model) & (means["score"] == score)].sort_values("setting")
            points = own[(own["model"] == model) & (own["score"] == score)]
            handles += _draw_profile(axes, means, points, look)
            handles += _null_line(axes, means["null_mean"].mean())
            if row == 0:
                axes.set_title(look.label)
            if row == len(scores) - 1:
                axes.set_xlabel(models.settings(points)[2])
        for axes, score in zip(grid[:, 0], scores, strict=True):
            axes.set_ylabel(style.value_label("score", score).replace(" ", "\n"))
            _from_zero(axes, own.loc[own["score"] == score, "value"])
        models.headed_legend(figure, handles, models.data_set(own))
        models.note(
            figure,
            COMPARISONS[SAME_SETTING],
            "intervals are cut at the edge of a panel",
            models.images(own),
            models.restarts(own),
        )
    return figure


def _draw_profile(axes, means, points, look):
    from matplotlib.transforms import offset_copy

    numbers, written, _ = models.settings(points)
    place = {number: index for index, number in enumerate(numbers)}
    x = np.array([place[number] for number in means["setting"]])
    axes.vlines(x, means["ci_low"], means["ci_high"], color=look.colour, linewidth=1.1)
    axes.plot(x, means["mean"], color=look.colour, marker=look.marker, linewidth=0.9)
    dot = {"linestyle": "none", "marker": ".", "color": look.colour, "alpha": 0.4, "markersize": 4}
    beside = offset_copy(axes.transData, axes.figure, x=BESIDE, units="points")
    axes.plot([place[number] for number in points["setting"]], points["value"], transform=beside, **dot)
    axes.set_xticks(range(len(numbers)), written)
    axes.set_xlim(-0.5, len(numbers) - 0.5)
    return marks.crosses(axes, x[means["mean"].isna()], look.colour)


def _null_line(axes, null):
    """The mean of permuted codes as a dashed line, and its handle; none where it is not known."""
    if np.isnan(null):
        return []
    look = {"color": "black", "linewidth": 0.8, "dashes": (3, 2)}
    return [axes.axhline(null, label="mean of permuted codes", **look)]


def _from_zero(axes, values):
    """Let an axis of scores begin at 0, or below it where a score does."""
    low, high = np.nanmin([0.0, values.min()]), np.nanmax([0.05, values.max()])
    axes.set_ylim(low - 0.06 * (high - low), high + 0.12 * (high - low))
