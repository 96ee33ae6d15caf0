"""Disks that are full, read-only or faulty, and runs beside each other: clear lines, nothing wrong kept."""

import json
import os
import re
import shutil
import subprocess
import time
from dataclasses import replace
from importlib.metadata import version

import pytest

TABLE = "results/corrected/tables/sizes.parquet"
CODES = "results/corrected/codes/sizes/independent/elementwise_linear.parquet"
SCORES = "results/corrected/scores/sizes/independent/r2.parquet"
OTHER_SCORES = "results/corrected/scores/sizes/independent/mcc_pearson.parquet"


@pytest.fixture
def mounted():
    """Mount a file system in memory: a function of folder, size and further options."""
    if os.geteuid():
        pytest.skip("only root can mount a file system")
    folders = []

    def mount(folder, options):
        folder.mkdir(exist_ok=True)
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True
        )
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        folders.append(folder)

    yield mount
    for folder in folders:
        subprocess.run(["umount", folder], check=True)


def remount(folder, options):
    subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)


def test_a_full_disk_is_named_and_the_run_completes_once_there_is_space(fresh, finished, mounted):
    mounted(fresh.path / "results", "size=80k")
    printed = fresh.snakemake("--cores", "2", TABLE, check=False)
    assert "No space left on device" in printed
    assert "\nFailed jobs, " in printed
    assert not (fresh.path / TABLE).exists()
    remount(fresh.path / "results", "size=64m")
    fresh.snakemake("--cores", "2", TABLE)
    assert (fresh.path / TABLE).read_bytes() == (finished.path / TABLE).read_bytes()
    assert hidden_files(fresh) == []


def test_results_that_cannot_be_written_are_refused_before_any_job(fresh, mounted):
    mounted(fresh.path / "results", "ro")
    printed = fresh.snakemake("--cores", "1", TABLE, check=False)
    (line,) = (line for line in printed.splitlines() if "cannot be written" in line)
    assert line.startswith("results cannot be written, so no job was started: ")
    assert "Read-only file system" in line
    assert "Traceback" not in printed
    assert "rule sample_factors" not in printed
    assert "Sample factors" not in printed


def test_the_jobs_that_failed_are_named_whatever_is_printed_of_the_others(fresh):
    script = fresh.path / "scripts/synthetic/compute_metric.py"
    failing = 'if snakemake.wildcards.metric == "r2":\n    raise RuntimeError("no scores")\n'
    script.write_text(failing + script.read_text())
    arguments = ("--cores", "2", "--keep-going", "--quiet", "progress", "--", SCORES, OTHER_SCORES)
    printed = fresh.snakemake(*arguments, check=False)
    assert f"\nFailed jobs, 1:\n  compute_metric: {SCORES}\n" in printed
    assert "\n  compute_metric: " in printed[printed.index("Slowest rules:") :]
    assert "Done: " not in printed
    assert outcome(fresh) == "failed"
    assert "Failed jobs" not in fresh.snakemake("--cores", "2", "--quiet", "all", "--", SCORES, check=False)


def test_a_run_says_how_far_it_is_and_what_it_made_and_a_dry_run_does_not(fresh):
    progress = fresh.path / "scripts/custodes/run/progress.py"
    text = progress.read_text()
    assert "PAUSE = 60" in text
    progress.write_text(text.replace("PAUSE = 60", "PAUSE = 0.2"))
    printed = fresh.snakemake("--dry-run", TABLE)
    assert not re.search(r"^(Progress|Done|Every cell)", printed, flags=re.MULTILINE)
    assert not (fresh.path / "results").exists()
    printed = fresh.snakemake("--cores", "1", TABLE)
    (jobs,) = re.findall(r"^total +(\d+)$", printed, flags=re.MULTILINE)
    lines = re.findall(
        r"^Progress: (\d+) of (\d+) jobs done; .* left; 1 running: ", printed, flags=re.MULTILINE
    )
    assert {total for _, total in lines} == {jobs}
    done = [int(number) for number, _ in lines]
    assert done == sorted(done)
    assert 0 < done[-1] < int(jobs)
    assert printed.count("\nDone: made 1 table in results/corrected/tables\n") == 1


def test_another_major_version_of_snakemake_is_refused_in_one_line(fresh):
    snakefile = fresh.path / "Snakefile"
    text = snakefile.read_text()
    assert '">=9.27,<10"' in text
    snakefile.write_text(text.replace('">=9.27,<10"', '">=8,<9"'))
    printed = fresh.snakemake("--cores", "1", check=False)
    assert f"this workflow needs Snakemake >=8,<9; this is {version('snakemake')}" in printed
    assert "Traceback" not in printed
    assert not (fresh.path / "results").exists()


def test_claims_that_cannot_be_used_are_refused_before_any_job(fresh):
    claims = fresh.path / "workflow/resources/claims.yaml"
    claims.write_text(claims.read_text().replace("- id: ", "- name: ", 1))
    printed = fresh.snakemake("--cores", "1", check=False)
    assert "workflow/resources/claims.yaml: claims[0]: " in printed
    assert "Traceback" not in printed
    assert "Sample factors" not in printed


def truncated(data):
    return data[: len(data) // 2]


def altered(data):
    """One bit of a number is another."""
    place = len(data) // 3
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize("damaged", [truncated, altered])
def test_a_damaged_file_is_named_and_made_again_once_it_is_deleted(rerunnable, finished, damaged):
    """In a study that is not finished: where all that follows from a file is there, it is not needed."""
    for path in (SCORES, TABLE):
        (rerunnable.path / path).unlink()
    codes = rerunnable.path / CODES
    codes.write_bytes(damaged(codes.read_bytes()))
    printed = rerunnable.snakemake("--cores", "1", TABLE, check=False)
    assert f"\ncustodes.errors.DamagedFile: {CODES} is damaged; delete it and run again (" in printed
    assert not (rerunnable.path / TABLE).exists()
    codes.unlink()
    rerunnable.snakemake("--cores", "2", TABLE)
    for path in (CODES, SCORES, TABLE):
        assert (rerunnable.path / path).read_bytes() == (finished.path / path).read_bytes()


def test_a_second_run_in_one_directory_is_refused_and_the_first_goes_on(fresh, finished):
    first = fresh.start("--cores", "1", TABLE)
    wait_until(lambda: any((fresh.path / ".snakemake/locks").glob("*")), first)
    assert "LockException" in fresh.snakemake("--cores", "1", TABLE, check=False)
    first.end()
    assert (fresh.path / TABLE).read_bytes() == (finished.path / TABLE).read_bytes()


def test_runs_in_two_directories_do_not_disturb_each_other(fresh, finished):
    other = replace(fresh, path=fresh.path.with_name("other"))
    shutil.copytree(fresh.path, other.path)
    runs = [(study, study.start("--cores", "1", TABLE)) for study in (fresh, other)]
    for study, run in runs:
        run.end()
        assert (study.path / TABLE).read_bytes() == (finished.path / TABLE).read_bytes()


def test_every_run_leaves_its_provenance(finished, rerunnable):
    record = json.loads((finished.path / "results/provenance.json").read_text())
    assert record["outcome"] == outcome(finished) == "complete"
    assert record["command"] == "snakemake --cores 2"
    (rerunnable.path / TABLE).unlink()
    rerunnable.snakemake("--cores", "1", TABLE)
    record = json.loads((rerunnable.path / "results/provenance.json").read_text())
    assert record["command"] == f"snakemake --cores 1 {TABLE}"
    assert len(list((rerunnable.path / "results/provenance").iterdir())) == 1
    assert rerunnable.tables() == finished.tables()
    assert rerunnable.planned() == set()


def outcome(study):
    return json.loads((study.path / "results/provenance.json").read_text())["outcome"]


def wait_until(condition, run):
    deadline = time.monotonic() + 60
    while not condition():
        assert run.is_alive(), run.end()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def hidden_files(study):
    return [path for path in (study.path / "results").rglob(".*") if path.is_file()]
