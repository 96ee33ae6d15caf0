"""What is noted of a run from Snakemake's log records."""

import logging
import os

import pytest

from custodes.run import events

FIELDS = {"rule_name": "score", "rule_msg": "Score a", "wildcards": {"metric": "r2"}}


@pytest.fixture
def seen():
    return events.Events()


def say(seen, event, **fields):
    seen.handle(logging.makeLogRecord({"event": event, **fields}))


def start(seen, number, benchmark=None):
    outputs = ["scores.parquet (update)", "figure.pdf"]
    say(seen, "job_info", jobid=number, output=outputs, benchmark=benchmark, **FIELDS)


def test_jobs_are_counted_by_rule_before_any_runs(seen):
    say(seen, "run_info", stats={"score": 3, "all": 1, "total": 4})
    assert seen.planned == {"score": 3, "all": 1}


def test_a_job_runs_and_is_done_and_its_files_are_paths(seen):
    start(seen, 7)
    assert seen.running[7].outputs == ("scores.parquet", "figure.pdf")
    assert seen.running[7].name == "Score a"
    say(seen, "job_finished", job_id=7)
    assert (list(seen.running), list(seen.done), list(seen.failed)) == ([], [7], [])


def test_a_job_that_failed_runs_when_it_is_tried_again(seen):
    start(seen, 7)
    say(seen, "job_error", jobid=7)
    assert (list(seen.running), list(seen.failed)) == ([], [7])
    start(seen, 7)
    assert (list(seen.running), list(seen.failed)) == ([7], [])


def test_errors_of_jobs_that_never_started_and_plain_messages_change_nothing(seen):
    say(seen, "job_error", jobid=7)
    seen.handle(logging.makeLogRecord({"msg": "Building DAG of jobs..."}))
    assert (seen.planned, seen.running, seen.done, seen.failed) == ({}, {}, {}, {})


def test_where_snakemake_is_quiet_a_new_benchmark_says_that_a_job_is_done(seen, tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    for number, path in enumerate((new, old, tmp_path / "none")):
        start(seen, number, str(path))
    new.touch()
    old.touch()
    os.utime(new, (4e9, 4e9))
    os.utime(old, (50, 50))
    seen.look()
    assert (list(seen.done), list(seen.running)) == ([0], [1, 2])
    say(seen, "job_error", jobid=0)  # of its group on a cluster
    assert (list(seen.done), list(seen.failed)) == ([], [0])


def test_where_snakemake_says_what_is_done_benchmarks_do_not(seen, tmp_path):
    """A job whose files are missing at its end has a benchmark."""
    start(seen, 1)
    say(seen, "job_finished", job_id=1)
    start(seen, 2, str(tmp_path / "new"))
    (tmp_path / "new").touch()
    os.utime(tmp_path / "new", (4e9, 4e9))
    seen.look()
    assert list(seen.running) == [2]


def test_seconds_are_those_of_the_benchmark(tmp_path):
    def job(text):
        path = tmp_path / "benchmark.tsv"
        path.write_text(text)
        return events.Started("score", "", {}, (), str(path), 0.0)

    assert events.measured(job("s\th:m:s\tmax_rss\n1.5\t0:00:01\t80\n")) == 1.5
    assert events.measured(job("")) is None  # on a full disk
    assert events.measured(job("")._replace(benchmark=str(tmp_path / "none"))) is None
    assert events.measured(job("")._replace(benchmark=None)) is None
