"""Verdicts on scores, property by property: a map of statistics, coloured by what is shown."""

import numpy as np

from custodes.drawing import marks, options, panels, style
from custodes.judging import verdicts

OF_VERDICTS = True  # drawn from verdicts of experiments, not from their tables
ROW_HEIGHT = 0.3  # inches
LOOKS = {
    verdicts.OK: ("#CBE6DB", "✓"),
    verdicts.PARTLY: ("#FAE3B0", "~"),
    verdicts.VIOLATED: ("#F3C4AE", "✗"),
    verdicts.UNDECIDED: ("#E2E2E2", "?"),
}


def check(**given):
    """Check the options of `draw`; ValueError names the option, its value and what is allowed."""
    options.check(draw, given)


def draw(table, *, width="two"):
    """Draw a row for each score, in the order of the table, and a column for each property.

    table: rows of tables/<experiment>_verdicts.csv. A cell has the statistic, its margin in brackets, and
    the colour and sign of the verdict. Scores without a value, and properties without cells in the study, are
    hatched.
    """
    import matplotlib
    from matplotlib.patches import Rectangle

    scores, names = (list(dict.fromkeys(table[column])) for column in ("score", "property"))
    with matplotlib.rc_context(style.PARAMETERS):
        figure = panels.sheet(width, 0.6 + ROW_HEIGHT * len(scores))
        axes = figure.add_subplot()
        handles = {}
        for row in table.itertuples():
            corner = names.index(row.property) - 0.5, scores.index(row.score) - 0.5
            if row.verdict == verdicts.NOT_JUDGED:
                handles[row.verdict] = axes.add_patch(marks.hatched("undefined", *corner))
                handles[row.verdict].set_label(row.verdict)
                continue
            colour, sign = LOOKS[row.verdict]
            axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, linewidth=0))
            handles[row.verdict] = Rectangle((0, 0), 1, 1, facecolor=colour, label=f"{sign} {row.verdict}")
            axes.text(
                corner[0] + 0.5, corner[1] + 0.5, _written(row, sign), fontsize=6.5, ha="center", va="center"
            )
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(len(scores) - 0.5, -0.5)
        axes.set_xticks(range(len(names)), [f"{name} {style.PROPERTIES.get(name, '')}" for name in names])
        axes.set_yticks(range(len(scores)), [style.value_label("score", score) for score in scores])
        axes.tick_params(labeltop=True, labelbottom=False)
        marks.seams(axes, len(names), len(scores))
        panels.legend(
            figure, [handles[name] for name in (*LOOKS, verdicts.NOT_JUDGED) if name in handles], True
        )
        note = "worst difference that should be 0 (its margin over the seeds)"
        protocols = ", ".join(sorted(set(table["protocol"])))
        figure.supxlabel(
            f"{note}; protocol: {protocols}", x=0.995, ha="right", fontsize=5.5, color=panels.NOTE_COLOUR
        )
    return figure


def _written(row, sign):
    numbers = marks.two_decimals(row.statistic)
    if np.isnan(row.ci_low):
        return f"{sign} {numbers}"
    ends = [marks.two_decimals(end) for end in (row.ci_low, row.ci_high) if not np.isnan(end)]
    return f"{sign} {numbers} ({' to '.join(ends)}{'' if len(ends) == 2 else ' or more'})"
