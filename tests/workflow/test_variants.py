"""Variants of metrics, and experiments that judge their own cells or are of one protocol."""

import numpy as np
import pandas as pd
import pytest
from conftest import read_from
from test_refusals import CORRELATION, SIZES, edit, refusal

from custodes import registry, streams
from custodes.metrics import mcc_pearson, r2
from custodes.study import study
from custodes.tables.columns import factor_key
from custodes.tables.draws import factors_by_label, read_draws

# Under the corrected protocol the first has the parameters of r2 itself, under the published one the last.
VARIANTS = """variants:
  r2_centred: {metric: r2, parameters: {intercept: true, standardise: true}}
  mcc_covered: {metric: mcc_pearson, score: mcc_pearson_coverage, parameters: {min_rows: 3}}
  r2_plain: {metric: r2, parameters: {intercept: false, standardise: false}}
properties:
  P1: [{encoder: undercomplete}, {encoder: linearly_entangled, dgp_rho: [0.0, 0.9]}]
grids:"""
NAMES = ["r2_centred", "mcc_covered", "r2_plain"]
FIGURE = """figures:
  judged: {kind: verdicts, title: Verdicts, placement: extra}
"""
TABLES = ("results/corrected/tables/correlation.parquet", "results/published/tables/correlation.parquet")
VERDICTS = "results/corrected/tables/correlation_verdicts.csv"


@pytest.fixture(scope="module")
def varied(tmp_path_factory):
    """The tiny study with variants, run as far as their tables, verdicts and figure."""
    from conftest import copied

    copy = copied(tmp_path_factory.mktemp("varied") / "study")
    edit(copy, CORRELATION, "grids:", VARIANTS)
    edit(copy, CORRELATION, "figures:\n", FIGURE)
    edit(copy, CORRELATION, "elementwise_linear,", "undercomplete,")  # whose R2 is not 1
    copy.snakemake("--cores", "2", "--", *TABLES, VERDICTS, "results/corrected/figures/judged.png")
    return copy


def scores(copy, protocol, name):
    path = copy.path / f"results/{protocol}/scores/correlation/correlated/{name}.parquet"
    return pd.read_parquet(path).set_index(["encoder", "dgp_rho", "seed", "score"])


def test_a_variant_is_the_score_of_its_metric_under_its_parameters(varied):
    folder = varied.path / "results/corrected"
    factors = factors_by_label(folder / "factors/correlation/correlated.parquet")
    labels, codes = read_draws(folder / "codes/correlation/correlated/undercomplete.parquet", "z_hat")
    plain, covered = (scores(varied, "corrected", name) for name in ("r2_plain", "mcc_covered"))
    for label, z_hat in zip(labels, codes, strict=True):
        z, rng = factors[factor_key(label, label["seed"])], streams.metric(label["seed"])
        place = ("undercomplete", label["dgp_rho"], label["seed"])
        expected = r2.score(z, z_hat, rng, intercept=False, standardise=False)["r2"]
        assert plain.loc[(*place, "r2_plain"), "value"] == expected
        expected = mcc_pearson.score(z, z_hat, rng)["mcc_pearson_coverage"]
        assert covered.loc[(*place, "mcc_covered"), "value"] == expected


@pytest.mark.parametrize(
    ("protocol", "same", "other"),
    [("corrected", "r2_centred", "r2_plain"), ("published", "r2_plain", "r2_centred")],
)
def test_parameters_of_a_variant_override_those_of_the_protocol(varied, protocol, same, other):
    values = {name: scores(varied, protocol, name)["value"].to_numpy() for name in ("r2", same, other)}
    np.testing.assert_array_equal(values[same], values["r2"])
    assert not np.array_equal(values[other], values["r2"])


def test_a_variant_keeps_the_parameters_of_the_protocol_that_it_does_not_name(fresh, monkeypatch):
    edit(
        fresh,
        CORRELATION,
        "grids:",
        VARIANTS.replace("intercept: true, standardise: true", "intercept: true"),
    )
    read_from(fresh, monkeypatch)
    given = study.load({}).parameters
    assert given("published", "correlation", "r2_centred") == {"intercept": True, "standardise": False}
    assert given("corrected", "correlation", "r2_centred") == {"intercept": True}
    assert given("published", "correlation", "r2") == {"intercept": False, "standardise": False}


def test_rows_have_the_name_of_the_variant_after_those_of_the_metrics(varied):
    table = pd.read_parquet(varied.path / TABLES[0])
    own = [score for name in ("mcc_pearson", "r2") for score in registry.load("metrics", name).METRIC.scores]
    assert list(dict.fromkeys(table["score"])) == [*own, *NAMES]
    of_variants = table[table["score"].isin(NAMES)]
    assert (of_variants["metric"] == of_variants["score"]).all()
    assert (of_variants["null_permutations"] == 0).all()


def test_variants_are_judged_by_the_cells_of_their_experiment(varied):
    verdicts = pd.read_csv(varied.path / VERDICTS).set_index(["score", "property"])
    assert [score for score, _ in verdicts.index][-3:] == NAMES
    assert set(verdicts.index.get_level_values("property")) == {"P1"}
    columns = ["statistic", "verdict", "cells"]
    assert (
        verdicts.loc[("r2_centred", "P1"), columns].tolist() == verdicts.loc[("r2", "P1"), columns].tolist()
    )
    assert (verdicts["cells"] == 4).all()  # rho = -0.9 is infeasible


def test_other_scores_are_as_without_variants(varied, finished):
    for path in TABLES:
        with_variants, without = (
            pd.read_parquet(copy.path / path).query("encoder == 'linearly_entangled'")
            for copy in (varied, finished)
        )
        metrics = with_variants[~with_variants["score"].isin(NAMES)]
        pd.testing.assert_frame_equal(metrics.reset_index(drop=True), without.reset_index(drop=True))


def test_a_new_variant_runs_its_own_jobs_alone(rerunnable):
    edit(rerunnable, CORRELATION, "grids:", VARIANTS.replace("properties:", "#").replace("  P1:", "#"))
    planned = rerunnable.planned("--", *TABLES)
    assert planned == {
        *(
            f"Score correlation, correlated with {name} ({protocol})"
            for name in NAMES
            for protocol in ("corrected", "published")
        ),
        *(f"Aggregate the scores of correlation ({protocol})" for protocol in ("corrected", "published")),
    }


def test_variants_of_metrics_that_are_not_chosen_are_left_out(fresh, monkeypatch):
    edit(fresh, CORRELATION, "grids:", VARIANTS)
    read_from(fresh, monkeypatch)
    chosen = study.load({"metrics": ["r2"]})
    assert list(chosen.scorers("correlation")) == ["r2", "r2_centred", "r2_plain"]
    assert list(chosen.scorers("sizes")) == ["r2"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "metric: r2,",
            "metric: r3,",
            "correlation.yaml: variants.r2_centred.metric: unknown metric 'r3'; known: ",
        ),
        ("metric: r2,", "metric: irs,", "variants.r2_centred.metric: metric 'irs' needs a factor grid"),
        ("r2_centred:", "mig:", "correlation.yaml: variants.mig: there is a metric or a score of this name"),
        ("r2_centred:", "infom:", "variants.infom: there is a metric or a score of this name"),
        ("intercept: true", "offset: true", "variants.r2_centred: metrics.r2 has no parameter 'offset'; its"),
        (
            "mcc_pearson_coverage",
            "coverage",
            "variants.mcc_covered.score: unknown score of mcc_pearson 'coverage'",
        ),
        ("metric: r2, parameters", "metric: r2, parameter", "variants.r2_centred: unknown key 'parameter'"),
        (
            "P1:",
            "P3:",
            "properties: unknown property of config/verdicts.yaml 'P3'; known: P1, P2",
        ),
        (
            "[{encoder:",
            "[{encodr:",
            "correlation.yaml: properties.P1[0]: unknown column 'encodr'; known: dgp, d, ",
        ),
    ],
)
def test_variants_and_properties_that_cannot_be_are_refused(fresh, monkeypatch, old, new, message):
    edit(fresh, CORRELATION, "grids:", VARIANTS)
    edit(fresh, CORRELATION, old, new)
    assert message in refusal(fresh, monkeypatch)


def test_a_figure_of_verdicts_needs_an_experiment_that_is_judged(fresh, monkeypatch):
    edit(fresh, CORRELATION, "figures:\n", FIGURE)
    assert "figures.judged: a figure of kind verdicts needs experiments with properties" in refusal(
        fresh, monkeypatch
    )


def test_an_experiment_of_one_protocol_is_run_under_this_one(fresh):
    edit(fresh, SIZES, "    d: 3\n", "    d: 3\n    protocols: [published]\n")
    edit(fresh, "config/verdicts.yaml", "{experiment: sizes, where: {n: 100}}", "{experiment: sizes}")
    planned = fresh.planned()
    assert "Aggregate the scores of sizes (published)" in planned
    assert "Draw sizes (published)" in planned
    assert "Draw sizes_by_protocol (several protocols)" in planned
    assert not [message for message in planned if "sizes" in message and "(corrected)" in message]
    assert "Judge all scores by the properties (corrected)" in planned
    fresh.snakemake("--cores", "2", "--", "results/corrected/tables/verdicts.csv")
    verdicts = pd.read_csv(fresh.path / "results/corrected/tables/verdicts.csv").set_index("property")
    assert set(verdicts.loc["P2", "verdict"]) == {"not judged"}


def test_an_experiment_of_no_chosen_protocol_is_left_out_or_refused_by_name(fresh, monkeypatch):
    edit(fresh, SIZES, "    d: 3\n", "    d: 3\n    protocols: [published]\n")
    read_from(fresh, monkeypatch)
    chosen = study.load({"protocols": ["corrected"]})
    assert list(chosen.experiments) == ["correlation"]
    assert "sizes" not in chosen.figures
    message = "config/experiments/sizes.yaml: no grid is for corrected"
    assert message in refusal(fresh, monkeypatch, protocols=["corrected"], experiments=["sizes"])
