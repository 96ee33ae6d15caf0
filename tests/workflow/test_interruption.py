"""Killed runs, and runs on different numbers of cores, end with the same bytes in every table."""

import json
import os
import random
import shutil
import signal
import time

import pytest


def test_one_and_four_cores_give_the_same_bytes(finished, fresh):
    fresh.snakemake("--cores", "4", "--", "tables")
    assert fresh.tables() == finished.tables()


def test_a_block_scored_by_several_processes_has_the_same_bytes(finished, rerunnable):
    schema = rerunnable.path / "scripts/custodes/study/study.py"
    schema.write_text(schema.read_text().replace("5_000_000", "1_000"))
    for stage in ("scores", "tables"):
        shutil.rmtree(rerunnable.path / "results/corrected" / stage)
    in_two = ("--cores", "2", "--config", "threads={mcc_pearson: 2, r2: 2}")
    printed = rerunnable.snakemake(*in_two, "--", "tables", fork_jobs=False)
    # Each of the six blocks takes both processors; the seventh is the target.
    assert printed.count("Execute 1 jobs...") == 7, printed
    assert rerunnable.tables() == finished.tables()


def test_a_run_killed_ten_times_resumes_to_the_same_bytes(finished, fresh):
    """As documented: unlock, then run again. Some kills hit the start, some leave the running jobs alive."""
    moments = random.Random(0)
    for _ in range(10):
        kill(
            fresh,
            started=moments.random() < 0.6,
            seconds=moments.uniform(0, 2),
            jobs_too=moments.random() < 0.5,
        )
        if locked(fresh):
            fresh.snakemake("--unlock")
    fresh.snakemake("--cores", "2", "--", "tables")
    assert fresh.tables() == finished.tables()
    assert [path for path in (fresh.path / "results").rglob(".*") if path.is_file()] == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_ends_with_its_summary_and_resumes(finished, fresh, how):
    """As Ctrl-C does, SIGINT reaches the jobs too; SIGTERM goes to Snakemake alone, which waits for them."""
    script = fresh.path / "scripts/synthetic/compute_metric.py"
    text = script.read_text()
    script.write_text("import pathlib, time\npathlib.Path('scoring').touch()\ntime.sleep(4)\n" + text)
    run = fresh.start("--cores", "1", "--", "tables")
    while not (fresh.path / "scoring").exists():
        assert run.is_alive(), run.end()
        time.sleep(0.02)
    (os.killpg if how == signal.SIGINT else os.kill)(run.pid, how)
    started = time.monotonic()
    printed = run.end(check=False)
    assert run.exitcode == 1, printed
    assert time.monotonic() - started < 30  # no timer of Snakemake's keeps it
    assert "\nSlowest rules:\n" in printed
    assert ("\nFailed jobs, 1:\n  compute_metric: " in printed) == (how == signal.SIGINT)
    assert "\nDone: " not in printed
    record = json.loads((fresh.path / "results/provenance.json").read_text())
    assert record["outcome"] == "failed"
    assert not locked(fresh)
    script.write_text(text)
    fresh.snakemake("--cores", "2", "--", "tables")
    assert fresh.tables() == finished.tables()


def kill(study, started, seconds, jobs_too):
    """End a run by SIGKILL, alone or with its jobs, some time after its start or that of its first jobs."""
    run = study.start("--cores", "2")
    while started and not locked(study):
        assert run.is_alive(), "the run ended before it was killed"
        time.sleep(0.02)
    time.sleep(seconds)
    (os.killpg if jobs_too else os.kill)(run.pid, signal.SIGKILL)
    run.join()
    assert run.exitcode == -signal.SIGKILL, "the run ended before it was killed"


def locked(study):
    return any((study.path / ".snakemake/locks").glob("*"))
