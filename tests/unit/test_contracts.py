"""What metrics say of themselves is checked where it is said, and their parameters before any data."""

import numpy as np
import pytest

from custodes import registry
from custodes.checks import count, flag, one_of, optional, real
from custodes.contracts import AFFINE, INVARIANCES, MONOTONE, PAIRED, Metric
from custodes.errors import ConfigError

METRICS = registry.names("metrics")
PARAMETERS = [(name, key) for name in METRICS for key in registry.parameters("metrics", name)]
# For the numbers among the parameters: values of the right kind that are not allowed.
REFUSED = {
    "folds": [1, 0],
    "min_rows": [0],
    "pairs": [0],
    "train_points": [0],
    "test_points": [-3],
    "samples": [1],
    "halvings": [0],
    "partners": [0],
    "alpha": [0, -0.5, np.inf, np.nan],
    "weight_scale": [0.0, -1.0, np.inf],
    "rank_tolerance": [-1e-9, 2.0],
    "smallest_spread": [-0.1, np.nan],
}
WRONG_KINDS = (object(), [1], "3", 2.5)


def metric(**changes):
    return Metric(**{"scores": {"one": (0, 1), "two": (-1.0, np.inf)}, "needs": PAIRED} | changes)


def test_a_metric_says_the_usual_by_itself():
    found = metric(lower_is_better=("two",))
    assert [found.best("one"), found.best("two")] == [1, -1]
    assert (found.chance, found.dead, found.perfect, found.invariant_to) == ({}, {}, {}, ())


def test_invariances_come_in_one_order():
    assert metric(invariant_to=(*reversed(MONOTONE), "code_mixing")).invariant_to == INVARIANCES
    assert metric(invariant_to=(*AFFINE, "code_monotone")).invariant_to[3] == "code_monotone"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": {}}, "scores = {}: must be {score: "),
        ({"scores": ("one",)}, "scores = .*: must be"),
        ({"scores": {"one": (1, 0)}}, r"^one: bounds = \(1, 0\): must be two numbers"),
        ({"scores": {"one": (1, 1)}}, "^one: bounds"),
        ({"scores": {"one": (0, np.nan)}}, "^one: bounds"),
        ({"scores": {"one": 1}}, "^one: bounds = 1"),
        ({"needs": "samples"}, "^one: needs = 'samples': must be one of paired samples, factor grid, set of"),
        ({"invariant_to": ("code_scaling",)}, "^one: invariant_to: 'code_scaling': must be one of code_perm"),
        ({"invariant_to": "code_scale"}, "^one: invariant_to = 'code_scale': must be a tuple"),
        ({"chance": {"tow": 0.1}}, "^one: chance: 'tow': must be one of one, two"),
        ({"dead": {"tow": 0.1}}, "^one: dead: 'tow'"),
        ({"perfect": {"tow": 0.1}}, "^one: perfect: 'tow'"),
        ({"lower_is_better": ("tow",)}, "^one: lower_is_better: 'tow'"),
    ],
)
def test_contradictions_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        metric(**changes)


def test_options_are_checked_by_name():
    options = {"whole": count(2), "share": real(0, 1), "switch": flag, "kind": one_of("a", None)}
    found = metric(options=options | {"perhaps": optional(real(0, ends=False))})
    found.check(whole=np.int64(2), share=1, switch=False, kind=None, perhaps=None)
    for given, message in [
        ({"whole": 1}, "whole = 1: must be a whole number, at least 2"),
        ({"whole": True}, "whole = True"),
        ({"share": 1.5}, r"share = 1.5: must be a finite number in \[0, 1\]"),
        ({"switch": 1}, "switch = 1: must be one of True, False"),
        ({"kind": "b"}, "kind = 'b': must be one of 'a', None"),
        ({"perhaps": 0}, r"perhaps = 0: must be a finite number in \(0, inf\), or None"),
    ]:
        with pytest.raises(ValueError, match=message):
            found.check(**given)
    with pytest.raises(TypeError, match="one has no parameter 'hwole'; its parameters: whole, share"):
        found.check(hwole=2)


def scored(name, given):
    """The score of something that is no data, under parameters."""
    return registry.entry("metrics", name)(*["no data"] * (1 if name == "udr" else 2), **given)


def refused(name, given, match):
    with pytest.raises(ValueError, match=match):
        registry.load("metrics", name).check(**given)
    with pytest.raises(ValueError, match=match):
        scored(name, given)


@pytest.mark.parametrize("name", METRICS)
def test_defaults_are_allowed(name):
    defaults = registry.parameters("metrics", name)
    registry.load("metrics", name).check(**defaults)
    assert set(registry.load("metrics", name).METRIC.options) == set(defaults)


@pytest.mark.parametrize(("name", "key"), PARAMETERS)
def test_values_are_refused_before_data_are_looked_at(name, key):
    number = isinstance(registry.parameters("metrics", name)[key], float) or key == "rank_tolerance"
    for value in WRONG_KINDS[: 3 if number else 4]:
        refused(name, {key: value}, f"^{key} = .*: must be ")
    is_flag = isinstance(registry.parameters("metrics", name)[key], bool)
    for value in [1, 0, None] if is_flag else REFUSED.get(key, ["no such one"]):
        refused(name, {key: value}, f"^{key} = {value!r}: must be ")


@pytest.mark.parametrize("name", METRICS)
def test_an_unknown_parameter_is_no_argument(name):
    with pytest.raises(TypeError, match="foldz"):
        registry.load("metrics", name).check(foldz=5)


def test_pieces_of_focus_go_by_its_target():
    refused(
        "focus", {"target": "affine", "without": "ranks"}, "without = 'ranks': must be one of None, 'left"
    )


def test_the_registry_says_where_a_value_is():
    registry.check_values("dci", {"probe": "gbt"}, "here")
    with pytest.raises(ConfigError, match=r"^here: metrics.dci: probe = 'gb': must be one of 'lightgbm', "):
        registry.check_values("dci", {"probe": "gb"}, "here")
    with pytest.raises(
        ConfigError, match=r"^here: metrics.dci has no parameter 'prob'; its parameters: probe"
    ):
        registry.check_values("dci", {"prob": "gbt"}, "here")
