"""Scores of sets of representations and the tables of an image data set, from file to file."""

import numpy as np
import pandas as pd
import pytest

from custodes.analysis.image_tables import aggregate_images
from custodes.scoring.comparisons import compare_representations
from custodes.tables.columns import without_value
from custodes.tables.files import write_rows
from custodes.tables.image_scores import REPRESENTATION_SCORES
from custodes.tables.representations import Representation, write_representation

N = 200
CODES = np.random.default_rng(0).standard_normal((N, 3))
OTHERS = np.random.default_rng(1).standard_normal((N, 3))
# Two settings with two restarts: within a setting the same codes, in the second one in another order.
MODELS = {(1, 1): CODES, (1, 2): CODES[:, ::-1], (2, 1): OTHERS, (2, 2): -OTHERS}


def labels(setting, restart):
    named = {"dataset": "dsprites", "source": "rendered", "model": "beta_vae"}
    return named | {"setting": setting, "restart": restart, "model_beta": float(setting)}


def written(folder, models=MODELS, kl=(1.0, 1.0, 1.0), rows=None):
    paths = []
    for (setting, restart), codes in models.items():
        paths.append(folder / f"h{setting}s{restart}.parquet")
        kept = np.arange(len(codes)) if rows is None else rows[setting]
        representation = Representation(
            labels(setting, restart), kept, codes, None if kl is None else np.array(kl)
        )
        write_representation(paths[-1], representation)
    return paths


def compared(folder, informative_kl=0.01, **arguments):
    paths = written(folder, **arguments)
    outputs = (folder / "udr.parquet", folder / "pairs.parquet")
    compare_representations("udr", paths, informative_kl, {}, 0, *outputs)
    return tuple(pd.read_parquet(path) for path in outputs)


def test_partners_are_of_the_same_setting_or_of_the_class(tmp_path):
    scores, pairs = compared(tmp_path)
    scores = scores.set_index(["comparison", "score"])["value"]
    assert scores["same setting", "udr_spearman"].tolist() == pytest.approx([1] * 4, abs=0.1)
    assert (scores["any setting", "udr_spearman"] < 0.2).all()  # two of three partners are unrelated
    keys = ["comparison", "setting", "restart", "partner_setting", "partner_restart"]
    found = set(map(tuple, pairs[keys].to_numpy()))
    everyone = list(MODELS)
    assert found == {("same setting", h, s, h, 3 - s) for h, s in everyone} | {
        ("any setting", *one, *other) for one in everyone for other in everyone if one != other
    }
    assert (pairs["model_beta"] == pairs["setting"]).all()


@pytest.mark.parametrize(("kl", "threshold"), [((1.0, 0.0, 1.0), 0.01), ((1.0, 0.4, 1.0), 0.5)])
def test_the_threshold_decides_which_latents_count(kl, threshold, tmp_path):
    _, all_count = compared(tmp_path, informative_kl=0, kl=(1.0, 1.0, 1.0))
    _, fewer = compared(tmp_path, informative_kl=threshold, kl=kl)
    _, none = compared(tmp_path, informative_kl=2)
    assert (fewer["udr_spearman"] != all_count["udr_spearman"]).any()
    assert (none["udr_spearman"] == 0).all()


def test_without_divergences_the_codes_that_vary_count(tmp_path):
    dead = {key: np.hstack([codes, np.ones((N, 1))]) for key, codes in MODELS.items()}
    with_dead, _ = compared(tmp_path, models=dead, kl=None)
    without, _ = compared(tmp_path, kl=None)
    assert with_dead["value"].tolist() == pytest.approx(without["value"].tolist())


def test_codes_of_other_images_are_refused(tmp_path):
    rows = {1: np.arange(N), 2: np.arange(1, N + 1)}
    with pytest.raises(ValueError, match=r"h2s1.parquet: holds codes of other images than .*h1s1.parquet"):
        compared(tmp_path, rows=rows)


def test_a_metric_without_a_value_says_why(tmp_path):
    scores, pairs = compared(tmp_path, models={key: codes[:3] for key, codes in MODELS.items()})
    assert scores["value"].isna().all()
    assert (scores["status"] == "undefined").all()
    assert (scores["reason"] == "udr needs 4 rows, got 3").all()
    assert len(pairs) == 0


def test_a_representation_alone_in_its_setting_says_why(tmp_path):
    scores, _ = compared(tmp_path, models={key: MODELS[key] for key in ((1, 1), (1, 2), (2, 1))})
    alone = scores[(scores["comparison"] == "same setting") & (scores["setting"] == 2)]
    assert alone["reason"].tolist() == ["udr: no other representation in the group to compare with"] * 2
    assert scores.drop(alone.index)["value"].notna().all()


def irs_rows(values):
    common = {"n": N, "m": 3, "metric": "irs", "score": "irs", "null_permutations": 0}
    return [
        labels(*key)
        | common
        | (without_value(value) if isinstance(value, str) else {"value": value, "status": "ok"})
        for key, value in zip(MODELS, values, strict=True)
    ]


def aggregated(folder, values):
    compared(folder)
    write_rows(folder / "irs.parquet", irs_rows(values), REPRESENTATION_SCORES)
    outputs = [folder / f"{name}.parquet" for name in ("models", "settings", "rankings")]
    paths = [folder / "udr.parquet", folder / "irs.parquet"]
    aggregate_images(paths, ["irs", "udr"], [labels(*key) for key in MODELS], 0, *outputs)
    return [pd.read_parquet(path) for path in outputs]


def test_three_tables(tmp_path):
    models, settings, rankings = aggregated(tmp_path, [0.1, 0.3, 0.6, 0.4])
    assert models["score"].tolist() == ["irs", *["udr_lasso", "udr_spearman"] * 2] * 4
    assert models["setting"].tolist() == [1] * 10 + [2] * 10
    irs = settings[settings["score"] == "irs"].set_index("setting")
    assert irs["mean"].tolist() == pytest.approx([0.2, 0.5])
    assert irs["std"].tolist() == pytest.approx([np.sqrt(0.02)] * 2)
    assert "restart" not in settings
    assert len(settings) == 2 * 5
    of_irs = rankings[(rankings["reference"] == "irs") & (rankings["score"] == "udr_lasso")]
    assert sorted(of_irs["comparison"]) == ["any setting"] * 2 + ["same setting"] * 2
    assert (of_irs["models"] == 4).all()


def test_undefined_scores_stay_rows_that_say_why(tmp_path):
    models, settings, rankings = aggregated(tmp_path, ["no", "no", 0.6, 0.4])
    assert models[models["score"] == "irs"]["status"].tolist() == ["undefined"] * 2 + ["ok"] * 2
    assert models[models["score"] == "irs"]["reason"].fillna("").tolist() == ["no", "no", "", ""]
    irs = settings[settings["score"] == "irs"]
    assert irs["status"].tolist() == ["undefined", "ok"]
    assert irs["reason"].fillna("").tolist() == ["no", ""]
    assert irs["undefined"].tolist() == [2, 0]
    of_irs = rankings[rankings["reference"] == "irs"]
    assert (of_irs["status"] == "undefined").all()
    assert of_irs["reason"].str.contains("got 2").all()
    assert of_irs["correlation"].isna().all()


def test_a_model_without_its_scores_ends_the_job(tmp_path):
    compared(tmp_path)
    with pytest.raises(ValueError, match=r"the scores of irs lack some of .*'beta_vae'"):
        aggregate_images(
            [tmp_path / "udr.parquet"], ["irs", "udr"], [labels(1, 1)], 0, *[tmp_path / "x.parquet"] * 3
        )
