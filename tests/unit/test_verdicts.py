"""Verdicts from toy tables with known answers: statistic, margin, word, and the words around it."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from custodes.drawing import style
from custodes.judging import verdicts
from custodes.sources import CHECKOUT
from custodes.study import properties
from custodes.study.yaml_files import read_yaml

COVERAGE = 0.95
THRESHOLDS = {"ok": 0.05, "partly": 0.25}
CELL = {"experiment": "toy", "dgp": "correlated", "d": 5, "d_eff": 5, "n": 1000, "encoder": "E", "m": 5}


def cells(*changes):
    return pd.DataFrame([CELL | change for change in changes])


def constant(scores, seeds=3):
    """Scores (cells, seeds) that do not vary over the seeds."""
    return np.repeat(np.array(scores, dtype=float)[:, None], seeds, axis=1)


def judged(statistic, table, values, **options):
    found = verdicts.differences(statistic, table, **options)
    return found, verdicts.judge(verdicts.bounds(found.of(values), COVERAGE))


def judge(values):
    return verdicts.judge(verdicts.bounds(np.asarray(values, dtype=float), COVERAGE))


def word(judgement):
    return verdicts.verdict(judgement, THRESHOLDS)


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
    ("statistic", "low", "high", "expected"),
    [
        (0.0, 0.0, 0.0, "ok"),
        (0.05, 0.05, 0.05, "ok"),
        (0.1, 0.06, 0.2, "partly"),
        (0.25, 0.25, 0.25, "partly"),
        (0.4, 0.3, 0.5, "violated"),
        (0.4, 0.3, None, "violated"),
        (0.2, 0.1, None, "undecided"),
        (0.4, 0.2, 0.5, "undecided"),
        (0.2, 0.04, 0.2, "undecided"),
        (0.4, 0.0, 0.5, "undecided"),
        (0.48, 0.0, 0.95, "undecided"),
        (0.0, 0.0, 0.06, "undecided"),
        (0.0, None, None, "undecided"),
        (0.4, None, None, "undecided"),
        (None, None, None, "not judged"),
    ],
)
def test_a_verdict_needs_both_ends_of_the_margin_on_one_side(statistic, low, high, expected):
    assert word(verdicts.Judgement(statistic, low, high)) == expected


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


def test_one_difference_has_its_t_interval():
    values = np.array([0.2, 0.4, 0.6, 0.7])
    judgement = judge([values])
    low, high = scipy.stats.t.interval(0.95, 3, values.mean(), scipy.stats.sem(values))
    assert [judgement.statistic, judgement.ci_high] == pytest.approx([values.mean(), high])
    assert judgement.ci_low == pytest.approx(max(0, low))


def test_of_many_differences_the_lower_end_allows_for_luck_and_for_small_spreads():
    found = np.array([[0.50, 0.51], [0.4, 0.2], [0.1, 0.3], [0.0, 0.0]])
    typical = np.sqrt((np.var(found[:3], axis=1, ddof=1)).mean())
    z = scipy.stats.norm.ppf(1 - 0.025 / 4)
    bounds = verdicts.bounds(found, COVERAGE)
    assert bounds.low[0] == pytest.approx(0.505 - z * typical / np.sqrt(2))
    assert bounds.high[0] == pytest.approx(scipy.stats.t.interval(0.95, 1, 0.505, 0.005)[1])
    assert [bounds.low[3], bounds.high[3]] == [0, 0]


def test_seeds_that_agree_leave_no_margin():
    judgement = judge(constant([0.3, 0.1]))
    assert [judgement.statistic, judgement.ci_low, judgement.ci_high] == pytest.approx([0.3] * 3)


@pytest.mark.parametrize(("score", "expected"), [(0.0, "ok"), (0.2, "partly"), (0.9, "violated")])
@pytest.mark.parametrize("last_bits", [0, 1e-15])
def test_a_deterministic_score_is_judged_at_once(score, expected, last_bits):
    assert word(judge(constant([0.0, score, 0.0], seeds=2) + np.array([0, last_bits]))) == expected


def test_draws_of_dci_under_random_codes_are_undecided_and_never_ok():
    """Four cells above .71 in every draw; elsewhere single draws near 1. The third cell is the largest."""
    draws = [(0.84, 0.77), (0.97, 0.90), (1.0, 0.95), (0.71, 1.0), (0.81, 0), (0.91, 0), (0.92, 0), (0, 1.0)]
    judgement = judge([*draws, *[(0, 0)] * 6])
    assert judgement.statistic == pytest.approx(0.975)
    assert judgement.worst == 2
    assert word(judgement) == "undecided"
    assert word(judge([*draws[:4], *[(0, 0)] * 6])) == "violated"


@pytest.mark.parametrize("seeds", [1, 2, 5])
def test_no_total_is_better_than_a_part(seeds):
    rng = np.random.default_rng(0)
    order = [verdicts.OK, verdicts.UNDECIDED, verdicts.PARTLY, verdicts.VIOLATED]
    met = set()
    for _ in range(300):
        worst, noise = rng.choice([0, 0.1, 0.5]), rng.choice([0.001, 0.1])
        found = worst * rng.random((12, 1)) + rng.normal(0, noise, (12, seeds))
        found[rng.random(12) < 0.2] = np.nan
        bounds, part = verdicts.bounds(found, COVERAGE), rng.integers(0, 3, 12)
        total = verdicts.judge(bounds)
        parts = [
            one for value in range(3) if (one := verdicts.judge(bounds, part == value)).statistic is not None
        ]
        assert total.statistic == max(one.statistic for one in parts)
        words = [word(one) for one in parts]
        met.add(word(total))
        assert order.index(word(total)) >= max(map(order.index, words)) or word(total) == verdicts.UNDECIDED
        if word(total) == verdicts.UNDECIDED:
            assert verdicts.UNDECIDED in words
            assert verdicts.VIOLATED not in words
        assert total.ci_low is None or total.ci_low <= total.statistic
        assert total.ci_high is None or total.ci_high >= total.statistic
    assert met == ({verdicts.UNDECIDED} if seeds == 1 else set(order))


@pytest.mark.parametrize("seeds", [2, 5])
@pytest.mark.parametrize("count", [1, 20, 400])
@pytest.mark.parametrize("uneven", [False, True])
def test_differences_of_zero_are_rarely_called_violated(seeds, count, uneven):
    """Noise of sd .3, or of .03 in nine of ten: thresholds exceeded by chance in at most 5 % of studies."""
    rng = np.random.default_rng(seeds * count)
    words = []
    for _ in range(400):
        spread = np.where(rng.random((count, 1)) < 0.9, 0.03, 0.3) if uneven else 0.3
        words.append(word(judge(rng.normal(0, spread, (count, seeds)))))
    assert words.count(verdicts.VIOLATED) <= 0.05 * len(words)


@pytest.mark.parametrize("seeds", [2, 5])
@pytest.mark.parametrize("spread", [0.03, 0.3])
def test_one_large_difference_among_many_is_not_called_ok(seeds, spread):
    rng = np.random.default_rng(seeds)
    true = np.where(np.arange(100) == 7, 0.5, 0.0)[:, None]
    words = [word(judge(true + rng.normal(0, spread, (100, seeds)))) for _ in range(300)]
    assert words.count(verdicts.OK) == 0
    # The others do not hide it either: the same difference among differences that do not vary.
    quiet = true + np.where(true > 0, 1, 0) * rng.normal(0, spread, (300, 100, seeds))
    assert [word(judge(one)) for one in quiet].count(verdicts.OK) <= 0.05 * 300


@pytest.mark.parametrize(("true", "expected"), [(0.0, "ok"), (0.15, "partly"), (0.5, "violated")])
def test_five_seeds_settle_clear_cases(true, expected):
    """Twenty cells, the last one off by `true`, with a spread over seeds that many scores have."""
    off = np.zeros((20, 1))
    off[-1] = true
    rng = np.random.default_rng(3)
    words = [word(judge(off + rng.normal(0, 0.012, (20, 5)))) for _ in range(200)]
    assert words.count(expected) >= 0.95 * len(words)


def test_undefined_scores_are_left_out():
    values = np.array([[0.3, np.nan, 0.5], [np.nan, np.nan, np.nan], [0.1, 0.2, 0.1]])
    found, judgement = judged("level", cells({"n": 10}, {"n": 20}, {"n": 30}), values)
    assert judgement.statistic == pytest.approx((0.3 + 0.5) / 2)
    assert found.cell[judgement.worst] == 0
    assert judge(np.full((2, 3), np.nan)).statistic is None


def test_a_difference_with_a_single_value_is_never_shown_to_be_small():
    values = [[0.0, 0.0, 0.0], [0.01, np.nan, np.nan]]
    assert judge(values) == verdicts.Judgement(0.01, 0.0, None, worst=1)
    assert word(judge(values)) == "undecided"
    assert word(judge([[0.9, 0.9], [0.01, np.nan]])) == "violated"


def test_one_seed_gives_no_margin_and_decides_nothing():
    judgement = judge([[0.1], [0.6]])
    assert judgement == verdicts.Judgement(0.6, worst=1)
    assert word(judgement) == "undecided"


def test_the_rule_and_the_papers_verdicts_speak_of_the_same_properties():
    experiments = [path.stem for path in (CHECKOUT / "config" / "experiments").glob("*.yaml")]
    rule = properties.load(experiments)
    paper = read_yaml(CHECKOUT / "workflow" / "resources" / "paper_tables.yaml")["verdicts"]
    assert set(paper) <= set(style.SCORES)
    for given in paper.values():
        assert list(given) == list(rule["properties"])
        assert set(given.values()) <= {verdicts.OK, verdicts.PARTLY, verdicts.VIOLATED}
