"""A score that is no number stops the job, naming metric, score, cell and seed; so does a null score."""

from types import SimpleNamespace

import numpy as np
import pytest

from custodes import metrics, registry
from custodes.contracts import PAIRED, SET, Metric
from custodes.errors import UnsoundScore
from custodes.scoring import blocks, comparisons, null_calibration
from custodes.scoring.comparisons import compare_representations
from custodes.scoring.sound_scores import sound
from custodes.tables.columns import LABELS
from custodes.tables.representations import Representation, write_representation

DECLARED = Metric(scores={"half": (0.0, 1.0), "depth": (0.0, np.inf)}, needs=PAIRED)
Z = np.random.default_rng(0).standard_normal((40, 2))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 7.0, -1e-6, None, "0.5", True, np.array([0.5])])
def test_what_is_no_score_is_refused_by_name(value):
    with pytest.raises(UnsoundScore, match=r"^half = .*: must be a number in \[0.0, 1.0\]"):
        sound(DECLARED, {"half": value, "depth": 1.0})


@pytest.mark.parametrize("returned", [None, 0.5, {"half": 0.5}, {"half": 0.5, "depth": 1.0, "more": 1.0}])
def test_missing_and_unknown_scores_are_refused(returned):
    with pytest.raises(UnsoundScore, match=r"^scores = .*: must be a mapping of half, depth"):
        sound(DECLARED, returned)


def test_rounding_beyond_a_bound_is_cut_off_and_numbers_become_floats():
    found = sound(DECLARED, {"depth": np.float32(2), "half": 1 + 1e-12})
    assert found == {"half": 1.0, "depth": 2.0}
    assert list(found) == ["half", "depth"]
    assert all(type(value) is float for value in found.values())


def test_an_infinity_is_no_score_without_a_bound_either():
    with pytest.raises(UnsoundScore, match="depth = inf"):
        sound(DECLARED, {"half": 0.5, "depth": np.inf})


def test_of_the_scores_beside_an_undefined_some_may_be_missing():
    assert sound(DECLARED, {"depth": 2}, whole=False) == {"depth": 2.0}
    with pytest.raises(UnsoundScore, match="depth = nan"):
        sound(DECLARED, {"depth": np.nan}, whole=False)


def own_metric(monkeypatch, score):
    module = SimpleNamespace(METRIC=Metric(scores={"half": (0.0, 1.0)}, needs=PAIRED), score=score)
    monkeypatch.setattr(registry, "load", lambda kind, name: module)


def score_block(tmp_path, permutations):
    labels = {"experiment": "dimension", "dgp": "independent", "encoder": "identity", "n": 40, "d": 2, "m": 2}
    draws = [blocks.Draw(labels, 43, None, Z, Z)]
    source = tmp_path / "metric.py"
    source.write_text("")
    blocks.score_draws("mine", draws, {}, permutations, 1, tmp_path / "s.parquet", [source], LABELS)


def test_a_job_stops_and_names_the_cell(tmp_path, monkeypatch):
    own_metric(monkeypatch, lambda z, z_hat, rng, split: {"half": np.nan})
    with pytest.raises(UnsoundScore, match=r"half = nan.*metric mine.*experiment dimension.*n 40.*seed 43"):
        score_block(tmp_path, 0)


def test_a_permutation_is_checked_as_well(tmp_path, monkeypatch):
    own_metric(monkeypatch, lambda z, z_hat, rng, split: {"half": 0.5 if np.array_equal(z, z_hat) else 7.0})
    with pytest.raises(
        UnsoundScore, match=r"half = 7.0.*permutation of the null calibration 0.*metric mine.*seed 43"
    ):
        score_block(tmp_path, 3)


def test_a_comparison_is_checked_as_well(tmp_path, monkeypatch):
    module = SimpleNamespace(
        METRIC=Metric(scores={"agreement": (0.0, 1.0)}, needs=SET),
        score_pairs=lambda representations, rng, groups: {},
        scores_of_pairs=lambda pairs, count: [{"agreement": 0.5}, {"agreement": np.nan}],
    )
    monkeypatch.setattr(registry, "load", lambda kind, name: module)
    paths = [tmp_path / f"{restart}.parquet" for restart in range(2)]
    for restart, path in enumerate(paths):
        labels = {"dataset": "shapes", "model": "vae", "setting": 1, "restart": restart}
        write_representation(path, Representation(labels, np.arange(40), Z, None))
    with pytest.raises(
        UnsoundScore, match=r"agreement = nan.*metric mine.*comparison same setting.*restart 1.*seed 7"
    ):
        compare_representations("mine", paths, 0.01, {}, 7, tmp_path / "s.parquet", tmp_path / "p.parquet")


def frames(x):
    return pytest.importorskip("pandas").DataFrame(x, index=[f"row {k}" for k in range(len(x))])


def tensors(x):
    return pytest.importorskip("torch").tensor(x)


@pytest.mark.parametrize("given", [frames, tensors, lambda x: x.tolist()])
def test_whatever_holds_the_codes_their_rows_are_permuted(given):
    z_hat = np.hstack([Z, Z])[:, :3]
    expected = null_calibration.null_calibrate(metrics.mcc_pearson, Z, z_hat, 19)
    assert null_calibration.null_calibrate(metrics.mcc_pearson, given(Z), given(z_hat), 19) == expected
    few = null_calibration.null_calibrate(metrics.mcc_pearson, given(Z[:8]), given(np.tile(Z[:8], 5)), 19)
    assert few["mcc_pearson"]["p_value"] == 1 / 20  # more columns than rows


def test_codes_without_divergences_inform_by_their_spread():
    codes = np.random.default_rng(0).standard_normal((500, 4)) * [1e-5, 2e-7, 1e-6, 0.0] + 3
    one = Representation({}, np.arange(500), codes, None)
    assert comparisons._informative(one, 0.01).tolist() == [True, False, True, False]
    one = Representation({}, np.arange(500), np.zeros((500, 2)), None)
    assert comparisons._informative(one, 0.01).tolist() == [False, False]
