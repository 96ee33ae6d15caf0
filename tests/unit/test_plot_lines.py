"""Figures of lines: bands, gaps, marks of the axis, levels and closed forms."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from plot_helpers import IMPOSSIBLE, NO_VALUE, change, crosses, legend_texts, line_through, rectangles, rows

from custodes.plots import lines

SWEEP = {"score": ["r2", "mcc_pearson"], "m": [1, 2, 3, 4]}


def test_a_line_has_a_band_and_a_gap_with_a_cross_where_the_score_is_undefined():
    table = rows(score="r2", m=[1, 2, 3, 4])
    table = change(table, table["m"] == 3, **NO_VALUE)
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
    table = change(table, table["dgp_rho"] < 0, **IMPOSSIBLE)
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
    table = rows(score="mcc_pearson", encoder="null_gaussian", m=50, n=[100, 1000, 9000])
    table = change(table, table["n"] > 0, n_scored=table["n"] // 5)
    figure = lines.draw(table, x=x, curves=["null_floor"], x_scale="log")
    (curve,) = [line for line in figure.axes[0].lines if "log" in line.get_label()]
    at = {
        "n": lambda place: np.sqrt(2 * np.log(50) / (0.2 * place)),
        "m_over_n": lambda place: np.sqrt(2 * np.log(50) / (0.2 * 50 / place)),
        "null_floor": lambda place: place,
    }[x]
    assert curve.get_ydata() == pytest.approx(at(curve.get_xdata()))


@pytest.mark.parametrize(("first_seed", "seeds", "code_offset"), [(7, 3, 1_000_000), (42, 2, 0)])
def test_population_score_averages_the_mixing_matrices_of_the_draws(first_seed, seeds, code_offset):
    from custodes import streams
    from custodes.encoders import linearly_entangled
    from custodes.synthetic import closed_forms

    table = rows(
        score="mcc_pearson",
        dgp="correlated",
        encoder="linearly_entangled",
        dgp_rho=[0.0, 0.8],
        encoder_kappa=10.0,
        first_seed=first_seed,
        seeds=seeds,
        code_offset=code_offset,
    )
    figure = lines.draw(table, x="dgp_rho", curves=["population_mcc_pearson"])
    (curve,) = [line for line in figure.axes[0].lines if "closed form" in line.get_label()]
    expected = np.mean(
        [
            closed_forms.population_mcc_pearson(
                linearly_entangled.mixing_matrix(streams.codes(seed, code_offset), 5, 10.0),
                closed_forms.equicorrelation(5, 0.8),
            )
            for seed in range(first_seed, first_seed + seeds)
        ]
    )
    assert curve.get_ydata()[-1] == pytest.approx(expected)


def test_a_line_whose_points_have_other_seeds_has_no_one_population_score():
    table = rows(score="mcc_pearson", encoder="linearly_entangled", n=[100, 200], encoder_kappa=10.0)
    table = change(table, table["n"] == 200, seeds=10)
    with pytest.raises(ValueError, match="population_mcc_pearson needs the same seeds"):
        lines.draw(table, x="n", curves=["population_mcc_pearson"])
