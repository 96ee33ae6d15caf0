"""Killed runs, and runs on different numbers of cores, end with the same bytes in every table."""

import os
import random
import shutil
import signal
import time


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
