"""Verdicts from toy tables with known answers: statistic, margin, word, and the words around it."""

import numpy as np
import pandas as pd
import pytest

from custodes.drawing import style
from custodes.judging import verdicts
from custodes.sources import CHECKOUT
from custodes.study import properties
from custodes.study.yaml_files import read_yaml

MARGIN = {"resamples": 500, "coverage": 0.95, "seed": 0}
THRESHOLDS = {"ok": 0.05, "partly": 0.25}
CELL = {"experiment": "toy", "dgp": "correlated", "d": 5, "d_eff": 5, "n": 1000, "encoder": "E", "m": 5}


def cells(*changes):
    return pd.DataFrame([CELL | change for change in changes])


def constant(scores, seeds=3):
    """Scores (cells, seeds) that do not vary over the seeds."""
    return np.repeat(np.array(scores, dtype=float)[:, None], seeds, axis=1)


def judged(statistic, table, values, **options):
    found = verdicts.differences(statistic, table, **options)
    return found, verdicts.judge(found.of(values), **MARGIN)


def test_range_is_the_largest_over_groups_that_differ_in_one_column_only():
    table = cells(
        *({"encoder": "a", "dgp_rho": rho} for rho in (-0.5, 0.0, 0.9)),
        *({"encoder": "b", "dgp_rho": rho} for rho in (0.0, 0.9)),
        {"encoder": "b", "dgp_rho": 0.9, "n": 50},
    )
    found, judgement = judged("range", table, constant([0.5, 0.4, 0.6, 0.3, 0.7, 0.0]), over="dgp_rho")
    assert judgement.statistic == pytest.approx(0.4)
    assert (found.cell[judgement.worst], found.against[judgement.worst]) == (4, 3)


def test_range_leaves_out_cells_that_lack_the_column():
    table = cells({"dgp_rho": 0.0}, {"dgp": "independent", "dgp_rho": np.nan}, {"dgp_rho": 0.5})
    found, judgement = judged("range", table, constant([0.5, 0.0, 0.6]), over="dgp_rho")
    assert judgement.statistic == pytest.approx(0.1)
    assert found.involved().tolist() == [0, 2]


@pytest.mark.parametrize(
    ("m", "score", "statistic"),
    [
        (10, 0.9, 0.1),  # all factors and all free ones kept
        (9, 0.9, 0.1),  # only a redundant one dropped
        (3, 1.0, 1 - 3 / 9),  # as MCC: blind to what is lost
        (3, 0.3, 0.0),  # as R2: no more than the share that is kept
        (3, 0.0, 0.0),  # less is no violation
    ],
)
def test_share_asks_for_one_or_at_most_the_share_of_free_factors(m, score, statistic):
    _, judgement = judged("share", cells({"d": 10, "d_eff": 9, "m": m}), constant([score]))
    assert judgement.statistic == pytest.approx(statistic)


@pytest.mark.parametrize(("low", "high"), [(0.4, 0.7), (0.7, 0.4)])
def test_change_is_against_the_like_encoder_in_either_direction(low, high):
    table = cells(
        {"encoder": "plain", "encoder_kappa": 2.0},
        {"encoder": "plain", "encoder_kappa": 9.0},
        {"encoder": "wide", "encoder_kappa": 9.0, "m": 10, "encoder_alpha": 1.0},
        {"encoder": "other", "m": 10},
    )
    found, judgement = judged("change", table, constant([0.0, low, high, 1.0]), matched={"wide": "plain"})
    assert judgement.statistic == pytest.approx(0.3)
    assert found.involved().tolist() == [1, 2]


def test_change_without_a_like_cell_is_not_judged():
    table = cells({"encoder": "plain", "n": 50}, {"encoder": "wide", "m": 10})
    found, judgement = judged("change", table, constant([0.0, 1.0]), matched={"wide": "plain"})
    assert len(found.cell) == 0
    assert verdicts.verdict(judgement, THRESHOLDS) == verdicts.NOT_JUDGED


def test_change_with_two_like_cells_is_refused():
    table = cells({"encoder": "plain"}, {"encoder": "plain", "m": 6}, {"encoder": "wide", "m": 10})
    with pytest.raises(ValueError, match="2 cells of plain"):
        verdicts.differences("change", table, matched={"wide": "plain"})


@pytest.mark.parametrize("sign", [1, -1])
def test_level_counts_in_either_direction(sign):
    found, judgement = judged("level", cells({"m": 5}, {"m": 50}), sign * constant([0.1, 0.6]))
    assert judgement.statistic == pytest.approx(0.6)
    assert found.cell[judgement.worst] == 1


@pytest.mark.parametrize(
    ("statistic", "low", "high", "word", "clear"),
    [
        (0.0, 0.0, 0.0, "ok", True),
        (0.05, 0.05, 0.05, "ok", True),
        (0.1, 0.06, 0.2, "partly", True),
        (0.25, 0.25, 0.25, "partly", True),
        (0.4, 0.3, 0.5, "violated", True),
        (0.4, 0.2, 0.5, "partly", False),
        (0.4, 0.0, 0.5, "ok", False),
        (0.4, None, None, "violated", False),
        (None, None, None, "not judged", False),
    ],
)
def test_the_verdict_is_what_the_lower_end_of_the_margin_exceeds(statistic, low, high, word, clear):
    judgement = verdicts.Judgement(statistic, low, high)
    assert verdicts.verdict(judgement, THRESHOLDS) == word
    assert verdicts.is_clear(judgement, THRESHOLDS) is clear


def test_higher_thresholds_never_make_a_verdict_worse():
    order = [verdicts.OK, verdicts.PARTLY, verdicts.VIOLATED]
    thresholds = [{"ok": ok, "partly": ok + gap} for ok in (0.0, 0.1, 0.4) for gap in (0.1, 0.5)]
    for low in np.linspace(0, 1, 21):
        judgement = verdicts.Judgement(low, low, low)
        for a in thresholds:
            for b in thresholds:
                if a["ok"] <= b["ok"] and a["partly"] <= b["partly"]:
                    words = [verdicts.verdict(judgement, one) for one in (a, b)]
                    assert order.index(words[1]) <= order.index(words[0])


def test_the_margin_is_the_bootstrap_of_the_mean_over_seeds():
    values = np.array([[0.2, 0.4, 0.6, 0.8]])
    judgement = verdicts.judge(values, 20_000, 0.9, 0)
    drawn = np.random.default_rng(1).choice(values[0], (200_000, 4)).mean(axis=1)
    assert judgement.statistic == pytest.approx(0.5)
    assert [judgement.ci_low, judgement.ci_high] == pytest.approx(np.quantile(drawn, [0.05, 0.95]), abs=0.03)
    assert verdicts.judge(values, 20_000, 0.9, 0) == judgement
    wider = verdicts.judge(values, 20_000, 0.99, 0)
    assert wider.ci_low < judgement.ci_low
    assert wider.ci_high > judgement.ci_high


def test_seeds_that_agree_leave_no_margin():
    judgement = verdicts.judge(constant([0.3, 0.1]), **MARGIN)
    assert [judgement.statistic, judgement.ci_low, judgement.ci_high] == pytest.approx([0.3] * 3)


def test_chance_does_not_pick_the_worst_case():
    noise = np.random.default_rng(0).normal(0, 0.2, (400, 5))
    assert noise.mean(axis=1).max() > 0.2
    judgement = verdicts.judge(noise, **MARGIN)
    assert judgement.ci_low < THRESHOLDS["ok"]
    found = noise + np.where(np.arange(400) == 7, 0.7, 0.0)[:, None]
    judgement = verdicts.judge(found, **MARGIN)
    assert judgement.worst == 7
    assert judgement.statistic == pytest.approx(found[7].mean())


def test_undefined_scores_are_left_out():
    values = np.array([[0.3, np.nan, 0.5], [np.nan, np.nan, np.nan], [0.1, 0.2, 0.1]])
    found, judgement = judged("level", cells({"n": 10}, {"n": 20}, {"n": 30}), values)
    assert judgement.statistic == pytest.approx((0.3 + 0.2 + 0.5) / 3)
    assert found.cell[judgement.worst] == 0
    assert verdicts.judge(np.full((2, 3), np.nan), **MARGIN).statistic is None


def test_one_seed_gives_the_plain_largest_without_a_margin():
    judgement = verdicts.judge(np.array([[0.1], [0.6]]), **MARGIN)
    assert judgement == verdicts.Judgement(0.6, worst=1)


@pytest.mark.parametrize(("true", "word"), [(0.0, "ok"), (0.15, "partly"), (0.5, "violated")])
def test_two_disjoint_seed_sets_agree_on_clear_cases(true, word):
    """Twenty cells, the last one off by `true`, with the spread of scores over seeds that studies have."""
    off = np.zeros((20, 1))
    off[-1] = true
    draws = off + np.random.default_rng(3).normal(0, 0.03, (20, 10))
    for half in (draws[:, :5], draws[:, 5:]):
        judgement = verdicts.judge(half, **MARGIN)
        assert verdicts.is_clear(judgement, THRESHOLDS)
        assert verdicts.verdict(judgement, THRESHOLDS) == word


def test_the_rule_and_the_papers_verdicts_speak_of_the_same_properties():
    experiments = [path.stem for path in (CHECKOUT / "config" / "experiments").glob("*.yaml")]
    rule = properties.load(experiments)
    paper = read_yaml(CHECKOUT / "workflow" / "resources" / "paper_tables.yaml")["verdicts"]
    assert set(paper) <= set(style.SCORES)
    for given in paper.values():
        assert list(given) == list(rule["properties"])
        assert set(given.values()) <= {verdicts.OK, verdicts.PARTLY, verdicts.VIOLATED}
