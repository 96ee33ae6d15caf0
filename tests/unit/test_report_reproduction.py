"""The page of the reproduction report: well formed, complete, and in need of no other file."""

import base64
from collections import Counter
from html.parser import HTMLParser

import pandas as pd
import pyarrow as pa
import pytest

from custodes.reproduction import claim_rows, claims, published_means
from custodes.reproduction.report import figure_label, report_reproduction
from custodes.sources import CHECKOUT
from custodes.tables.columns import TABLE
from custodes.tables.files import write_rows

RESOURCES = CHECKOUT / "workflow" / "resources"
TEMPLATE = CHECKOUT / "workflow" / "report" / "reproduction.html.j2"
PUBLISHED = RESOURCES / "published_cell_means.csv"
# One transparent pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
VOID = {"meta", "link", "img", "br", "hr", "input", "wbr"}
PAPER_TABLE = '<table id="table_3"><caption>Table 3</caption><tbody><tr><td>ours</td></tr></tbody></table>'


class Page(HTMLParser):
    """Elements of a page in order, with their text; fails on an element that is not closed in its turn."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", **dict(attrs)}
        assert len(element) == 2 + len(attrs), f"an attribute of {tag} stands twice"
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        assert self.open[-1]["tag"] == tag, f"</{tag}> closes <{self.open[-1]['tag']}>"
        self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, *tags):
        return [element for element in self.elements if element["tag"] in tags]

    def ids(self):
        return [element["id"] for element in self.elements if "id" in element]


def stored_as_tables(folder):
    """The published means as tables of both protocols, so that many claims have numbers."""
    columns = TABLE
    records = claim_rows.as_table(pd.read_csv(PUBLISHED)).to_dict("records")
    rows = [
        {
            key: int(value) if columns[key] == pa.int64() else value
            for key, value in record.items()
            if key in columns and pd.notna(value)
        }
        for record in records
    ]
    paths = {protocol: folder / f"{protocol}.parquet" for protocol in ("published", "corrected")}
    for protocol, path in paths.items():
        write_rows(path, [row | {"protocol": protocol} for row in rows], columns)
    return list(paths.values())


def write_report(folder, **changes):
    """The report of the published means, both protocols, two figures; `changes` replace arguments."""
    folder.mkdir(exist_ok=True)
    picture = folder / "figure.png"
    picture.write_bytes(PNG)
    both = {"published": picture, "corrected": picture}
    paper_table, summary = folder / "table_3.html", folder / "summary.csv"
    paper_table.write_text(PAPER_TABLE, encoding="utf-8")
    verdicts = folder / "verdicts.csv"
    judged = {"protocol": "published", "score": "mcc_spearman", "property": "P1", "verdict": "ok"}
    pd.DataFrame([judged | {"paper": "violated"}]).to_csv(verdicts, index=False)
    numbers = dict.fromkeys(published_means.VERDICTS, 1) | {"median": 0.000123456, "largest": ""}
    compared = {"experiment": "correlation", "score": "r2", "cells": 7, **numbers}
    absent = compared | {"score": "mig", published_means.NOT_HERE: 7}
    pd.DataFrame([compared, absent]).to_csv(summary, index=False)
    arguments = {
        "path_to_claims": RESOURCES / "claims.yaml",
        "paths_to_tables": stored_as_tables(folder),
        "paths_to_verdicts": [verdicts],
        "path_to_published": PUBLISHED,
        "paths_to_summary": [summary],
        "paths_to_paper_tables": [paper_table],
        "figures": [
            {"name": "fig02", "title": 'MCC grows with "rho" < 1.', "paths": both},
            {"name": "null_collapse", "title": "Null.", "paths": {"published and corrected": picture}},
        ],
        "study": {"protocols": list(both), "seeds": 5, "first_seed": 42, "thin": None},
        "path_to_template": TEMPLATE,
        "path_to_csv": folder / "reproduction.csv",
        "path_to_page": folder / "reproduction.html",
    }
    report_reproduction(**(arguments | changes))
    return Page(folder / "reproduction.html"), pd.read_csv(folder / "reproduction.csv", keep_default_na=False)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return write_report(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page(report):
    return report[0]


@pytest.fixture(scope="module")
def claim_ids():
    return [claim["id"] for claim in claims.read(RESOURCES / "claims.yaml")["claims"]]


def test_ids_are_unique_and_every_claim_is_there(page, claim_ids):
    ids = page.ids()
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    assert set(claim_ids) <= set(ids)


def test_every_claim_is_one_row_of_the_csv(report, claim_ids):
    frame = report[1]
    assert frame["id"].tolist() == claim_ids
    assert set(frame["verdict"]) <= set(claims.VERDICTS)
    assert {"published", "corrected", "verdict_published", "note", "figure"} <= set(frame)


def test_every_picture_is_in_the_page_and_described(page):
    images = page.all("img")
    assert len(images) == 3
    for image in images:
        kind, data = image["src"].split(",", 1)
        assert kind == "data:image/png;base64"
        assert base64.b64decode(data, validate=True) == PNG
        assert image["alt"].startswith(("Fig. 2 of", "Null collapse of"))


def test_links_lead_somewhere_and_nothing_is_fetched(page):
    targets = {link["href"] for link in page.all("a")}
    targets.remove("../provenance.json")  # the one link out of the page
    assert targets
    assert all(target.startswith("#") for target in targets)
    assert {target[1:] for target in targets} <= set(page.ids())
    assert page.all("script", "iframe", "object", "source") == []
    assert {link["href"] for link in page.all("link")} == {"data:,"}
    (style,) = page.all("style")
    assert "url(" not in style["text"]
    assert "@import" not in style["text"]


def test_tables_have_captions_and_headers(page):
    assert len(page.all("table")) == len(page.all("caption"))
    assert all("scope" in header for header in page.all("th"))
    (html,) = page.all("html")
    assert html["lang"] == "en-GB"


def test_verdicts_stand_in_words_beside_every_claim(report, claim_ids):
    page, frame = report
    rows = {element["id"]: element["text"] for element in page.all("tbody") if "id" in element}
    for row in frame.itertuples():
        assert row.verdict in rows[row.id]
        assert row.note in rows[row.id]
        assert row.paper in rows[row.id]


def test_missing_scores_are_not_computed_and_no_failure(report):
    row = report[1].set_index("id").loc["null_rdc_does_not_vanish"]
    assert row["verdict"] == "not computed"
    assert "not computed (no experiment = null_convergence)" in row["published"]


def test_verdicts_on_the_properties_are_compared(report):
    row = report[1].set_index("id").loc["verdicts_of_table_3"]
    assert "MCC-S: 0.000" in row["published"]
    assert row["verdict_published"] == "differs"
    assert row["verdict_corrected"] == "not computed"


def test_counts_and_lists_agree_with_the_rows(report):
    page, frame = report
    counted = {"".join(element["text"].split()) for element in page.all("tr")}
    columns = ("verdict", "verdict_published", "verdict_corrected")
    for verdict in claims.VERDICTS:
        counts = [(frame[column] == verdict).sum() for column in columns]
        assert f"{verdict}{''.join(map(str, counts))}".replace(" ", "") in counted
    headings = [" ".join(element["text"].split()) for element in page.all("h3", "h4")]
    differ = frame[frame["verdict"] == "differs"]
    commented = (differ["note"] != "") | (differ["explanation"] != "")
    assert f"Claims that differ ({len(differ)})" in headings
    assert f"Nothing here says why ({(~commented).sum()})" in headings
    assert f"Their rows have a note or an explanation ({commented.sum()})" in headings


def test_the_comparison_shows_what_was_compared(page):
    (section,) = [element for element in page.all("section") if element.get("id") == "stored"]
    assert "0.00012" in section["text"]
    assert "mig" not in section["text"]


def test_figures_that_were_not_drawn_are_said_to_be(page):
    assert "Fig. 28 (not drawn)" in " ".join(page.all("main")[0]["text"].split())


def test_a_thinned_study_of_one_protocol_says_so(tmp_path):
    study = {"protocols": ["corrected"], "seeds": 2, "first_seed": 0, "thin": {"points": 3}}
    page, frame = write_report(
        tmp_path / "quick",
        study=study,
        figures=[],
        paths_to_summary=[],
        paths_to_paper_tables=[],
        paths_to_verdicts=[],
    )
    assert "published" not in frame
    assert "This page is a preview" in page.all("main")[0]["text"]
    assert not {"stored", "tables"} & set(page.ids())
    assert page.all("img") == []


@pytest.mark.parametrize(
    ("name", "label"), [("fig02", "Fig. 2"), ("fig37", "Fig. 37"), ("null_collapse", "Null collapse")]
)
def test_labels_of_figures(name, label):
    assert figure_label(name) == label
