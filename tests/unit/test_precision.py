"""Noise in the last bits of numbers is no variation: every metric gives what it gives without."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from custodes import metrics
from custodes.contracts import SET
from custodes.errors import Undefined
from custodes.metrics import focus

METRICS = [
    name for name in dir(metrics) if not name.startswith("_") and getattr(metrics, name).METRIC.needs != SET
]
FEW_POINTS = {
    "beta_vae_score": {"train_points": 90, "test_points": 60},
    "factor_vae_score": {"train_points": 90, "test_points": 60},
    "dci": {"folds": 2},
    "r2_nonlinear": {"folds": 2},
    "tmex": {"halvings": 2},
}
LEVELS, ROWS, FACTORS = 4, 160, 2


def last_bits(levels, kind, rng):
    """Each level of a precision as one of three neighbouring numbers, half of all as it is."""
    x = (levels / 10).astype(kind)
    step = rng.integers(-1, 2, x.shape) * (rng.random(x.shape) < 0.7)
    return np.where(step > 0, np.nextafter(x, kind(9)), np.where(step < 0, np.nextafter(x, kind(-9)), x))


def either(one, other, rng):
    return np.where(rng.random(one.shape) < 0.5, one, other)


# {name: (the levels alone, the same with noise)}, of whole numbers and a generator.
NOISE = {
    "half": (lambda k: np.float16(k / 10), lambda k, rng: last_bits(k, np.float16, rng)),
    "single": (lambda k: np.float32(k / 10), lambda k, rng: last_bits(k, np.float32, rng)),
    "double": (lambda k: k / 10, lambda k, rng: last_bits(k, np.float64, rng)),
    "two ways": (lambda k: k / 10, lambda k, rng: either(k * 0.1, k / 10, rng)),
    "single beside double": (
        lambda k: k / 10,
        lambda k, rng: either(np.float32(k / 10).astype(float), k / 10, rng),
    ),
    "single in double": (
        lambda k: np.float32(k / 10).astype(float),
        lambda k, rng: last_bits(k, np.float32, rng).astype(float),
    ),
}


def scores(name, z, z_hat):
    try:
        found = getattr(metrics, name).score(z, z_hat, 0, **FEW_POINTS.get(name, {}))
    except Undefined as reason:
        return {"reason": str(reason)}
    return {key: str(value) if isinstance(value, Undefined) else value for key, value in found.items()}


@pytest.mark.parametrize("name", METRICS)
@given(
    noise=st.sampled_from(list(NOISE)),
    codes=st.sampled_from(["perfect", "independent", "continuous", "continuous and independent"]),
    seed=st.integers(0, 2**16),
)
@settings(max_examples=8, deadline=None)
def test_noise_in_the_last_bits_changes_no_score(name, noise, codes, seed):
    rng = np.random.default_rng(seed)
    alone, with_noise = NOISE[noise]
    levels = rng.integers(1, LEVELS + 1, (ROWS, FACTORS))
    of_codes = levels if codes == "perfect" else rng.integers(1, LEVELS + 1, levels.shape)
    clean, noisy = alone(of_codes), with_noise(of_codes, rng)
    if codes.startswith("continuous"):
        signal = 0.0 if codes.endswith("independent") else levels
        clean = noisy = signal + rng.standard_normal(levels.shape)
    expected = scores(name, alone(levels), clean)
    assert scores(name, with_noise(levels, rng), noisy) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("noise", [0.0, 1e-15, 1e-9, 1e-7])
@pytest.mark.parametrize("kind", [np.float32, float])
def test_settings_measured_again_tell_focus_nothing(noise, kind):
    rng = np.random.default_rng(0)
    z, z_hat = (np.repeat(rng.standard_normal((100, columns)), 10, axis=0) for columns in (5, 20))
    z, z_hat = ((x + noise * rng.standard_normal(x.shape)).astype(kind) for x in (z, z_hat))
    assert focus.score(z, z_hat)["focus"] < 0.03


def test_near_repeats_do_not_make_up_rows_for_focus():
    rng = np.random.default_rng(0)
    z = np.repeat(rng.standard_normal((10, 2)), 10, axis=0) + 1e-9 * rng.standard_normal((100, 2))
    with pytest.raises(Undefined, match="20 scored rows that differ, got 10"):
        focus.score(z, z)
