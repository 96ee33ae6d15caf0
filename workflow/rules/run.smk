"""What surrounds the jobs of a run: its provenance file, and a summary for the person who reads.

Nothing here is a rule. Jobs, on a cluster too, and dry runs only read it: Snakemake calls the functions in a run's
main process alone. The modules are imported where they are used.
"""

import threading

from snakemake.logging import logger

from custodes.errors import DamagedFile
from custodes.run.events import Events

UNDEFINED = RESULTS / "undefined.csv"
EVENTS = Events()
ENDED = threading.Event()
logger.addHandler(EVENTS)


def begin():
    """Write the provenance file, and so refuse results that cannot be written before any job runs.

    The claims are checked here: they are long, and few runs come to the report.
    """
    from custodes.reproduction import claims
    from custodes.run import progress, provenance

    look_at_kept_rows()
    try:
        if "report_reproduction" in EVENTS.planned:
            claims.read(CLAIMS)
        provenance.start(RESULTS, CHECKOUT, STUDY, ["snakemake", *sys.argv[1:]])
    except OSError as error:
        raise WorkflowError(f"{RESULTS} cannot be written, so no job was started: {error}") from None
    except ConfigError as error:
        raise WorkflowError(str(error)) from None
    planned = {rule: jobs for rule, jobs in EVENTS.planned.items() if getattr(rules, rule).output}
    followed = (EVENTS, planned, blocks(), ENDED, logger.info)
    threading.Thread(target=progress.follow, args=followed, daemon=True).start()


def look_at_kept_rows():
    """Refuse to take trained models out of tables, and say which scores go."""
    from custodes.run import kept_rows

    images = STUDY.images
    try:
        for dataset in (
            images.datasets if "aggregate_images" in EVENTS.planned and not images.settings else ()
        ):
            (path,) = expand(rules.aggregate_images.output.models, dataset=dataset)
            kept_rows.refuse_loss_of_models(path, [images.numbers(*run) for run in images.runs(dataset)])
    except ConfigError as error:
        raise WorkflowError(str(error)) from None
    if "aggregate_scores" in EVENTS.planned:
        lost = kept_rows.lost_scores(
            {
                expand(rules.aggregate_scores.output.table, protocol=protocol, experiment=name)[0]: scores
                for name in STUDY.experiments
                for scores in [STUDY.scores_of(name)]
                for protocol in STUDY.protocols
                if name in STUDY.experiments_of(protocol)
            }
        )
        if lost:
            logger.warning(lost)


def blocks():
    """{wildcards of a block of scores: (its size, whether its file is there)} of the study."""
    return {
        (protocol, experiment, dgp, metric): (STUDY.work(protocol, experiment, dgp), Path(path).exists())
        for protocol in STUDY.protocols
        for experiment in STUDY.experiments_of(protocol)
        for dgp in STUDY.dgps(protocol, experiment)
        for metric in STUDY.scorers(experiment)
        for path in expand(
            rules.compute_metric.output.scores,
            protocol=protocol,
            experiment=experiment,
            dgp=dgp,
            metric=metric,
        )
    }


def finish(outcome):
    """Complete the provenance file and say the summary. outcome: "complete" or "failed"."""
    from custodes.run import provenance, summary

    ENDED.set()
    cancel_timers()
    EVENTS.look()
    done = EVENTS.done.values()
    lines = summary.failed([*EVENTS.failed.values(), *EVENTS.running.values()])
    lines += summary.slowest(summary.durations(done))
    try:
        provenance.end(RESULTS, outcome)
        lines += summary.without_value(summary.undefined(tables_by_cell()), UNDEFINED)
    except (DamagedFile, OSError) as error:
        lines.append(f"This summary is incomplete: {error}")
    lines += [summary.made(done)] if outcome == "complete" else []
    logger.info("\n".join(lines))


def tables_by_cell():
    """Tables with one row for each cell, or each representation, and score."""
    return [*tables(), *expand(rules.aggregate_images.output.models, dataset=STUDY.images.datasets)]


def cancel_timers():
    """Let Snakemake exit at once: its scheduler leaves timers of a minute behind (see profiles/default)."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
