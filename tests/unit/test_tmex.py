"""T-MEX: the test against scikit-learn, the graph, the claim, the published protocol, hostile input."""

from itertools import permutations, product

import numpy as np
import pytest

from custodes import registry, streams
from custodes.errors import Undefined
from custodes.metrics import tmex
from custodes.metrics.tmex import pcm

PUBLISHED = {
    "correction": "none",
    "scale_free": False,
    "count_regressors": False,
    "agreement": "matching",
    "min_rows": 50,
}


def draw(encoder, n=1000, d=5, seed=42, dgp="independent", **sizes):
    z = registry.load("dgps", dgp).sample(streams.factors(seed), n, d)
    module = registry.load("encoders", encoder)
    return z, module.encode(z, streams.codes(seed), sizes.get("m", module.default_m(d)))


def score(z, z_hat, seed=0, **options):
    return tmex.score(z, z_hat, np.random.default_rng(seed), **options)


def graph(z, z_hat, seed=0, **options):
    return tmex.graph(z, z_hat, np.random.default_rng(seed), **options)


# The statistic


def fitted(x, y, rows, new=None):
    from sklearn.linear_model import LinearRegression

    if x.shape[1] == 0:
        return np.full(len(x if new is None else new), y[rows].mean())
    return LinearRegression().fit(x[rows], y[rows]).predict(x if new is None else new)


def textbook_statistic(regressors, involved, codes, rng, halvings, floor, scale_free, count_regressors):
    """The projected covariance measure as defined: every regression fitted for every pair and halving."""
    n = len(regressors)
    total = np.zeros((codes.shape[1], len(involved)))
    for _ in range(halvings):
        order = rng.permutation(n)
        a, b = order[: (n + 1) // 2], order[(n + 1) // 2 :]
        for i, y in enumerate(codes.T):
            for j, own in enumerate(involved):
                others = regressors[:, ~own]
                prediction = fitted(regressors, y, a)
                projection = fitted(others, prediction, a)
                sign = np.sign(np.mean(((y - projection) * prediction)[a]))
                f = sign * (prediction - projection)
                left = (f - fitted(others, f, b))[b]
                if scale_free:
                    left /= np.sqrt(np.mean(left**2))
                products = left * (y - fitted(others, y, b))[b]
                rows = len(b) - (others.shape[1] + 1 if count_regressors else 0)
                variance = np.mean(products**2) - np.mean(products) ** 2
                total[i, j] += np.sqrt(rows) * np.mean(products) / np.sqrt(max(variance, floor))
    return total / halvings


def small_data(n=61):
    rng = np.random.default_rng(7)
    z = rng.standard_normal((n, 3)) @ rng.standard_normal((3, 3)) + [0.0, 5.0, -2.0]
    z_hat = z @ rng.standard_normal((3, 4)) + 0.5 * rng.standard_normal((n, 4)) + 1.0
    return z, z_hat * [1.0, 30.0, 2e-4, -1.0]


@pytest.mark.parametrize("features", [pcm.linear, pcm.quadratic])
@pytest.mark.parametrize("own", [True, False])
def test_statistic_equals_a_regression_for_every_pair(features, own):
    z, z_hat = small_data()
    settings = {"halvings": 3, "floor": 1e-12, "scale_free": own, "count_regressors": own}
    ours = pcm.mean_statistic(z, z_hat, np.random.default_rng(1), features=features, **settings)
    textbook = textbook_statistic(*features(z), z_hat, np.random.default_rng(1), **settings)
    assert np.abs(textbook).max() > 1
    np.testing.assert_allclose(ours, textbook, rtol=1e-9, atol=1e-9)


def test_absolute_floor_is_in_the_units_of_the_codes():
    z, z_hat = small_data()
    settings = {"halvings": 3, "scale_free": False, "count_regressors": False}
    textbook = textbook_statistic(*pcm.linear(z), z_hat, np.random.default_rng(1), floor=1e-12, **settings)
    ours = pcm.mean_statistic(
        (z - z.mean(axis=0)) / z.std(axis=0),
        (z_hat - z_hat.mean(axis=0)) / z_hat.std(axis=0),
        np.random.default_rng(1),
        features=pcm.linear,
        floor=tmex._absolute_floor(z_hat),
        **settings,
    )
    assert np.abs(textbook[2]).max() < 0.3  # the third code is in small units
    np.testing.assert_allclose(ours, textbook, rtol=1e-9, atol=1e-9)


def test_both_ways_of_sharing_regressions_agree():
    z, z_hat = small_data()
    z, z_hat = z - z.mean(axis=0), z_hat - z_hat.mean(axis=0)
    slopes = np.random.default_rng(0).standard_normal((3, 4))
    for scale_free in (True, False):
        each = [
            products(z, z_hat, slopes, np.eye(3, dtype=bool), scale_free)
            for products in (pcm._single_products, pcm._group_products)
        ]
        np.testing.assert_allclose(*each, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.9])
def test_holm(alpha):
    p = np.random.default_rng(3).random((6, 4)) ** 6
    expected, order = np.zeros(p.size, dtype=bool), np.argsort(p, axis=None)
    for step, index in enumerate(order):
        if p.flat[index] > alpha / (p.size - step):
            break
        expected[index] = True
    assert 0 < expected.sum() < p.size
    np.testing.assert_array_equal(pcm.rejected(p, alpha, "holm").ravel(), expected)
    assert pcm.rejected(np.zeros((2, 2)), alpha, "holm").all()
    assert not pcm.rejected(np.ones((2, 2)), alpha, "holm").any()


# The graph


def test_graph_of_a_permuted_code():
    z, _ = draw("identity", n=300)
    order = [3, 0, 4, 1, 2]
    np.testing.assert_array_equal(graph(z, z[:, order] * [-2.0, 1.0, 1e5, 3.0, 1e-5]), np.eye(5)[order])


def test_graph_sees_small_leaks_and_no_false_ones():
    z, z_hat = draw("identity", n=300)
    z_hat[:, 0] += 1e-4 * z[:, 1]
    expected = np.eye(5, dtype=bool)
    expected[0, 1] = True
    np.testing.assert_array_equal(graph(z, z_hat), expected)


def test_conditional_dependence_is_not_marginal_dependence():
    z, z_hat = draw("identity", dgp="correlated")
    assert np.abs(np.corrcoef(z.T)).min() > 0.4
    np.testing.assert_array_equal(graph(z, z_hat), np.eye(5))


@pytest.mark.parametrize("function", [np.square, np.cos, np.abs])
def test_only_quadratic_regression_sees_even_functions(function):
    z, _ = draw("identity", n=500)
    rng = np.random.default_rng(5)
    z_hat = function(z) + 0.1 * rng.standard_normal(z.shape)
    assert not graph(z, z_hat).any()
    np.testing.assert_array_equal(graph(z, z_hat, regression="quadratic"), np.eye(5))


def test_quadratic_regression_sees_products_and_heavy_tails():
    z, _ = draw("identity", n=500)
    z_hat = np.stack([z[:, 0] * z[:, 3], np.sinh(2 * z[:, 1] ** 3)], axis=1)
    assert z_hat[:, 1].std() > 1e6
    expected = [[True, False, False, True, False], [False, True, False, False, False]]
    np.testing.assert_array_equal(graph(z, z_hat, regression="quadratic"), expected)
    assert not graph(z, z_hat).any()


def test_false_edges_are_rare():
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        z, z_hat = rng.standard_normal((60, 12)), rng.standard_normal((60, 12))
        found.append(graph(z, z_hat, seed).any())
    assert np.mean(found) <= 0.05


def test_a_factor_that_others_determine_is_joined_to_nothing():
    z, _ = draw("identity", n=200)
    z[:, 2] = 3 * z[:, 0] - z[:, 1]
    expected = np.eye(5)
    expected[:3] = 0
    for regression in ("linear", "quadratic"):
        found = graph(z, z.copy(), regression=regression)
        np.testing.assert_array_equal(found[:, 3:], expected[:, 3:])
    np.testing.assert_array_equal(graph(z, z.copy()), expected)


# The claim


def claims(m, d, further_codes):
    """All graphs of exclusive measurement, by brute force."""
    rows = [*np.eye(d, dtype=int), np.zeros(d, dtype=int)]
    for choice in product(range(d + 1), repeat=m):
        for matched in permutations(range(m), min(m, d)):
            own = [choice[i] for i in matched]
            rest = [choice[i] for i in range(m) if i not in matched]
            distinct = len(set(own)) == len(own) and d not in own
            if distinct and (further_codes == "one factor" or set(rest) <= {d}):
                yield np.array([rows[k] for k in choice])
                break


@pytest.mark.parametrize("further_codes", ["one factor", "nothing"])
@pytest.mark.parametrize(("m", "d"), [(4, 2), (3, 3), (2, 3), (3, 1), (1, 1)])
def test_errors_are_those_of_the_nearest_claim(monkeypatch, m, d, further_codes):
    known = list(claims(m, d, further_codes))
    z, z_hat = np.arange(4.0 * d).reshape(4, d), np.ones((4, m))
    for cells in product([0, 1], repeat=m * d):
        edges = np.reshape(cells, (m, d)).astype(bool)
        monkeypatch.setattr(tmex, "graph", lambda *_, edges=edges, **__: edges)
        scores = score(z, z_hat, further_codes=further_codes)
        nearest = min(np.sum(claim != edges) for claim in known)
        assert scores["tmex_errors"] == nearest
        assert scores["tmex"] == pytest.approx(1 - nearest / (m * d))
        rates = [
            (np.sum(claim & edges) / max(edges.sum(), 1), np.sum(claim & edges) / claim.sum())
            for claim in known
            if np.sum(claim != edges) == nearest
        ]
        assert (scores["tmex_precision"], scores["tmex_recall"]) in rates


# Controls


def test_perfect_codes_over_many_seeds():
    scores = [score(*draw("elementwise_linear", seed=seed), seed)["tmex"] for seed in range(200)]
    assert np.mean(np.equal(scores, 1)) >= 0.9


@pytest.mark.parametrize("encoder", ["linearly_entangled", "elementwise_linear"])
@pytest.mark.parametrize("factor", [1e-6, 1e-3, -1.0, 1e6])
def test_scores_are_free_of_scale(encoder, factor):
    z, z_hat = draw(encoder)
    expected = score(z, z_hat)
    assert score(z, z_hat * factor) == expected
    assert score(z * factor, z_hat) == expected
    one = z_hat.copy()
    one[:, 1] *= factor
    assert score(z, one) == expected


@pytest.mark.parametrize("n", [50, 200, 1000])
def test_independent_codes_have_no_edges(n):
    scores = score(*draw("null_gaussian", n=n))
    assert scores == {"tmex": 0.8, "tmex_errors": 5.0, "tmex_precision": 0.0, "tmex_recall": 0.0}


@pytest.mark.parametrize("dgp", ["independent", "correlated", "single_constraint", "multi_constraint"])
def test_entangled_codes_are_clearly_below_one(dgp):
    scores = score(*draw("linearly_entangled", dgp=dgp))
    assert scores["tmex"] < 0.4
    assert scores["tmex_precision"] < 0.3
    assert scores["tmex_recall"] == 1


def test_fewer_and_more_codes_than_factors():
    assert score(*draw("undercomplete", m=3)) == score(*draw("elementwise_linear")) | {"tmex_errors": 0.0}
    z, z_hat = draw("overcomplete_linear", m=10)
    assert score(z, z_hat)["tmex"] == 1
    assert score(z, z_hat, further_codes="nothing")["tmex_errors"] == 5
    noise = np.hstack([z, np.random.default_rng(0).standard_normal((1000, 3))])
    assert score(z, noise)["tmex"] == score(z, noise, further_codes="nothing")["tmex"] == 1
    assert score(*draw("overcomplete_entangled", m=10))["tmex"] < 0.4


# The published protocol


PUBLISHED_MEANS = [
    ("independent", "elementwise_linear", {}, 1.0, 1e-6),
    ("correlated", "linearly_entangled", {}, 1.0, 1e-6),
    ("independent", "elementwise_nonlinear", {"n": 500}, 0.8, 1e-6),
    ("independent", "null_gaussian", {"n": 500, "m": 50}, 0.72, 0.15),
    ("independent", "null_gaussian", {"n": 500, "m": 50, "d": 50}, 0.0, 0.15),
]


@pytest.mark.parametrize(("dgp", "encoder", "sizes", "mean", "tolerance"), PUBLISHED_MEANS)
def test_published_means(dgp, encoder, sizes, mean, tolerance):
    scores = []
    for seed in range(42, 47):
        z, z_hat = draw(encoder, dgp=dgp, seed=seed, **sizes)
        split = streams.row_split(len(z), seed, 0.2)
        scores.append(score(z, z_hat, seed, split=split, **PUBLISHED)["tmex"])
    assert np.mean(scores) == pytest.approx(mean, abs=tolerance)


def test_published_protocol_needs_fifty_rows_and_loses_codes_in_small_units():
    z, z_hat = draw("elementwise_linear", n=249)
    with pytest.raises(Undefined, match="tmex needs 50 scored rows, got 49"):
        score(z, z_hat, split=(np.arange(200), np.arange(200, 249)), **PUBLISHED)
    everything = np.arange(249), np.arange(249)
    assert score(z, z_hat, split=everything, **PUBLISHED)["tmex"] == 1
    assert score(z, z_hat * 1e-4, split=everything, **PUBLISHED)["tmex"] == 0
    assert score(z, z_hat * 1e-4, split=everything)["tmex"] == 1


# Faults


def test_fewer_rows_than_factors():
    rng = np.random.default_rng(0)
    z, z_hat = rng.standard_normal((60, 40)), rng.standard_normal((60, 3))
    with pytest.raises(Undefined, match="no degree of freedom for 40 regressors; 84 rows"):
        score(z, z_hat)
    with pytest.raises(Undefined, match="for 65 regressors"):
        score(z[:, :10], z_hat, regression="quadratic")
    assert score(z, z_hat, **PUBLISHED)["tmex"] == 0
    assert score(z[:, :3], rng.standard_normal((60, 100)))["tmex_errors"] == 3


def test_columns_that_do_not_vary():
    z, z_hat = draw("elementwise_linear", n=200)
    dead = np.full((200, 1), 0.1)
    with_dead_code = score(z, np.hstack([dead, z_hat]))
    assert with_dead_code["tmex"] == 1
    with_dead_factor = np.hstack([dead, z])
    assert score(with_dead_factor, z_hat)["tmex"] == 1
    assert not graph(with_dead_factor, z_hat)[:, 0].any()
    assert score(z, np.hstack([dead] * 5))["tmex_errors"] == 5
    with pytest.raises(Undefined, match="no factor varies"):
        score(dead, z_hat)


@pytest.mark.parametrize(("d", "m"), [(1, 1), (1, 3), (3, 1)])
@pytest.mark.parametrize("regression", ["linear", "quadratic"])
def test_single_factors_and_codes(d, m, regression):
    z = np.random.default_rng(0).standard_normal((100, d))
    assert score(z, np.tile(z[:, :1], m), regression=regression)["tmex"] == 1


def test_discrete_factors():
    z = np.random.default_rng(0).integers(0, 3, (300, 4))
    z[:, 0] = z[:, 0] > 0
    for regression in ("linear", "quadratic"):
        assert score(z, z[:, ::-1], regression=regression)["tmex"] == 1


@pytest.mark.parametrize("factor", [1e30, 1e300, 1e-300])
def test_one_code_with_another_range_hides_nothing(factor):
    z, z_hat = draw("linearly_entangled", n=200)
    expected = graph(z, z_hat)
    z_hat[:, 0] *= factor
    np.testing.assert_array_equal(graph(z, z_hat), expected)
    assert np.isfinite(list(score(z, z_hat, **PUBLISHED).values())).all()


def test_same_data_in_other_forms():
    z, z_hat = draw("overcomplete_multicode", n=200, m=8)
    expected = score(z, z_hat)
    order = np.random.default_rng(1).permutation(200)
    by_factor = np.argsort(z[:, 0])
    for again in (
        (z, z_hat),
        (z[order], z_hat[order]),
        (z[by_factor], z_hat[by_factor]),
        (z.astype(np.float32), z_hat.astype(np.float32)),
        (z, z_hat + 100),
    ):
        assert score(*again) == expected


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("regression", "trees"),
        ("alpha", 0.0),
        ("alpha", 1.0),
        ("halvings", 0),
        ("correction", "bonferroni"),
        ("further_codes", "copies"),
        ("agreement", "edges"),
    ],
)
def test_bad_options_are_named(option, value):
    with pytest.raises(ValueError, match=f"{option} = {value!r}: must"):
        score(*draw("identity", n=60), **{option: value})


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
