"""The image branch of the tiny study: few images, four small models and one encoder of one's own."""

import os
import shutil
import signal
import time

import numpy as np
import pandas as pd
import pytest
from conftest import Copy, copied

from custodes.sources import CHECKOUT
from custodes.study.study import load
from custodes.study.yaml_files import read_yaml

BRANCH = ("--config", "datasets=[dsprites]", "own_codes={dsprites: {own_encoder: [own_1.npy, own_2.npy]}}")
RUNS = [f"beta_vae {setting} {restart}" for setting in ("h1", "h2") for restart in ("s1", "s2")]
IMAGES = "results/images"
RANKINGS = ("udr_against_scores", "score_profiles", "best_and_worst")  # drawn from tables
AFTER_SCORES = {"Aggregate the scores of dsprites"} | {f"Draw {name} of dsprites" for name in RANKINGS}
OWN_FIGURES = ("irs_matrices", "interventions", "violins")  # of one representation
PICTURES = {f"Draw what {run} learnt of dsprites" for run in RUNS}
FIRST = ("beta_vae_h1_s1", "beta_vae_h2_s1", "own_encoder_h1_s1")
COMPARED = "Compare the models of dsprites by udr"


def with_own_codes(study):
    """The study with two files of codes: random ones, of all images."""
    for restart in (1, 2):
        codes = np.random.default_rng(restart).standard_normal((2000, 3))
        np.save(study.path / f"own_{restart}.npy", codes)
    return study


@pytest.fixture(scope="session")
def branch(tmp_path_factory):
    """The image branch, run once; tests must not change it."""
    study = with_own_codes(copied(tmp_path_factory.mktemp("images") / "study"))
    study.snakemake("--cores", "2", *BRANCH, "--", "images")
    return study


@pytest.fixture
def rerunnable(branch, tmp_path):
    shutil.copytree(branch.path, tmp_path / "study")
    return Copy(tmp_path / "study")


def planned(study, *arguments, config=BRANCH):
    """Messages of the jobs of the image branch that would run."""
    return study.planned(*config, *arguments, "--", "images")


def table(study, name):
    return pd.read_parquet(study.path / IMAGES / f"tables/dsprites{name}.parquet")


def test_every_model_has_a_row_for_every_score(branch):
    models = table(branch, "")
    trained = {("beta_vae", setting, restart) for setting in (1, 2) for restart in (1, 2)}
    keys = ["model", "setting", "restart"]
    assert set(map(tuple, models[keys].to_numpy())) == trained | {
        ("own_encoder", 1, 1),
        ("own_encoder", 1, 2),
    }
    assert models.groupby(keys).size().tolist() == [8] * 6  # IRS, three of MCC, two of UDR twice
    assert models["value"].notna().all()
    assert (models["dataset"] == "dsprites").all()
    assert (models["source"] == "rendered").all()
    beta = models.set_index("model")["model_beta"]
    assert set(beta["beta_vae"]) == {1.0, 4.0}
    assert beta["own_encoder"].isna().all()
    assert set(models.query("metric == 'udr'")["comparison"]) == {"same setting", "any setting"}
    assert models.query("metric != 'udr'")["comparison"].isna().all()
    calibrated = models.query("metric == 'mcc_pearson'")
    assert (calibrated["null_permutations"] == 9).all()
    assert calibrated["p_value"].between(0, 1).all()


def test_settings_are_summed_up_over_their_restarts(branch):
    models, settings = table(branch, ""), table(branch, "_settings")
    assert len(settings) == len(models) / 2
    assert (settings["restarts"] == 2).all()
    one = settings.query("model == 'beta_vae' and setting == 2 and score == 'irs'").iloc[0]
    values = models.query("model == 'beta_vae' and setting == 2 and score == 'irs'")["value"]
    assert one["mean"] == pytest.approx(values.mean())
    assert one["ci_low"] < one["mean"] < one["ci_high"]
    assert one["model_beta"] == 4


def test_rankings_of_udr_stand_beside_all_other_scores(branch):
    rankings = table(branch, "_rankings")
    assert set(rankings["score"]) == {"udr_lasso", "udr_spearman"}
    assert "irs" in set(rankings["reference"])
    assert set(rankings["model"].dropna()) == {"beta_vae", "own_encoder"}
    assert (rankings[rankings["model"].isna()]["models"] == 6).all()
    few = rankings.query("model == 'own_encoder'")
    assert few["reason"].str.contains("needs 3 models, got 2").all()


def test_what_a_training_leaves(branch):
    run = branch.path / IMAGES / "dsprites/beta_vae/h2/s1"
    left = {"codes.parquet", "curves.parquet", "pictures.npz", "weights.pt"}
    assert {path.name for path in run.iterdir()} == left | {"traversals.png", "reconstructions.png"}
    curves = pd.read_parquet(run / "curves.parquet")
    assert curves["step"].tolist() == list(range(20, 401, 20))
    assert curves["loss"].iloc[-1] < curves["loss"].iloc[0]
    assert (curves["model_beta"] == 4).all()
    pairs = pd.read_parquet(branch.path / IMAGES / "scores/dsprites/udr_pairs.parquet")
    assert len(pairs) == 6 + (4 * 3 + 2)  # within the three settings, and within the two classes


def test_codes_of_ones_own_are_those_of_the_images_that_are_encoded(branch):
    own, trained = (
        pd.read_parquet(branch.path / IMAGES / f"dsprites/{model}/h1/s2/codes.parquet").iloc[0]
        for model in ("own_encoder", "beta_vae")
    )
    assert own["rows"].tolist() == trained["rows"].tolist()
    codes = np.load(branch.path / "own_2.npy")[own["rows"]]
    assert np.array_equal(own["z_hat"].reshape(1000, 3), codes)


def test_figures_over_models_and_of_the_first_restart_of_every_setting(branch):
    names = {*RANKINGS, "mi_against_irs", "training_curves"}
    names |= {f"{run}_{figure}" for run in FIRST for figure in OWN_FIGURES}
    drawn = list((branch.path / IMAGES / "figures").iterdir())
    assert {path.name for path in drawn} == {
        f"dsprites_{name}.{ending}" for name in names for ending in ("pdf", "png")
    }
    starts = {".pdf": b"%PDF", ".png": b"\x89PNG"}
    assert all(path.read_bytes().startswith(starts[path.suffix]) for path in drawn)


def test_figures_of_any_restart_can_be_asked_for(branch):
    target = f"{IMAGES}/figures/dsprites_own_encoder_h1_s2_violins.pdf"
    assert branch.planned(*BRANCH, "--", target) == {"Draw own_encoder h1 s2 on dsprites"}


def test_a_second_run_does_nothing(branch):
    assert planned(branch) == set()


def test_an_edited_metric_reruns_its_scores_and_the_tables_only(rerunnable):
    append(rerunnable.path / "scripts/custodes/metrics/irs.py")
    assert planned(rerunnable) == {"Score dsprites with irs"} | AFTER_SCORES


def test_an_edited_model_is_trained_again_and_the_data_set_is_not_prepared_again(rerunnable):
    append(rerunnable.path / "scripts/custodes/models/beta_vae.py")
    scored = {f"Score dsprites with {metric}" for metric in ("irs", "mcc_pearson")} | {COMPARED}
    trained = {f"Train {run} on dsprites" for run in RUNS}
    encoded = {f"Encode dsprites with {run}" for run in RUNS}
    drawn = {f"Draw {run} on dsprites" for run in RUNS if run.endswith("s1")}
    drawn |= {f"Draw {name} of dsprites" for name in ("mi_against_irs", "training_curves")}
    assert planned(rerunnable) == trained | encoded | scored | AFTER_SCORES | drawn | PICTURES


def test_a_new_setting_trains_its_own_models_only(branch):
    more = planned(branch, config=(*BRANCH, "models={beta_vae: [{beta: 1}, {beta: 4}, {beta: 16}]}"))
    assert {message for message in more if message.startswith("Train")} == {
        f"Train beta_vae h3 {restart} on dsprites" for restart in ("s1", "s2")
    }


@pytest.mark.parametrize("module", ["image_plots/mosaics", "image_plots/matrices", "drawing/style"])
def test_an_edited_figure_is_drawn_again_and_nothing_else_runs(rerunnable, module):
    append(rerunnable.path / f"scripts/custodes/{module}.py")
    messages = planned(rerunnable)
    assert {message.split()[0] for message in messages} == {"Draw"}
    assert (messages >= PICTURES) == (module != "image_plots/matrices")


def test_an_edited_schema_of_scores_trains_and_encodes_nothing(rerunnable):
    append(rerunnable.path / "scripts/custodes/tables/image_scores.py")
    messages = planned(rerunnable)
    scored = {f"Score dsprites with {metric}" for metric in ("irs", "mcc_pearson")} | {COMPARED}
    # All figures over the models are drawn by one module, which knows how models are compared.
    drawn = {f"Draw {name} of dsprites" for name in ("mi_against_irs", "training_curves")}
    assert messages == scored | AFTER_SCORES | drawn


def test_other_parameters_of_a_metric_rerun_its_scores(branch):
    other = planned(branch, config=(*BRANCH, "image_parameters={}"))
    assert other == {"Score dsprites with irs"} | AFTER_SCORES


def test_all_metrics_that_are_named_run_whatever_they_need(branch):
    config = (*BRANCH, "image_metrics=all")
    scored = {
        message.rsplit(" ", 1)[1]
        for message in planned(branch, config=config)
        if message.startswith(("Score", "Compare"))
    }
    assert {"dci", "sap", "beta_vae_score"} < scored
    assert not {"mcc_pearson", "udr"} & scored


def test_a_killed_training_goes_on_and_ends_with_the_same_bytes(branch, tmp_path):
    study = with_own_codes(copied(tmp_path / "study"))
    folder = f"{IMAGES}/dsprites/beta_vae/h2/s1"
    target = (*BRANCH, "--", f"{folder}/weights.pt")
    run = study.start("--cores", "1", *target)
    deadline = time.monotonic() + 120
    while not (study.path / folder / "checkpoint.pt").exists():
        assert run.is_alive(), "the run ended before a checkpoint was seen"
        assert time.monotonic() < deadline, "the run did not get anywhere"
        time.sleep(0.005)
    os.killpg(run.pid, signal.SIGKILL)
    run.join()
    study.snakemake("--unlock")
    study.snakemake("--cores", "1", *target)
    log = (study.path / "results/logs/images/dsprites/beta_vae/h2/s1/train_vae.log").read_text()
    assert "resumed from the checkpoint at step" in log
    for name in ("weights.pt", "curves.parquet", "pictures.npz"):
        assert (study.path / folder / name).read_bytes() == (branch.path / folder / name).read_bytes()
    assert not (study.path / folder / "checkpoint.pt").exists()


def test_the_grid_of_the_udr_study_is_planned(tmp_path):
    """Snakemake plans 2 of its 50 restarts: all of them take it a minute."""
    default, grid = (read_yaml(CHECKOUT / "config" / name) for name in ("config.yaml", "udr-study.yaml"))
    assert len(load(default | grid).images.trained()) == 6 * 6 * 50  # classes of models, settings, restarts
    study = copied(tmp_path / "study", tiny=False)
    planned = study.planned("--configfile", "config/udr-study.yaml", "--config", "restarts=2", "--", "images")
    trained = [message for message in planned if message.startswith("Train ")]
    assert len(trained) == 2 * 6 * 6 * 2  # on two data sets


def append(path):
    path.write_text(path.read_text() + "# an edit\n")
