"""Figures: what they show of a table, what they refuse, and that they change nothing."""

import io
import re
import subprocess
import sys
from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection
from plot_helpers import IMPOSSIBLE, NO_VALUE, change, crosses, legend_texts, rectangles, rows, table_of

from custodes import registry
from custodes.drawing import style
from custodes.plots import dots, heatmap, lines, overview
from custodes.registry import configured
from custodes.sources import CHECKOUT
from custodes.study import study, yaml_files

SWEEP = {"score": ["r2", "mcc_pearson"], "m": [1, 2, 3, 4]}
KINDS = registry.names("plots")


@pytest.fixture(scope="module")
def thinned():
    settings = yaml_files.read_yaml(CHECKOUT / "config" / "quick.yaml")
    return study.load(settings | {"protocols": "all", "metrics": "all", "seeds": 2})


@pytest.fixture(scope="module")
def thinned_table(thinned):
    return cache(partial(table_of, thinned))


def declared():
    for name in configured("experiments"):
        path = CHECKOUT / "config" / "experiments" / f"{name}.yaml"
        figures = yaml_files.read_yaml(path).get("figures", {})
        # Those of verdicts are drawn from other tables.
        yield from (figure for figure, spec in figures.items() if spec["kind"] != "verdicts")


def test_checks_need_neither_matplotlib_nor_pandas():
    kinds = ", ".join(f"custodes.plots.{kind}" for kind in KINDS)
    code = (
        f"import sys, {kinds}\n"
        "custodes.plots.lines.check(x='m', where={'encoder': 'undercomplete'}, scores=['r2'])\n"
        "print({'matplotlib', 'pandas', 'scipy', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
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


@pytest.mark.parametrize(("column", "listed"), [("score", style.FULL), ("encoder", style.ENCODERS)])
def test_looks_of_names_of_ones_own_are_unlike_the_listed_ones(column, listed):
    names = [*listed, *(f"own_{place}" for place in range(8))]
    looks = style.looks(column, names)
    assert len({(look.colour, look.marker) for look in looks}) == len(names)
    assert len({(look.marker, look.dashes) for look in looks}) == len(names)


def test_the_full_suite_has_the_scores_of_ones_own_metric_and_no_others_beyond_the_listed():
    table = rows(score=["r2", "my_score", "mcc_pearson_coverage", "mig"], m=[1, 2])
    figure = lines.draw(table, x="m", scores="full")
    assert legend_texts(figure) == ["$R^2$", "MIG", "my score"]
    assert "not computed: MCC-P, MCC-S" in figure.get_supxlabel()
    assert "my score" not in figure.get_supxlabel()
    assert legend_texts(lines.draw(table, x="m", scores="main")) == ["$R^2$"]


def test_numbers_are_written_with_their_symbol():
    assert style.value_label("dgp_rho", -0.5) == r"$\rho = -0.5$"
    assert style.value_label("encoder_my_parameter", 3) == "my parameter = 3"


@pytest.mark.parametrize("name", list(declared()))
def test_every_declared_figure_is_drawn_from_thinned_grids(thinned, thinned_table, name):
    spec = thinned.figures[name]
    together = spec.get("protocols")
    alone = [[protocol] for protocol in thinned.protocols if name in thinned.figures_of(protocol)]
    for protocols in [together] if together else alone:
        parts = [thinned_table(*place) for place in product(protocols, spec["tables"])]
        table = pd.concat(parts, ignore_index=True)
        before = table.copy()
        figure = registry.load("plots", spec["kind"]).draw(table, **spec.get("options", {}))
        pd.testing.assert_frame_equal(table, before)
        assert figure.get_figwidth() in style.WIDTHS.values()
        assert figure.get_supxlabel() == f"protocol: {', '.join(sorted(protocols))}; 5 seeds"


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
    files = [io.BytesIO(), io.BytesIO()]
    for file in files:
        figure = registry.load("plots", kind).draw(table, **options)
        figure.savefig(file, format="pdf", metadata={"CreationDate": None, "ModDate": None})
    first, second = (file.getvalue() for file in files)
    assert first == second
    assert b"/FontFile2" in first
    assert b"/Type3" not in first


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
    table = change(table, (table["n"] == 100) & (table["m"] == 1), **IMPOSSIBLE)
    table = change(table, (table["n"] == 100) & (table["m"] == 2), **NO_VALUE)
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


def test_titles_of_narrow_panels_have_several_lines():
    table = rows(score="r2", dgp=["independent", "single_constraint", "multi_constraint"], n=[10], m=[1])
    wide = [axes.get_title() for axes in lines.draw(table, x="n", columns="dgp").axes]
    assert not any("\n" in title for title in wide)
    narrow = heatmap.draw(table, x="n", y="m", columns="dgp", width="one")
    titles = [axes.get_title() for axes in narrow.axes[:3]]
    assert [title.count("\n") for title in titles] == [1, 2, 2]
    assert "one-factor" in titles[1]


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
