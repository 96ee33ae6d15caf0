"""The map of verdicts: what stands in its cells, and in which order."""

import numpy as np
import pandas as pd
import pytest
from plot_helpers import legend_texts, rectangles

from custodes.plots import verdicts


def row(score, name, verdict, statistic=None, margin=(np.nan, np.nan)):
    return {
        "protocol": "corrected",
        "score": score,
        "property": name,
        "verdict": verdict,
        "statistic": np.nan if statistic is None else statistic,
        "ci_low": margin[0],
        "ci_high": margin[1],
    }


@pytest.fixture(scope="module")
def figure():
    table = pd.DataFrame(
        [
            row("r2", "P1", "ok", 0.004, (0.0, 0.011)),
            row("r2", "P5", "violated", 0.6, (0.3, np.nan)),
            row("a_variant", "P1", "undecided", 0.2, (0.1, 0.4)),
            row("a_variant", "P5", "not judged"),
        ]
    )
    return verdicts.draw(table)


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_cells_have_statistic_margin_and_sign(figure):
    assert texts(figure) == ["✓ .00 (.00 to .01)", "✗ .60 (.30 or more)", "? .20 (.10 to .40)"]
    assert len(rectangles(figure.axes[0], hatch=True)) == 1


def test_scores_stay_in_the_order_of_the_table(figure):
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["$R^2$", "a variant"]
    assert axes.get_ylim() == (1.5, -0.5)  # read from above
    assert [label.get_text().strip() for label in axes.get_xticklabels()] == ["P1 correlated factors", "P5"]


def test_colours_are_those_of_the_verdicts_in_the_legend(figure):
    assert legend_texts(figure) == ["✓ ok", "✗ violated", "? undecided", "not judged"]
    faces = {patch.get_facecolor() for patch in rectangles(figure.axes[0], hatch=False)}
    assert len(faces) == 3


def test_unknown_options_are_refused():
    with pytest.raises(ValueError, match="unknown option 'scores'; allowed: width"):
        verdicts.check(scores="full")
