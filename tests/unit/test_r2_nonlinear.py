"""Nonlinear R2: controls, agreement with scikit-learn and with the linear R2, hostile input."""

import numpy as np
import pytest

from custodes import registry, streams
from custodes.errors import Undefined
from custodes.metrics import dci, r2, r2_nonlinear
from custodes.statistics.columns import distinct_columns, ranks
from custodes.statistics.folds import in_canonical_order, shuffled_folds


def draw(encoder, n=300, d=3, seed=42, dgp="independent", **sizes):
    z = registry.load("dgps", dgp).sample(streams.factors(seed), n, d)
    module = registry.load("encoders", encoder)
    return z, module.encode(z, streams.codes(seed), sizes.get("m", module.default_m(d)))


def score(z, z_hat, seed=0, **options):
    return r2_nonlinear.score(z, z_hat, np.random.default_rng(seed), **options)["r2_nonlinear"]


def linear_score(z, z_hat, **options):
    return r2.score(z, z_hat, np.random.default_rng(0), **options)["r2"]


# Known answers


@pytest.mark.parametrize("encoder", ["elementwise_linear", "elementwise_nonlinear"])
def test_recovery_is_near_one(encoder):
    assert score(*draw(encoder, n=1000)) > 0.97


@pytest.mark.parametrize("n", [50, 300])
def test_independent_codes_predict_nothing(n):
    assert score(*draw("null_gaussian", n=n)) == 0


def test_functions_without_correlation_are_seen():
    z_hat = np.random.default_rng(0).standard_normal((500, 2))
    z = np.stack([z_hat[:, 0] ** 2, z_hat[:, 0] * z_hat[:, 1]], axis=1)
    assert linear_score(z, z_hat) < 0.05
    assert score(z, z_hat) > 0.85


def test_dropped_factors_lower_the_mean():
    assert score(*draw("undercomplete", n=1000, d=4, m=2)) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("probe", ["gbt", "random_forest"])
def test_equals_scikit_learn_on_held_out_folds(probe):
    from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
    from sklearn.metrics import r2_score

    model = {"gbt": GradientBoostingRegressor, "random_forest": RandomForestRegressor}[probe]
    z, z_hat = in_canonical_order(*draw("linearly_entangled", n=80, d=2))
    rng = np.random.default_rng(3)
    predicted = np.empty(z.shape)
    codes, _ = distinct_columns(ranks(z_hat))
    for train, test in shuffled_folds(80, 4, rng):
        for j, factor in enumerate(z.T):
            probe_model = model(random_state=int(rng.integers(2**31)))
            predicted[test, j] = probe_model.fit(codes[train], factor[train]).predict(codes[test])
    expected = np.clip(r2_score(z, predicted, multioutput="raw_values"), 0, 1).mean()
    assert 0.2 < expected < 1
    ours = r2_nonlinear.score(z, z_hat, np.random.default_rng(3), probe=probe, folds=4)["r2_nonlinear"]
    assert ours == pytest.approx(expected, abs=1e-9)


def test_probes_agree():
    z, z_hat = draw("linearly_entangled", n=300)
    values = [score(z, z_hat, probe=probe) for probe in ("lightgbm", "gbt")]
    assert values[0] == pytest.approx(values[1], abs=0.03)


def test_is_the_informativeness_of_continuous_factors():
    z, z_hat = draw("linearly_entangled")
    informativeness = dci.score(z, z_hat, np.random.default_rng(0))["dci_informativeness"]
    assert score(z, z_hat) == pytest.approx(informativeness, abs=1e-9)


def test_a_split_is_one_fit_on_the_train_rows():
    z, z_hat = draw("linearly_entangled")
    train, test = streams.row_split(300, 42, 0.2)
    with_split = score(z, z_hat, split=(train, test))
    assert 0.3 < with_split < 1
    shuffled = z.copy()
    shuffled[train] = shuffled[train[::-1]]
    assert score(shuffled, z_hat, split=(train, test)) < 0.1
    worse = z.copy()
    worse[test] = worse[test[::-1]]
    assert score(worse, z_hat, split=(train, test)) < 0.1
    in_sample = np.arange(300), np.arange(300)
    assert score(z, z_hat, split=in_sample) > with_split


# Invariances


def test_same_data_in_other_forms():
    z, z_hat = draw("overcomplete_multicode", n=120, m=5)
    expected = score(z, z_hat)
    order = np.random.default_rng(1).permutation(120)
    by_factor = np.argsort(z[:, 0])
    for again in ((z, z_hat), (z[order], z_hat[order]), (z[by_factor], z_hat[by_factor])):
        assert score(*again) == expected
    single = score(z.astype(np.float32), z_hat.astype(np.float32))
    assert single == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("scales", [1e-4, 1e6, -1.0, [1e300, 1.0, 1e-300]])
def test_units_of_codes_do_not_matter(scales):
    z, z_hat = draw("linearly_entangled", n=120)
    expected = score(z, z_hat)
    assert score(z, z_hat * scales) == pytest.approx(expected, abs=1e-9)
    assert score(z, z_hat[:, ::-1] * scales) == pytest.approx(expected, abs=1e-9)
    assert score(z * np.abs(scales), z_hat) == pytest.approx(expected, abs=1e-6)
    assert score(z, np.exp(z_hat)) == pytest.approx(expected, abs=1e-9)


def test_large_integers_are_no_classes():
    z, z_hat = draw("linearly_entangled", n=120)
    assert score(np.round(3e8 + 1e6 * z), z_hat) == pytest.approx(score(z, z_hat), abs=1e-3)


# Faults


def test_columns_that_do_not_vary():
    z, z_hat = draw("elementwise_linear")
    dead = np.full((300, 1), 0.1)
    dead[::2] *= 1 + np.finfo(float).eps
    expected = score(z, z_hat)
    assert score(z, np.hstack([dead, z_hat])) == pytest.approx(expected, abs=1e-9)
    assert score(np.hstack([dead, z]), z_hat) == pytest.approx(expected, abs=0.02)
    assert score(z, dead) == 0
    with pytest.raises(Undefined, match="r2_nonlinear: no factor varies"):
        score(dead, z_hat)


@pytest.mark.parametrize(("d", "m"), [(1, 1), (1, 3), (3, 1), (2, 60)])
def test_every_size(d, m):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((60, d))
    assert 0 < score(z, z @ rng.standard_normal((d, m))) < 1


def test_too_few_rows_are_undefined():
    z, z_hat = draw("identity", n=4)
    assert 0 <= score(z, z_hat) <= 1
    with pytest.raises(Undefined, match="r2_nonlinear needs 4 scored rows, got 3"):
        score(z[:3], z_hat[:3])


def test_a_linear_probe_is_refused():
    with pytest.raises(
        ValueError, match="probe = 'lasso': must be one of 'lightgbm', 'gbt', 'random_forest'"
    ):
        score(*draw("identity", n=60), probe="lasso")


@pytest.mark.parametrize("name", ["z", "z_hat"])
def test_bad_values_are_named(name):
    pair = dict(zip(("z", "z_hat"), draw("elementwise_linear", n=60), strict=True))
    pair[name][7, 2] = np.nan
    with pytest.raises(ValueError, match=f"^{name} has the value nan in column 2, row 7"):
        score(**pair)


def test_lengths_must_agree():
    z, z_hat = draw("identity", n=60)
    with pytest.raises(ValueError, match="z has 60 rows and z_hat has 50"):
        score(z, z_hat[:50])
