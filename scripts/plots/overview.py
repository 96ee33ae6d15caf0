"""A sheet of panels of other kinds, each with its own title and options."""

from scripts.core import registry
from scripts.plots import options, style
from scripts.plots import panels as sheets

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
        if not registry.takes("plots", panel["kind"], "figure"):
            raise ValueError(f"{where}.kind: {panel['kind']} cannot be drawn on a part of a figure")
        try:
            registry.load("plots", panel["kind"]).check(**panel["options"])
        except ValueError as reason:
            raise ValueError(f"{where}: {reason}") from None


def draw(table, *, panels, legend="each", wrap=2, width="two"):
    """Draw the `panels`, `wrap` of them side by side.

    panels: list of {kind, title, options, height}: a kind whose `draw` takes a `figure`, a title, the
    options of that kind (their `where` picks the experiment), and the height of the panel's line in
    inches if it is not to be 2.4 (the largest of a line counts). legend: "each" below each panel, or
    one "shared" by all.
    """
    import matplotlib

    lines = [panels[start : start + wrap] for start in range(0, len(panels), wrap)]
    heights = [max(panel.get("height", HEIGHT) for panel in line) for line in lines]
    with matplotlib.rc_context(style.PARAMETERS):
        figure = sheets.sheet(width, sum(heights) + 0.15)
        parts = figure.subfigures(
            len(lines), wrap, squeeze=False, height_ratios=heights, hspace=0.02, wspace=0.02
        )
        absent, handles = [], []
        for line, row in zip(lines, parts, strict=True):
            for panel, part in zip(line, row, strict=False):
                part.suptitle(panel["title"], fontsize=8, x=0.01, ha="left")
                registry.load("plots", panel["kind"]).draw(table, **panel["options"], figure=part)
                if legend == "shared":
                    handles += part.legends[0].legend_handles
                    part.legends[0].remove()
                scores = panel["options"].get("scores", "main")
                absent += [name for name in style.score_names(scores) if name not in set(table["score"])]
        sheets.legend(figure, handles, whole=True)
        sheets.corner_note(figure, table, dict.fromkeys(absent))
    return figure
