"""The line by which a person follows a run: jobs done, what runs, time left."""

from collections import defaultdict
from typing import NamedTuple

from custodes.durations import in_words

NAMED = 3  # running jobs, at most


class Job(NamedTuple):
    """A job of a run.

    rule, part: jobs with both in common take time in proportion to their `size`. seconds: that it took, or
    has run so far; 0 while it waits. name: for the person.
    """

    rule: str
    part: str
    size: float
    name: str = ""
    seconds: float = 0.0


def line(done, running, waiting, elapsed):
    """Progress of a run that began `elapsed` seconds ago, from lists of its jobs (Job)."""
    total = len(done) + len(running) + len(waiting)
    longest = sorted(running, key=lambda job: -job.seconds)
    named = [f"{job.name} for {in_words(job.seconds)}" for job in longest[:NAMED]]
    more = [f"{len(running) - NAMED} more"] if len(running) > NAMED else []
    left = f"about {in_words(seconds_left(done, running, waiting, elapsed))} left" if done else "just begun"
    parts = [f"Progress: {len(done):,} of {total:,} jobs done", left]
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

    left = [max(expected(job) - job.seconds, 0.0) for job in running] + [expected(job) for job in waiting]
    at_a_time = max(1.0, sum(job.seconds for job in [*done, *running]) / elapsed)
    return max(sum(left) / at_a_time, max(left, default=0.0))


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
