"""Rank correlations and their intervals against scipy, tables of agreement, UDR with fewer partners."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from custodes.analysis.rank_agreement import (
    agreement,
    compare_rankings,
    rank_correlations,
    scores_by_partners,
)
from custodes.errors import Undefined
from custodes.metrics.udr import score_pairs
from custodes.statistics.columns import ranks


def rng(seed=0):
    return np.random.default_rng(seed)


def correlated(models, seed=1, strength=1.0):
    """Two scores that agree in part; the first has ties."""
    reference = rng(seed).standard_normal(models)
    return np.round(strength * reference + rng(seed + 100).standard_normal(models), 1), reference


@pytest.mark.parametrize("columns", [[0], [1], [0, 1, 2]], ids=["distinct", "ties", "mixed"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_ranks_are_those_of_scipy(columns, order):
    x = np.stack([rng().standard_normal(50), rng().integers(9, size=50), np.full(50, 0.1)], axis=1)
    x = np.array(x[:, columns], order=order)
    x.flags.writeable = False
    assert np.array_equal(ranks(x), stats.rankdata(x, axis=0))


def test_rank_correlations_are_those_of_scipy():
    scores, reference = np.round(rng().standard_normal((2, 3, 20)), 1), rng(1).standard_normal(20)
    found = rank_correlations(scores, reference)
    assert found.shape == (2, 3)
    for index in np.ndindex(2, 3):
        assert found[index] == pytest.approx(stats.spearmanr(scores[index], reference).statistic)
    assert rank_correlations(np.exp(reference), reference) == pytest.approx(1)
    assert rank_correlations(-reference, reference) == pytest.approx(-1)


def test_the_interval_is_that_of_scipy():
    scores, reference = correlated(60)
    expected = stats.bootstrap(
        (scores, reference),
        lambda x, y: stats.spearmanr(x, y).statistic,
        paired=True,
        vectorized=False,
        n_resamples=2000,
        method="percentile",
        rng=rng(5),
    ).confidence_interval
    found = agreement(scores, reference, rng())
    assert found["correlation"] == pytest.approx(stats.spearmanr(scores, reference).statistic)
    assert found["ci_low"] == pytest.approx(expected.low, abs=0.03)
    assert found["ci_high"] == pytest.approx(expected.high, abs=0.03)
    assert found["models"] == 60


def test_the_interval_covers_the_true_correlation():
    """Normal scores with Pearson correlation r have Spearman's 6 / pi arcsin(r / 2)."""
    true = 6 / np.pi * np.arcsin(np.sqrt(0.5) / 2)
    covered = 0
    for seed in range(200):
        scores, reference = correlated(60, seed)
        found = agreement(scores, reference, rng(seed), resamples=300, coverage=0.8)
        covered += found["ci_low"] <= true <= found["ci_high"]
    assert 0.7 < covered / 200 < 0.9


def test_same_generator_same_interval():
    assert agreement(*correlated(20), rng()) == agreement(*correlated(20), rng())
    assert agreement(*correlated(20), rng()) != agreement(*correlated(20), rng(1))
    narrow, wide = (agreement(*correlated(20), rng(), coverage=coverage) for coverage in (0.5, 0.99))
    assert wide["ci_low"] < narrow["ci_low"] < narrow["ci_high"] < wide["ci_high"]


def test_draws_without_a_ranking_are_left_out():
    """One model of three differs: many draws do not hold it. All others agree fully."""
    found = agreement([0.0, 0.0, 1.0], [1.0, 1.0, 5.0], rng())
    assert list(found.values()) == pytest.approx([1, 1, 1, 3])


@pytest.mark.parametrize(
    ("scores", "reference", "message"),
    [
        ([1.0, 2.0], [2.0, 1.0], "needs 3 models, got 2"),
        ([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], "all models have the same"),
        ([1.0, 2.0, 3.0], [0.1, 0.1, 0.1], "all models have the same"),
    ],
)
def test_undefined_correlations(scores, reference, message):
    with pytest.raises(Undefined, match=message):
        agreement(scores, reference, rng())
    with pytest.raises(Undefined, match=message):
        rank_correlations([scores, scores], reference)


@pytest.mark.parametrize(
    ("scores", "reference", "options", "message"),
    [
        ([1.0, np.nan, 3.0], [1.0, 2.0, 3.0], {}, "scores has the value nan"),
        ([1.0, 2.0, 3.0], [1.0, np.inf, 3.0], {}, "reference has the value inf"),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0], {}, "scores are of 3 models and reference of 4"),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], {"resamples": 50}, "resamples = 50"),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], {"coverage": 95}, "coverage = 95"),
    ],
)
def test_bad_scores_and_options_are_named(scores, reference, options, message):
    with pytest.raises(ValueError, match=message):
        agreement(scores, reference, rng(), **options)


def score_table():
    """A long table: two data sets, two classes, 3 settings x 4 restarts; mig opposes udr on shapes3d."""
    rows = []
    for dataset, sign in (("dsprites", 1), ("shapes3d", -1)):
        for model in ("beta_vae", "dip_vae_i"):
            for setting in range(3):
                for restart in range(4):
                    level = setting + restart / 10
                    labels = {
                        "dataset": dataset,
                        "source": "rendered",
                        "model": model,
                        "setting": setting,
                        "restart": restart,
                    }
                    for score, value in {"udr_lasso": level, "mig": sign * level**3, "irs": 0.5}.items():
                        rows.append(labels | {"score": score, "value": value})
    return pd.DataFrame(rows)


def test_a_table_of_agreement_per_class_and_data_set():
    found = compare_rankings(score_table(), ["udr_lasso"], rng())
    assert found.columns.tolist() == [
        *("dataset", "source", "model", "score", "reference"),
        *("correlation", "ci_low", "ci_high", "models", "status", "reason"),
    ]
    assert len(found) == 2 * 2 * 2
    mig = found[found["reference"] == "mig"].set_index(["dataset", "model"])
    assert (mig["models"] == 12).all()
    assert (mig["status"] == "ok").all()
    assert mig.loc["dsprites", "correlation"].tolist() == pytest.approx([1, 1])
    assert mig.loc["shapes3d", "correlation"].tolist() == pytest.approx([-1, -1])
    irs = found[found["reference"] == "irs"]
    assert irs[["correlation", "ci_low", "ci_high"]].isna().all(axis=None)
    assert (irs["status"] == "undefined").all()
    assert irs["reason"].str.contains("all models have the same").all()


def test_models_without_a_value_are_left_out():
    table = score_table()
    first = (table["dataset"] == "dsprites") & (table["model"] == "beta_vae")
    table.loc[first & (table["score"] == "udr_lasso") & (table["setting"] < 2), "value"] = None
    table.loc[first & (table["score"] == "mig") & (table["restart"] == 3), "value"] = None
    table = table[~((table["model"] == "dip_vae_i") & (table["score"] == "mig"))]
    found = compare_rankings(table, ["udr_lasso"], rng(), references=["mig"])
    models = found.set_index(["dataset", "model"])["models"]
    assert models.loc[("dsprites", "beta_vae")] == 3
    assert models.loc[("shapes3d", "beta_vae")] == 12
    missing = found[found["model"] == "dip_vae_i"]
    assert missing["reason"].tolist() == ["a rank correlation needs 3 models, got 0"] * 2


def test_groups_and_scores_are_a_choice():
    table = score_table()
    found = compare_rankings(
        table, ["udr_lasso", "irs"], rng(), references=["mig"], by=["dataset"], resamples=100
    )
    assert found["score"].tolist() == ["udr_lasso", "irs"] * 2
    assert found["models"].tolist() == [24] * 4
    with pytest.raises(ValueError, match="duplicate"):
        compare_rankings(pd.concat([table, table]), ["udr_lasso"], rng())


def test_all_partners_give_the_score_and_fewer_a_median_of_some():
    codes = rng().standard_normal((6, 50, 3))
    pairs = score_pairs([(part, np.ones(3, dtype=bool)) for part in codes], None)
    values, owner = pairs["udr_spearman"], pairs["representation"]
    scores = scores_by_partners(owner, values, [1, 3, 5], 4, rng())
    assert scores.shape == (3, 4, 6)
    for k in range(6):
        own = values[owner == k]
        assert scores[2, :, k] == pytest.approx(np.median(own))
        assert np.isin(scores[:2, :, k], own).all()
        assert np.ptp(scores[0, :, k]) > 0


def test_partners_of_a_smaller_number_are_among_those_of_a_larger_one():
    values = 10.0 ** np.arange(7)
    scores = scores_by_partners(np.zeros(7), values, [1, 2], 50, rng())[:, :, 0]
    first, sum_of_both = scores[0], 2 * scores[1]
    second = sum_of_both - first
    assert np.isin(np.round(second), values).all()
    assert (np.round(second) != first).all()
    assert len(np.unique(first)) == 7


def test_pairs_may_come_in_any_order():
    owner, values = np.repeat([0, 2, 3], 4), rng().random(12)
    order = rng(1).permutation(12)
    found = scores_by_partners(owner[order], values[order], [4], 1, rng())
    assert found[0, 0] == pytest.approx(np.median(values.reshape(3, 4), axis=1))


def test_more_partners_agree_better_with_the_truth():
    """UDR_ij = quality + noise: the rank correlation with the quality grows with P, as in Tbl. 2."""
    quality = np.linspace(0, 1, 30)
    values = np.repeat(quality, 40) + rng().standard_normal(1200)
    scores = scores_by_partners(np.repeat(np.arange(30), 40), values, [2, 8, 40], 50, rng(1))
    correlations = rank_correlations(scores, quality)
    assert correlations.shape == (3, 50)
    means, spreads = correlations.mean(axis=1), correlations.std(axis=1)
    assert means[0] + 0.1 < means[1] < means[2] - 0.03
    assert spreads[0] > spreads[1] > spreads[2]
    again = scores_by_partners(np.repeat(np.arange(30), 40), values, [2, 8, 40], 50, rng(1))
    assert np.array_equal(again, scores)


@pytest.mark.parametrize("counts", [[0], [1, 4], [-1]])
def test_more_partners_than_there_are_is_refused(counts):
    with pytest.raises(ValueError, match="must be from 1 to 3, the fewest partners"):
        scores_by_partners([0, 0, 0, 0, 1, 1, 1], np.arange(7.0), counts, 2, rng())
