"""One rule for equal values: levels with noise of their precision are levels, continuous columns stay."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from custodes.statistics.equality import DOUBLE, SINGLE, setting_of_rows, settled

HALF = np.finfo(np.float16).eps


def levels(rng, n=1000, count=10):
    return rng.integers(1, count + 1, n)


def distinct(x):
    return len(np.unique(x))


def test_two_ways_to_write_a_level(rng):
    k = levels(rng)
    x = np.where(rng.random(1000) < 0.5, k * 0.1, k / 10)[:, None]
    assert distinct(x) > 10
    assert distinct(settled(x)) == 10


def test_single_beside_double_precision(rng):
    k = levels(rng)
    x = np.where(rng.random(1000) < 0.5, np.float32(k * 0.1).astype(float), k / 10)[:, None]
    assert distinct(x) > 10
    assert distinct(settled(x)) == 10


@pytest.mark.parametrize(("kind", "precision"), [(np.float16, HALF), (np.float32, SINGLE), (float, DOUBLE)])
def test_noise_in_the_last_bit_of_each_precision(kind, precision, rng):
    x = (levels(rng) * kind(0.1)).astype(kind)
    noisy = np.where(rng.random(1000) < 0.5, x, np.nextafter(x, kind(9))).astype(float)[:, None]
    assert distinct(noisy) > 10
    assert distinct(settled(noisy, precision)) == 10


def test_a_level_at_zero_has_the_noise_of_the_others(rng):
    x = np.column_stack([(levels(rng) / 10 - 0.3) + 0.3 - 0.3])
    assert distinct(settled(x)) == 10


@pytest.mark.parametrize("kind", [np.float32, float])
def test_continuous_columns_keep_their_values(kind, rng):
    x = rng.standard_normal((2000, 3)).astype(kind).astype(float)
    near = np.abs(settled(x, np.finfo(kind).eps) - x)
    assert near.max() <= 16 * SINGLE
    assert (near > 0).mean() < 0.01


def test_one_huge_value_makes_no_others_equal(rng):
    x = np.append(rng.standard_normal(999), 1e12)[:, None]
    assert np.array_equal(settled(x), x)


def test_whole_numbers_are_exact():
    x = np.array([[1e15], [1e15 + 1], [1e15 + 2]])
    assert np.array_equal(settled(x, SINGLE), x)


def test_nothing_to_do_gives_the_same_array(rng):
    x = rng.standard_normal((100, 3))
    assert settled(x) is x


@given(
    arrays(np.float64, (30, 2), elements=st.floats(-1e300, 1e300)),
    st.sampled_from([HALF, SINGLE, DOUBLE]),
)
@settings(max_examples=200, deadline=None)
def test_settling_again_changes_nothing(x, precision):
    once = settled(x, precision)
    assert np.array_equal(settled(once, precision), once)
    assert np.abs(once - x).max() <= 16 * precision * np.abs(x).max()


@pytest.mark.parametrize("noise", [0.0, 1e-15, 1e-9, 1e-7])
def test_settings_that_were_measured_ten_times(noise, rng):
    z = np.repeat(rng.standard_normal((100, 5)), 10, axis=0)
    found = setting_of_rows(z + noise * rng.standard_normal(z.shape))
    assert np.array_equal(found.reshape(100, 10), np.repeat(found[::10, None], 10, axis=1))
    assert distinct(found) == 100


def test_rows_of_continuous_columns_are_settings_of_their_own(rng):
    assert distinct(setting_of_rows(rng.standard_normal((5000, 2)))) == 5000


@pytest.fixture
def rng():
    return np.random.default_rng(0)
