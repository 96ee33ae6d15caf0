"""Every metric keeps what it declares and what all metrics owe: bounds, invariances, clear refusals.

What a score is where that is not the usual, a module declares (see `custodes.contracts.Metric`).
"""

import contextlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from custodes import registry
from custodes.contracts import Metric
from custodes.errors import Undefined

METRICS = {name: registry.load("metrics", name) for name in registry.names("metrics")}
PAIRED = {name: module for name, module in METRICS.items() if module.METRIC.needs == "paired samples"}

SCALES = np.array([1e-4, -1e6, 3.0, -0.5])
SHIFTS = np.array([3.0, -7.0, 50.0])


def mixing(columns):
    return np.eye(columns) + 0.4 * np.tri(columns, k=-1)


TRANSFORMATIONS = {
    "code_permutation": lambda z, z_hat: (z, z_hat[:, ::-1]),
    "code_scale": lambda z, z_hat: (z, z_hat * SCALES[: z_hat.shape[1]]),
    "code_shift": lambda z, z_hat: (z, z_hat + 100 * np.arange(1, z_hat.shape[1] + 1)),
    "code_monotone": lambda z, z_hat: (z, np.exp(2 * z_hat)),
    "code_mixing": lambda z, z_hat: (z, z_hat @ mixing(z_hat.shape[1])),
    "factor_permutation": lambda z, z_hat: (z[:, [1, 2, 0]], z_hat),
    "factor_scale": lambda z, z_hat: (z * SCALES[:3], z_hat),
    "factor_shift": lambda z, z_hat: (z + SHIFTS, z_hat),
    "factor_monotone": lambda z, z_hat: (np.exp(2 * z), z_hat),
}


def declared(name, attribute):
    return getattr(PAIRED[name].METRIC, attribute)


def score(name, z, z_hat, seed=5, **arguments):
    return PAIRED[name].score(z, z_hat, np.random.default_rng(seed), **arguments)


def example(n=160, seed=1):
    """Three factors; four noisy codes: two mixtures and two nonlinear codes of one factor each."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((n, 3))
    clean = np.stack(
        [z[:, 0] + 0.6 * z[:, 1], z[:, 1] - 0.4 * z[:, 2], z[:, 2] ** 3, np.tanh(z[:, 0])], axis=1
    )
    return z, clean + 0.2 * rng.standard_normal((n, 4))


def largest_change(name, transform, z, z_hat):
    before, after = score(name, z, z_hat), score(name, *transform(z, z_hat))
    return max(abs(after[key] - before[key]) for key in before)


def assert_sound(name, scores):
    bounds = PAIRED[name].METRIC.scores
    assert list(scores) == list(bounds)
    for key, (low, high) in bounds.items():
        assert type(scores[key]) is float
        assert low <= scores[key] <= high


@pytest.mark.parametrize("module", METRICS.values(), ids=METRICS)
def test_module_says_what_it_is(module):
    assert len(module.__doc__.splitlines()) > 3
    assert isinstance(module.METRIC, Metric)


@pytest.mark.parametrize("invariance", TRANSFORMATIONS)
@pytest.mark.parametrize("name", PAIRED)
def test_invariances_hold_exactly_where_declared(name, invariance):
    change = largest_change(name, TRANSFORMATIONS[invariance], *example())
    if invariance in PAIRED[name].METRIC.invariant_to:
        assert change < 1e-6
    else:
        assert change > 1e-3


@pytest.mark.parametrize("name", PAIRED)
def test_same_generator_same_numbers(name):
    assert score(name, *example()) == score(name, *example())


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize("kind", ["continuous", "repeated rows", "discrete", "one factor"])
def test_row_order_does_not_matter(name, kind):
    z, z_hat = example(n=60)
    if kind == "repeated rows":
        z, z_hat = np.repeat(z, 2, axis=0), np.repeat(z_hat, 2, axis=0)
    elif kind == "discrete":
        z = np.round(z)
    elif kind == "one factor":
        z = z[:, :1]
    order = np.random.default_rng(2).permutation(len(z))
    by_factor = np.argsort(z[:, 0], kind="stable")
    expected = score(name, z, z_hat)
    assert score(name, z[order], z_hat[order]) == expected
    assert score(name, z[by_factor], z_hat[by_factor]) == expected


@pytest.mark.parametrize("name", PAIRED)
def test_single_precision_copy_scores_the_same(name):
    z, z_hat = example()
    single = score(name, z.astype(np.float32), z_hat.astype(np.float32))
    assert single == pytest.approx(score(name, z, z_hat), abs=2e-3)


@pytest.mark.parametrize("name", PAIRED)
def test_input_is_left_alone(name):
    z, z_hat = example(n=60)
    copies = z.copy(), z_hat.copy()
    z.flags.writeable = z_hat.flags.writeable = False
    score(name, z, z_hat)
    assert np.array_equal(z, copies[0])
    assert np.array_equal(z_hat, copies[1])


@pytest.mark.parametrize("name", PAIRED)
def test_perfect_recovery_is_near_the_top(name):
    z = np.random.default_rng(0).standard_normal((1000, 4))
    scores = score(name, z, z[:, [2, 0, 3, 1]] * [2.0, 0.5, 3.0, 1.0])
    for key, (low, high) in PAIRED[name].METRIC.scores.items():
        if key in declared(name, "lower_is_better"):
            assert scores[key] < declared(name, "perfect").get(key, low) + 0.02
        else:
            assert scores[key] > declared(name, "perfect").get(key, high) - 0.02


@pytest.mark.parametrize("name", PAIRED)
def test_independent_code_is_near_the_chance_level(name):
    """The level for many rows: 0, or what the module declares, which is that of a mean over draws."""
    chance = declared(name, "chance")
    draws = [
        score(name, *np.random.default_rng(seed).standard_normal((2, 2000, 3)))
        for seed in range(20 if chance else 1)
    ]
    for key in PAIRED[name].METRIC.scores:
        assert np.mean([scores[key] for scores in draws]) == pytest.approx(chance.get(key, 0.0), abs=0.06)
        if key not in chance:
            assert max(abs(scores[key]) for scores in draws) < 0.06


@pytest.mark.parametrize(("d", "m"), [(1, 1), (1, 3), (3, 1), (3, 6), (3, 2), (8, 8)])
@pytest.mark.parametrize("n", [60, 200])
@pytest.mark.parametrize("name", PAIRED)
def test_every_size(name, n, d, m):
    rng = np.random.default_rng(3)
    z = rng.standard_normal((n, d))
    z_hat = z @ rng.standard_normal((d, m)) + rng.standard_normal((n, m))
    assert_sound(name, score(name, z, z_hat))
    assert_sound(name, score(name, z, z_hat, split=(np.arange(n // 2), np.arange(n // 2, n))))


@pytest.mark.parametrize("value", [0.0, 0.1, -7.0, 1e300])
@pytest.mark.parametrize("name", PAIRED)
def test_a_constant_code_does_not_end_the_score(name, value):
    z, z_hat = example(n=60)
    dead = np.full((60, 1), value)
    dead[::2] *= 1 + np.finfo(float).eps  # rounding noise, not a signal
    assert_sound(name, score(name, z, np.hstack([dead, z_hat])))
    only_dead = score(name, z, dead)
    assert_sound(name, only_dead)
    for key, found in only_dead.items():
        if key in declared(name, "dead"):
            assert found == pytest.approx(declared(name, "dead")[key], abs=1e-6)
        else:
            assert found <= 1e-6


@pytest.mark.parametrize("name", PAIRED)
def test_a_constant_factor_gives_a_value_or_a_reason(name):
    z, z_hat = example(n=60)
    z[:, 0] = 0.1
    assert_sound(name, score(name, z, z_hat))
    z[:] = 0.1
    with contextlib.suppress(Undefined):
        assert_sound(name, score(name, z, z_hat))


@pytest.mark.parametrize("factor", [1e30, 1e300, 1e-300])
@pytest.mark.parametrize("name", PAIRED)
def test_one_code_with_another_range_hides_nothing(name, factor):
    z, z_hat = example()
    expected = score(name, z, z_hat)
    z_hat[:, 1] *= factor
    scores = score(name, z, z_hat)
    assert_sound(name, scores)
    if "code_scale" in PAIRED[name].METRIC.invariant_to:
        assert scores == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", PAIRED)
def test_a_heavy_tailed_code_hides_nothing(name):
    z, z_hat = example(n=1000)
    heavy = np.sinh(2 * z[:, :1] ** 3 + 0.1)
    assert heavy.std() > 1e12
    without = score(name, z[:, 1:], z_hat[:, 1:3])
    scores = score(name, z[:, 1:], np.hstack([heavy, z_hat[:, 1:3]]))
    for key, value in scores.items():
        sign = -1 if key in declared(name, "lower_is_better") else 1
        assert sign * value > sign * without[key] - 0.05


@pytest.mark.parametrize("name", PAIRED)
def test_factors_far_from_zero(name):
    z, z_hat = example()
    far = np.round(3e8 + 1e6 * z)  # floats that are integers, and yet no classes
    assert score(name, far, z_hat) == pytest.approx(score(name, z, z_hat), abs=2e-3)


@pytest.mark.parametrize("name", PAIRED)
def test_too_few_rows_are_undefined(name):
    z, z_hat = example()
    for n in (1, 2, 3):
        with pytest.raises(Undefined, match=f"got {n}"):
            score(name, z[:n], z_hat[:n])


ONES, HOLE = np.ones((5, 2)), np.arange(10.0).reshape(5, 2)
HOLE[3, 1] = np.nan
BAD = {
    "NaN in a factor": (HOLE, ONES, r"^z has the value nan in column 1, row 3"),
    "NaN in a code": (ONES, HOLE, r"^z_hat has the value nan in column 1, row 3"),
    "infinity": (
        ONES,
        np.where(np.isnan(HOLE), -np.inf, HOLE),
        r"z_hat has the value -inf in column 1, row 3",
    ),
    "lengths": (ONES, ONES[:4], r"z has 5 rows and z_hat has 4"),
    "one dimension": (ONES[:, 0], ONES, r"^z has shape \(5,\)"),
    "three dimensions": (ONES, ONES[None], r"^z_hat has shape \(1, 5, 2\)"),
    "objects": (ONES, ONES.astype(object), r"^z_hat holds object"),
    "text": (ONES.astype(str), ONES, r"^z holds <U"),
    "complex": (ONES + 0j, ONES, r"^z holds complex"),
    "no rows": (ONES[:0], ONES[:0], r"^z is empty: its shape is \(0, 2\)"),
    "no columns": (ONES, ONES[:, :0], r"^z_hat is empty: its shape is \(5, 0\)"),
    "ragged": ([[1.0], [1.0, 2.0]], ONES, r"^z is not a rectangular array"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("name", PAIRED)
def test_bad_input_is_named(name, case):
    z, z_hat, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        score(name, z, z_hat)


THREADS = """
import json
import numpy as np
from tests.unit.test_registry_properties import PAIRED, score
rng = np.random.default_rng(0)
z = rng.standard_normal((1000, 2))
z_hat = z @ rng.standard_normal((2, 10)) + rng.standard_normal((1000, 10))
print(json.dumps({name: score(name, z, z_hat) for name in PAIRED}))
"""


@pytest.fixture(scope="module")
def scores_by_threads():
    outputs = []
    for threads in ("1", "2"):
        limits = {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
        command = [sys.executable, "-c", THREADS]
        run = subprocess.run(command, env=os.environ | limits, capture_output=True, text=True, check=True)
        outputs.append(json.loads(run.stdout))
    return outputs


@pytest.mark.parametrize("name", PAIRED)
def test_numbers_do_not_depend_on_the_number_of_threads(name, scores_by_threads):
    one, two = (scores[name] for scores in scores_by_threads)
    assert one == two
