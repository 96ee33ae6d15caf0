"""The line by which a person follows a run: jobs done, what runs, time left."""

import time
from collections import Counter, defaultdict
from typing import NamedTuple

from custodes.durations import in_words
from custodes.run.events import measured

NAMED = 3  # running jobs, at most
PAUSE = 60  # seconds between two lines
SCORES = "compute_metric"  # the rule whose jobs differ in size
BLOCK = ("protocol", "experiment", "dgp", "metric")  # its wildcards


class Job(NamedTuple):
    """A job of a run.

    rule, part: jobs with both in common take time in proportion to their `size`. seconds: that it took, or
    has run so far; 0 while it waits. name: for the person. jobs: how many jobs, among those that wait, it
    stands for.
    """

    rule: str
    part: str
    size: float
    name: str = ""
    seconds: float = 0.0
    jobs: float = 1.0


def follow(events, planned, blocks, ended, say, pause=PAUSE):
    """Say a line on progress from time to time, until a threading.Event is set.

    events: events.Events of the run. planned: {rule: number of its jobs}, of rules that make files.
    blocks: see `waiting`. say: a function of the line.
    """
    began, done = time.time(), {}
    while not ended.wait(pause):
        now = time.time()
        events.look()
        for number, job in list(events.done.items()):
            if job.rule in planned and number not in done:
                done[number] = _followed(job, blocks, measured(job) or 0.0)
        running = [_followed(job, blocks, now - job.since) for job in _of(events.running, planned)]
        left = waiting(events, planned, blocks)
        say(line(list(done.values()), running, left, now - began, len(events.failed)))


def waiting(events, planned, blocks):
    """Jobs that have not started, those of a rule as one; each block of scores stands for a share of one.

    Snakemake says how many jobs of a rule there are, not which. Of all `blocks`, {values of BLOCK: (size,
    whether its file was there when the run began)}, those without a file wait. Where that is too few, scores
    are made anew, and every block that has not started may be one.
    """
    started = [job for jobs in (events.done, events.running, events.failed) for job in _of(jobs, planned)]
    left = Counter(planned) - Counter(job.rule for job in started)
    scores = left.pop(SCORES, 0)
    begun = {_block(job) for job in started if job.rule == SCORES}
    possible = {block: size for block, (size, there) in blocks.items() if block not in begun}
    absent = {block: size for block, size in possible.items() if not blocks[block][1]}
    likely = absent if len(absent) >= scores else possible
    return [Job(rule, "", 1, jobs=jobs) for rule, jobs in left.items()] + [
        Job(SCORES, block[-1], size, jobs=scores / len(likely)) for block, size in likely.items() if scores
    ]


def line(done, running, waiting, elapsed, failed=0):
    """Progress of a run that began `elapsed` seconds ago: lists of Job, and how many jobs failed."""
    total = len(done) + len(running) + round(sum(job.jobs for job in waiting)) + failed
    longest = sorted(running, key=lambda job: -job.seconds)
    named = [f"{job.name} for {in_words(job.seconds)}" for job in longest[:NAMED]]
    more = [f"{len(running) - NAMED} more"] if len(running) > NAMED else []
    left = f"about {in_words(seconds_left(done, running, waiting, elapsed))} left" if done else "just begun"
    parts = [
        f"Progress: {len(done):,} of {total:,} jobs done",
        *([f"{failed:,} failed"] if failed else []),
        left,
    ]
    if running:
        parts.append(f"{len(running)} running: {', '.join([*named, *more])}")
    return "; ".join(parts)


def seconds_left(done, running, waiting, elapsed):
    """Estimate from what jobs of the same rule and part took, at the run's mean number of jobs at a time.

    Where no such job is done yet, jobs of the rule have to do, or all jobs; but it takes no less than those
    that run have taken so far. done: at least one job.
    """
    known, at_least = _rates(done), _rates(running)

    def expected(job):
        own, *wider = _groups(job)
        if own in known:
            return job.size * known[own]
        rule, everything = wider
        estimate = job.size * known[rule] if rule in known else known[everything]
        return max(estimate, job.size * at_least.get(own, 0.0))

    left = [(1.0, max(expected(job) - job.seconds, 0.0)) for job in running]
    left += [(job.jobs, expected(job)) for job in waiting]
    at_a_time = max(1.0, sum(job.seconds for job in [*done, *running]) / elapsed)
    longest = max((min(count, 1.0) * seconds for count, seconds in left), default=0.0)
    return max(sum(count * seconds for count, seconds in left) / at_a_time, longest)


def _of(jobs, planned):
    return [job for job in list(jobs.values()) if job.rule in planned]


def _block(job):
    return tuple(job.wildcards[name] for name in BLOCK)


def _followed(job, blocks, seconds):
    """A job that has started (events.Started) as a Job."""
    if job.rule != SCORES:
        return Job(job.rule, "", 1, job.name, seconds)
    size, _ = blocks[_block(job)]
    return Job(job.rule, job.wildcards["metric"], size, job.name, seconds)


def _groups(job):
    """Groups of jobs of which this is one, the narrowest first; the last is that of all."""
    return (job.rule, job.part), (job.rule,), ()


def _rates(jobs):
    """{group: seconds for a unit of size; of all jobs, for a job}."""
    seconds, sizes = defaultdict(float), defaultdict(float)
    for job in jobs:
        for group in _groups(job):
            seconds[group] += job.seconds
            sizes[group] += job.size if group else 1.0
    return {group: seconds[group] / sizes[group] for group in seconds}
