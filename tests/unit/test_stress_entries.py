"""Distributions and encoders beyond the paper's: laws, closed forms, draw order."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from custodes import registry, streams

N, D = 20_000, 5


def factors(name, n=N, d=D, **parameters):
    return registry.load("dgps", name).sample(streams.factors(42), n, d, **parameters)


def codes(name, z, m=None, **parameters):
    module = registry.load("encoders", name)
    m = module.default_m(z.shape[1], **parameters) if m is None else m
    return module.encode(z, streams.codes(42), m, **parameters)


@pytest.fixture(scope="module")
def z():
    return factors("independent")


@pytest.fixture
def rng():
    """The stream of the codes of seed 42, from numpy alone."""
    return np.random.default_rng(1_000_042)


def test_student_t_has_its_variance_and_its_tails():
    z = factors("heavy_tailed", degrees_of_freedom=5.0)
    np.testing.assert_allclose(z.var(axis=0), 5 / 3, rtol=0.1)
    # P(|t_1| > x) = 1 - 2 arctan(x) / pi.
    cauchy = factors("heavy_tailed", degrees_of_freedom=1.0)
    assert (np.abs(cauchy) > 10).mean() == pytest.approx(1 - 2 * np.arctan(10) / np.pi, abs=0.005)


@pytest.mark.parametrize("levels", [2, 7])
def test_every_level_is_as_common(levels):
    z = factors("discrete", levels=levels)
    values, counts = np.unique(z, return_counts=True)
    np.testing.assert_array_equal(values, np.arange(levels))
    np.testing.assert_allclose(counts / z.size, 1 / levels, atol=0.01)


def test_mixed_laws_in_turn():
    z = factors("mixed", d=6)
    assert set(np.unique(z[:, 2])) == {0.0, 1.0}
    assert z[:, 3].min() >= 0
    np.testing.assert_allclose(z.mean(axis=0), [0, 0, 0.5, 1, 0, 0], atol=0.1)
    np.testing.assert_allclose(z[:, [0, 2, 3, 4]].std(axis=0), [1, 0.5, 1, 1], atol=0.05)
    kurtosis = ((z - z.mean(axis=0)) ** 4).mean(axis=0) / z.var(axis=0) ** 2
    assert kurtosis[[1, 5]].min() > 6 > 4 > kurtosis[[0, 4]].max()


def test_units_of_mixed_factors_span_the_ratio():
    scaled, plain = factors("mixed", d=3, scale_ratio=100.0), factors("mixed", d=3)
    np.testing.assert_allclose(scaled, plain * [1, 10, 100])


@pytest.mark.parametrize(("n", "copies"), [(12, 3), (11, 4), (5, 1), (3, 9)])
def test_rows_are_repeated(n, copies):
    z = factors("repeated_rows", n=n, copies=copies)
    distinct = np.random.default_rng(42).standard_normal((-(-n // copies), D))
    np.testing.assert_array_equal(z, [distinct[row // copies] for row in range(n)])


@pytest.mark.parametrize("name", ["heavy_tailed", "discrete", "mixed", "repeated_rows"])
def test_factors_are_uncorrelated(name):
    correlation = np.corrcoef(factors(name).T)
    assert np.abs(correlation - np.eye(D)).max() < 6 / np.sqrt(N / 2)


def test_noisy_codes_are_those_of_e1_with_noise_in_the_units_of_the_factors(z, rng):
    clean = codes("elementwise_linear", z)
    np.testing.assert_array_equal(codes("noisy_linear", z, noise=0.0), clean)
    scales = rng.uniform(0.5, 2, D) * rng.choice([-1, 1], D)
    rng.permutation(D)
    np.testing.assert_allclose(
        codes("noisy_linear", z, noise=0.5) - clean, 0.5 * scales * rng.standard_normal((N, D)), atol=1e-12
    )


@pytest.mark.parametrize("noise", [0.3, 2.0])
def test_correlation_of_noisy_codes(z, noise):
    noisy, clean = codes("noisy_linear", z, noise=noise), codes("elementwise_linear", z)
    found = [np.corrcoef(noisy[:, j], clean[:, j])[0, 1] for j in range(D)]
    np.testing.assert_allclose(found, 1 / np.sqrt(1 + noise**2), atol=0.02)


def test_padded_codes_are_those_of_e1_and_noise_that_knows_nothing(z):
    padded = codes("padded_linear", z, m=9)
    np.testing.assert_array_equal(padded[:, :D], codes("elementwise_linear", z))
    joint = np.corrcoef(np.hstack([z, padded[:, D:]]).T)
    assert np.abs(joint - np.eye(9)).max() < 4.5 / np.sqrt(N)
    np.testing.assert_array_equal(codes("padded_linear", z, m=D), codes("elementwise_linear", z))


def test_partially_entangled_codes(z):
    shown = codes("partially_entangled", z, epsilon=0.4)
    np.testing.assert_array_equal(shown[:, 0], z[:, 0] + 0.4 * z[:, 1])
    np.testing.assert_array_equal(shown[:, 4], z[:, 4] + 0.4 * z[:, 0])
    np.testing.assert_array_equal(codes("partially_entangled", z, epsilon=0.0), z)


@pytest.mark.parametrize(("d", "epsilon", "rank"), [(4, 0.99, 4), (4, 1.0, 3), (5, 1.0, 5)])
def test_rank_of_partial_entanglement(d, epsilon, rank):
    mixing = codes("partially_entangled", np.eye(d), epsilon=epsilon)
    assert np.linalg.matrix_rank(mixing, tol=1e-9) == rank


def test_one_layer_is_a_rotation(z):
    z = z[:50]
    np.testing.assert_allclose(codes("random_mlp", z, layers=1) @ codes("random_mlp", z, layers=1).T, z @ z.T)


@pytest.mark.parametrize("layers", [2, 4])
def test_layers_can_be_undone(z, rng, layers):
    z = z[:50]
    matrices = [np.linalg.qr(rng.standard_normal((D, D))).Q for _ in range(layers)]
    undone = codes("random_mlp", z, layers=layers)
    for place, matrix in enumerate(reversed(matrices)):
        undone = undone @ matrix
        if place < layers - 1:
            undone = np.where(undone > 0, undone, undone / 0.2)
    np.testing.assert_allclose(undone, z, atol=1e-9)


def test_deeper_mixing_is_further_from_linear(z):
    def unexplained(layers):
        mixed = codes("random_mlp", z, layers=layers)
        design = np.column_stack([mixed, np.ones(N)])
        return (z - design @ np.linalg.lstsq(design, z, rcond=None)[0]).var()

    left = [unexplained(layers) for layers in (1, 2, 4)]
    assert left[0] < 1e-20
    assert all(nearer < further for nearer, further in pairwise(left))


@pytest.mark.parametrize("rho", [0.0, 0.5, 1.0])
def test_confounded_codes_are_correlated_among_one_another_only(z, rho):
    joint = np.corrcoef(np.hstack([z, codes("null_confounded", z, m=4, rho=rho)]).T)
    assert np.abs(joint[:D, D:]).max() < 4.5 / np.sqrt(N)
    for a, b in combinations(range(D, D + 4), 2):
        assert joint[a, b] == pytest.approx(rho, abs=0.03)
    assert codes("null_confounded", z, m=3, rho=rho).var() == pytest.approx(1, abs=0.05)


def test_repeated_codes_repeat_with_the_rows_and_know_nothing():
    z = factors("repeated_rows", n=8000, copies=4)
    z_hat = codes("null_repeated", z, m=3)
    np.testing.assert_array_equal(z_hat, np.repeat(z_hat[::4], 4, axis=0))
    assert len(np.unique(z_hat, axis=0)) == 2000
    assert np.abs(np.corrcoef(z.T, z_hat.T)[:D, D:]).max() < 4.5 / np.sqrt(2000)


def test_repeated_codes_of_distinct_rows_do_not_repeat():
    z = factors("independent", n=100)
    assert len(np.unique(codes("null_repeated", z, m=2), axis=0)) == 100
