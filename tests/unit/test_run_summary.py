"""The summary of a run: which jobs failed, which rules were slow, which cells have no value and why."""

import csv

import pytest

from custodes.errors import DamagedFile
from custodes.run import summary
from custodes.run.events import Started
from custodes.tables.columns import OK, STATISTICS, STUDY, without_value
from custodes.tables.files import write_rows
from custodes.tables.image_scores import REPRESENTATION_SCORES

COLUMNS = STUDY | STATISTICS


def job(rule, outputs=(), benchmark=None):
    return Started(rule, "", {}, tuple(outputs), benchmark and str(benchmark), 0.0)


def benchmark(path, seconds):
    path.write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:01\t80\n")
    return path


def cell(score, reason=None, experiment="sizes"):
    outcome = {"status": OK} if reason is None else without_value(reason)
    return {"protocol": "corrected", "experiment": experiment, "score": score} | outcome


def test_durations_are_those_of_the_benchmarks(tmp_path):
    jobs = [
        job("score", benchmark=benchmark(tmp_path / "one", 1.5)),
        job("score", benchmark=benchmark(tmp_path / "two", 2.5)),
        job("draw", benchmark=tmp_path / "not there"),
        job("all"),
    ]
    assert summary.durations(jobs) == {"score": [1.5, 2.5]}


def test_the_slowest_rules_in_sum_come_first():
    seconds = {"short": [1.0], "many": [40.0, 50.0], "one": [80.0]}
    assert summary.slowest(seconds, most=2) == [
        "Slowest rules:",
        "  many: 1 min 30 s in 2 jobs, the longest 50 s",
        "  one: 1 min 20 s in 1 jobs, the longest 1 min 20 s",
    ]


def test_a_run_without_jobs_has_no_slowest_rules():
    assert summary.slowest({}) == []


def test_failed_jobs_are_named_by_what_they_were_to_make():
    jobs = [job("score", ["b.parquet"]), job("draw", ["a.pdf", "a.png"]), job("score", ["c.parquet"])]
    assert summary.failed(jobs, most=2) == [
        "Failed jobs, 3:",
        "  draw: a.pdf, a.png",
        "  score: b.parquet",
        "  and 1 further jobs",
    ]
    assert summary.failed([]) == []


def test_tables_and_figures_are_counted_by_folder():
    jobs = [
        job("draw", ["results/figures/a.pdf", "results/figures/a.png"]),
        job("draw", ["results/figures/b.pdf", "results/figures/b.png"]),
        job("aggregate", ["results/tables/a.parquet"]),
        job("score", ["results/scores/a.parquet"]),
    ]
    assert summary.made(jobs) == "Done: made 2 figures in results/figures, 1 table in results/tables"
    assert summary.made(jobs[-1:]) == "Done: made what was asked for"


def test_cells_without_a_value_are_counted_by_score_and_reason(tmp_path):
    rows = [cell("r2"), cell("r2", "no rows"), cell("r2", "no rows"), cell("mig", "constant")]
    write_rows(tmp_path / "sizes.parquet", rows, COLUMNS)
    counts = summary.undefined([tmp_path / "sizes.parquet", tmp_path / "not made.parquet"])
    assert counts == {
        ("corrected", "", "sizes", "r2", "undefined", "no rows"): 2,
        ("corrected", "", "sizes", "mig", "undefined", "constant"): 1,
    }


def test_tables_of_images_are_counted_by_data_set(tmp_path):
    row = {"dataset": "dsprites", "score": "mig"} | without_value("constant")
    write_rows(tmp_path / "dsprites.parquet", [row], REPRESENTATION_SCORES)
    counts = summary.undefined([tmp_path / "dsprites.parquet"])
    assert counts == {("", "dsprites", "", "mig", "undefined", "constant"): 1}


def test_a_damaged_table_is_named(tmp_path):
    (tmp_path / "sizes.parquet").write_text("no table")
    with pytest.raises(DamagedFile, match=r"sizes\.parquet is damaged; delete it and run again"):
        summary.undefined([tmp_path / "sizes.parquet"])


def test_the_commonest_reasons_are_shown_and_all_are_listed(tmp_path):
    counts = {
        ("corrected", "", "sizes", "r2", "undefined", "no rows"): 2,
        ("corrected", "", "circuit", "mig", "undefined", "no rows"): 3,
        ("corrected", "", "sizes", "mig", "undefined", "constant"): 4,
        ("", "dsprites", "", "mig", "undefined", "rare"): 1,
    }
    lines = summary.without_value(summary.Counter(counts), tmp_path / "undefined.csv", most=2)
    assert lines == [
        f"Cells without a value, 10 (all in {tmp_path}/undefined.csv):",
        "  5 of mig and 1 other scores in circuit and 1 other experiments: undefined: no rows",
        "  4 of mig in sizes: undefined: constant",
        "  and 1 further reasons",
    ]
    with (tmp_path / "undefined.csv").open(newline="") as file:
        listed = list(csv.DictReader(file))
    assert {tuple(row[label] for label in summary.LABELS): int(row["cells"]) for row in listed} == counts
    assert [int(row["cells"]) for row in listed] == [4, 3, 2, 1]


def test_a_study_without_missing_values_says_so(tmp_path):
    lines = summary.without_value(summary.Counter(), tmp_path / "undefined.csv")
    assert lines == ["Every cell has a value."]
    assert (tmp_path / "undefined.csv").read_text().count("\n") == 1
