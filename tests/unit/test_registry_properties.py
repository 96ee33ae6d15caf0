"""Every metric keeps what it declares and what all metrics owe (custodes.testing), and faults are seen."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest

from custodes import registry, testing
from custodes.contracts import INVARIANCES, Metric
from custodes.errors import Undefined
from custodes.metrics import mcc_pearson

METRICS = {name: registry.load("metrics", name) for name in registry.names("metrics")}
# Points of the scores that draw some, fewer than by default.
FEW = {"train_points": 600, "test_points": 300}


def checks(name):
    few = {key: value for key, value in FEW.items() if key in registry.parameters("metrics", name)}
    return testing.checks(METRICS[name], **few)


@pytest.mark.parametrize(("name", "check"), [(name, check) for name in METRICS for check in checks(name)])
def test_every_metric_keeps_what_all_owe(name, check):
    checks(name)[check]()


def test_metrics_of_pairs_are_checked_for_everything():
    found = checks("mcc_pearson")
    assert set(INVARIANCES) < set(found)
    assert len(found) > 25


def twisted(change=lambda scores, z, z_hat, rng: scores, **declared):
    """A metric like mcc_pearson that returns, or declares, something else."""
    own = mcc_pearson.METRIC
    metric = Metric(
        **{"scores": own.scores, "needs": own.needs, "invariant_to": own.invariant_to, "options": own.options}
        | declared
    )

    def score(z, z_hat, rng=None, *, split=None, min_rows=2):
        return change(mcc_pearson.score(z, z_hat, rng, split=split, min_rows=min_rows), z, z_hat, rng)

    return SimpleNamespace(
        __name__="twisted", __doc__=mcc_pearson.__doc__, METRIC=metric, check=metric.check, score=score
    )


def other(value):
    return lambda scores, z, z_hat, rng: scores | {"mcc_pearson": value(scores, np.asarray(z), z_hat, rng)}


def with_few_rows(outcome):
    """Not mcc_pearson below ten rows, but what `outcome` makes of them."""
    module = twisted()
    usual = module.score

    def score(z, z_hat, rng=None, *, split=None, min_rows=2):
        return outcome() if len(z) < 10 else usual(z, z_hat, rng, split=split, min_rows=min_rows)

    module.score = score
    return module


def without_a_reason():
    raise Undefined("few")


def overwritten(scores, z, z_hat, rng):
    z += 1
    return scores


FAULTS = {
    "bounds": (twisted(other(lambda *_: 2.0)), "every_size: 1 factors, 1 codes.*must be a float in"),
    "kind": (twisted(other(lambda scores, *_: np.float64(0.5))), "every_size"),
    "missing score": (
        twisted(lambda scores, *_: {"mcc_pearson": 0.0}),
        r"same_seed: the scores returned are mcc_pearson\n",
    ),
    "order of rows": (twisted(other(lambda _, z, *__: float(abs(z[0, 0]) % 1))), "row_order: rows: their"),
    "not declared": (twisted(invariant_to=()), "code_scale: is not declared, but scores change by"),
    "declared": (
        twisted(invariant_to=INVARIANCES),
        "code_mixing: is declared, but scores change by",
    ),
    "chance": (twisted(chance={"mcc_pearson": 0.9}), "independent_code: independent codes have mcc_pearson"),
    "dead": (twisted(dead={"mcc_pearson": 0.9}), "constant_code: one code, which is 0.0: mcc_pearson = 0.0"),
    "perfect": (twisted(other(lambda scores, *_: 0.5)), "perfect_recovery: a perfect code has mcc_pearson"),
    "draws of its own": (
        twisted(other(lambda *_: float(np.random.default_rng().random()))),
        "same_seed: the same seed gives other numbers",
    ),
    "writes": (twisted(overwritten), "input_is_left_alone: arrays that cannot be written to"),
    "reason": (with_few_rows(without_a_reason), "few_rows: 1 rows: the reason does not give their number"),
    "one row": (with_few_rows(lambda: dict.fromkeys(mcc_pearson.METRIC.scores, 0.5)), "few_rows: 1 rows: sc"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_one_line_of_its_own(case):
    module, message = FAULTS[case]
    with pytest.raises(testing.MetricFault, match=message) as caught:
        testing.check_metric(module)
    assert str(caught.value).startswith("twisted does not keep what metrics owe:\n")


def test_a_parameter_without_an_option_ends_the_check():
    with pytest.raises(TypeError, match="mcc_pearson has no parameter 'min_rows'"):
        testing.check_metric(twisted(options={}))


def test_what_is_no_metric_is_told_so():
    for module, message in [
        (SimpleNamespace(__name__="m"), "declaration: METRIC must be a custodes.contracts.Metric"),
        (SimpleNamespace(__name__="m", METRIC=mcc_pearson.METRIC), "declaration: there is no function check"),
    ]:
        with pytest.raises(testing.MetricFault, match=message):
            testing.check_metric(module)


def test_no_check_needs_more_than_the_metric():
    assert all(not inspect.signature(check).parameters for check in checks("r2").values())
