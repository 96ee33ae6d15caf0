"""What surrounds the jobs of a run: its provenance file, and a summary for the person who reads.

Nothing here is a rule. The modules are imported where they are used: a dry run and the jobs do without them.
"""

import sys
import threading
import time

from custodes.errors import DamagedFile

STARTED = time.time()
PROGRESS_SECONDS = 60  # between two lines on progress
ENDED = threading.Event()
UNDEFINED = RESULTS / "undefined.csv"


def begin():
    """Write the provenance file, and so refuse results that cannot be written before any job runs.

    The claims are checked here: they are long, and few runs come to the report.
    """
    from custodes.reproduction import claims
    from custodes.run import provenance

    try:
        if any(job.rule.name == "report_reproduction" for job in workflow.dag.needrun_jobs()):
            claims.read(CLAIMS)
        provenance.start(RESULTS, CHECKOUT, STUDY, ["snakemake", *sys.argv[1:]])
    except OSError as error:
        raise WorkflowError(f"{RESULTS} cannot be written, so no job was started: {error}") from None
    except ConfigError as error:
        raise WorkflowError(str(error)) from None
    threading.Thread(target=follow, daemon=True).start()


def follow():
    """Print a line on progress every minute until the run ends."""
    from custodes.run import progress

    left = [job for job in workflow.dag.needrun_jobs() if job.benchmark]
    done, since, said = [], {}, STARTED
    while not ENDED.wait(1):
        now = time.time()
        current = [part for job in list(workflow.scheduler.running) for part in parts(job)]
        since = {job: since.get(job, now) for job in current}
        if now - said < PROGRESS_SECONDS:
            continue
        said = now
        ended = {job for job in left if workflow.dag.finished(job)}
        done += [followed(job, took(job)) for job in ended]
        left = [job for job in left if job not in ended]
        running = [followed(job, now - since[job]) for job in left if job in since]
        waiting = [followed(job) for job in left if job not in since]
        print(progress.line(done, running, waiting, now - STARTED), flush=True)


def parts(job):
    """The jobs of a group, or the one job."""
    return job.jobs if job.is_group() else [job]


def followed(job, seconds=0.0):
    """A job as custodes/run/progress.py knows it."""
    from custodes.run.progress import Job

    w, scores = job.wildcards, job.rule.name == "compute_metric"
    size = STUDY.work(w.protocol, w.experiment, w.dgp) if scores else 1
    return Job(job.rule.name, w.metric if scores else "", size, job.message, seconds)


def took(job):
    """Seconds of a finished job."""
    from custodes.run import summary

    return sum(summary.durations([(job.rule.name, job.benchmark)], STARTED).get(job.rule.name, [0.0]))


def finish(outcome):
    """Complete the provenance file and print the summary."""
    from custodes.run import provenance, summary

    ENDED.set()
    cancel_timers()
    jobs = [(job.rule.name, job.benchmark) for job in workflow.dag.jobs if job.benchmark]
    lines = summary.failed((job.rule.name, job.output) for job in workflow.scheduler.failed)
    lines += summary.slowest(summary.durations(jobs, STARTED))
    try:
        provenance.end(RESULTS, outcome)
        lines += summary.without_value(summary.undefined(tables_by_cell()), UNDEFINED)
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
