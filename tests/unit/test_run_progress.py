"""The line on the progress of a run: what is done, what runs, and the estimate of the time left."""

import logging
import threading

import pytest

from custodes.run.events import Events
from custodes.run.progress import Job, follow, line, seconds_left, waiting

BLOCKS = {("p", "sizes", "independent", metric): (size, False) for metric, size in (("r2", 10), ("dci", 30))}


def scored(metric, size, seconds=0.0):
    return Job("compute_metric", metric, size, f"Score with {metric}", seconds)


def drawn(seconds=0.0):
    return Job("draw_figure", "", 1, "Draw fig01", seconds)


def test_the_line_names_the_longest_of_the_running_jobs():
    running = [drawn(seconds) for seconds in (2.0, 200.0, 3.0, 4.0)]
    assert line([drawn(2.0)], running, [drawn()] * 5, elapsed=211.0) == (
        "Progress: 1 of 10 jobs done; about 10 s left; 4 running: "
        "Draw fig01 for 3 min 20 s, Draw fig01 for 4 s, Draw fig01 for 3 s, 1 more"
    )


def test_nothing_is_estimated_from_nothing():
    assert line([], [drawn(1.0)], [drawn()], elapsed=1.0) == (
        "Progress: 0 of 2 jobs done; just begun; 1 running: Draw fig01 for 1 s"
    )


@pytest.mark.parametrize(
    ("done", "running", "waiting", "expected"),
    [
        ([scored("r2", 10, 5.0)], [], [scored("r2", 40)], 20.0),  # by size
        ([scored("r2", 10, 5.0)], [scored("r2", 40, 8.0)], [], 12.0),  # less what has run
        ([scored("r2", 10, 5.0)], [scored("r2", 40, 25.0)], [], 0.0),  # longer than expected
        ([scored("r2", 10, 5.0), drawn(1.0)], [], [scored("dci", 40), drawn()], 21.0),  # by the rule
        ([drawn(2.0), drawn(4.0)], [], [scored("dci", 40)], 3.0),  # by all jobs
        ([drawn(2.0)], [scored("dci", 10, 30.0)], [scored("dci", 40)], 120.0),  # at least what has run
    ],
)
def test_time_left_one_job_at_a_time(done, running, waiting, expected):
    elapsed = sum(job.seconds for job in done + running)
    assert seconds_left(done, running, waiting, elapsed) == pytest.approx(expected)


def test_several_jobs_at_a_time_share_the_time_left_but_a_long_job_takes_its_own():
    done = [drawn(10.0)] * 4
    assert seconds_left(done, [], [drawn()] * 6, elapsed=20.0) == pytest.approx(30.0)
    assert seconds_left([*done, scored("r2", 1, 20.0)], [], [scored("r2", 3)], 20.0) == pytest.approx(60.0)


def test_a_job_may_stand_for_several_and_for_a_share_of_one():
    assert seconds_left([drawn(3.0)], [], [drawn()._replace(jobs=5)], 3.0) == pytest.approx(15.0)
    shares = [scored("r2", 40)._replace(jobs=0.5)] * 2
    assert seconds_left([scored("r2", 10, 5.0)], [], shares, 5.0) == pytest.approx(20.0)
    assert line([drawn(3.0)], [], [drawn()._replace(jobs=5), *shares], 3.0, failed=2) == (
        "Progress: 1 of 9 jobs done; 2 failed; about 18 s left"
    )


def run_of(*numbers):
    """Events of a run in which these jobs, of 1 and 2 for the blocks and 3 for a figure, have started."""
    seen = Events()
    for number in numbers:
        rule = "draw_figure" if number == 3 else "compute_metric"
        block = dict(
            zip(("protocol", "experiment", "dgp", "metric"), list(BLOCKS)[number % 2 - 1], strict=True)
        )
        named = {"rule_name": rule, "rule_msg": f"Job {number}", "wildcards": block}
        tell(seen, "job_info", jobid=number, output=["x"], benchmark=None, **named)
    return seen


def tell(seen, event, **fields):
    seen.handle(logging.makeLogRecord({"event": event, **fields}))


def test_blocks_of_scores_that_have_not_started_wait_with_their_sizes():
    planned = {"compute_metric": 2, "draw_figure": 3}
    assert waiting(run_of(1, 3), planned, BLOCKS) == [
        Job("draw_figure", "", 1, jobs=2),
        Job("compute_metric", "dci", 30, jobs=1.0),
    ]
    assert waiting(run_of(1, 2, 3), planned, BLOCKS) == [Job("draw_figure", "", 1, jobs=2)]


def test_blocks_whose_file_is_missing_wait_unless_that_is_too_few():
    first = next(iter(BLOCKS))
    half = BLOCKS | {first: (10, True)}
    one = [Job("compute_metric", "dci", 30, jobs=1.0)]
    both = [Job("compute_metric", "r2", 10, jobs=1.0), *one]
    assert waiting(run_of(), {"compute_metric": 1}, half) == one
    assert waiting(run_of(), {"compute_metric": 2}, half) == both


def test_of_more_blocks_than_are_asked_for_each_is_a_share_of_a_job():
    assert [job.jobs for job in waiting(run_of(), {"compute_metric": 1}, BLOCKS)] == [0.5, 0.5]


def test_a_run_is_followed_until_it_ends():
    seen, ended, lines = run_of(1, 2, 3), threading.Event(), []
    tell(seen, "job_finished", job_id=1)
    tell(seen, "job_error", jobid=2)

    def say(text):
        lines.append(text)
        ended.set()

    follow(seen, {"compute_metric": 2, "draw_figure": 2}, BLOCKS, ended, say, pause=0.01)
    (text,) = lines
    assert text == "Progress: 1 of 4 jobs done; 1 failed; about 0 s left; 1 running: Job 3 for 0 s"
