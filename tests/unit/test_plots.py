"""Figures: what they show of a table, what they refuse, and that they change nothing."""

import io
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle
from synthetic_tables import NO_VALUE, change, rows, table_of

from scripts.core import config, registry, study
from scripts.plots import dots, heatmap, lines, overview, selection, style

SWEEP = {"score": ["r2", "mcc_pearson"], "m": [1, 2, 3, 4]}
KINDS = registry.names("plots")


@pytest.fixture(scope="module")
def thinned():
    settings = config.read_yaml(registry.ROOT / "config" / "quick.yaml")
    return study.load(settings | {"protocols": "all", "seeds": 2})


def declared():
    for name in config.available("experiments"):
        path = registry.ROOT / "config" / "experiments" / f"{name}.yaml"
        for figure, spec in config.read_yaml(path).get("figures", {}).items():
            yield pytest.param(name, spec, id=figure)


def legend_texts(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def rectangles(axes, hatch):
    return [
        patch for patch in axes.patches if isinstance(patch, Rectangle) and bool(patch.get_hatch()) == hatch
    ]


def crosses(axes):
    return [line for line in axes.lines if line.get_marker() == "x"]


def line_through(axes, values):
    """The drawn line with these heights, markers apart."""
    found = [
        line for line in axes.lines if line.get_marker() == "None" and len(line.get_ydata()) == len(values)
    ]
    return next(line for line in found if np.allclose(line.get_ydata(), values, equal_nan=True))


# What the kinds share


def test_checks_need_neither_matplotlib_nor_pandas():
    kinds = ", ".join(f"scripts.plots.{kind}" for kind in KINDS)
    code = (
        f"import sys, {kinds}\n"
        "scripts.plots.lines.check(x='m', where={'encoder': 'undercomplete'}, scores=['r2'])\n"
        "print({'matplotlib', 'pandas', 'scipy', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=registry.ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr


@pytest.mark.parametrize("kind", ["dgps", "encoders"])
def test_listed_names_are_registered(kind):
    assert set(style.NAMED[kind.removesuffix("s")]) <= set(registry.names(kind))


@pytest.mark.parametrize("names", [style.FULL, style.MAIN, tuple(style.ENCODERS), tuple(style.DGPS)])
def test_lines_that_appear_together_differ_in_colour_print_and_in_grey(names):
    column = next(column for column, known in style.NAMED.items() if set(names) <= set(known))
    looks = style.looks(column, names)
    assert len({(look.colour, look.marker) for look in looks}) == len(names)
    assert len({(look.marker, look.dashes) for look in looks}) == len(names)


def test_names_of_ones_own_come_last_and_are_drawn_apart():
    names = style.ordered("score", ["my_score", "r2", "mcc_pearson", "another"])
    assert names == ["mcc_pearson", "r2", "another", "my_score"]
    another, mine = style.looks("score", names)[2:]
    assert (another.label, mine.label) == ("another", "my score")
    assert another[2:] != mine[2:]


def test_numbers_are_written_with_their_symbol():
    assert style.value_label("dgp_rho", -0.5) == r"$\rho = -0.5$"
    assert style.value_label("encoder_my_parameter", 3) == "my parameter = 3"


@pytest.mark.parametrize(("experiment", "spec"), list(declared()))
def test_every_declared_figure_is_drawn_from_thinned_grids(thinned, experiment, spec):
    options = spec.get("options", {})
    module = registry.load("plots", spec["kind"])
    module.check(**options)
    for protocol in thinned.protocols:
        parts = [table_of(thinned, protocol, name) for name in spec.get("tables", [experiment])]
        table = pd.concat(parts, ignore_index=True)
        before = table.copy()
        figure = module.draw(table, **options)
        pd.testing.assert_frame_equal(table, before)
        assert figure.get_figwidth() in style.WIDTHS.values()
        assert f"protocol: {protocol}; 5 seeds" in figure.get_supxlabel()


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("lines", {"x": "m", "columns": "dgp", "x_scale": "log", "curves": ["r2_dropped"]}),
        ("dots", {"x": "dgp", "columns": "m", "wrap": 3}),
        ("heatmap", {"x": "m", "y": "dgp"}),
        (
            "overview",
            {
                "panels": [
                    {"kind": "lines", "title": "t", "options": {"x": "m", "hue": "dgp", "rows": "score"}}
                ]
            },
        ),
    ],
)
def test_files_are_equal_bytes_with_embedded_outlines(kind, options):
    table = rows(**SWEEP, dgp=["independent", "correlated"], dgp_rho=0.5)
    table = change(table, table["m"] == 3, **NO_VALUE)
    table = change(table, table["m"] == 2, undefined=1, ci_low=-4, ci_high=5)
    files = []
    for _ in range(2):
        figure = registry.load("plots", kind).draw(table, **options)
        for suffix, metadata in (("pdf", {"CreationDate": None, "ModDate": None}), ("svg", {"Date": None})):
            file = io.BytesIO()
            figure.savefig(file, format=suffix, metadata=metadata)
            files.append(file.getvalue())
    assert files[:2] == files[2:]
    assert b"/FontFile2" in files[0]
    assert b"/Type3" not in files[0]


def test_scores_that_were_not_computed_are_named():
    figure = lines.draw(rows(**SWEEP), x="m", scores=["r2", "mig"])
    assert figure.get_supxlabel() == "protocol: corrected; 5 seeds; not computed: MIG"


def test_panels_without_cells_say_so():
    table = rows(dgp=["independent", "correlated"], d=[5, 10], m=[1, 2], score="r2")
    table = table[(table["dgp"] == "independent") | (table["d"] == 5)]
    figure = lines.draw(table, x="m", rows="dgp", columns="d")
    notes = [[text.get_text() for text in axes.texts if text.get_text() == "not run"] for axes in figure.axes]
    assert notes == [[], [], [], ["not run"]]


@pytest.mark.parametrize("kind", ["lines", "dots", "heatmap"])
def test_figures_whose_cells_were_left_out_say_so(kind):
    options = {"x": "m", "where": {"d": 99}} | ({"y": "n"} if kind == "heatmap" else {})
    figure = registry.load("plots", kind).draw(rows(**SWEEP), **options)
    assert [text.get_text() for text in figure.axes[0].texts] == ["not run: d = 99"]
    assert figure.get_supxlabel() == "protocol: corrected; 5 seeds"


# Rows of a figure


def test_numbers_are_matched_up_to_rounding_and_names_exactly():
    table = rows(score=["r2", "mig"], dgp_rho=[0.1 + 0.2, 0.5])
    assert selection.matches(table, {"dgp_rho": 0.3, "score": ["r2"]}).tolist() == [True, False, False, False]


def test_derived_columns():
    table = rows(m=[9, 18], d=[10, 20], n=1000, protocol="published", score="mcc_pearson")
    cells, _ = selection.select(table, scores="main", rows_scored={"published": 0.2})
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


# Lines


def test_a_line_has_a_band_and_a_gap_with_a_cross_where_the_score_is_undefined():
    table = rows(score="r2", m=[1, 2, 3, 4])
    table = change(table, table["m"] == 3, **NO_VALUE, status="needs 10 rows")
    figure = lines.draw(table, x="m")
    (axes,) = figure.axes
    line_through(axes, [0.5, 0.5, np.nan, 0.5])
    (band,) = [item for item in axes.collections if isinstance(item, PolyCollection)]
    assert band.get_datalim(axes.transData).intervaly.tolist() == [0.4, 0.6]
    (alone,) = [item for item in axes.collections if isinstance(item, LineCollection)]
    assert [segment.tolist() for segment in alone.get_segments()] == [[[4, 0.4], [4, 0.6]]]
    (cross,) = crosses(axes)
    assert cross.get_xdata().tolist() == [3]
    assert "undefined" in legend_texts(figure)


def test_infeasible_points_are_hatched_up_to_half_way_to_the_feasible_ones():
    table = rows(score="r2", dgp="correlated", dgp_rho=[-0.9, -0.5, 0.0, 0.5])
    table = change(table, table["dgp_rho"] < 0, **NO_VALUE, status="infeasible: no such covariance")
    figure = lines.draw(table, x="dgp_rho")
    (area,) = rectangles(figure.axes[0], hatch=True)
    assert (area.get_x(), area.get_width()) == pytest.approx((-0.9, 0.65))
    assert crosses(figure.axes[0]) == []
    assert "infeasible" in legend_texts(figure)


@pytest.mark.parametrize(("x", "place"), [("m", 4), ("m_over_d", 0.8)])
def test_effective_number_of_factors_is_marked_where_codes_are_swept(x, place):
    figure = lines.draw(rows(score="r2", m=[1, 4, 5], d_eff=4), x=x)
    (mark,) = [line for line in figure.axes[0].lines if "eff" in line.get_label()]
    assert mark.get_xdata() == [place, place]
    assert mark.is_dashed()


def test_effective_number_of_factors_is_not_marked_on_other_axes():
    figure = lines.draw(rows(score="r2", n=[1, 4, 5], d_eff=4), x="n")
    assert not any("eff" in text for text in legend_texts(figure))


def test_one_seed_has_a_mean_without_a_band():
    table = rows(score="r2", m=[1, 2], seeds=1, std=np.nan, ci_low=np.nan, ci_high=np.nan)
    figure = lines.draw(table, x="m")
    assert "1 seed" in figure.get_supxlabel()
    assert all(len(item.get_paths()) == 0 for item in figure.axes[0].collections)
    line_through(figure.axes[0], [0.5, 0.5])


def test_means_over_some_of_the_seeds_are_empty_marks():
    table = rows(score="r2", m=[1, 2])
    figure = lines.draw(change(table, table["m"] == 2, undefined=2), x="m")
    (empty,) = [line for line in figure.axes[0].lines if line.get_markerfacecolor() == "white"]
    assert empty.get_xdata().tolist() == [2]
    assert "partly undefined" in legend_texts(figure)


def test_baseline_rows_are_level_lines_and_no_points():
    table = pd.concat(
        [
            rows(score="r2", encoder="overcomplete_entangled", m=[10, 50]),
            rows(score="r2", encoder="linearly_entangled", m=5, mean=0.3),
        ]
    )
    baseline = {"encoder": "linearly_entangled"}
    figure = lines.draw(table, x="m_over_d", hue="encoder", baseline=baseline)
    (level,) = [line for line in figure.axes[0].lines if list(line.get_ydata()) == [0.3, 0.3]]
    assert list(level.get_xdata()) == [0, 1]  # of the width of the panel
    assert figure.axes[0].dataLim.intervalx.tolist() == [2, 10]
    assert legend_texts(figure) == ["E7 entangled, $m > d$", "E3 entangled"]


@pytest.mark.parametrize(
    ("means", "lowest", "highest"), [([0.2, 0.9], 0, 1), ([-0.3, 0.9], -0.3, 1), ([0, 12], 0, 12)]
)
def test_scores_run_from_zero_to_one_and_beyond_only_with_a_mean(means, lowest, highest):
    table = rows(score="r2", m=[1, 2], ci_low=-9, ci_high=99)
    figure = lines.draw(table.assign(mean=means), x="m")
    low, high = figure.axes[0].get_ylim()
    assert lowest - 0.1 * (highest - lowest) < low < lowest
    assert highest < high < highest + 0.1 * (highest - lowest)


def test_closed_form_of_dropped_factors_is_drawn_for_its_score_and_named():
    table = rows(**SWEEP, dgp=["independent", "single_constraint"])
    figure = lines.draw(table, x="m", columns="dgp", curves=["r2_dropped"])
    independent, constrained = (
        [line for line in axes.lines if line.get_label() == "$R^2$ closed form"] for axes in figure.axes
    )
    assert constrained == []
    (curve,) = independent
    assert curve.get_ydata() == pytest.approx(curve.get_xdata() / 5)
    assert len(curve.get_xdata()) > 50
    assert "$R^2$ closed form" in legend_texts(figure)


@pytest.mark.parametrize("x", ["n", "m_over_n", "null_floor"])
def test_floor_of_null_scores_counts_the_rows_scored(x):
    table = rows(
        score="mcc_pearson", encoder="null_gaussian", m=50, n=[100, 1000, 9000], protocol="published"
    )
    figure = lines.draw(table, x=x, curves=["null_floor"], rows_scored={"published": 0.2}, x_scale="log")
    (curve,) = [line for line in figure.axes[0].lines if "log" in line.get_label()]
    at = {
        "n": lambda place: np.sqrt(2 * np.log(50) / (0.2 * place)),
        "m_over_n": lambda place: np.sqrt(2 * np.log(50) / (0.2 * 50 / place)),
        "null_floor": lambda place: place,
    }[x]
    assert curve.get_ydata() == pytest.approx(at(curve.get_xdata()))


def test_population_score_averages_the_mixing_matrices_of_the_seeds():
    from scripts.core import closed_forms, random
    from scripts.encoders import linearly_entangled

    table = rows(
        score="mcc_pearson",
        dgp="correlated",
        encoder="linearly_entangled",
        dgp_rho=[0.0, 0.8],
        encoder_kappa=10.0,
        seeds=3,
    )
    figure = lines.draw(table, x="dgp_rho", curves=["population_mcc_pearson"], first_seed=7)
    (curve,) = [line for line in figure.axes[0].lines if "closed form" in line.get_label()]
    expected = np.mean(
        [
            closed_forms.population_mcc_pearson(
                linearly_entangled.mixing_matrix(random.codes(seed), 5, 10.0),
                closed_forms.equicorrelation(5, 0.8),
            )
            for seed in (7, 8, 9)
        ]
    )
    assert curve.get_ydata()[-1] == pytest.approx(expected)


# Dots, maps and sheets


def test_every_dot_has_its_interval_and_its_own_place():
    table = rows(score=["r2", "mcc_pearson"], dgp=["correlated", "independent"])
    undefined = (table["dgp"] == "correlated") & (table["score"] == "r2")
    figure = dots.draw(change(table, undefined, **NO_VALUE), x="dgp")
    (axes,) = figure.axes
    segments = [
        part for item in axes.collections if isinstance(item, LineCollection) for part in item.get_segments()
    ]
    defined = [part for part in segments if len(part)]
    assert sorted(round(part[0, 0]) for part in defined) == [0, 0, 1]
    assert len({part[0, 0] for part in defined}) == 3
    assert all(part[:, 1].tolist() == [0.4, 0.6] for part in defined)
    (cross,) = crosses(axes)
    assert round(cross.get_xdata()[0]) == 1
    names = [label.get_text() for label in axes.get_xticklabels()]
    assert [re.sub(r"\s+", " ", name) for name in names] == [
        style.value_label("dgp", name) for name in ("independent", "correlated")
    ]


def test_maps_write_every_number_and_hatch_what_has_none():
    table = rows(score="r2", n=[100, 1000], m=[1, 2, 3])
    table = change(table, (table["n"] == 100) & (table["m"] == 1), **NO_VALUE, status="infeasible: no")
    table = change(table, (table["n"] == 100) & (table["m"] == 2), **NO_VALUE, status="needs rows")
    table = change(table, (table["n"] == 1000) & (table["m"] == 1), mean=-0.021)
    table = change(table, (table["n"] == 1000) & (table["m"] == 2), mean=-0.0001, undefined=1)
    table = table[(table["n"] == 1000) | (table["m"] < 3)]  # the last cell was not run
    figure = heatmap.draw(table, x="n", y="m")
    axes = figure.axes[0]
    numbers = {text.get_position(): text.get_text() for text in axes.texts}
    assert numbers == {(1, 0): "\N{MINUS SIGN}.02", (1, 1): ".00*", (1, 2): ".50"}
    hatches = {(patch.get_x(), patch.get_y()): patch.get_label() for patch in rectangles(axes, hatch=True)}
    assert hatches == {(-0.5, -0.5): "infeasible", (-0.5, 0.5): "undefined"}
    assert set(legend_texts(figure)) == {"infeasible", "undefined", "* partly undefined"}


def test_maps_of_standard_deviations_reach_to_the_largest():
    table = rows(score="r2", n=[100, 1000], m=[1, 2]).assign(std=[0.1, 0.2, 0.3, 0.4])
    figure = heatmap.draw(table, x="n", y="m", value="std")
    assert figure.axes[0].images[0].get_clim() == (0, 0.4)
    assert {text.get_text() for text in figure.axes[0].texts} == {".10", ".20", ".30", ".40"}


@pytest.mark.parametrize("number", np.linspace(0, 1, 21))
def test_numbers_in_maps_stand_out_from_their_colour(number):
    figure = heatmap.draw(rows(score="r2", m=[1], n=[10]).assign(mean=number), x="m", y="n")
    axes = figure.axes[0]
    luminance = []
    for colour in (axes.images[0].cmap(axes.images[0].norm(number))[:3], axes.texts[0].get_color()):
        parts = np.array(
            {"white": (1, 1, 1), "black": (0, 0, 0)}.get(colour, colour)
            if isinstance(colour, str)
            else colour
        )
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        luminance.append(linear @ [0.2126, 0.7152, 0.0722])
    assert (max(luminance) + 0.05) / (min(luminance) + 0.05) > 4.5  # the ratio that WCAG asks for


@pytest.mark.parametrize("legend", ["each", "shared"])
def test_overview_draws_each_panel_with_its_title_and_options(legend):
    panel = {"kind": "lines", "options": {"x": "m", "scores": ["r2"]}}
    figure = overview.draw(
        rows(**SWEEP),
        panels=[panel | {"title": "one"}, panel | {"title": "two"}, panel | {"title": "three", "height": 3}],
        legend=legend,
    )
    parts = figure.subfigs
    assert [part.get_suptitle() for part in parts] == ["one", "two", "three", ""]
    assert [len(part.axes) for part in parts] == [1, 1, 1, 0]
    assert [len(part.legends) for part in parts] == ([1, 1, 1, 0] if legend == "each" else [0, 0, 0, 0])
    assert len(figure.legends) == (legend == "shared")


# Options


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
        ("lines", {"x": "m", "rows_scored": {"published": 2}}, "rows_scored.published: 2 is not allowed"),
        ("lines", {"x": "m", "rows_scored": {"other": 0.2}}, "rows_scored: 'other' is not a protocol"),
        ("lines", {"x": "m", "first_seed": "42"}, "first_seed: '42' is not allowed"),
        ("lines", {"x": "m", "width": 3}, "width: 3 is not an allowed value; allowed: one, two"),
        ("dots", {"x": "encoder", "curves": ["null_floor"]}, "unknown option 'curves'"),
        ("heatmap", {"x": "m"}, "y: missing"),
        (
            "heatmap",
            {"x": "m", "y": "n", "value": "median"},
            "value: 'median' is not an allowed value; allowed: mean",
        ),
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
