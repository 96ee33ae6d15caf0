"""MCC-RDC: one QR for every pair as the oracle, null levels, invariances, published means, hostile input."""

import numpy as np
import pytest
from scipy.stats import rankdata

from custodes import registry, streams
from custodes.errors import Undefined
from custodes.metrics import mcc_rdc
from custodes.metrics.mcc_rdc.rdc import dependence_matrix

CORRECTED = {
    "weights": "shared",
    "weight_scale": 1 / 12,
    "ties": "average",
    "truncation": "singular vectors",
    "rank_tolerance": 1e-10,
}
PUBLISHED = {
    "weights": "per pair",
    "weight_scale": 0.5,
    "ties": "ordinal",
    "truncation": "columns",
    "rank_tolerance": None,
}


def draw(encoder, n=1000, d=5, seed=42, dgp="independent", **sizes):
    z = registry.load("dgps", dgp).sample(streams.factors(seed), n, d)
    module = registry.load("encoders", encoder)
    return z, module.encode(z, streams.codes(seed), sizes.get("m", module.default_m(d)))


def score(z, z_hat, seed=0, **options):
    return mcc_rdc.score(z, z_hat, np.random.default_rng(seed), **options)


def matrix(z, z_hat, seed=0, **options):
    return dependence_matrix(z, z_hat, np.random.default_rng(seed), **CORRECTED | options)


# The coefficient


def textbook_side(column, w, b, options):
    """Orthonormal basis of the sinusoids of one column, by its own QR in the order of the rows."""
    n = len(column)
    u = rankdata(column, method=options["ties"])
    u = (u - (n + 1) / 2) / n if options["weights"] == "shared" else u / n
    features = np.sin(np.outer(u, w) + b)
    features -= features.mean(axis=0)
    tolerance = options["rank_tolerance"] or np.finfo(float).eps * max(n, 21)
    q, r = np.linalg.qr(features)
    vectors, singular, _ = np.linalg.svd(r)
    basis = q if options["truncation"] == "columns" else q @ vectors
    return basis[:, : np.sum(singular > tolerance * singular[0])]


def textbook_matrix(z, z_hat, rng, options):
    count = min(20, len(z))

    def weights():
        if options["weights"] == "per pair":
            return rng.normal(0, options["weight_scale"], (2, count))
        w, b = rng.normal(0, options["weight_scale"], (2, 10))
        return np.tile(w, 2), np.concatenate([b, -b])

    shared = options["weights"] == "shared"
    left, right = (weights(), weights()) if shared else (None, None)
    result = np.empty((z.shape[1], z_hat.shape[1]))
    for j, factor in enumerate(z.T):
        for i, code in enumerate(z_hat.T):
            sides = [
                textbook_side(factor, *(left if shared else weights()), options),
                textbook_side(code, *(right if shared else weights()), options),
            ]
            result[j, i] = np.linalg.svd(sides[0].T @ sides[1], compute_uv=False)[0]
    return result


def mixed_data(n):
    """Continuous, tied and binary columns, some of them dependent."""
    rng = np.random.default_rng(4)
    z = rng.standard_normal((n, 3))
    z_hat = np.stack(
        [
            z[:, 0] ** 2 + 0.3 * rng.standard_normal(n),
            np.round(z[:, 1]),
            z[:, 2] > 0.5,
            rng.standard_normal(n),
        ],
        axis=1,
    )
    return z, z_hat


@pytest.mark.parametrize("n", [40, 300])
@pytest.mark.parametrize("truncation", ["singular vectors", "columns"])
@pytest.mark.parametrize("weights", ["shared", "per pair"])
def test_matrix_equals_a_qr_for_every_pair(n, truncation, weights):
    z, z_hat = mixed_data(n)
    options = CORRECTED | {"truncation": truncation, "weights": weights}
    ours = dependence_matrix(z, z_hat, np.random.default_rng(2), **options)
    textbook = textbook_matrix(z, z_hat, np.random.default_rng(2), options)
    np.testing.assert_allclose(ours, textbook, rtol=0, atol=1e-5)


def test_published_matrix_equals_a_qr_for_every_pair():
    """With a tolerance at which no column of Q is rounding noise, which depends on the order of the rows."""
    z, z_hat = mixed_data(300)
    options = PUBLISHED | {"rank_tolerance": 1e-8}
    ours = dependence_matrix(z, z_hat, np.random.default_rng(2), **options)
    textbook = textbook_matrix(z, z_hat, np.random.default_rng(2), options)
    np.testing.assert_allclose(ours, textbook, rtol=0, atol=1e-5)


def test_functions_without_correlation_are_seen():
    z = np.random.default_rng(0).standard_normal((1000, 1))
    for function in (np.square, np.cos, np.abs, lambda x: np.sin(3 * x)):
        assert abs(np.corrcoef(z[:, 0], function(z[:, 0]))[0, 1]) < 0.15
        assert matrix(z, function(z))[0, 0] > 0.9


# Controls


@pytest.mark.parametrize(("n", "level"), [(50, 0.58), (200, 0.29), (1000, 0.13)])
def test_null_level_falls_with_the_rows(n, level):
    values = [score(*draw("null_gaussian", n=n, seed=seed), seed)["mcc_rdc"] for seed in range(42, 50)]
    assert np.mean(values) == pytest.approx(level, abs=0.03)


@pytest.mark.parametrize("encoder", ["elementwise_linear", "elementwise_nonlinear", "overcomplete_multicode"])
def test_recovery_up_to_functions_is_perfect(encoder):
    scores = score(*draw(encoder, n=200))
    assert scores == pytest.approx({"mcc_rdc": 1.0, "mcc_rdc_coverage": 1.0}, abs=1e-6)


def test_dropped_factors_lower_the_coverage():
    scores = score(*draw("undercomplete", n=200, d=5, m=3))
    assert scores == pytest.approx({"mcc_rdc": 1.0, "mcc_rdc_coverage": 0.6}, abs=1e-6)


def test_entangled_codes_are_below_one():
    assert score(*draw("linearly_entangled"))["mcc_rdc"] < 0.85


# Invariances


@pytest.mark.parametrize("function", [np.exp, np.negative, lambda x: -(x**3), lambda x: 1e200 * x + 7])
def test_monotone_functions_change_nothing(function):
    z, z_hat = draw("linearly_entangled", n=200)
    expected = matrix(z, z_hat)
    np.testing.assert_allclose(matrix(z, function(z_hat)), expected, atol=1e-6)
    np.testing.assert_allclose(matrix(function(z), z_hat), expected, atol=1e-6)


def test_order_of_columns_changes_nothing():
    z, z_hat = draw("overcomplete_entangled", n=100)
    expected = matrix(z, z_hat)
    np.testing.assert_allclose(matrix(z[:, ::-1], z_hat), expected[::-1], atol=1e-12)
    np.testing.assert_allclose(matrix(z, z_hat[:, ::-1]), expected[:, ::-1], atol=1e-12)


def test_same_data_in_other_forms():
    z, z_hat = draw("overcomplete_multicode", n=200, m=8)
    z_hat[:, 0] = np.round(z_hat[:, 0])
    expected = score(z, z_hat)
    order = np.random.default_rng(1).permutation(200)
    by_factor = np.argsort(z[:, 0])
    for again in ((z, z_hat), (z[order], z_hat[order]), (z[by_factor], z_hat[by_factor])):
        assert score(*again) == expected
    single = score(z.astype(np.float32), z_hat.astype(np.float32))
    assert single == pytest.approx(expected, abs=1e-6)


def test_random_features_hardly_matter():
    z, z_hat = draw("linearly_entangled", n=300)
    values = [score(z, z_hat, seed)["mcc_rdc"] for seed in range(5)]
    assert 0 < np.ptp(values) < 0.01


# The published protocol


PUBLISHED_MEANS = [
    ("independent", "elementwise_nonlinear", {}, 1.0),
    ("independent", "linearly_entangled", {}, 0.766505),
    ("correlated", "linearly_entangled", {}, 0.855545),
    ("independent", "null_gaussian", {"n": 500, "m": 50}, 0.926096),
    ("independent", "null_gaussian", {"n": 50, "m": 50}, 1.0),
]


@pytest.mark.parametrize(("dgp", "encoder", "sizes", "mean"), PUBLISHED_MEANS)
def test_published_means(dgp, encoder, sizes, mean):
    scores = []
    for seed in range(42, 47):
        z, z_hat = draw(encoder, dgp=dgp, seed=seed, **sizes)
        split = streams.row_split(len(z), seed, 0.2)
        scores.append(score(z, z_hat, seed, split=split, **PUBLISHED, min_rows=2)["mcc_rdc"])
    assert np.mean(scores) == pytest.approx(mean, abs=0.08)


def test_published_truncation_makes_single_independent_pairs_agree():
    rng = np.random.default_rng(0)
    z, z_hat = rng.standard_normal((1000, 4)), rng.standard_normal((1000, 50))
    published, rest = matrix(z, z_hat, **PUBLISHED), PUBLISHED | {"truncation": "singular vectors"}
    assert published.max() > 0.9
    assert np.median(published) < 0.25
    assert matrix(z, z_hat, **rest).max() < 0.35


# Faults


def test_columns_that_do_not_vary():
    z, z_hat = draw("elementwise_linear", n=100)
    dead = np.full((100, 1), 0.1)
    dead[::2] *= 1 + np.finfo(float).eps
    assert score(z, np.hstack([dead, z_hat]))["mcc_rdc"] == pytest.approx(1.0)
    assert score(np.hstack([dead, z]), z_hat)["mcc_rdc_coverage"] == pytest.approx(1.0)
    assert score(z, dead) == {"mcc_rdc": 0.0, "mcc_rdc_coverage": 0.0}
    with pytest.raises(Undefined, match="no factor varies"):
        score(dead, z_hat)


@pytest.mark.parametrize(("d", "m"), [(1, 1), (1, 3), (3, 1)])
def test_single_factors_and_codes(d, m):
    z = np.random.default_rng(0).standard_normal((100, d))
    assert score(z, np.tile(z[:, :1], m))["mcc_rdc_coverage"] == pytest.approx(1 / d)


def test_codes_that_are_mostly_zero():
    z = np.random.default_rng(0).standard_normal((400, 2))
    sparse = np.where(z > 1, z, 0)
    assert 0.5 < score(z, sparse)["mcc_rdc"] < 1
    np.testing.assert_allclose(matrix(np.sign(sparse), np.sign(sparse)).diagonal(), 1.0)


def test_too_few_rows_are_undefined():
    z, z_hat = draw("identity", n=12)
    assert score(z, z_hat)["mcc_rdc"] == pytest.approx(1.0)
    with pytest.raises(Undefined, match="mcc_rdc needs 12 scored rows, got 11"):
        score(z[:11], z_hat[:11])
    with pytest.raises(Undefined, match="needs 2 scored rows, got 1"):
        score(z, z_hat, split=(np.arange(11), [11]), **PUBLISHED, min_rows=1)


@pytest.mark.parametrize(
    ("option", "value"),
    [("weights", "fresh"), ("ties", "first"), ("truncation", "rank"), ("weight_scale", 0.0)],
)
def test_bad_options_are_named(option, value):
    with pytest.raises(ValueError, match=f"{option} = {value!r}: must"):
        score(*draw("identity", n=60), **{option: value})


@pytest.mark.parametrize("name", ["z", "z_hat"])
def test_bad_values_are_named(name):
    pair = dict(zip(("z", "z_hat"), draw("elementwise_linear", n=60), strict=True))
    pair[name][7, 2] = np.inf
    with pytest.raises(ValueError, match=f"^{name} has the value inf in column 2, row 7"):
        score(**pair)


def test_lengths_must_agree():
    z, z_hat = draw("identity", n=60)
    with pytest.raises(ValueError, match="z has 60 rows and z_hat has 50"):
        score(z, z_hat[:50])
