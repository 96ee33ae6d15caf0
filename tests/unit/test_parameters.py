"""Parameters of distributions and encoders: each has an effect, and bad values are refused."""

import inspect

import numpy as np
import pytest

from custodes import registry, streams
from custodes.errors import Infeasible

# For every declared parameter: settings that must give other numbers than the defaults.
DGP_CHANGES = {
    ("correlated", "rho"): {"rho": 0.2},
    ("single_constraint", "constraints"): {"constraints": 2},
    ("single_constraint", "function"): {"function": "tanh_cube"},
    ("single_constraint", "coupling"): {"function": "blend", "coupling": 0.3},
    ("multi_constraint", "constraints"): {"constraints": 2},
    ("circuit", "temperature_min_celsius"): {"temperature_min_celsius": 0.0},
    ("circuit", "temperature_max_celsius"): {"temperature_max_celsius": 90.0},
    ("circuit", "current_min_ampere"): {"current_min_ampere": -1.0},
    ("circuit", "current_max_ampere"): {"current_max_ampere": 3.0},
    ("circuit", "reference_resistance_ohm"): {"reference_resistance_ohm": 1.0},
    ("circuit", "reference_temperature_celsius"): {"reference_temperature_celsius": 0.0},
    ("circuit", "temperature_coefficient_per_kelvin"): {"temperature_coefficient_per_kelvin": -0.01},
    ("heavy_tailed", "degrees_of_freedom"): {"degrees_of_freedom": 5.0},
    ("discrete", "levels"): {"levels": 2},
    ("mixed", "scale_ratio"): {"scale_ratio": 100.0},
    ("repeated_rows", "copies"): {"copies": 3},
}
ENCODER_CHANGES = {
    ("elementwise_nonlinear", "alpha"): {"alpha": 0.5},
    ("elementwise_nonlinear", "functions"): {"functions": "published"},
    ("linearly_entangled", "kappa"): {"kappa": 2.0},
    ("undercomplete", "keep"): {"keep": "first"},
    ("undercomplete", "redundant"): {"redundant": (3,)},
    ("overcomplete_multicode", "functions"): {"functions": "published"},
    ("overcomplete_multicode", "cross_factor"): {"cross_factor": True},
    ("overcomplete_entangled", "kappa"): {"kappa": 2.0},
    ("distributed", "codes_per_factor"): {"codes_per_factor": 3},
    ("null_uniform", "low"): {"low": -1.0},
    ("null_uniform", "high"): {"high": 2.0},
    ("constant", "value"): {"value": 1.5},
    ("noisy_linear", "noise"): {"noise": 0.1},
    ("partially_entangled", "epsilon"): {"epsilon": 0.5},
    ("random_mlp", "layers"): {"layers": 3},
    ("null_confounded", "rho"): {"rho": 0.5},
}
# Distribution, d, parameters, and what the message must say.
DGP_REFUSALS = [
    ("independent", 0, {}, "d = 0: must be a whole number, at least 1"),
    ("independent", 2.0, {}, "d = 2.0"),
    ("independent", True, {}, "d = True"),
    ("correlated", 1, {}, "d = 1: .*at least 2"),
    ("correlated", 5, {"rho": 1.5}, r"rho = 1.5: .*\[-1, 1\]"),
    ("correlated", 5, {"rho": float("nan")}, "rho = nan"),
    ("correlated", 5, {"rho": "0.5"}, "rho = '0.5'"),
    ("single_constraint", 2, {}, "d = 2: .*at least 3"),
    ("single_constraint", 6, {"constraints": 3}, "constraints = 3: .*at most 2"),
    ("single_constraint", 5, {"constraints": 0}, "constraints = 0: .*at least 1"),
    ("single_constraint", 5, {"function": "cubic"}, "function = 'cubic': .*'cube'.*'blend'"),
    ("single_constraint", 5, {"function": "blend"}, "coupling = None: .*needs it"),
    ("single_constraint", 5, {"function": "blend", "coupling": 1.2}, r"coupling = 1.2: .*\[0, 1\]"),
    ("single_constraint", 5, {"coupling": 0.2}, "coupling = 0.2: .*'cube' has no coupling"),
    ("single_constraint", 9, {"function": "sign", "constraints": 2}, "constraints = 2: .*'sign'"),
    (
        "single_constraint",
        9,
        {"function": "blend", "coupling": 0.2, "constraints": 2},
        "constraints = 2: .*'blend'",
    ),
    ("multi_constraint", 2, {}, "d = 2: .*at least 3"),
    ("multi_constraint", 6, {"constraints": 3}, "constraints = 3: .*at most 2"),
    ("circuit", 5, {}, "d = 5: must be the whole number 4"),
    (
        "circuit",
        4,
        {"temperature_min_celsius": 60.0},
        "temperature_min_celsius = 60.0: must be below",
    ),
    ("circuit", 4, {"current_max_ampere": 0.0}, "current_max_ampere = 0.0"),
    ("circuit", 4, {"reference_resistance_ohm": 0}, "reference_resistance_ohm = 0"),
    ("circuit", 4, {"reference_resistance_ohm": -1.0}, "keep R positive"),
    ("circuit", 4, {"temperature_coefficient_per_kelvin": 0.0}, "R would be constant"),
    ("circuit", 4, {"temperature_coefficient_per_kelvin": 0.1}, "R positive .*-20.0 degrees"),
    (
        "circuit",
        4,
        {"reference_temperature_celsius": float("inf")},
        "reference_temperature_celsius = inf",
    ),
    ("heavy_tailed", 0, {}, "d = 0: .*at least 1"),
    ("heavy_tailed", 5, {"degrees_of_freedom": 0.5}, r"degrees_of_freedom = 0.5: .*\[1, inf\]"),
    ("discrete", 5, {"levels": 1}, "levels = 1: .*at least 2 .*constant"),
    ("discrete", 5, {"levels": 2.0}, "levels = 2.0: must be a whole number"),
    ("mixed", 1, {}, "d = 1: .*at least 2"),
    ("mixed", 5, {"scale_ratio": 0.5}, r"scale_ratio = 0.5: .*\[1, inf\]"),
    ("repeated_rows", 5, {"copies": 0}, "copies = 0: .*at least 1"),
]
# Encoder, d, m, parameters, and what the message must say.
ENCODER_REFUSALS = [
    *[(name, 5, 6, {}, "m = 6: must be the whole number 5") for name in ("identity", "shuffled_rows")],
    ("elementwise_linear", 5, 4, {}, "m = 4: must be the whole number 5"),
    ("elementwise_nonlinear", 5, 6, {}, "m = 6: must be the whole number 5"),
    ("elementwise_nonlinear", 5, 5, {"alpha": -0.1}, r"alpha = -0.1: .*\[0, 1\]"),
    ("elementwise_nonlinear", 5, 5, {"functions": "all"}, "functions = 'all': .*'published'"),
    ("linearly_entangled", 5, 6, {}, "m = 6: must be the whole number 5"),
    ("linearly_entangled", 1, 1, {}, "d = 1: .*at least 2"),
    ("linearly_entangled", 5, 5, {"kappa": 0.5}, r"kappa = 0.5: .*\[1, inf\]"),
    ("linearly_entangled", 5, 5, {"kappa": float("inf")}, "kappa = inf: must be a finite number"),
    ("undercomplete", 5, 5, {}, "m = 5: .*at most 4"),
    ("undercomplete", 5, 0, {}, "m = 0: .*at least 1"),
    (
        "undercomplete",
        5,
        3,
        {"keep": "best"},
        "keep = 'best': .*'sources', 'last', 'first', 'random'",
    ),
    ("undercomplete", 5, 3, {"redundant": (5,)}, "redundant = 5: .*at most 4"),
    ("undercomplete", 5, 3, {"redundant": (1, 1)}, r"redundant = \(1, 1\): .*once"),
    ("overcomplete_linear", 5, 4, {}, "m = 4: .*at least 5"),
    ("overcomplete_multicode", 5, 4, {}, "m = 4: .*at least 5"),
    ("overcomplete_multicode", 5, 6, {"functions": None}, "functions = None: .*'invertible'"),
    ("overcomplete_multicode", 5, 6, {"cross_factor": 1}, "cross_factor = 1: .*False, True"),
    ("overcomplete_multicode", 5, 5, {"cross_factor": True}, "m = 5: .*cross_factor needs m > d"),
    ("overcomplete_multicode", 1, 2, {"cross_factor": True}, "d = 1: .*two factors"),
    ("overcomplete_entangled", 5, 4, {}, "m = 4: .*at least 5"),
    ("overcomplete_entangled", 1, 2, {}, "d = 1: .*at least 2"),
    ("overcomplete_entangled", 5, 10, {"kappa": 0}, "kappa = 0"),
    ("distributed", 5, 11, {}, "m = 11: must be the whole number 10 .*codes_per_factor = 2"),
    ("distributed", 5, 5, {"codes_per_factor": 1}, "codes_per_factor = 1: .*at least 2"),
    ("distributed", 5, 15, {"codes_per_factor": 3.0}, "codes_per_factor = 3.0"),
    ("null_gaussian", 5, 0, {}, "m = 0: .*at least 1"),
    ("null_uniform", 5, 2.5, {}, "m = 2.5: must be a whole number"),
    ("null_uniform", 5, 5, {"low": 1.0}, "low = 1.0: must be below high = 1.0"),
    ("constant", 5, 5, {"value": float("nan")}, "value = nan: must be a finite number"),
    ("noisy_linear", 5, 6, {}, "m = 6: must be the whole number 5"),
    ("noisy_linear", 5, 5, {"noise": -0.1}, r"noise = -0.1: .*\[0, inf\]"),
    ("padded_linear", 5, 4, {}, "m = 4: .*at least 5"),
    ("partially_entangled", 1, 1, {}, "d = 1: .*at least 2"),
    ("partially_entangled", 5, 6, {}, "m = 6: must be the whole number 5"),
    ("partially_entangled", 5, 5, {"epsilon": 1.1}, r"epsilon = 1.1: .*\[0, 1\]"),
    ("random_mlp", 1, 1, {}, "d = 1: .*at least 2"),
    ("random_mlp", 5, 6, {}, "m = 6: must be the whole number 5"),
    ("random_mlp", 5, 5, {"layers": 0}, "layers = 0: .*at least 1"),
    ("null_confounded", 5, 0, {}, "m = 0: .*at least 1"),
    ("null_confounded", 5, 5, {"rho": -0.1}, r"rho = -0.1: .*\[0, 1\]"),
    ("null_repeated", 5, 0, {}, "m = 0: .*at least 1"),
]


def sample(name, **parameters):
    d = 4 if name == "circuit" else 6
    return registry.load("dgps", name).sample(streams.factors(42), 50, d, **parameters)


def encode(name, d=8, m=None, **parameters):
    module = registry.load("encoders", name)
    z = streams.factors(42).standard_normal((50, d))
    m = module.default_m(d, **parameters) if m is None else m
    return module.encode(z, streams.codes(42), m, **parameters)


@pytest.mark.parametrize(
    ("kind", "function", "changes"),
    [("dgps", "sample", DGP_CHANGES), ("encoders", "encode", ENCODER_CHANGES)],
)
def test_every_declared_parameter_is_listed_above(kind, function, changes):
    signatures = {
        name: inspect.signature(getattr(registry.load(kind, name), function)).parameters
        for name in registry.names(kind)
    }
    declared = {(name, key) for name, keys in signatures.items() for key in list(keys)[3:]}
    assert declared == set(changes)


@pytest.mark.parametrize(("name", "parameter"), DGP_CHANGES)
def test_every_parameter_changes_the_sample(name, parameter):
    assert not np.array_equal(sample(name), sample(name, **DGP_CHANGES[name, parameter]))


def test_coupling_changes_the_blend():
    one, other = (sample("single_constraint", function="blend", coupling=a) for a in (0.3, 0.4))
    assert not np.array_equal(one, other)


@pytest.mark.parametrize(("name", "parameter"), ENCODER_CHANGES)
def test_every_parameter_changes_the_codes(name, parameter):
    assert not np.array_equal(encode(name), encode(name, **ENCODER_CHANGES[name, parameter]))


@pytest.mark.parametrize(("name", "d", "parameters", "message"), DGP_REFUSALS)
def test_distributions_refuse(name, d, parameters, message):
    with pytest.raises(ValueError, match=message) as caught:
        registry.load("dgps", name).check(d, **parameters)
    assert not isinstance(caught.value, Infeasible)
    with pytest.raises(ValueError, match=message):
        registry.load("dgps", name).sample(streams.factors(42), 50, d, **parameters)


@pytest.mark.parametrize(("name", "d", "m", "parameters", "message"), ENCODER_REFUSALS)
def test_encoders_refuse(name, d, m, parameters, message):
    with pytest.raises(ValueError, match=message):
        registry.load("encoders", name).check(d, m, **parameters)
    with pytest.raises(ValueError, match=message):
        encode(name, d, m, **parameters)
