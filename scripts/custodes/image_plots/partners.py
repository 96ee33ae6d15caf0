"""What the number of partners does to the agreement of UDR with the supervised scores."""

from math import ceil

import numpy as np

from custodes.drawing import marks, panels, style
from custodes.image_plots import models

MOST_COLUMNS = 3


def effect_of_partners(agreement, table, *, udr):
    """Draw the agreement of UDR with each supervised score over the number of partners, a panel a class.

    A cross at the foot marks a correlation that is undefined.

    agreement: of analysis.rank_agreement.agreement_by_partners. table: one row per model and score, with
    dataset, source, n, model, setting and restart, for the small print. udr: the score of a set.
    """
    import matplotlib
    from matplotlib.lines import Line2D

    classes = style.ordered("model", agreement["model"])
    references = list(agreement["reference"].unique())
    # Looks of the scores share colours, which lines that cross one another must not.
    looks = style.looks("reference", references)
    columns = min(MOST_COLUMNS, len(classes))
    with matplotlib.rc_context(style.PARAMETERS):
        lines = ceil(len(classes) / columns)
        figure = panels.sheet("two", 0.7 + 1.9 * lines)
        grid = figure.subplots(lines, columns, squeeze=False, sharey=True)
        undefined = []
        for axes, model in zip(grid.flat, classes, strict=False):
            own = agreement[agreement["model"] == model]
            step = np.diff(np.unique([0, *own["partners"]])).min()
            for place, (reference, look) in enumerate(zip(references, looks, strict=True)):
                part = own[own["reference"] == reference]
                x = part["partners"] + 0.5 * step * ((place + 0.5) / len(references) - 0.5)
                stroke = {"color": look.colour, "linewidth": 0.9}
                axes.plot(x, part["correlation"], marker=look.marker, dashes=look.dashes, **stroke)
                axes.vlines(x, part["low"], part["high"], **stroke)
                undefined += marks.crosses(axes, x[part["correlation"].isna()], look.colour)
            axes.axhline(0, color="black", linewidth=0.5)
            axes.set_title(f"{style.value_label('model', model)} ({own['models'].max()} models)")
            axes.set_xlabel("partners $P$ of a model")
            axes.set_xticks(sorted(set(own["partners"])))
            reach = own["partners"].max()
            axes.set(xlim=(0.5, reach + max(0.5, 0.03 * reach)), ylim=(-1.05, 1.05))
        for axes in grid.flat[len(classes) :]:
            axes.remove()
        for axes in grid[:, 0]:
            axes.set_ylabel("rank correlation with UDR")
        handles = [
            Line2D(
                [],
                [],
                color=look.colour,
                dashes=look.dashes,
                marker=look.marker,
                label=style.value_label("score", reference),
            )
            for reference, look in zip(references, looks, strict=True)
        ]
        title = f"{models.data_set(table)}: {style.value_label('score', udr)}"
        models.headed_legend(figure, handles + undefined, title)
        models.note(
            figure,
            "bars: middle 95 % of random choices of the partners",
            models.images(table),
            models.restarts(table),
        )
    return figure
