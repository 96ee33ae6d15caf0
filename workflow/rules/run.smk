"""What surrounds the jobs of a run: its provenance file, and a summary for the person who reads.

Nothing here is a rule. The modules are imported where they are used: a dry run and the jobs do without them.
"""

import sys
import threading
import time

from scripts.core.errors import DamagedFile

STARTED = time.time()
UNDEFINED = RESULTS / "undefined.csv"


def begin():
    """Write the provenance file, and so refuse results that cannot be written before any job runs."""
    from scripts.core import provenance

    try:
        provenance.start(RESULTS, registry.ROOT, STUDY, ["snakemake", *sys.argv[1:]])
    except OSError as error:
        raise WorkflowError(f"{RESULTS} cannot be written, so no job was started: {error}") from None


def finish(outcome):
    """Complete the provenance file and print the summary."""
    from scripts.core import provenance, run_summary

    cancel_timers()
    jobs = [(job.rule.name, job.benchmark) for job in workflow.dag.jobs if job.benchmark]
    lines = run_summary.failed((job.rule.name, job.output) for job in workflow.scheduler.failed)
    lines += run_summary.slowest(run_summary.durations(jobs, STARTED))
    try:
        provenance.end(RESULTS, outcome)
        lines += run_summary.without_value(run_summary.undefined(tables_by_cell()), UNDEFINED)
    except (DamagedFile, OSError) as error:
        lines.append(f"This summary is incomplete: {error}")
    print(*lines, sep="\n")


def tables_by_cell():
    """Tables with one row for each cell, or each representation, and score."""
    return [*tables(), *expand(rules.aggregate_images.output.models, dataset=STUDY.images.datasets)]


def cancel_timers():
    """Let Snakemake exit at once: its scheduler leaves timers behind (see profiles/default)."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
