"""The paper's tables of the tiny study, rules that are refused, and a metric of one's own."""

import pandas as pd
import pytest
from test_refusals import edit, refusal

RULE = "config/verdicts.yaml"
SCORES = ["mcc_pearson", "r2", "mcc_pearson_coverage", "mcc_pearson_crossfit"]


def verdicts(study, protocol):
    table = pd.read_csv(study.path / f"results/{protocol}/tables/verdicts.csv", keep_default_na=False)
    return table.set_index(["score", "property"])


@pytest.mark.parametrize("protocol", ["published", "corrected"])
def test_every_score_is_judged_by_every_property(finished, protocol):
    table = verdicts(finished, protocol)
    assert list(table.index) == [(score, name) for score in SCORES for name in ("P1", "P2")]
    assert table.loc[("r2", "P1"), "verdict"] == "ok"
    assert table.loc[("r2", "P1"), "figure"] == "correlated"
    assert set(table["verdict"]) <= {"ok", "partly", "violated", "undecided"}


def test_the_three_tables_are_written(finished):
    for number in (1, 2, 3):
        path = finished.path / f"results/tables/table_{number}"
        assert len(pd.read_csv(path.with_suffix(".csv"))) > 0
        assert f'id="table_{number}"' in path.with_suffix(".html").read_text(encoding="utf-8")
    third = pd.read_csv(finished.path / "results/tables/table_3.csv")
    assert third["score"].tolist() == SCORES


def test_a_metric_of_ones_own_gets_its_rows_without_any_edit(rerunnable):
    source = (rerunnable.path / "scripts/custodes/metrics/r2.py").read_text()
    (rerunnable.path / "scripts/custodes/metrics/own_r2.py").write_text(source.replace('"r2":', '"own_r2":'))
    rerunnable.snakemake(
        "--cores", "2", "--config", "metrics=[mcc_pearson,r2,own_r2]", "--", "table_3", "table_2"
    )
    for protocol in ("published", "corrected"):
        table = verdicts(rerunnable, protocol)
        assert table.loc["own_r2"].index.tolist() == ["P1", "P2"]
        same = ["statistic", "verdict", "cells"]
        assert table.loc[("own_r2", "P1"), same].tolist() == table.loc[("r2", "P1"), same].tolist()
        assert (table.loc["own_r2", "paper"] == "").all()
    assert "own_r2" in pd.read_csv(rerunnable.path / "results/tables/table_3.csv")["score"].tolist()
    assert "own_r2" in pd.read_csv(rerunnable.path / "results/tables/table_2.csv")["metric"].tolist()


def test_a_changed_threshold_judges_again_and_computes_nothing(rerunnable):
    edit(rerunnable, RULE, "ok: 0.05", "ok: 0.04")
    planned = rerunnable.planned("table_3")
    assert planned == {
        "Judge all scores by the properties (published)",
        "Judge all scores by the properties (corrected)",
        "Write Table 3, verdicts",
    }


def test_a_study_without_a_judged_experiment_has_no_verdicts(fresh):
    edit(fresh, RULE, "{experiment: sizes, where: {n: 100}}", "{experiment: correlation}")
    planned = fresh.planned("--config", "experiments=[sizes]")
    assert {message for message in planned if message.startswith("Write")} == {
        "Write Table 1, symbols and ranges",
        "Write Table 2, metrics",
    }
    printed = fresh.snakemake("--dry-run", "--config", "experiments=[sizes]", "--", "table_3", check=False)
    assert "no experiment of config/verdicts.yaml is in this study" in printed


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ok: 0.05", "ok: 0.25", "thresholds: ok (0.25) must be below partly (0.25)"),
        ("ok: 0.05", "okay: 0.05", "thresholds: unknown key 'okay'; known: ok, partly"),
        ("P1:", "Q1:", "properties: unknown key 'Q1'; known: P<number>"),
        ("statistic: range", "statistic: spread", "properties.P1.statistic: 'spread' is not one of"),
        (
            "options: {over: dgp_rho}",
            "options: {}",
            "P1.options: statistic range: missing a required argument",
        ),
        (
            "options: {over: dgp_rho}",
            "options: {over: rho}",
            "config/verdicts.yaml: properties.P1.options.over: unknown column 'rho'; known: dgp, d, ",
        ),
        ("options: {over: dgp_rho}", "options: {under: dgp_rho}", "P1.options: unknown key 'under'"),
        (
            "statistic: share",
            "statistic: change\n    options: {matched: {overcomplete_linear: E1}}",
            "properties.P2.options.matched: unknown encoder 'E1'; known: constant, ",
        ),
        (
            "experiment: sizes",
            "experiment: size",
            "cells[0].experiment: unknown experiment 'size'; known: correlation, sizes",
        ),
        (
            "where: {n: 100}",
            "where: {nn: 100}",
            "properties.P2.cells[0].where: unknown column 'nn'; known: dgp, d, ",
        ),
        ("where: {n: 100}", "where: {n: null}", "properties.P2.cells[0].where.n: None is not"),
        (
            "parts: dgp",
            "parts: distribution",
            "properties.P2.parts: unknown column 'distribution'; known: dgp, ",
        ),
        ("coverage: 0.95", "coverage: 95", "margin.coverage: 95 is greater than"),
    ],
)
def test_rules_that_cannot_be_are_refused(fresh, monkeypatch, old, new, message):
    edit(fresh, RULE, old, new)
    assert message in refusal(fresh, monkeypatch)
