"""Figures of the image branch: what they show of small arrays and tables, and what they refuse."""

import io
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection
from matplotlib.text import Text
from plot_helpers import crosses, legend_texts

from custodes import registry
from custodes.analysis import associations, interventional_effects, rank_agreement
from custodes.drawing import files as drawing_files
from custodes.drawing import style
from custodes.image_plots import effects as effect_plots
from custodes.image_plots import matrices, models, mosaics, partners, rankings, training_curves
from custodes.image_plots.data_set_figures import draw_ranking
from custodes.image_plots.representation_figures import draw_representation
from custodes.images import prepared
from custodes.images.factor_grid import FactorGrid
from custodes.images.image_set import ImageSet
from custodes.study import image_figures
from custodes.tables.representations import Representation, write_representation
from custodes.tables.trainings import CLASS

LABELS = {"dataset": "dsprites", "source": "rendered", "model": "beta_vae", "setting": 2, "restart": 1}
LABELS |= {"model_beta": 4.0, "n": 400, "m": 3}
FACTORS = ["shape", "x"]
REFERENCES = ["beta_vae_score", "mig", "irs"]


def crossed(levels=(4, 10), copies=10):
    """Factors (n, 2) in which every combination occurs equally often."""
    return np.array(list(product(*map(range, levels))) * copies, dtype=float)


def codes_of(z):
    """A copy of the first factor, one of the second, disturbed by the first, and one of noise."""
    noise = np.random.default_rng(0).standard_normal(len(z))
    return np.stack([z[:, 0], z[:, 1] + 2 * z[:, 0], noise], axis=1)


@cache
def correspondences():
    z, rng = crossed(), np.random.default_rng(0)
    kinds = ("robustness", "importance", "information")
    return {
        kind: associations.beside_null(getattr(associations, kind), z, codes_of(z), 1, rng) for kind in kinds
    }


def model_table(restarts=5, classes=("beta_vae", "factor_vae"), settings=2):
    """Scores of models: UDR and MIG grow with the setting and the restart, IRS falls."""
    rows = []
    for model, setting, restart in product(classes, range(1, settings + 1), range(1, restarts + 1)):
        labels = LABELS | {"model": model, "setting": setting, "restart": restart}
        name = {"beta_vae": "model_beta", "factor_vae": "model_gamma"}[model]
        labels |= {"model_beta": np.nan, "model_gamma": np.nan, name: 2.0**setting}
        place = (setting + restart / 10) / 4
        for score, value in {
            "beta_vae_score": restart % 3 / 3,
            "mig": place,
            "irs": 1 - place,
        }.items():
            null = 0.35 if score == "irs" else np.nan
            rows.append(labels | {"comparison": None, "score": score, "value": value, "null_mean": null})
        for comparison in rankings.COMPARISONS:
            rows.append(labels | {"comparison": comparison, "score": "udr_lasso", "value": place})
    return pd.DataFrame(rows)


def settings_table(table):
    keys = ["dataset", "source", "model", "setting", "score", "comparison", "model_beta", "model_gamma"]
    found = table.groupby(keys, dropna=False, as_index=False).agg(
        mean=("value", "mean"), null_mean=("null_mean", "mean")
    )
    return found.assign(ci_low=found["mean"] - 0.1, ci_high=found["mean"] + 0.1)


def rankings_table(table):
    parts = []
    for comparison in rankings.COMPARISONS:
        own = table[table["comparison"].isna() | (table["comparison"] == comparison)]
        for by in (CLASS, ("dataset", "source")):
            found = rank_agreement.compare_rankings(
                own, ["udr_lasso"], np.random.default_rng(0), by=by, resamples=100
            )
            parts.append(found.assign(comparison=comparison))
    return pd.concat(parts, ignore_index=True)


def pairs_table(table):
    """UDR_ij = the mean of the scores of both."""
    own = table[(table["score"] == "udr_lasso") & (table["comparison"] == "same setting")]
    both = own.merge(own, on=["dataset", "source", "model", "setting"], suffixes=("", "_partner"))
    both = both[both["restart"] != both["restart_partner"]]
    return both.assign(udr_lasso=(both["value"] + both["value_partner"]) / 2)


def curves_table():
    rows = [
        LABELS
        | {"setting": setting, "model_beta": 4.0 * setting, "restart": restart, "step": step}
        | {"loss": 100.0 / step, "kl_per_latent": [step / 100, 0.0, restart]}
        for setting, restart, step in product((1, 2), (1, 2), (100, 200, 300))
    ]
    return pd.DataFrame(rows)


def pictures(latents=3):
    rng = np.random.default_rng(0)
    return {
        "traversals": rng.integers(0, 256, (latents, 4, 8, 8, 1), dtype=np.uint8),
        "values": np.linspace(-2, 2, 4),
        "reconstructions": rng.integers(0, 256, (2, 6, 8, 8, 1), dtype=np.uint8),
        "kl_per_latent": np.linspace(0.5, 2.5, latents),
    }


def texts(axes):
    return [text.get_text() for text in axes.texts]


def points(axes, marker):
    """Coordinates of all points that are drawn with a marker."""
    return [
        tuple(xy) for line in axes.lines if line.get_marker() == marker for xy in line.get_xydata().tolist()
    ]


def draw_all():
    z = crossed()
    z_hat, table, found = codes_of(z), model_table(), correspondences()
    followed = found["robustness"].matrix.argmax(axis=1)
    agreement = rank_agreement.agreement_by_partners(
        table[table["comparison"].isna()],
        pairs_table(table),
        "udr_lasso",
        REFERENCES,
        20,
        np.random.default_rng(0),
    )
    return {
        "matrices": matrices.irs_matrices(found, np.arange(3), FACTORS, LABELS, leaf=2),
        "interventions": effect_plots.interventions(
            interventional_effects.interventional_effects(z, z_hat, followed), np.arange(3), FACTORS, LABELS
        ),
        "violins": effect_plots.violins(z, z_hat, np.arange(3), FACTORS, LABELS),
        "udr_against_scores": rankings.udr_against_scores(table, rankings_table(table), udr="udr_lasso"),
        "score_profiles": rankings.score_profiles(table, settings_table(table)),
        "effect_of_partners": partners.effect_of_partners(agreement, table, udr="udr_lasso"),
        "mi_against_irs": matrices.mi_against_irs(code_table()),
        "best_and_worst": mosaics.best_and_worst(
            [("best", pictures()), ("worst", pictures(2))], "dSprites (rendered)", ["n = 400 images"]
        ),
        "training_curves": training_curves.training_curves(curves_table()),
    }


def code_table():
    rows = [
        LABELS | {"code": code, "kl": kl, "modularity": modularity, "irs": irs, "irs_null": 0.3}
        for code, (kl, modularity, irs) in enumerate([(2.0, 0.9, 0.8), (0.005, 0.4, 0.3), (np.nan, 0.5, 0.6)])
    ]
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def figures():
    return draw_all()


def test_listed_models_are_registered():
    assert set(style.MODELS) == set(registry.names("models"))


def test_every_figure_names_data_set_source_images_and_seeds(figures):
    for name, figure in figures.items():
        heads = [legend.get_title().get_text() for legend in figure.legends]
        title = " ".join([figure.get_suptitle(), *heads, figure.axes[0].get_title()])
        assert "dSprites (rendered)" in title, name
        note = figure.get_supxlabel()
        assert "n = 400 images" in note or name == "training_curves", name
        assert "restart" in title + note or name == "best_and_worst", name


def test_equal_bytes(figures):
    for name, figure in draw_all().items():
        files = [io.BytesIO(), io.BytesIO()]
        for drawn, file in zip((figure, figures[name]), files, strict=True):
            drawn.savefig(file, format="pdf", metadata={"CreationDate": None, "ModDate": None})
        assert files[0].getvalue() == files[1].getvalue(), name
        assert b"/Type3" not in files[0].getvalue(), name


def test_measures_of_a_copy_and_of_a_disturbed_copy():
    found = correspondences()
    assert found["robustness"].scores[0] == pytest.approx(1)
    assert found["robustness"].null[0] < 0.9
    assert found["information"].scores[0] == pytest.approx(1)
    assert found["information"].matrix[0] == pytest.approx([np.log(4), 0], abs=1e-12)
    # IRS of z_1 + 2 z_0 given z_1: z_0 in 0..3 moves it by 3 of the 7.5 that all do.
    assert found["robustness"].matrix[1, 1] == pytest.approx(1 - 3 / 7.5)
    assert found["importance"].matrix.sum(axis=0) == pytest.approx([1, 1])
    assert found["importance"].matrix[:, 0].argmax() == 0
    assert found["importance"].weights.sum() == pytest.approx(1)


def test_equal_seeds_give_equal_forests():
    z = crossed()
    first, second = (associations.importance(z, codes_of(z), np.random.default_rng(1)) for _ in range(2))
    assert np.array_equal(first.matrix, second.matrix)


def test_a_constant_code_and_a_constant_factor_have_no_weight_and_no_information():
    z = crossed()
    z[:, 1] = 3
    z_hat = np.stack([z[:, 0], np.full(len(z), 0.1)], axis=1)
    rng = np.random.default_rng(0)
    importance = associations.importance(z, z_hat, rng)
    assert importance.matrix[:, 1].tolist() == [0, 0]
    assert importance.weights.tolist() == [1, 0]
    assert associations.information(z, z_hat, rng).scores.tolist() == [1, 0]


@pytest.mark.parametrize(("n", "leaf"), [(100, 1), (4000, 20), (100_000, 500), (737_280, 500)])
def test_leaves_are_those_of_the_paper_for_as_many_rows(n, leaf):
    assert associations.smallest_leaf(n) == leaf


def test_the_most_informative_codes_keep_their_order():
    matrix = np.array([[0.1, 0.0], [0.0, 0.9], [0.3, 0.2], [0.5, 0.1]])
    assert associations.most_informative(matrix, 2).tolist() == [1, 3]


def test_neighbouring_values_are_merged_into_few_levels():
    z = np.column_stack([np.arange(12) % 3, np.arange(12)]).astype(float)
    merged = interventional_effects.in_few_levels(z, most=4)
    assert merged[:, 0].tolist() == z[:, 0].tolist()
    assert merged[:, 1].tolist() == [1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10, 10]


def test_effects_are_means_under_interventions():
    z = crossed()
    table = interventional_effects.interventional_effects(z, codes_of(z), np.array([0, 1, 1]))
    one = table[table["code"] == 1]
    assert set(one["kept"]) == {1}
    both = one[one["shifted"] == 0]
    assert both["expected"].to_numpy() == pytest.approx(both["kept_value"] + 2 * both["shifted_value"])
    alone = one[one["shifted"] == 1]
    assert alone["expected"].to_numpy() == pytest.approx(alone["kept_value"] + 3)
    assert len(both) == 40
    assert len(alone) == 10


def test_matrices_show_numbers_scores_and_what_chance_gives():
    found = correspondences()
    figure = matrices.irs_matrices(
        found, np.array([0, 1]), FACTORS, LABELS, leaf=2, kl=np.array([2.0, 0.001, 1.0])
    )
    axes = figure.axes[0]
    assert texts(axes) == ["1.00", ".00", ".40", ".60"]
    null = f"{found['robustness'].null[0]:.2f}".lstrip("0")
    assert axes.get_yticklabels()[0].get_text() == f"$z_{{0}}$  1.00 ({null})"
    assert [label.get_text() for label in axes.get_xticklabels()] == FACTORS
    framed = np.round([patch.get_center() for patch in axes.patches])
    assert framed.tolist() == [[0, 0], [1, 1]]
    note = figure.get_supxlabel().replace("\n", " ")
    assert "leaves of 2 or more" in note
    assert "KL at most 0.01 nats: $z_{1}$" in note
    assert "the 2 most informative of 3 codes" in note
    assert (
        figure.get_suptitle()
        == "dSprites (rendered): \N{GREEK SMALL LETTER BETA}-VAE, $\\beta = 4$, restart 1"
    )


def test_level_lines_for_a_robust_code_and_a_range_for_one_that_is_not(figures):
    axes = figures["interventions"].axes
    robust, followed = axes[1], axes[3]  # the first code as x is set; the second as x is set
    assert len(robust.lines) == 4
    assert all(np.ptp(line.get_ydata()) == pytest.approx(0) for line in robust.lines)
    assert followed.lines[0].get_ydata() == pytest.approx(np.arange(10) + 3)
    (bars,) = [item for item in followed.collections if isinstance(item, LineCollection)]
    assert [np.ptp(part[:, 1]) for part in bars.get_segments()] == pytest.approx([6] * 10)


def test_a_violin_for_each_value_with_its_median(figures):
    axes = figures["violins"].axes
    assert [len(panel.collections) - 1 for panel in axes[:2]] == [4, 10]
    medians = axes[0].collections[-1].get_segments()
    assert [part[0, 1] for part in medians] == [0, 1, 2, 3]


def test_codes_as_points_hollow_where_they_diverge_little(figures):
    figure = figures["mi_against_irs"]
    (axes,) = figure.axes
    faces = {
        xy: line.get_markerfacecolor()
        for line in axes.lines
        if line.get_marker() == "o"
        for xy in map(tuple, line.get_xydata().tolist())
    }
    assert set(faces) == {(0.9, 0.8), (0.4, 0.3), (0.5, 0.6)}
    assert faces[0.4, 0.3] == "none"
    assert faces[0.5, 0.6] != "none"
    assert "mean IRS of permuted codes: .30" in legend_texts(figure)
    assert "3 codes of 1 model;" in figure.get_supxlabel()


def test_a_dot_for_each_class_and_reference_and_a_point_for_each_model(figures):
    figure = figures["udr_against_scores"]
    above, below = figure.subfigs
    assert len(above.axes) == 2
    names = [label.get_text() for label in above.axes[0].get_xticklabels()]
    assert names == [style.value_label("score", name) for name in REFERENCES]
    own = {marker: points(above.axes[0], marker) for marker in "o^d"}
    assert [len(found) for found in own.values()] == [3, 3, 3]
    assert [y for _, y in own["o"]][1:] == pytest.approx([1, -1])  # MIG and IRS of the table
    assert "10 models a class, 20 in all" in above.axes[0].get_title()
    assert [len(points(axes, "o")) for axes in below.axes] == [10, 10, 10]
    assert [axes.get_title() for axes in below.axes] == names
    levels = [line for line in below.axes[2].lines if line.get_marker() == "None"]
    assert [line.get_ydata()[0] for line in levels] == pytest.approx([0.35])
    assert legend_texts(figure)[:3] == ["\N{GREEK SMALL LETTER BETA}-VAE", "FactorVAE", "all classes"]


def test_undefined_correlations_are_crosses():
    table = model_table(restarts=1)
    figure = rankings.udr_against_scores(table, rankings_table(table), udr="udr_lasso")
    drawn = [len(line.get_xdata()) for line in crosses(figure.subfigs[0].axes[0])]
    assert drawn == [3, 3, 1]  # two models a class are too few; the four have the same beta-VAE score
    assert "undefined" in legend_texts(figure)


def test_profiles_have_means_intervals_and_every_restart(figures):
    figure = figures["score_profiles"]
    grid = np.reshape(figure.axes, (4, 2))
    assert [axes.get_ylabel() for axes in grid[:, 0]] == [
        style.value_label("score", name).replace(" ", "\n") for name in ("udr_lasso", *REFERENCES)
    ]
    assert [axes.get_title() for axes in grid[0]] == ["\N{GREEK SMALL LETTER BETA}-VAE", "FactorVAE"]
    assert np.array(points(grid[0, 0], "o")) == pytest.approx(np.array([(0, 1.3 / 4), (1, 2.3 / 4)]))
    assert len(points(grid[0, 0], ".")) == 10
    (bars,) = [item for item in grid[0, 0].collections if isinstance(item, LineCollection)]
    ends = np.array([part[:, 1] for part in bars.get_segments()])
    assert ends == pytest.approx(np.array([[0.225, 0.425], [0.475, 0.675]]))
    assert [label.get_text() for label in grid[-1, 0].get_xticklabels()] == ["2", "4"]
    assert grid[-1, 1].get_xlabel() == r"$\gamma$"
    assert "5 restarts a setting (seeds 1 to 5)" in figure.get_supxlabel()


def test_a_setting_without_values_is_a_cross():
    table = model_table()
    table.loc[(table["score"] == "mig") & (table["setting"] == 1), "value"] = np.nan
    figure = rankings.score_profiles(table, settings_table(table))
    assert [len(crosses(axes)) for axes in figure.axes] == [0, 0, 0, 0, 1, 1, 0, 0]
    assert "undefined" in legend_texts(figure)


def test_all_partners_give_the_agreement_of_the_scores():
    table = model_table()
    pairs = pairs_table(table)
    scores = table[table["comparison"].isna()]
    found = rank_agreement.agreement_by_partners(
        scores, pairs, "udr_lasso", ["mig"], 20, np.random.default_rng(0)
    ).set_index(["model", "partners"])
    assert list(found.loc["beta_vae"].index) == [1, 2, 3, 4]
    last = found.loc[("beta_vae", 4)]
    assert last["low"] == last["high"] == pytest.approx(last["correlation"])
    own = pairs[pairs["model"] == "beta_vae"].groupby(["setting", "restart"])["udr_lasso"].median()
    mig = scores[(scores["model"] == "beta_vae") & (scores["score"] == "mig")]
    mig = mig.set_index(["setting", "restart"])["value"].loc[own.index]
    assert last["correlation"] == pytest.approx(own.corr(mig, method="spearman"))
    assert found.loc[("beta_vae", 1), "low"] < found.loc[("beta_vae", 1), "high"]


def test_an_agreement_that_is_undefined_says_why_and_is_named():
    table = model_table()
    table.loc[table["score"] == "mig", "value"] = 0.5
    agreement = rank_agreement.agreement_by_partners(
        table[table["comparison"].isna()],
        pairs_table(table),
        "udr_lasso",
        ["mig", "irs"],
        20,
        np.random.default_rng(0),
    )
    assert agreement.loc[agreement["reference"] == "mig", "correlation"].isna().all()
    assert agreement.loc[agreement["reference"] == "mig", "reason"].str.contains("same").all()
    figure = partners.effect_of_partners(agreement, table, udr="udr_lasso")
    assert [len(line.get_xdata()) for line in crosses(figure.axes[0])] == [4]  # MIG, for each P
    assert "undefined" in legend_texts(figure)


def test_a_line_for_each_score_over_the_number_of_partners(figures):
    figure = figures["effect_of_partners"]
    assert [axes.get_title() for axes in figure.axes] == [
        "\N{GREEK SMALL LETTER BETA}-VAE (10 models)",
        "FactorVAE (10 models)",
    ]
    lines = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 4]
    assert [line.get_xdata().round().tolist() for line in lines] == [[1, 2, 3, 4]] * 3
    assert len({line.get_color() for line in lines}) == 3
    assert legend_texts(figure) == [style.value_label("score", name) for name in REFERENCES]


def test_curves_of_loss_and_of_the_divergence_of_each_latent(figures):
    figure = figures["training_curves"]
    loss, kl = figure.axes[0], figure.axes[2]
    assert [line.get_ydata().tolist() for line in loss.lines] == [[1.0, 0.5, 1 / 3]] * 2
    assert len(kl.lines) == 6  # two restarts of three latents
    assert kl.lines[0].get_ydata().tolist() == [1, 2, 3]
    assert loss.get_title().endswith(r"$\beta$ = 4")
    assert loss.get_ylabel() == "loss\n(nats per image)"


def test_traversals_are_ordered_by_divergence(figures):
    decoded, _, best, worst = figures["best_and_worst"].axes
    assert decoded.get_title() == "best"
    rows = [label.get_text() for label in best.get_yticklabels()]
    assert rows == ["$z_{2}$  2.50 nats", "$z_{1}$  1.50 nats", "$z_{0}$  0.50 nats"]
    assert len(worst.get_yticklabels()) == 2
    page = best.images[0].get_array()
    assert np.array_equal(page[:8, :8], pictures()["traversals"][2, 0, :, :, 0])


def test_a_figure_of_two_data_sets_is_refused():
    table = model_table()
    table.loc[table["restart"] == 1, "source"] = "tfds"
    with pytest.raises(ValueError, match="one data set from one source"):
        rankings.score_profiles(table, settings_table(table))


def test_settings_are_written_as_what_differs_between_them():
    table = pd.DataFrame({"setting": [2, 1], "model_lambda_d": [5.0, 1.0], "model_lambda_od": [5.0, 1.0]})
    numbers, written, label = models.settings(table.assign(model_gamma=1000.0))
    assert (numbers, written) == ([1, 2], ["1", "5"])
    assert label == r"$\lambda_{\mathrm{d}}$, $\lambda_{\mathrm{od}}$"
    assert models.settings(table[["setting"]]) == ([1, 2], ["1", "2"], "setting")


def test_a_single_setting_is_written_in_full():
    one = pd.DataFrame({"setting": [3], "model_gamma": [10.0], "model_beta": [np.nan]})
    assert models.settings(one) == ([3], ["10"], r"$\gamma$")
    assert models.settings(one[["setting", "model_beta"]]) == ([3], ["3"], "setting")


def test_a_model_without_hyperparameters_is_named_by_its_setting():
    labels = {"model": "my_encoder", "setting": 1, "restart": 2, "model_beta": None}
    assert models.described(labels) == "my encoder, setting 1, restart 2"


def write_codes(folder, restart, z, kl):
    labels = {key: value for key, value in LABELS.items() if key not in ("n", "m")} | {"restart": restart}
    rows = np.arange(len(z))[::-1].copy()
    path = folder / f"codes{restart}.parquet"
    write_representation(path, Representation(labels, rows, codes_of(z)[rows], kl))
    return path


def write_data_set(folder, z):
    levels = tuple(tuple(np.unique(column).tolist()) for column in z.T)
    images = np.zeros((len(z), 64, 64, 3), np.uint8)
    grid, classes = FactorGrid(tuple(FACTORS), levels), z.astype(int)
    data = ImageSet("dsprites", "rendered", "made up", grid, classes, images, white=255)
    prepared.write(data, np.arange(len(z)), folder)


def test_from_files_to_the_figures_of_one_representation(tmp_path):
    z = crossed(levels=(3, 12), copies=6)
    path_to_codes = write_codes(tmp_path, 1, z, np.array([2.0, 1.0, 0.001]))
    wanted = {name: [tmp_path / f"{name}.pdf"] for name in ("irs_matrices", "interventions", "violins")}
    write_data_set(tmp_path, z)
    draw_representation(tmp_path, path_to_codes, 0.01, 1, 0, wanted)
    assert all(paths[0].stat().st_size for paths in wanted.values())


def test_from_files_to_the_figures_over_models(tmp_path):
    z, table = crossed(), model_table(restarts=3, classes=("beta_vae",))
    read = {
        "models": table,
        "settings": settings_table(table),
        "rankings": rankings_table(table),
        "pairs": pairs_table(table),
    }
    for name, frame in read.items():
        frame.to_parquet(tmp_path / f"{name}.parquet")
    curves_table().to_parquet(tmp_path / "curves.parquet")
    write_data_set(tmp_path, z)
    trained = [("beta_vae", 1, 1), ("beta_vae", 2, 3)]
    for place in range(len(trained)):
        np.savez(tmp_path / f"{place}.npz", **pictures())
    inputs = {kind: [tmp_path / f"{kind}.parquet"] for kind in (*read, "curves")} | {
        "prepared": [tmp_path / name for name in (prepared.IMAGES, prepared.FACTORS, prepared.DESCRIPTION)],
        "codes": [write_codes(tmp_path, restart, z, None) for restart in (1, 2)],
        "pictures": [tmp_path / f"{place}.npz" for place in range(len(trained))],
    }
    for name, kinds in image_figures.RANKINGS.items():
        file = tmp_path / f"{name}.png"
        draw_ranking(name, "dsprites", {kind: inputs[kind] for kind in kinds}, trained, 0.01, 1, 0, [file])
        assert file.stat().st_size


@pytest.fixture
def written(monkeypatch):
    """The texts of all figures that are written."""
    found = []

    def note(figure, _):
        found.extend(" ".join(text.get_text().split()) for text in figure.findobj(Text))

    monkeypatch.setattr(drawing_files, "write", note)
    return found


def test_figures_of_factors_that_are_not_discrete_say_so(tmp_path, written):
    z = np.stack([np.arange(12.0), np.arange(12.0) % 2], axis=1)
    path_to_codes = write_codes(tmp_path, 1, z, None)
    write_data_set(tmp_path, z)
    files = {"prepared": [tmp_path / prepared.IMAGES], "codes": [path_to_codes]}
    draw_representation(tmp_path, path_to_codes, 0.01, 1, 0, {"violins": [], "interventions": []})
    draw_ranking("mi_against_irs", "dsprites", files, [], 0.01, 1, 0, [])
    assert sum("12 values on 12 rows" in text for text in written) == 3


def test_figures_without_two_models_with_udr_say_so(tmp_path, written):
    table = model_table(restarts=3, classes=("beta_vae",))
    table.to_parquet(tmp_path / "models.parquet")
    pairs_table(table).iloc[:0].to_parquet(tmp_path / "pairs.parquet")
    files = {kind: [tmp_path / f"{kind}.parquet"] for kind in ("models", "pairs")} | {"pictures": []}
    for name in ("best_and_worst", "effect_of_partners"):
        draw_ranking(name, "dsprites", files, [], 0.01, 1, 0, [])
    assert "best and worst of 0 models with udr_lasso: at least 2 are needed" in written
    assert "udr: no models of the same setting were compared" in written
