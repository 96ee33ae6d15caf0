"""Factor distributions: closed forms and draw order."""

import numpy as np
import pytest

from custodes import registry, streams
from custodes.dgps import circuit, correlated, multi_constraint, single_constraint
from custodes.errors import Infeasible

SIZES = {name: 4 if name == "circuit" else 6 for name in registry.names("dgps")}


def draw(name, seed=42, n=50, d=None, **parameters):
    module = registry.load("dgps", name)
    return module.sample(streams.factors(seed), n, d or SIZES[name], **parameters)


def linear_r2(target, source):
    return np.corrcoef(target, source)[0, 1] ** 2


@pytest.mark.parametrize("name", SIZES)
def test_shape_type_and_repeatability(name):
    z = draw(name)
    assert z.shape == (50, SIZES[name])
    assert z.dtype == np.float64
    assert np.isfinite(z).all()
    assert draw(name).tobytes() == z.tobytes()
    assert not np.array_equal(draw(name, seed=43), z)


def test_published_samples_bit_for_bit():
    rng = np.random.default_rng(42)
    assert np.array_equal(draw("independent"), rng.standard_normal((50, 6)))
    rng = np.random.default_rng(42)
    sigma = 0.3 * np.ones((6, 6)) + 0.7 * np.eye(6)
    sigma[np.diag_indices(6)] = 1.0
    assert np.array_equal(draw("correlated", rho=0.3), rng.multivariate_normal(np.zeros(6), sigma, 50))
    s = np.random.default_rng(42).standard_normal((50, 5))
    single = np.column_stack([s[:, 0], np.tanh(2 * s[:, 0] ** 3 - 0.1), s[:, 1:]])
    assert np.array_equal(draw("single_constraint", function="tanh_cube"), single)
    multi = np.column_stack([s[:, :2], s[:, 0] * s[:, 1], s[:, 2:]])
    assert np.array_equal(draw("multi_constraint"), multi)


def test_stream_of_seed_42():
    """The generator itself: a change of numpy's bit stream must not pass unseen."""
    expected = [0.30471707975443135, -1.0399841062404955, 0.7504511958064572]
    assert draw("independent")[0, :3].tolist() == expected


def test_independent_columns_are_standard_normal():
    z = draw("independent", n=200_000, d=3)
    np.testing.assert_allclose(z.mean(axis=0), 0, atol=0.01)
    np.testing.assert_allclose(np.cov(z.T), np.eye(3), atol=0.015)


@pytest.mark.parametrize(("d", "rho"), [(2, -0.99), (5, -0.2), (5, 0.5), (10, 0.99)])
def test_sample_correlation_is_rho(d, rho):
    z = draw("correlated", n=200_000, d=d, rho=rho)
    expected = np.full((d, d), rho)
    np.fill_diagonal(expected, 1.0)
    np.testing.assert_allclose(np.cov(z.T), expected, atol=0.02)


@pytest.mark.parametrize(("d", "rho"), [(2, -1), (2, 1.0), (3, -0.5), (5, -0.25), (10, -1 / 9), (5, 1.0)])
def test_singular_sigma_is_feasible_and_redundant(d, rho):
    z = draw("correlated", n=100, d=d, rho=rho)
    redundant = correlated.redundant_factors(d, rho=rho)
    assert redundant
    sources = np.delete(z, redundant, axis=1)
    fitted = sources @ np.linalg.lstsq(sources, z, rcond=None)[0]
    np.testing.assert_allclose(fitted, z, atol=1e-6)
    assert np.linalg.matrix_rank(sources, tol=1e-6) == d - len(redundant)


def test_infeasible_rho_is_refused_with_its_bound():
    with pytest.raises(Infeasible, match=r"rho = -0\.3: .*-0\.25 for d = 5 .*-0\.2"):
        correlated.check(5, rho=-0.3)
    correlated.check(5, rho=-0.25 - 1e-11)
    with pytest.raises(Infeasible):
        draw("correlated", d=10, rho=-0.2)


FUNCTIONS = {
    "cube": [lambda x: x**3, np.exp, lambda x: np.sign(x) * np.sqrt(abs(x)), lambda x: x**5],
    "tanh_cube": [
        lambda x: np.tanh(2 * x**3 - 0.1),
        lambda x: np.sinh(2 * x**3 + 0.1),
        lambda x: np.sign(x) * np.sqrt(abs(x)),
        lambda x: x**3,
    ],
}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("constraints", [1, 2, 4])
def test_single_constraint_layout(function, constraints):
    d = 10
    z = draw("single_constraint", d=d, constraints=constraints, function=function)
    s = np.random.default_rng(42).standard_normal((50, d - constraints))
    redundant = single_constraint.redundant_factors(d, constraints=constraints, function=function)
    assert redundant == tuple(range(1, 1 + constraints))
    np.testing.assert_array_equal(np.delete(z, redundant, axis=1), s)
    for column, f in zip(redundant, FUNCTIONS[function], strict=False):
        np.testing.assert_allclose(z[:, column], f(z[:, 0]), rtol=1e-12)


def test_single_constraint_sign_and_blend():
    z = draw("single_constraint", function="sign")
    np.testing.assert_array_equal(z[:, 1], np.sign(z[:, 0]))
    z = draw("single_constraint", function="blend", coupling=0.25)
    expected = 0.75 * z[:, 0] + 0.25 * np.tanh(2 * z[:, 0] ** 3 - 0.1)
    np.testing.assert_allclose(z[:, 1], expected, rtol=1e-12)
    z = draw("single_constraint", function="blend", coupling=0)
    np.testing.assert_array_equal(z[:, 1], z[:, 0])


@pytest.mark.parametrize(("function", "expected"), [("tanh_cube", 0.901), ("cube", 0.600)])
def test_linear_r2_of_the_source_from_its_function(function, expected):
    z = draw("single_constraint", n=200_000, d=3, function=function)
    assert linear_r2(z[:, 0], z[:, 1]) == pytest.approx(expected, abs=0.01)


def test_cube_r2_is_nine_fifteenths():
    """E[x^4]^2 / E[x^6] = 9 / 15 for a standard normal x: the population value behind .600."""
    z = draw("single_constraint", n=1_000_000, d=3)
    assert linear_r2(z[:, 0], z[:, 1]) == pytest.approx(9 / 15, abs=0.005)


def test_multi_constraint_layout():
    z = draw("multi_constraint", d=13, constraints=6)
    s = np.random.default_rng(42).standard_normal((50, 7))
    x, y = s[:, 0], s[:, 1]
    functions = [
        x * y,
        x + y,
        x**2 + y**2,
        np.tanh(x) * np.tanh(y),
        np.sign(x * y) * np.sqrt(np.abs(x * y)),
        x * y,
    ]
    expected = np.column_stack([x, y, *functions, s[:, 2:]])
    np.testing.assert_allclose(z, expected, rtol=1e-12)
    assert multi_constraint.redundant_factors(13, constraints=6) == (2, 3, 4, 5, 6, 7)


def test_circuit_laws():
    z = draw(
        "circuit",
        n=1000,
        reference_resistance_ohm=5.0,
        reference_temperature_celsius=10.0,
        temperature_coefficient_per_kelvin=0.01,
    )
    temperature, resistance, current, voltage = z.T
    np.testing.assert_allclose(resistance, 5.0 * (1 + 0.01 * (temperature - 10.0)), rtol=1e-12)
    np.testing.assert_allclose(voltage, current * resistance, rtol=1e-12)
    assert abs(np.corrcoef(temperature, current)[0, 1]) < 0.1
    assert -20 <= temperature.min() < -15 < 55 < temperature.max() < 60
    assert 0.1 <= current.min() < 0.15 < 0.95 < current.max() < 1.0
    assert circuit.redundant_factors(4) == (1, 3)


@pytest.mark.parametrize("name", SIZES)
def test_effective_dimension(name):
    """d_eff columns are left, and none of them is a linear function of the others."""
    module = registry.load("dgps", name)
    redundant = module.redundant_factors(SIZES[name])
    expected = {"circuit": (1, 3), "single_constraint": (1,), "multi_constraint": (2,)}
    assert redundant == expected.get(name, ())
    sources = np.delete(draw(name, n=1000), redundant, axis=1)
    assert np.abs(np.corrcoef(sources.T) - np.eye(sources.shape[1])).max() < 0.6


@pytest.mark.parametrize("name", SIZES)
def test_number_of_rows_is_checked(name):
    with pytest.raises(ValueError, match="n = 0: must be a whole number, at least 1"):
        draw(name, n=0)
