"""Encoders: definitions, draw order, controls."""

import numpy as np
import pytest

from custodes import registry, streams
from custodes.dgps import independent, single_constraint
from custodes.encoders import linearly_entangled, overcomplete_entangled
from custodes.synthetic.nonlinearities import INVERTIBLE, PUBLISHED

NAMES = registry.names("encoders")
NULLS = ("null_gaussian", "null_uniform", "null_confounded", "null_repeated", "shuffled_rows")
D = 8


def factors(n=60, d=D, seed=42):
    return independent.sample(streams.factors(seed), n, d)


def codes(name, z, m=None, seed=42, **parameters):
    module = registry.load("encoders", name)
    if m is None:
        m = module.default_m(z.shape[1], **parameters)
    return module.encode(z, streams.codes(seed), m, **parameters)


@pytest.fixture
def rng():
    """The stream of the codes of seed 42, from numpy alone."""
    return np.random.default_rng(1_000_042)


@pytest.mark.parametrize("name", NAMES)
def test_shape_type_and_repeatability(name):
    z = factors()
    before = z.copy()
    z_hat = codes(name, z)
    m = registry.load("encoders", name).default_m(D)
    assert z_hat.shape == (60, m)
    assert z_hat.dtype == np.float64
    assert np.isfinite(z_hat).all()
    assert codes(name, z).tobytes() == z_hat.tobytes()
    assert not np.shares_memory(z, z_hat)
    np.testing.assert_array_equal(z, before)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"identity", "constant", "partially_entangled"}))
def test_seed_changes_the_codes(name):
    assert not np.array_equal(codes(name, factors()), codes(name, factors(), seed=43))


@pytest.mark.parametrize("name", [*NULLS[:-1], "constant"])
def test_m_of_a_code_without_factors(name):
    assert codes(name, factors(), m=23).shape == (60, 23)
    assert codes(name, factors(), m=1).shape == (60, 1)


def test_elementwise_linear(rng):
    z = factors()
    scales, signs, order = rng.uniform(0.5, 2, D), rng.choice([-1, 1], D), rng.permutation(D)
    np.testing.assert_array_equal(codes("elementwise_linear", z), z[:, order] * scales * signs)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_elementwise_nonlinear(rng, alpha):
    z = factors()
    shown, scales = z[:, rng.permutation(D)], rng.uniform(0.5, 2, D)
    last = np.sign(shown[:, 6]) * np.log1p(np.abs(3 * shown[:, 6] + 1))
    functions = [
        np.tanh(2 * shown[:, 0] ** 3 - 0.1),
        np.sinh(2 * shown[:, 1] ** 3 + 0.1),
        np.sign(shown[:, 2]) * np.sqrt(np.abs(shown[:, 2])),
        shown[:, 3] ** 3,
        shown[:, 4] ** 5,
        np.exp(shown[:, 5]),
        last,
        np.tanh(2 * shown[:, 7] ** 3 - 0.1),
    ]
    expected = (1 - alpha) * scales * shown + alpha * np.column_stack(functions)
    z_hat = codes("elementwise_nonlinear", z, alpha=alpha, functions="published")
    np.testing.assert_allclose(z_hat, expected, rtol=1e-12)


def test_published_functions_but_the_last_are_increasing():
    x = np.linspace(-1.5, 1.5, 3001)
    rising = [bool((np.diff(f(x)) > 0).all()) for f in PUBLISHED]
    assert rising == [True] * 6 + [False]
    assert all((np.diff(f(x)) > 0).all() for f in INVERTIBLE)


@pytest.mark.parametrize("name", ["elementwise_nonlinear", "overcomplete_multicode"])
def test_codes_of_extreme_factors_are_finite_and_silent(name):
    z = np.outer([-500.0, 0.0, 1000.0], np.ones(7))
    z_hat = codes(name, z, m=7)
    assert np.isfinite(z_hat).all()
    largest = np.finfo(float).max
    np.testing.assert_allclose(z_hat[:, 1], [-largest, np.sinh(0.1), largest])
    np.testing.assert_allclose(z_hat[:, 5], [np.exp(-500), 1.0, largest])


def test_alpha_zero_is_linear_even_where_the_functions_overflow(rng):
    rng.permutation(2)
    expected = 9.0 * rng.uniform(0.5, 2, (1, 2))
    z_hat = codes("elementwise_nonlinear", 9.0 * np.ones((1, 2)), alpha=0.0)
    np.testing.assert_array_equal(z_hat, expected)


@pytest.mark.parametrize("kappa", [1.0, 10.0, 50.0])
@pytest.mark.parametrize(("module", "sizes"), [(linearly_entangled, (5,)), (overcomplete_entangled, (5, 12))])
def test_condition_number_of_the_mixing_matrix(module, sizes, kappa):
    a = module.mixing_matrix(streams.codes(42), *sizes, kappa)
    assert a.shape == (sizes[-1], 5)
    np.testing.assert_allclose(np.linalg.svd(a, compute_uv=False), np.linspace(1, 1 / kappa, 5), rtol=1e-9)
    name = module.__name__.rsplit(".", 1)[1]
    z = factors(d=5)
    np.testing.assert_allclose(codes(name, z, m=sizes[-1], kappa=kappa), z @ a.T, rtol=1e-12)


def test_linearly_entangled_is_the_drawn_matrix_with_new_singular_values(rng):
    g = rng.standard_normal((5, 5))
    a = linearly_entangled.mixing_matrix(streams.codes(42), 5, 4.0)
    # g and A share singular vectors: g^T A and A g^T are symmetric and positive definite.
    for product in (g.T @ a, a @ g.T):
        np.testing.assert_allclose(product, product.T, atol=1e-12)
        assert np.linalg.eigvalsh(product).min() > 0


def test_overcomplete_entangled_draws_a_matrix_it_does_not_use(rng):
    rng.standard_normal((12, 5))
    left = np.linalg.qr(rng.standard_normal((12, 12))).Q[:, :5]
    right = np.linalg.qr(rng.standard_normal((5, 5))).Q
    expected = left * np.linspace(1, 0.1, 5) @ right.T
    a = overcomplete_entangled.mixing_matrix(streams.codes(42), 5, 12, 10.0)
    np.testing.assert_allclose(a, expected, atol=1e-14)


@pytest.mark.parametrize(
    ("keep", "redundant", "kept"),
    [
        ("last", (1, 2), [3, 4, 5]),
        ("first", (1, 2), [0, 1, 2]),
        ("sources", (1, 2), [3, 4, 5]),
        ("sources", (), [3, 4, 5]),
        ("sources", (4,), [2, 3, 5]),
        ("sources", (1, 3, 4, 5), [0, 2, 5]),
    ],
)
def test_undercomplete_keeps(rng, keep, redundant, kept):
    z = factors(d=6)
    scales, signs = rng.uniform(0.5, 2, 3), rng.choice([-1, 1], 3)
    z_hat = codes("undercomplete", z, m=3, keep=keep, redundant=redundant)
    np.testing.assert_array_equal(z_hat, z[:, kept] * scales * signs)


def test_undercomplete_random_draws_the_subset_last(rng):
    z = factors(d=6)
    scales, signs = rng.uniform(0.5, 2, 3), rng.choice([-1, 1], 3)
    kept = np.sort(rng.choice(6, 3, replace=False))
    z_hat = codes("undercomplete", z, m=3, keep="random")
    np.testing.assert_array_equal(z_hat, z[:, kept] * scales * signs)


def test_undercomplete_at_d_eff_keeps_every_source():
    """The paper's question: with the redundant factors dropped nothing is lost."""
    z = single_constraint.sample(streams.factors(42), 60, 7, constraints=2)
    redundant = single_constraint.redundant_factors(7, constraints=2)
    z_hat = codes("undercomplete", z, m=5, redundant=redundant)
    np.testing.assert_allclose(
        np.abs(np.corrcoef(np.delete(z, redundant, axis=1).T, z_hat.T)[:5, 5:]).max(axis=0), 1
    )
    without_z1 = codes("undercomplete", z, m=6, keep="last")
    assert np.abs(np.corrcoef(z[:, 0], without_z1.T)[0, 1:]).max() < 1 - 1e-6


def published_sources(rng, d, m):
    sources = np.concatenate([np.arange(d), rng.choice(d, m - d)])
    rng.shuffle(sources)
    return sources


def test_overcomplete_linear(rng):
    z = factors(d=5)
    sources = published_sources(rng, 5, 12)
    scales, signs = rng.uniform(0.5, 2, 12), rng.choice([-1, 1], 12)
    z_hat = codes("overcomplete_linear", z, m=12)
    np.testing.assert_array_equal(z_hat, z[:, sources] * scales * signs)
    assert set(sources) == set(range(5))


@pytest.mark.parametrize(("name", "functions"), [("published", PUBLISHED), ("invertible", INVERTIBLE)])
def test_overcomplete_multicode(rng, name, functions):
    z = factors(d=5)
    sources = published_sources(rng, 5, 12)
    expected = [functions[j % 7](z[:, source]) for j, source in enumerate(sources)]
    z_hat = codes("overcomplete_multicode", z, m=12, functions=name)
    np.testing.assert_array_equal(z_hat, np.column_stack(expected))


def test_overcomplete_multicode_with_cross_factor_codes(rng):
    z = factors(d=5)
    sources = published_sources(rng, 5, 12)
    each_once = sorted(range(5), key=list(sources).index)
    pairs = [rng.choice(5, 2, replace=False) for _ in range(7)]
    z_hat = codes("overcomplete_multicode", z, m=12, cross_factor=True)
    expected = [INVERTIBLE[j](z[:, factor]) for j, factor in enumerate(each_once)]
    expected += [z[:, a] * z[:, b] for a, b in pairs]
    np.testing.assert_array_equal(z_hat, np.column_stack(expected))
    assert all(a != b for a, b in pairs)


def test_distributed_sine_and_cosine(rng):
    z = factors()
    order = rng.permutation(D)
    z_hat = codes("distributed", z)
    np.testing.assert_array_equal(z_hat[:, 0::2], np.sin(z[:, order]))
    np.testing.assert_array_equal(z_hat[:, 1::2], np.cos(z[:, order]))


@pytest.mark.parametrize("k", [3, 5, 10])
def test_distributed_intervals(rng, k):
    z = factors(n=300, d=4)
    order = rng.permutation(4)
    z_hat = codes("distributed", z, codes_per_factor=k)
    for i, factor in enumerate(order):
        thresholds = np.sort(np.concatenate([[0, 1], rng.random(k - 1)]))
        probability = 1 / (1 + np.exp(-z[:, factor]))
        for c in range(k):
            inside = (probability > thresholds[c]) & (probability <= thresholds[c + 1])
            np.testing.assert_array_equal(z_hat[:, k * i + c], np.where(inside, z[:, factor], 0))


def test_distributed_codes_sum_to_the_factor():
    z = np.vstack([factors(d=4), [[-1e3, 1e3, -40, 40]]])
    shown = codes("distributed", z, codes_per_factor=3).reshape(-1, 4, 3).sum(axis=2)
    order = np.random.default_rng(1_000_042).permutation(4)
    np.testing.assert_array_equal(shown, z[:, order])


def test_null_codes(rng):
    z = factors()
    np.testing.assert_array_equal(codes("null_gaussian", z, m=3), rng.normal(0, 1, (60, 3)))
    uniform = np.random.default_rng(1_000_042).uniform(-1, 1, (60, 3))
    np.testing.assert_array_equal(codes("null_uniform", z, m=3, low=-1.0), uniform)
    default = codes("null_uniform", factors(n=2000))
    assert 0 <= default.min() < 0.01 < 0.99 < default.max() < 1


@pytest.mark.parametrize("seed", range(42, 47))
@pytest.mark.parametrize("name", NULLS)
def test_null_codes_of_one_seed_are_uncorrelated_with_the_factors(name, seed):
    n = 4000
    z = factors(n=n, d=5, seed=seed)
    correlation = np.corrcoef(z.T, codes(name, z, seed=seed).T)[:5, 5:]
    assert np.abs(correlation).max() < 4.5 / np.sqrt(n)


def test_one_stream_for_both_would_give_the_factors_back():
    """What the offset of the codes prevents; without it the test above could not hold."""
    z = factors()
    module = registry.load("encoders", "null_gaussian")
    np.testing.assert_array_equal(module.encode(z, streams.factors(42), D), z)


def test_controls(rng):
    z = factors()
    np.testing.assert_array_equal(codes("identity", z), z)
    np.testing.assert_array_equal(codes("shuffled_rows", z), z[rng.permutation(60)])
    assert (codes("constant", z, m=3, value=-2.0) == -2.0).all()


def test_stream_of_seed_42():
    """Numbers of one run of numpy's generator: a change of its stream must not pass unseen."""
    z_hat = codes("elementwise_linear", np.ones((1, 3)))
    expected = [1.1394341546793165, -0.9546188973886368, -1.460432491056241]
    np.testing.assert_allclose(z_hat[0], expected, rtol=1e-12)
