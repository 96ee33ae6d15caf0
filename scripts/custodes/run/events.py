"""What Snakemake says of its jobs while a run goes on: which start, end and fail.

Its log records carry events, which the interface for its logger plugins defines (the package
snakemake-interface-logger-plugins lists them and their fields). The workflow adds a handler for them to
Snakemake's logger, an ordinary one of Python. A plugin would read the same records, but has to be installed
where Snakemake looks before it reads a workflow: without that, plain `snakemake` would refuse to start in a
checkout; and `--logger rich` would put the plugin out.
"""

import csv
import logging
import time
from pathlib import Path
from typing import NamedTuple

TOTAL = "total"  # beside the rules, in Snakemake's count of jobs by rule


class Started(NamedTuple):
    """A job that has started, or was handed to a cluster.

    name: for the person. outputs: paths. benchmark: path, None of a job that makes no file. since: seconds of
    the epoch.
    """

    rule: str
    name: str
    wildcards: dict
    outputs: tuple
    benchmark: str | None
    since: float


class Events(logging.Handler):
    """The jobs of a run so far.

    planned: {rule: number of jobs}, known before any job runs. running, done, failed: {Snakemake's number of
    a job: Started}; a job that is tried again is running again.
    """

    def __init__(self):
        """Begin with no jobs."""
        super().__init__()
        self.planned, self.running, self.done, self.failed = {}, {}, {}, {}
        self._told = False  # whether Snakemake says which jobs finish

    def emit(self, record):
        """Take note of a log record."""
        match getattr(record, "event", None):
            case "run_info":
                self.planned = {rule: jobs for rule, jobs in record.stats.items() if rule != TOTAL}
            case "job_info":
                for ended in (self.failed, self.done):
                    ended.pop(record.jobid, None)
                self.running[record.jobid] = _started(record)
            case "job_error":
                self._move(record.jobid, self.failed)
            case "job_finished":
                self._told = True
                self._move(record.job_id, self.done)

    def look(self):
        """Find the jobs that are done by their benchmarks, where Snakemake does not say: --quiet progress."""
        if not self._told:
            for number, job in list(self.running.items()):
                if job.benchmark and _changed(job.benchmark) >= job.since:
                    self._move(number, self.done)

    def _move(self, number, to):
        for jobs in (self.running, self.done):
            if jobs is not to and number in jobs:
                to[number] = jobs.pop(number)


def measured(job):
    """Seconds that a job took by its benchmark, None without one. A full disk leaves empty ones."""
    if job.benchmark is None or not Path(job.benchmark).exists():
        return None
    with Path(job.benchmark).open(encoding="utf-8", newline="") as file:
        return next((float(row["s"]) for row in csv.DictReader(file, delimiter="\t")), None)


def _started(record):
    outputs = tuple(path.removesuffix(" (update)") for path in record.output)
    name = record.rule_msg or record.rule_name
    return Started(
        record.rule_name, name, dict(record.wildcards), outputs, record.benchmark, since=time.time()
    )


def _changed(path):
    return Path(path).stat().st_mtime if Path(path).exists() else 0.0
