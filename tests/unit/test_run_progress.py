"""The line on the progress of a run: what is done, what runs, and the estimate of the time left."""

import pytest

from custodes.run.progress import Job, line, seconds_left


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
