"""The cluster profiles on a real Slurm of one node: complete runs, and lost jobs, Snakemakes and nodes."""

import re

import pyarrow.parquet as pq
import pytest
import slurm
from slurm import ask, jobs, wait_for

TABLE = "results/corrected/tables/correlation.parquet"
SCORES = "results/corrected/scores/sizes/independent/r2.parquet"
GENERIC = ("--profile", "profiles/generic", "--seconds-between-status-checks", "2", "--latency-wait", "5")
# There is no accounting, and the first look at a job that takes seconds need not wait for 40.
PLUGIN = (
    *("--profile", "profiles/slurm", "--latency-wait", "5"),
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "2"),
)
# What the scores need, in one Slurm job.
ONE_JOB = (
    *PLUGIN,
    "--groups",
    *(f"{rule}=one" for rule in ("sample_factors", "encode_factors", "compute_metric")),
)

pytestmark = pytest.mark.skipif(slurm.missing() is not None, reason=str(slurm.missing()))


@pytest.fixture(autouse=True)
def cluster(finished):
    """A Slurm for each test, so that its jobs are those of the test."""
    with slurm.running():
        yield


def same(study, finished, path):
    return (study.path / path).read_bytes() == (finished.path / path).read_bytes()


def started(study):
    """Run Snakemake for the scores, up to the middle of its Slurm job."""
    run = study.start(*ONE_JOB, "--", SCORES)
    factors = study.path / "results/corrected/factors/sizes/independent.parquet"
    wait_for(factors.exists, "the Slurm job does not get anywhere", seconds=120)
    assert [state for _, state, _ in jobs()] == ["RUNNING"]
    return run


def test_a_run_through_the_plugin_gives_the_bytes_of_a_local_run(finished, fresh):
    fresh.snakemake(*PLUGIN, "--", TABLE)
    assert same(fresh, finished, TABLE)
    assert [state for _, state, _ in jobs()] == ["COMPLETED"] * 3  # codes, scores, tables


def test_a_cancelled_job_is_submitted_again(finished, fresh):
    run = started(fresh)
    ask("scancel", jobs()[0][0])
    run.end()
    assert [state for _, state, _ in jobs()] == ["CANCELLED", "COMPLETED"]
    assert same(fresh, finished, SCORES)


def test_after_a_killed_snakemake_the_documented_steps_resume(finished, fresh):
    run = started(fresh)
    run.kill()
    run.join()
    assert [state for _, state, _ in jobs()] == ["RUNNING"]  # an orphan
    slurm.end_jobs()
    fresh.snakemake("--unlock")
    fresh.snakemake(*ONE_JOB, "--", SCORES)
    assert [state for _, state, _ in jobs()] == ["CANCELLED", "COMPLETED"]
    assert same(fresh, finished, SCORES)


def test_a_job_whose_node_goes_down_is_submitted_again(finished, fresh):
    run = started(fresh)
    ask("scontrol", "update", "nodename=node", "state=down", "reason=test")
    wait_for(lambda: len(jobs()) == 2, "no second job", seconds=60)
    ask("scontrol", "update", "nodename=node", "state=resume")
    run.end()
    assert [state for _, state, _ in jobs()] == ["NODE_FAIL", "COMPLETED"]
    assert same(fresh, finished, SCORES)


def test_through_sbatch_alone_a_job_beyond_its_time_is_submitted_again_with_more(finished, fresh):
    """Takes the two minutes in which Slurm notices, so that a line on progress is printed as well."""
    script = fresh.path / "scripts/synthetic/compute_metric.py"
    once = 'import os, time\nif os.path.exists("slow"): os.remove("slow"); time.sleep(600)\n'
    script.write_text(once + script.read_text())
    (fresh.path / "slow").touch()
    printed = fresh.snakemake(*GENERIC, "--set-resources", "compute_metric:runtime=attempt", "--", SCORES)
    assert re.search(
        r"^Progress: 2 of 3 jobs done; about .* left; 1 running: Score sizes", printed, re.MULTILINE
    )
    assert [(state, limit) for _, state, limit in jobs()][1:] == [("TIMEOUT", "1:00"), ("COMPLETED", "2:00")]
    assert rows(fresh) == rows(finished)


def rows(study):
    """The scores without their fingerprints, which depend on the edited script."""
    return pq.read_table(study.path / SCORES).drop_columns(["fingerprint"])
