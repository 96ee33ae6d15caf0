"""What figures refuse: bad options, and tables whose rows they would lose or mix."""

import numpy as np
import pytest
from plot_helpers import rows

from custodes import registry
from custodes.drawing import selection
from custodes.plots import lines
from custodes.tables.filters import matches

SWEEP = {"score": ["r2", "mcc_pearson"], "m": [1, 2, 3, 4]}


def test_numbers_are_matched_up_to_rounding_and_names_exactly():
    table = rows(score=["r2", "mig"], dgp_rho=[0.1 + 0.2, 0.5])
    assert matches(table, {"dgp_rho": 0.3, "score": ["r2"]}).tolist() == [True, False, False, False]


@pytest.mark.parametrize(("column", "value"), [("encoder_kappa", 10.0), ("encoder_keep", "last")])
def test_rows_without_a_parameter_are_matched_by_null(column, value):
    table = rows(encoder=["linearly_entangled", "undercomplete", "elementwise_linear"])
    table[column] = [value, {"encoder_kappa": 2.0, "encoder_keep": "first"}[column], None]
    assert matches(table, {column: [None, value]}).tolist() == [True, False, True]
    assert matches(table, {column: value}).tolist() == [True, False, False]


def test_a_parameter_that_no_row_has_is_missing_in_all():
    table = rows(m=[1, 2])
    assert matches(table, {"encoder_noise": [None, 0.3], "m": 2}).tolist() == [False, True]
    assert not matches(table, {"encoder_noise": 0.3}).any()
    with pytest.raises(ValueError, match="column 'noise' is not in the tables"):
        matches(table, {"noise": 0.3})


def test_derived_columns():
    table = rows(m=[9, 18], d=[10, 20], n=1000, n_scored=200, score="mcc_pearson")
    cells, _ = selection.select(table, scores="main")
    nine_of_ten = cells[cells["m_over_d"] == 0.9]
    assert nine_of_ten["m"].tolist() == [9, 18]
    assert cells["m_over_n"].tolist() == [0.009, 0.009, 0.018, 0.018]
    assert cells["d_over_n"].tolist() == [0.01, 0.02, 0.01, 0.02]
    assert cells["null_floor"].iloc[0] == pytest.approx(np.sqrt(2 * np.log(9) / 200))


def test_a_cell_belongs_to_every_group_that_it_satisfies():
    table = rows(m=[1, 2], d=[5, 10])
    groups = {"second": {"m": 2}, "first": {"d": 5}}
    cells, _ = selection.select(table, scores="main", groups=groups)
    assert selection.values(cells, "group") == ["second", "first"]
    assert len(cells) == 4
    assert len(selection.part(cells, group="first", m=2, d=5)) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"x": "m"}, r"several cells at m = 1; they differ in dgp: narrow with where"),
        ({"x": "encoder_kappa"}, r"'encoder_kappa' has no value for some rows \(undercomplete\)"),
        ({"x": "m", "columns": "encoder_strength"}, r"column 'encoder_strength' is not in the tables"),
    ],
)
def test_rows_that_would_be_lost_or_mixed_are_errors(options, message):
    with pytest.raises(ValueError, match=message):
        lines.draw(rows(**SWEEP, dgp=["independent", "correlated"]), **options)


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("lines", {}, "x: missing"),
        ("lines", {"x": "rho"}, "x: 'rho' is not a column; allowed: score.*dgp_rho.*encoder_keep"),
        ("lines", {"x": None}, "x: None is not a column"),
        ("lines", {"x": "encoder"}, "x: 'encoder' does not hold numbers; allowed: d, d_eff"),
        ("lines", {"x": "m", "hue": "m"}, "hue: 'm' is the column of x already"),
        ("lines", {"x": "m", "colour": "d"}, "unknown option 'colour'; allowed: x, hue"),
        ("lines", {"x": "m", "figure": 1}, "unknown option 'figure'"),
        ("lines", {"x": "m", "scores": "all"}, "scores: 'all' is not an allowed value.*main, full"),
        ("lines", {"x": "m", "scores": ["r3"]}, "scores: 'r3' is not a score; allowed: mcc_pearson"),
        ("lines", {"x": "m", "scores": []}, r"scores: \[\] is not allowed"),
        ("lines", {"x": "m", "where": {"D": 3}}, "where: 'D' is not a column"),
        ("lines", {"x": "m", "where": {"d": "3"}}, "where.d: '3' is not allowed; needs a number"),
        ("lines", {"x": "m", "where": {"encoder": ["E3"]}}, "where.encoder: 'E3' is not a known encoder"),
        (
            "lines",
            {"x": "m", "where": {"experiment": "corelation"}},
            "'corelation' is not a known experiment",
        ),
        ("lines", {"x": "m", "where": []}, r"where: \[\] is not allowed; needs a mapping"),
        ("lines", {"x": "m", "where": {"d": None}}, "where.d: None is not allowed; needs a number"),
        ("lines", {"x": "m", "where": {"encoder": [None]}}, "where.encoder: None is not allowed"),
        ("lines", {"x": "m", "groups": {"a": {"d": 1}}}, "groups: needs 'group' as a column"),
        ("lines", {"x": "m", "hue": "group"}, "groups: needs 'group' as a column"),
        ("lines", {"x": "m", "hue": "group", "groups": {"a": {"q": 1}}}, "groups.a: 'q' is not a column"),
        ("lines", {"x": "m", "wrap": 2}, "wrap: only for figures with columns and without rows"),
        ("lines", {"x": "m", "wrap": 0, "columns": "dgp"}, "wrap: 0 is not allowed"),
        (
            "lines",
            {"x": "m", "x_scale": "sqrt"},
            "x_scale: 'sqrt' is not an allowed value; allowed: linear, log",
        ),
        ("lines", {"x": "m", "curves": ["null"]}, "curves: 'null' is not a closed form; allowed: r2_dropped"),
        ("lines", {"x": "m", "width": 3}, "width: 3 is not an allowed value; allowed: one, two"),
        ("dots", {"x": "encoder", "curves": ["null_floor"]}, "unknown option 'curves'"),
        ("heatmap", {"x": "m"}, "y: missing"),
        (
            "heatmap",
            {"x": "m", "y": "n", "value": "median"},
            "value: 'median' is not an allowed value; allowed: mean",
        ),
        ("protocols", {"x": "m"}, "unknown option 'x'; allowed: scores, where, width"),
        ("overview", {"panels": []}, r"panels: \[\] is not allowed"),
        ("overview", {"panels": [{"kind": "lines"}]}, r"panels\[0\].*needs kind, title, options"),
        (
            "overview",
            {"panels": [{"kind": "lines", "title": "t", "options": {"x": "rho"}}]},
            r"panels\[0\]: x: 'rho' is not a column",
        ),
        (
            "overview",
            {"panels": [{"kind": "line", "title": "t", "options": {}}]},
            r"panels\[0\].kind: 'line' is not one; allowed: lines, dots, heatmap",
        ),
        (
            "overview",
            {"panels": [{"kind": "overview", "title": "t", "options": {}}]},
            "'overview' is not one; allowed: lines",
        ),
    ],
)
def test_bad_options_are_refused_with_what_is_allowed(kind, options, message):
    with pytest.raises(ValueError, match=message):
        registry.load("plots", kind).check(**options)
