"""What a person reads at the end of a run: failed jobs, slowest rules, cells without a value by reason."""

import csv
from collections import Counter, defaultdict
from pathlib import Path

import pyarrow.compute as pc

from custodes.durations import in_words
from custodes.run.events import measured
from custodes.tables.columns import OK
from custodes.tables.files import read_table, replacing

RULES, REASONS, FAILED = 5, 12, 12  # the most lines of a list
LABELS = ("protocol", "dataset", "experiment", "score", "status", "reason")


def failed(jobs, most=FAILED):
    """Lines for the jobs (events.Started) that failed or were stopped."""
    lines = sorted(f"  {job.rule}: {', '.join(job.outputs)}" for job in jobs)
    more = [f"  and {len(lines) - most} further jobs"] if len(lines) > most else []
    return [f"Failed jobs, {len(lines)}:", *lines[:most], *more] if lines else []


def durations(jobs):
    """{rule: seconds of its jobs} of jobs (events.Started) that are done, by their benchmarks."""
    found = defaultdict(list)
    for job in jobs:
        seconds = measured(job)
        if seconds is not None:
            found[job.rule].append(seconds)
    return dict(found)


def made(jobs):
    """The tables and figures of jobs (events.Started) that are done, by folder, in a line."""
    files = {Path(file).with_suffix("") for job in jobs for file in job.outputs}
    folders = Counter(file.parent for file in files if file.parent.name in ("tables", "figures"))
    found = [
        f"{count} {folder.name if count > 1 else folder.name.removesuffix('s')} in {folder}"
        for folder, count in sorted(folders.items())
    ]
    return f"Done: made {', '.join(found) or 'what was asked for'}"


def slowest(seconds, most=RULES):
    """Lines for the rules that took longest in sum, from the result of `durations`."""
    ordered = sorted(seconds.items(), key=lambda entry: -sum(entry[1]))[:most]
    lines = [
        f"  {rule}: {in_words(sum(times))} in {len(times)} jobs, the longest {in_words(max(times))}"
        for rule, times in ordered
    ]
    return ["Slowest rules:", *lines] if lines else []


def undefined(paths_to_tables):
    """Counter of the cells without a value in some seed, by `LABELS`; of the tables that exist."""
    found = Counter()
    for path in paths_to_tables:
        if Path(path).exists():
            table = read_table(path)
            labels = table.select([name for name in LABELS if name in table.column_names])
            without = labels.filter(pc.field("status") != OK).to_pylist()
            found.update(tuple(row.get(name, "") for name in LABELS) for row in without)
    return found


def without_value(counts, path_to_list, most=REASONS):
    """Lines for the commonest reasons of the result of `undefined`, which is written to a CSV file."""
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    with replacing(path_to_list) as path, path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*LABELS, "cells"])
        writer.writerows([*labels, count] for labels, count in ordered)
    if not ordered:
        return ["Every cell has a value."]
    by_reason = defaultdict(list)
    for (_, dataset, experiment, score, status, reason), count in ordered:
        by_reason[f"{status}: {reason}"].append((count, score, experiment or dataset))
    groups = sorted(by_reason.items(), key=lambda entry: -sum(count for count, *_ in entry[1]))
    lines = [_line(reason, entries) for reason, entries in groups[:most]]
    more = [f"  and {len(groups) - most} further reasons"] if len(groups) > most else []
    return [f"Cells without a value, {counts.total():,} (all in {path_to_list}):", *lines, *more]


def _line(reason, entries):
    counts, scores, places = zip(*entries, strict=True)
    return f"  {sum(counts):,} of {_named(scores, 'scores')} in {_named(places, 'experiments')}: {reason}"


def _named(names, what):
    first, *others = dict.fromkeys(names)
    return f"{first} and {len(others)} other {what}" if others else first
