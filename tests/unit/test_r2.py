"""R2: scikit-learn as reference under both protocols, and inputs that break plain least squares."""

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from sklearn.model_selection import cross_val_predict

from custodes.errors import Undefined
from custodes.metrics import r2
from custodes.sources import CHECKOUT
from custodes.statistics.folds import in_canonical_order, shuffled_folds
from custodes.study.yaml_files import read_yaml

PUBLISHED = read_yaml(CHECKOUT / "config" / "protocols" / "published.yaml")["metrics"]["r2"]


def score(z, z_hat, seed=0, **arguments):
    return r2.score(z, z_hat, np.random.default_rng(seed), **arguments)["r2"]


def noisy(n=120, d=3, m=4, noise=1.0, seed=1):
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((n, d))
    return z, z @ rng.standard_normal((d, m)) + noise * rng.standard_normal((n, m))


def halves(n):
    return np.arange(n // 2), np.arange(n // 2, n)


@pytest.mark.parametrize("folds", [2, 5])
def test_agrees_with_cross_validated_linear_regression(folds):
    z, z_hat = in_canonical_order(*noisy())
    parts = shuffled_folds(len(z), folds, np.random.default_rng(0))
    predicted = cross_val_predict(LinearRegression(), z_hat, z, cv=parts)
    expected = r2_score(z, predicted, multioutput="raw_values")
    assert 0.1 < expected.min() < expected.max() < 0.9
    assert score(z, z_hat, folds=folds) == pytest.approx(expected.mean(), abs=1e-12)


@pytest.mark.parametrize("offset", [0.0, 5.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_agrees_with_linear_regression_on_a_split(offset, intercept):
    z, z_hat = noisy()
    z_hat += offset
    train, test = halves(120)
    fitted = LinearRegression(fit_intercept=intercept).fit(z_hat[train], z[train])
    expected = r2_score(z[test], fitted.predict(z_hat[test]), multioutput="raw_values").clip(0, 1).mean()
    value = score(z, z_hat, split=(train, test), intercept=intercept, standardise=False)
    assert value == pytest.approx(expected, abs=1e-12)


def test_an_offset_lowers_the_published_score_only():
    z, _ = noisy()
    split = halves(120)
    assert (
        score(z, z[:, :1] + 3, split=split, **PUBLISHED) < score(z, z[:, :1], split=split, **PUBLISHED) - 0.02
    )
    assert score(z, z[:, :1] + 3) == pytest.approx(score(z, z[:, :1]))


def test_a_huge_code_hides_the_others_in_the_published_score_only():
    z, _ = noisy(n=1000, d=5)
    z_hat = z.copy()
    z_hat[:, 1] *= 1e19
    assert score(z, z_hat, split=halves(1000), **PUBLISHED) == pytest.approx(0.2, abs=0.01)
    assert score(z, z_hat) == pytest.approx(1)


def test_a_heavy_tailed_code_is_not_extrapolated():
    """Few rows carry all of sinh's variance; the largest is far outside the range of any training fold."""
    z, _ = noisy(n=1000, d=2)
    heavy = np.sinh(2 * z[:, :1] ** 3)
    z_hat = np.hstack([heavy, np.cbrt(z[:, 1:])])
    only = score(z[:, 1:], z_hat[:, 1:])
    assert 0.8 < only < 0.95
    assert score(z[:, 1:], z_hat) == pytest.approx(only, abs=0.01)


@pytest.mark.parametrize(("n", "d", "m"), [(30, 2, 50), (20, 3, 16), (100, 2, 300)])
def test_more_codes_than_rows(n, d, m):
    rng = np.random.default_rng(2)
    z = rng.standard_normal((n, d))
    assert score(z, z @ rng.standard_normal((d, m))) == pytest.approx(1)
    assert score(z, rng.standard_normal((n, m))) < 0.15


def test_copies_of_codes_change_nothing():
    z, z_hat = noisy()
    copies = np.hstack([z_hat, 1e-4 * z_hat + 100, -z_hat])
    assert score(z, copies) == pytest.approx(score(z, z_hat), abs=1e-6)


def test_dropped_factors_score_the_share_that_is_kept():
    z = np.random.default_rng(3).standard_normal((1000, 10))
    for m in (9, 5, 1):
        assert score(z, z[:, :m]) == pytest.approx(m / 10, abs=0.005)


def test_constant_factors_are_left_out():
    z, z_hat = noisy()
    constant = np.full((120, 1), 0.1)
    assert score(np.hstack([z, constant]), z_hat) == pytest.approx(score(z, z_hat), abs=1e-12)
    for split in (None, halves(120)):
        with pytest.raises(Undefined, match="no factor varies"):
            score(constant, z_hat, split=split)


def test_factors_of_any_size():
    z, z_hat = noisy()
    assert score(1e300 * z, z_hat) == pytest.approx(score(z, z_hat), abs=1e-12)
    assert score(1e-300 * z, z_hat) == pytest.approx(score(z, z_hat), abs=1e-12)


def test_a_prediction_that_overflows_is_undefined():
    z, z_hat = noisy()
    train, test = halves(120)
    z *= 1e300
    z_hat *= 1e-100
    with pytest.raises(Undefined, match="not finite"):
        score(z, z_hat, split=(train, test), **PUBLISHED)
    assert 0 <= score(z, z_hat, split=(train, test)) <= 1


def test_a_solver_that_fails_is_undefined(monkeypatch):
    def fail(*_, **__):
        raise np.linalg.LinAlgError("SVD did not converge")

    monkeypatch.setattr(np.linalg, "lstsq", fail)
    with pytest.raises(Undefined, match="least squares failed"):
        score(*noisy())


def test_codes_up_to_the_largest_float():
    z, z_hat = noisy()
    huge = z_hat / np.abs(z_hat).max() * 1.7e308
    assert score(z, huge) == pytest.approx(score(z, z_hat), abs=1e-9)
    assert score(z, huge, split=halves(120), **PUBLISHED) == pytest.approx(
        score(z, z_hat, split=halves(120), **PUBLISHED), abs=1e-9
    )


THREADS = """
import numpy as np
from custodes.metrics import r2
rng = np.random.default_rng(0)
z = rng.standard_normal((5000, 100))
z_hat = z @ rng.standard_normal((100, 50)) + rng.standard_normal((5000, 50))
print(r2.score(z, z_hat, rng))
"""


def test_number_does_not_depend_on_the_threads_of_the_solver():
    """A size at which the solver's last bits do change with its threads."""
    outputs = set()
    for threads in ("1", "2"):
        command, limit = [sys.executable, "-c", THREADS], {"OPENBLAS_NUM_THREADS": threads}
        run = subprocess.run(command, env=os.environ | limit, capture_output=True, text=True, check=True)
        outputs.add(run.stdout)
    assert len(outputs) == 1
