"""Null calibration: its numbers, its direction, and scores that are undefined."""

from types import SimpleNamespace

import numpy as np
import pytest

from custodes import registry
from custodes.contracts import PAIRED, Metric
from custodes.errors import Undefined, UnsoundScore
from custodes.metrics import mcc_pearson
from custodes.scoring import blocks, null_calibration
from custodes.tables.columns import OK


def metric(low=0.0, high=1.0, **attributes):
    return SimpleNamespace(METRIC=Metric(scores={"score": (low, high)}, needs=PAIRED, **attributes))


def calibration(module, value, nulls):
    """Of a score with this value, and with the scores `nulls` of permuted codes; None has no value."""
    values = iter([value, *nulls])

    def score(z, z_hat, rng, split):
        one = next(values)
        if one is None:
            raise Undefined("too few classes")
        return {"score": one}

    z = np.zeros((2, 1))
    given = SimpleNamespace(**vars(module), score=score)
    return null_calibration.null_calibrate(given, z, z, permutations=len(nulls))["score"]


def test_statistics_of_known_null_scores():
    assert calibration(metric(), 0.6, [0.1, 0.2, 0.3]) == {
        "value": 0.6,
        "status": OK,
        "null_permutations": 3,
        "null_mean": pytest.approx(0.2),
        "null_q95": pytest.approx(0.29),
        "p_value": 1 / 4,
        "adjusted": pytest.approx(0.5),
    }


def test_null_scores_that_are_equal_count():
    assert calibration(metric(), 0.2, [0.1, 0.2, 0.3])["p_value"] == 3 / 4


def test_counts_of_errors_are_better_the_lower_and_not_adjusted():
    module = metric(high=np.inf, lower_is_better=("score",))
    found = calibration(module, 1.0, [1.0, 2.0, 3.0])
    assert found["p_value"] == 2 / 4
    assert "adjusted" not in found


def test_permutations_without_a_value_are_left_out():
    expected = calibration(metric(), 0.6, [0.1, 0.3])
    assert calibration(metric(), 0.6, [None, 0.1, None, 0.3]) == expected


@pytest.mark.parametrize("nulls", [[None] * 2, []])
def test_without_a_value_of_permuted_codes_there_is_no_calibration(nulls):
    assert calibration(metric(), 0.5, nulls) == {"value": 0.5, "status": OK, "null_permutations": 0}


def test_without_a_value_there_is_no_calibration():
    reason = {"status": "undefined", "reason": "too few classes", "null_permutations": 0}
    assert calibration(metric(), None, [0.1, 0.2]) == reason


def test_a_perfect_code_is_far_from_chance_and_an_independent_one_is_not():
    z, noise = np.random.default_rng(0).standard_normal((2, 100, 2))
    perfect, independent = (
        null_calibration.null_calibrate(mcc_pearson, z, codes, permutations=39)["mcc_pearson"]
        for codes in (z, noise)
    )
    assert perfect["value"] == pytest.approx(perfect["adjusted"])
    assert perfect["p_value"] == 1 / 40
    assert independent["p_value"] > 0.05
    assert abs(independent["adjusted"]) < 0.1


@pytest.fixture
def half_defined(monkeypatch):
    """A metric with two scores of which one is undefined, or raised, as its parameter says."""

    def score(z, z_hat, rng, *, split=None, whole=False):
        if whole:
            raise Undefined("too few rows")
        raise Undefined("too few classes", {"defined": 0.5})

    scores = {"defined": (0.0, 1.0), "undefined": (0.0, 1.0)}
    module = SimpleNamespace(METRIC=Metric(scores=scores, needs=PAIRED), score=score)
    monkeypatch.setattr(registry, "load", lambda kind, name: module)
    return module


def scored(parameters):
    z = np.arange(8.0).reshape(4, 2)
    return {
        row["score"]: row
        for row in blocks.score_rows(
            "half_defined", z, z, seed=1, split=None, parameters=parameters, permutations=3
        )
    }


@pytest.mark.usefixtures("half_defined")
def test_a_score_without_a_value_says_why_beside_one_that_has_a_value():
    rows = scored({})
    assert rows["defined"]["value"] == 0.5
    assert rows["defined"]["status"] == OK
    assert rows["defined"]["null_permutations"] == 3
    assert rows["undefined"] == {
        "metric": "half_defined",
        "null_permutations": 0,
        "score": "undefined",
        "status": "undefined",
        "reason": "too few classes",
    }


@pytest.mark.usefixtures("half_defined")
def test_a_metric_without_a_value_says_why_for_every_score():
    rows = scored({"whole": True})
    assert {row["reason"] for row in rows.values()} == {"too few rows"}
    assert not any("value" in row for row in rows.values())


def test_a_metric_that_forgets_a_score_ends_the_job():
    given = SimpleNamespace(METRIC=metric().METRIC, score=lambda *_, **__: {})
    with pytest.raises(UnsoundScore, match=r"scores = \[\]: must be a mapping of score"):
        null_calibration.null_calibrate(given, np.zeros((2, 1)), np.zeros((2, 1)))


CHEAP = ("mcc_pearson", "mcc_spearman", "mcc_rdc", "r2", "mig", "tmex")


@pytest.mark.parametrize("name", CHEAP)
def test_adjusted_scores_of_independent_codes_are_zero_on_average(name):
    module = registry.load("metrics", name)
    adjusted = {}
    for seed in range(20):
        z, noise = np.random.default_rng(1000 + seed).standard_normal((2, 1000, 5))
        for score, found in null_calibration.null_calibrate(
            module, z, noise, permutations=9, seed=seed
        ).items():
            if module.METRIC.scores[score][1] == 1:
                adjusted.setdefault(score, []).append(found["adjusted"])
    assert adjusted
    assert all(abs(np.mean(values)) < 0.03 for values in adjusted.values())
