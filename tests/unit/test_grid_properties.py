"""What every metric of a factor grid owes besides what all do (test_registry_properties.py)."""

import numpy as np
import pytest

from custodes import registry
from custodes.errors import Undefined
from custodes.scoring import null_calibration
from tests.unit.grid_factors import drawn, noise, noisy
from tests.unit.test_registry_properties import FEW, METRICS

GRID = {name: module for name, module in METRICS.items() if module.METRIC.needs == "factor grid"}


def score(name, z, z_hat, seed=5):
    few = {key: value for key, value in FEW.items() if key in registry.parameters("metrics", name)}
    return GRID[name].score(z, z_hat, np.random.default_rng(seed), **few)


def example(n=400):
    """Three factors and four codes: two noisy ones, a nonlinear one of each of two factors."""
    z = drawn((3, 4, 5), n=n)
    codes = noisy(z, 0.7)
    mixed = codes[:, [0]] - 0.5 * codes[:, [2]]
    return z, np.hstack([mixed, codes[:, [1]] ** 3, np.tanh(codes[:, [2]]), codes[:, [0]]])


def assert_sound(name, scores):
    assert list(scores) == list(GRID[name].METRIC.scores)
    for key, (low, high) in GRID[name].METRIC.scores.items():
        assert type(scores[key]) is float
        assert low <= scores[key] <= high


@pytest.mark.parametrize("name", GRID)
def test_a_constant_factor_is_left_out(name):
    z, z_hat = example()
    with_constant = np.hstack([np.full((len(z), 1), 0.1), z])
    assert score(name, with_constant, z_hat) == score(name, z, z_hat)


@pytest.mark.parametrize("factor", [1e30, 1e300, 1e-300])
@pytest.mark.parametrize("name", GRID)
def test_one_code_with_another_range_hides_nothing(name, factor):
    z, z_hat = example()
    expected = score(name, z, z_hat)
    z_hat[:, 3] *= factor
    scores = score(name, z, z_hat)
    assert_sound(name, scores)
    if factor > 1 or "code_scale" in GRID[name].METRIC.invariant_to:
        assert scores == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", GRID)
def test_a_heavy_tailed_code_hides_nothing(name):
    z = drawn((4, 4, 4), n=600)
    codes = noisy(z, 0.3)
    heavy = np.sinh(4 * noise(z, 1) ** 3)
    without, scores = score(name, z, codes), score(name, z, np.hstack([heavy, codes]))
    light = score(name, z, np.hstack([np.tanh(heavy), codes]))
    for key, value in scores.items():
        assert value > min(without[key], light[key]) - 0.05


@pytest.mark.parametrize("name", GRID)
def test_no_grid_no_value(name):
    z, z_hat = example()
    with pytest.raises(Undefined, match="factor 1 has 400 values on 400 rows"):
        score(name, np.stack([z[:, 0], z_hat[:, 0]], axis=1), z_hat)
    with pytest.raises(Undefined, match=r"no factor varies|got 0"):
        score(name, np.full_like(z, 3), z_hat)
    few = "on {} rows" if name == "irs" else "got {}"
    for n in (1, 2, 3):
        with pytest.raises(Undefined, match=few.format(n)):
            score(name, z[:n], z_hat[:n])


@pytest.mark.parametrize("name", GRID)
def test_a_rare_class_does_not_end_the_score(name):
    z, z_hat = example()
    z[7, 0] = 9
    assert_sound(name, score(name, z, z_hat))
    z[8, 0] = 9
    assert_sound(name, score(name, z, z_hat))


@pytest.mark.parametrize("name", GRID)
def test_null_calibration_stands_beside_the_score(name):
    z, z_hat = example()
    few = {key: value for key, value in FEW.items() if key in registry.parameters("metrics", name)}
    for found in null_calibration.null_calibrate(GRID[name], z, z_hat, permutations=9, **few).values():
        assert found["p_value"] == pytest.approx(0.1)
        assert found["null_mean"] < found["value"] - 0.1
