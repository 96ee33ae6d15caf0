"""What changes between protocols: cells side by side, the table of changes and its figure."""

import io

import numpy as np
import pandas as pd
import pytest
from plot_helpers import NO_VALUE, change, legend_texts, rows

from custodes.plots import protocols
from custodes.reproduction.table_of_changes import tabulate, tabulate_changes
from custodes.tables import protocol_changes

SCORES = ["mcc_pearson", "r2"]


def both(**columns):
    """Cells under two protocols, the published ones first."""
    return rows(protocol=["published", "corrected"], **columns)


def test_cells_are_paired_whatever_the_protocols_set():
    own = {"dgp": "single_constraint", "m": [1, 2], "dgp_constraints": [1, 2], "dgp_own": [True]}
    table = pd.concat(
        [
            rows(**own, protocol="published", dgp_function="tanh_cube"),
            rows(**own | {"dgp_own": [False]}, protocol="corrected", dgp_function="cube", mean=0.8),
        ]
    )
    pairs = protocol_changes.paired(table)
    assert pairs[["m", "dgp_constraints"]].to_numpy().tolist() == [[1, 1], [1, 2], [2, 1], [2, 2]]
    assert pairs["change"].to_numpy() == pytest.approx(0.3)
    assert pairs[["dgp_function", "dgp_own"]].isna().all(axis=None)


def test_a_parameter_that_one_protocol_sweeps_pairs_the_cells_with_its_common_value():
    table = both(dgp="multi_constraint", dgp_constraints=[1, 2, 3])
    table = table[(table["protocol"] == "corrected") | (table["dgp_constraints"] == 1)]
    (pair,) = protocol_changes.paired(table).itertuples()
    assert pair.dgp_constraints == 1


def test_cells_of_one_protocol_alone_have_no_pair():
    table = both(encoder=["undercomplete", "elementwise_linear"], dgp_constraints=[1, 2])
    alone = (table["protocol"] == "corrected") & (table["encoder"] == "elementwise_linear")
    assert set(protocol_changes.paired(table[~alone])["encoder"]) == {"undercomplete"}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (rows(m=[1, 2]), "needs the tables of two protocols, got corrected"),
        (pd.concat([both(m=[1]), both(m=[1])]), "not a one-to-one merge"),
    ],
)
def test_tables_that_cannot_be_paired_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        protocol_changes.paired(table)


def example():
    """r2 of four cells changes by .2 and -.4, is undefined under one protocol, and under the other."""
    table = both(score=SCORES, m=[1, 2, 3, 4], experiment=["correlation", "sample_size"])
    ours = (table["score"] == "r2") & (table["experiment"] == "sample_size")
    corrected = table["protocol"] == "corrected"
    table = change(table, ours & corrected & (table["m"] == 1), mean=0.7)
    table = change(table, ours & corrected & (table["m"] == 2), mean=0.1)
    table = change(table, ours & corrected & (table["m"] == 3), **NO_VALUE)
    return change(table, ours & ~corrected & (table["m"] == 4), **NO_VALUE)


def test_summary_has_the_sizes_of_the_changes_the_largest_first():
    pairs = protocol_changes.paired(example())
    summary = protocol_changes.summarised(pairs)
    assert len(summary) == 4
    first = summary.iloc[0]
    assert (first["experiment"], first["score"], first["cells"]) == ("sample_size", "r2", 2)
    assert (first["before"], first["after"], first["mean_size"]) == pytest.approx((0.5, 0.4, 0.3))
    assert pairs.loc[first["largest"], "m"] == 2
    assert (first["only_before"], first["only_after"]) == (1, 1)
    assert summary["mean_size"].tolist()[1:] == [0, 0, 0]


def test_scores_that_no_cell_has_under_both_protocols_come_last():
    table = both(score=SCORES, m=[1, 2])
    undefined = (table["score"] == "r2") & (table["protocol"] == "published")
    last = protocol_changes.summarised(protocol_changes.paired(change(table, undefined, **NO_VALUE))).iloc[-1]
    assert (last["score"], last["cells"], last["only_after"]) == ("r2", 0, 2)
    assert np.isnan(last["mean_size"])


def test_table_names_the_protocols_and_the_cell_that_changes_most(tmp_path):
    example().to_parquet(tmp_path / "table.parquet")
    tabulate_changes([tmp_path / "table.parquet"], {"scores": ["r2"]}, tmp_path / "changes.csv")
    written = pd.read_csv(tmp_path / "changes.csv")
    assert set(written["score"]) == {"r2"}
    first = written.iloc[0]
    assert (first["published"], first["corrected"]) == pytest.approx((0.5, 0.4))
    assert (first["largest_published"], first["largest_corrected"]) == pytest.approx((0.5, 0.1))
    assert first["largest_cell"] == "dgp=independent, encoder=undercomplete, d=5, m=2, n=1000"
    assert (first["only_published"], first["only_corrected"]) == (1, 1)


def test_table_has_the_scores_of_the_figure():
    table = both(score=["r2", "tmex_errors", "my_score"], m=[1, 2])
    assert set(tabulate(table)["score"]) == {"r2", "my_score"}


def drawn(table, **options):
    figure = protocols.draw(table, **options)
    tiles, words = figure.subfigs
    (text,) = words.texts
    return figure, tiles.axes[0], text.get_text().splitlines()


def test_figure_has_a_tile_for_each_experiment_and_score_and_numbers_and_names_the_largest():
    figure, axes, lines = drawn(example(), scores=SCORES)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["MCC-P", "$R^2$"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["sample size", "correlation"]
    numbers = {text.get_text(): text.xy for text in axes.texts}
    assert numbers == {"1": (2, 0)}  # lower right corner of the tile
    (line,) = lines
    assert line.startswith("1  $R^2$, sample size: 0.50 \N{RIGHTWARDS ARROW} 0.40 in the mean of 2 cells")
    assert "E4, $d = 5$, $m = 2$" in line
    assert line.endswith(": 0.50 \N{RIGHTWARDS ARROW} 0.10")
    assert figure.get_supxlabel() == "protocol: corrected, published; 5 seeds"


def test_figure_shows_every_cell_and_those_with_one_score_at_the_edge():
    figure, axes, _ = drawn(example())
    marks = {line.get_marker(): line.get_xydata() for line in axes.lines if line.get_marker() != "None"}
    assert {marker: len(places) for marker, places in marks.items()} == {"o": 14, "_": 1, "|": 1}
    ((left, _),) = marks["_"]  # m = 4 has no published score
    assert 1 < left < 1.08
    ((_, foot),) = marks["|"]  # m = 3 has no corrected score
    assert 0 < foot < 0.08
    assert legend_texts(figure) == [
        "cell",
        "cell without a published score",
        "cell without a corrected score",
    ]


def test_at_most_five_changes_are_named():
    table = both(score=["mcc_pearson", "r2", "mig"], experiment=["correlation", "sample_size"])
    _, axes, lines = drawn(change(table, table["protocol"] == "corrected", mean=0.7))
    assert len(lines) == len(axes.texts) == 5


def test_scores_beyond_the_tile_are_at_its_edge():
    table = both(score="r2", m=[1])
    _, axes, _ = drawn(change(table, table["protocol"] == "corrected", mean=-7))
    (cell,) = (line for line in axes.lines if line.get_marker() == "o")
    assert cell.get_xydata() == pytest.approx(np.array([[0.5, 0.08]]))


@pytest.mark.parametrize("scores", [SCORES, ["mig"]])
def test_protocols_without_a_common_cell_are_said_to_be_so(scores):
    table = both(score=SCORES, m=[1])
    table = change(table, table["protocol"] == "published", m=2)
    figure = protocols.draw(table, scores=scores)
    assert [text.get_text() for text in figure.axes[0].texts] == ["not run: no cell of these scores"]


def test_files_are_equal_bytes():
    files = [io.BytesIO(), io.BytesIO()]
    for file in files:
        drawn(example())[0].savefig(file, format="pdf", metadata={"CreationDate": None, "ModDate": None})
    assert files[0].getvalue() == files[1].getvalue()
