"""From files of scores to the table of verdicts, and to the paper's three tables."""

from html.parser import HTMLParser

import pandas as pd
import pytest

from custodes import registry
from custodes.judging import wording
from custodes.judging.judgements import judge_properties
from custodes.reproduction.table_of_metrics import tabulate_metrics
from custodes.reproduction.table_of_verdicts import tabulate_verdicts
from custodes.sources import CHECKOUT
from custodes.study import ranges
from custodes.study.yaml_files import read_yaml
from custodes.tables.columns import LABELS, OK, SCORES, SEED, without_value
from custodes.tables.files import write_rows
from scripts.reproduction.tabulate_symbols import tabulate_symbols

TEMPLATE = CHECKOUT / "workflow" / "report" / "table.html.j2"
PAPER = CHECKOUT / "workflow" / "resources" / "paper_tables.yaml"
RULE = {
    "margin": {"coverage": 0.95},
    "properties": {
        "P1": {
            "title": "The score does not depend on rho.",
            "statistic": "range",
            "options": {"over": "dgp_rho"},
            "cells": [{"experiment": "sweep", "where": {"d": 5}}],
            "parts": "encoder",
            "thresholds": {"ok": 0.05, "partly": 0.25},
        },
        "P2": {
            "title": "No experiment of this study has it.",
            "statistic": "share",
            "options": {},
            "cells": [{"experiment": "elsewhere", "where": {}}],
            "parts": "dgp",
            "thresholds": {"ok": 0.05, "partly": 0.25},
        },
        "P3": {
            "title": "More codes change nothing.",
            "statistic": "change",
            "options": {"matched": {"overcomplete_linear": "elementwise_linear"}},
            "cells": [
                {"experiment": "sweep", "where": {"dgp_rho": 0.0}},
                {"experiment": "wide", "where": {}},
            ],
            "parts": "encoder",
            "thresholds": {"ok": 0.2, "partly": 0.5},
        },
    },
}
FIGURES = {
    "fig_other": {"property": 1, "placement": "main", "tables": ["wide"]},
    "fig_full": {"property": 1, "placement": "appendix", "tables": ["sweep"], "options": {"scores": "full"}},
    "fig_d": {"property": 1, "placement": "main", "tables": ["sweep"], "options": {"where": {"d": 9}}},
    "fig_main": {"property": 1, "placement": "main", "tables": ["sweep"], "options": {"where": {"d": 5}}},
    "fig_panels": {"property": 3, "placement": "main", "tables": ["wide"], "options": {"panels": []}},
}
CELL = {"dgp": "correlated", "d": 5, "d_eff": 5, "n": 1000, "encoder": "elementwise_linear", "m": 5}
# In the order of metrics; the tables have that of figures.
JUDGED = {"r2": "r2"} | {f"mcc_pearson{suffix}": "mcc_pearson" for suffix in ("", "_coverage", "_crossfit")}
# Score -> its values at rho = 0, at rho = 0.9, and with ten codes; the seeds add 0, 0.01 and 0.02.
MADE_UP = {"mcc_pearson": (0.4, 0.8, 0.3), "mcc_pearson_coverage": (0.5, 0.5, None), "r2": (0.6, 0.6, 0.9)}


def write(folder, experiment, metric, cell, index):
    rows = [
        CELL
        | cell
        | {"seed": seed, "metric": metric, "score": score, "null_permutations": 0}
        | (
            without_value("too few rows")
            if values[index] is None
            else {"status": OK, "value": values[index] + 0.01 * seed}
        )
        for score, values in MADE_UP.items()
        if score.startswith(metric)
        for seed in range(3)
    ]
    path = folder / experiment / f"block_{len(cell)}_{cell['dgp_rho']}" / f"{metric}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_rows(path, rows, LABELS | SEED | SCORES)
    return path


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The tables of verdicts of two protocols that differ in name only: protocol -> path."""
    folder = tmp_path_factory.mktemp("judged")
    paths = [
        write(folder, experiment, metric, cell, index)
        for metric in ("r2", "mcc_pearson")
        for experiment, cell, index in (
            ("sweep", {"dgp_rho": 0.0}, 0),
            ("sweep", {"dgp_rho": 0.9}, 1),
            ("sweep", {"dgp_rho": 0.9, "d": 9, "d_eff": 9, "m": 9}, 0),
            ("wide", {"dgp_rho": 0.0, "encoder": "overcomplete_linear", "m": 10}, 2),
        )
    ]
    found = {protocol: folder / f"{protocol}.csv" for protocol in ("published", "corrected")}
    for protocol, path in found.items():
        judge_properties(paths, protocol, JUDGED, RULE, FIGURES, read_yaml(PAPER)["verdicts"], path)
    return found


@pytest.fixture(scope="module")
def rows(judged):
    table = pd.read_csv(judged["corrected"], keep_default_na=False)
    return table.set_index(["score", "property"])


def test_one_row_for_each_score_with_best_value_one_and_property_in_the_order_of_figures(rows):
    scores = ["mcc_pearson", "r2", "mcc_pearson_coverage", "mcc_pearson_crossfit"]
    assert list(rows.index) == [(score, name) for score in scores for name in ("P1", "P2", "P3")]


def test_statistic_margin_and_verdict(rows):
    row = rows.loc["mcc_pearson", "P1"]
    assert [float(row[key]) for key in ("statistic", "ci_low", "ci_high")] == pytest.approx([0.4] * 3)
    assert row["verdict"] == "violated"
    assert rows.loc[("r2", "P1"), "verdict"] == "ok"
    assert rows.loc[("r2", "P3"), "verdict"] == "partly"


def test_the_worst_case_is_told_in_words(rows):
    where = "E1 on correlated factors (d = 5, m = 5, n = 1000)"
    assert rows.loc[("mcc_pearson", "P1"), "worst_case"] == (
        f"MCC-P is 0.81 at rho = 0.9 and 0.41 at rho = 0 under {where}"
    )
    assert rows.loc[("r2", "P3"), "worst_case"] == (
        "R² is 0.91 under E5 on correlated factors (d = 5, m = 10, n = 1000, rho = 0) "
        "and 0.61 under its like E1 (m = 5)"
    )
    assert rows.loc[("r2", "P3"), "parts"] == "E5 0.30"


def test_a_score_without_a_value_in_the_cells_is_not_judged(rows):
    row = rows.loc["mcc_pearson_coverage", "P3"]
    assert (row["verdict"], row["statistic"], row["undefined"]) == ("not judged", "", 1)
    assert rows.loc[("r2", "P2"), "explanation"] == (
        "The paper says partly; not judged here, because none of the cells is in this study."
    )


def test_a_figure_is_cited_only_if_it_draws_the_score_of_the_cell(rows):
    assert rows.loc[("mcc_pearson", "P1"), "figure"] == "fig_main"
    assert rows.loc[("mcc_pearson_coverage", "P1"), "figure"] == ""
    assert (rows.xs("P3", level="property")["figure"] == "").all()


def test_disagreements_with_the_paper_are_explained_and_nothing_else(rows):
    assert rows.loc[("mcc_pearson", "P1"), "explanation"] == ""
    assert rows.loc[("mcc_pearson_coverage", "P1"), "explanation"] == ""
    sentence = rows.loc[("r2", "P3"), "explanation"]
    assert sentence == (
        "The paper says violated; here R² is 0.91 under E5 on correlated factors (d = 5, m = 10, n = 1000, "
        "rho = 0) and 0.61 under its like E1 (m = 5), a difference of 0.30 (0.30 to 0.30 over the seeds), "
        "shown to exceed the 0.2 of ok but not the 0.5 of partly."
    )


def test_an_explanation_cites_the_figure_the_parts_and_what_is_undefined():
    row = {
        "paper": "ok",
        "verdict": "violated",
        "worst_case": "DCI-D is 0.74",
        "figure": "fig18",
        "statistic": 0.74,
        "ci_low": None,
        "ci_high": None,
        "ok": 0.05,
        "partly": 0.25,
        "parts": "E1 0.74, E3 0.10",
        "cells": 70,
        "undefined": 20,
    }
    assert wording.explanation(row, "encoder") == (
        "The paper says ok; here DCI-D is 0.74 (fig18), a difference of 0.74, shown to exceed the 0.25 of "
        "partly; by encoder: E1 0.74, E3 0.10; undefined in 20 of 70 cells."
    )


def test_an_explanation_says_what_the_seeds_leave_undecided():
    row = {
        "paper": "ok",
        "verdict": "undecided",
        "worst_case": "DCI-D is 0.98",
        "figure": "",
        "statistic": 0.98,
        "ci_low": 0.0,
        "ci_high": 1.2,
        "ok": 0.05,
        "partly": 0.25,
        "parts": "E1 0.98",
        "cells": 70,
        "undefined": 0,
    }
    assert wording.explanation(row, "encoder") == (
        "The paper says ok; here DCI-D is 0.98, a difference of 0.98 (0.00 to 1.20 over the seeds), "
        "not set apart by these seeds from the 0.05 of ok or the 0.25 of partly."
    )
    assert wording.with_margin(row | {"ci_high": None}) == "0.98 (at least 0.00 over the seeds)"
    assert wording.with_margin(row | {"ci_low": None, "ci_high": None}) == "0.98"


class Tags(HTMLParser):
    """The texts of the cells of a table, by kind, and of its list entries; checks that tags are closed."""

    def __init__(self, path):
        super().__init__()
        self.open, self.found, self.ids = [], {}, []
        self.feed(path.read_text(encoding="utf-8"))
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append((tag, dict(attributes)))
        self.found.setdefault(tag, []).append("")
        self.ids += [value for key, value in attributes if key == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if not any(attributes.get("aria-hidden") == "true" for _, attributes in self.open):
            for tag, _ in self.open:
                self.found[tag][-1] += data.strip()


def test_table_3_has_words_where_signs_are_hidden_from_screen_readers(judged, tmp_path):
    tabulate_verdicts(judged, RULE, TEMPLATE, tmp_path / "t.csv", tmp_path / "t.html")
    wide = pd.read_csv(tmp_path / "t.csv", keep_default_na=False)
    assert list(wide)[:4] == ["score", "P1 paper", "P1 published", "P1 published statistic"]
    assert list(wide)[4:7] == [f"P1 published {column}" for column in ("ci_low", "ci_high", "worst_case")]
    assert wide.loc[wide["score"] == "r2", "P3 corrected"].item() == "partly"
    assert wide.loc[wide["score"] == "mcc_pearson_coverage", "P1 paper"].item() == "none"
    tags = Tags(tmp_path / "t.html")
    assert tags.ids == ["table_3"]
    assert tags.found["tr"][2] == (
        "MCC-Pviolatedviolated0.40 (0.40 to 0.40)violated0.40 (0.40 to 0.40)violatednot judgednot judged"
        "violatedok0.10 (0.10 to 0.10)ok0.10 (0.10 to 0.10)"
    )
    assert "✗" not in "".join(tags.found["td"])
    text = (tmp_path / "t.html").read_text(encoding="ascii")
    assert '<span aria-hidden="true">&#10007;</span>&nbsp;violated' in text
    assert text.count("R&#178;, P3, corrected: The paper says violated") == 1
    worst = "R&#178; is 0.91 under E5 on correlated factors (d = 5, m = 10, n = 1000, rho = 0)"
    assert text.count(f'<td class="partly" title="{worst}') == 2
    assert text.count(f"<li>R&#178;, P3, corrected: partly; {worst}") == 1


def test_what_is_undecided_is_said_to_be_with_its_margin(judged, tmp_path):
    table = pd.read_csv(judged["corrected"], keep_default_na=False, dtype=str)
    table.loc[0, ["verdict", "ci_low", "ci_high"]] = ["undecided", "0.000000", "0.950000"]
    table.to_csv(tmp_path / "v.csv", index=False)
    tabulate_verdicts(
        {"corrected": tmp_path / "v.csv"}, RULE, TEMPLATE, tmp_path / "t.csv", tmp_path / "t.html"
    )
    wide = pd.read_csv(tmp_path / "t.csv", dtype=str).iloc[0]
    assert wide["P1 corrected"] == "undecided"
    assert wide[["P1 corrected ci_low", "P1 corrected ci_high"]].tolist() == ["0.000000", "0.950000"]
    text = (tmp_path / "t.html").read_text(encoding="ascii")
    assert '<span aria-hidden="true">?</span>&nbsp;undecided <small>0.40 (0.00 to 0.95)</small>' in text


def test_table_2_is_what_the_modules_say(tmp_path):
    names = registry.names("metrics")
    tabulate_metrics(names, TEMPLATE, tmp_path / "t.csv", tmp_path / "t.html")
    table = pd.read_csv(tmp_path / "t.csv").set_index("metric")
    assert list(table.index) == list(names)
    assert table.loc["r2", "scores and ranges"] == "r2 0 to 1"
    assert "code mixing" in table.loc["r2", "invariant to"]
    assert (table["description"].str.len() > 20).all()
    assert len(Tags(tmp_path / "t.html").found["tr"]) == 1 + len(names)


def test_table_1_has_the_ranges_of_the_feasible_cells(tmp_path):
    cells = [
        {"n": 50, "m": 5, "d": 5, "dgp_rho": 0.9},
        {"n": 1000, "m": 50, "d": 5},
        {"n": 5, "m": 5, "d": 5, "dgp_rho": -0.9, "infeasible": "rho = -0.9"},
    ]
    found = ranges.ranges(cells, ["n", "m_over_d", "m_over_n", "dgp_rho", "encoder_alpha"])
    assert found == {"n": (50, 1000), "m_over_d": (1, 10), "m_over_n": (0.05, 0.1), "dgp_rho": (0.9, 0.9)}
    tabulate_symbols(PAPER, TEMPLATE, {"corrected": found}, tmp_path / "t.csv", tmp_path / "t.html")
    table = pd.read_csv(tmp_path / "t.csv").set_index("symbol")
    assert table.loc["n"].tolist() == ["independent samples", "50 to 10000", "50 to 1000"]
    assert table.loc["\N{GREEK SMALL LETTER ALPHA}", "corrected"] == "not swept"
    assert table.loc["m/d"].tolist()[1:] == ["not given", "1 to 10"]
    assert Tags(tmp_path / "t.html").ids == ["table_1"]
