"""Loss and divergence of each latent over the steps of all trainings of one data set."""

import numpy as np

from custodes.drawing import panels, style
from custodes.image_plots import models
from custodes.tables.trainings import RUN

MOST_POINTS = 200  # of a line: a page shows no more
MOST_LINES = 600  # drawn as lines; more make a file too large to open and become pixels
ROWS = (("loss", "loss (nats per image)"), ("kl_per_latent", "KL of each latent (nats)"))


def training_curves(curves):
    """Draw a line per restart (loss) and per restart and latent (divergence), a column per setting.

    curves: rows of training, with dataset, source, model, setting, restart, step, loss and kl_per_latent.
    """
    import matplotlib

    classes = style.ordered("model", curves["model"])
    looks = style.looks("model", classes)
    columns = int(curves.groupby("model")["setting"].nunique().max())
    runs = len(curves.drop_duplicates(list(RUN)))
    latents = max(map(len, curves["kl_per_latent"]))
    with matplotlib.rc_context(style.PARAMETERS):
        figure = panels.sheet("two", 0.7 + 2.3 * len(classes))
        grid = figure.subplots(2 * len(classes), columns, squeeze=False, sharey="row", sharex=True)
        for (row, column), axes in np.ndenumerate(grid):
            model, look = classes[row // 2], looks[row // 2]
            own = curves[curves["model"] == model]
            numbers, written, label = models.settings(own)
            if column >= len(numbers):
                axes.set_axis_off()
                continue
            quantity, unit = ROWS[row % 2]
            for _, run in own[own["setting"] == numbers[column]].groupby("restart"):
                run = run.sort_values("step").iloc[:: -(-len(run) // MOST_POINTS)]
                heights = np.stack([np.atleast_1d(value) for value in run[quantity]])
                stroke = {"color": look.colour, "linewidth": 0.6, "alpha": 0.7}
                axes.plot(run["step"], heights, rasterized=runs * latents > MOST_LINES, **stroke)
            if row % 2 == 0:
                setting = written[column].replace("\n", ", ")
                axes.set_title(f"{look.label}, {label} = {setting}")
            if column == 0:
                axes.set_ylabel(unit.replace(" (", "\n("))
            if row == 2 * len(classes) - 1:
                axes.set_xlabel("step")
        for axes in grid[1::2].flat:
            axes.set_ylim(bottom=0)
        figure.suptitle(models.data_set(curves), fontsize=7.5)
        models.note(
            figure,
            "a line for each restart, of the divergence for each restart and latent",
            "means over the steps since the last point",
            models.restarts(curves),
        )
    return figure
