"""Killed runs, and runs on different numbers of cores, end with the same bytes in every table."""

import os
import signal
import subprocess
import time


def test_one_and_four_cores_give_the_same_bytes(finished, fresh):
    fresh.snakemake("--cores", "4")
    assert fresh.tables() == finished.tables()


def test_a_block_scored_by_several_processes_has_the_same_bytes(finished, fresh):
    schema = fresh.path / "scripts/core/study.py"
    schema.write_text(schema.read_text().replace("5_000_000", "1_000"))
    fresh.snakemake("--cores", "2", "--config", "threads={mcc_pearson: 2, r2: 2}")
    assert fresh.tables() == finished.tables()


def test_a_run_killed_in_the_middle_resumes_to_the_same_bytes(finished, fresh):
    """As documented: unlock, then run again."""
    for _ in range(3):
        kill_after_some_jobs(fresh)
        fresh.snakemake("--unlock")
    fresh.snakemake("--cores", "2")
    assert fresh.tables() == finished.tables()
    assert not list(fresh.path.glob("results/**/.*.parquet"))


def kill_after_some_jobs(study):
    """Start a run and kill the whole process group by SIGKILL once it has finished some more jobs."""
    started = count_results(study)
    run = subprocess.Popen(
        study.command("--cores", "2"),
        cwd=study.path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 300
    while count_results(study) < started + 4:
        assert run.poll() is None, "the run ended before it was killed"
        assert time.monotonic() < deadline, "the run did not get anywhere"
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()


def count_results(study):
    return sum(1 for _ in study.path.glob("results/**/*.parquet"))
