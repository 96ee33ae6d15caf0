"""A sheet of panels of other kinds, each with its own title and options."""

from custodes.drawing import options, style
from custodes.drawing import panels as sheets
from custodes.plots import dots, heatmap, lines

# Named here, not looked up in the registry, so that the figure's rule sees edits of their modules.
KINDS = {"lines": lines, "dots": dots, "heatmap": heatmap}
NEEDED, OPTIONAL = ("kind", "title", "options"), ("height",)
HEIGHT = 2.4  # inches, with title and legend


def check(**given):
    """Check the options of `draw`; ValueError names panel, option, its value and what is allowed."""
    options.check(draw, given)
    for index, panel in enumerate(given["panels"]):
        where = f"panels[{index}]"
        if not isinstance(panel, dict) or not set(NEEDED) <= set(panel) <= {*NEEDED, *OPTIONAL}:
            keys = ", ".join(NEEDED)
            raise ValueError(f"{where}: {panel!r} is not allowed; needs {keys} (and height)")
        if panel["kind"] not in KINDS:
            raise ValueError(f"{where}.kind: {panel['kind']!r} is not one; allowed: {', '.join(KINDS)}")
        try:
            KINDS[panel["kind"]].check(**panel["options"])
        except ValueError as reason:
            raise ValueError(f"{where}: {reason}") from None


def draw(table, *, panels, legend="each", wrap=2, width="two"):
    """Draw the `panels`, `wrap` of them side by side.

    panels: list of {kind, title, options, height}: one of `KINDS`, a title, the options of that kind
    (their `where` picks the experiment), and the height of the panel's line in inches if it is not
    to be 2.4 (the largest of a line counts). legend: "each" below each panel, or one "shared" by all.
    """
    import matplotlib

    rows = [panels[start : start + wrap] for start in range(0, len(panels), wrap)]
    heights = [max(panel.get("height", HEIGHT) for panel in row) for row in rows]
    with matplotlib.rc_context(style.PARAMETERS):
        figure = sheets.sheet(width, sum(heights) + 0.15)
        parts = figure.subfigures(
            len(rows), wrap, squeeze=False, height_ratios=heights, hspace=0.02, wspace=0.02
        )
        absent, handles = [], []
        for panel, part in zip(panels, parts.flat, strict=False):
            part.suptitle(panel["title"], fontsize=8, x=0.01, ha="left")
            KINDS[panel["kind"]].draw(table, **panel["options"], figure=part)
            for own in part.legends if legend == "shared" else ():
                handles += own.legend_handles
                own.remove()
            scores = style.score_names(panel["options"].get("scores", "main"))
            absent += [name for name in scores if name not in set(table["score"])]
        sheets.legend(figure, handles, whole=True)
        sheets.corner_note(figure, table, dict.fromkeys(absent))
    return figure
