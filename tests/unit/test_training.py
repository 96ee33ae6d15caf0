"""Training: same weights for the same plan, also after a kill; divergence; progress; files."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import torch

from custodes import registry
from custodes.durations import in_words
from custodes.errors import ConfigError, DamagedFile, Diverged
from custodes.image_plots.mosaics import draw_pictures
from custodes.sources import CHECKOUT
from custodes.tables.files import read_rows
from custodes.vae import training, training_log
from scripts.images.train_vae import train_vae
from tests.unit.squares import SMALL, outputs, plan, squares

LABELS = {"dataset": "squares", "source": "rendered", "model": "beta_vae", "setting": 2, "restart": 0}


def weights(network):
    return torch.cat([value.ravel() for value in network.state_dict().values()])


def trained(images=None, report=lambda line: None, path=None, **changes):
    images = squares() if images is None else images
    network, history = training.train(images, 1, plan(**changes), path_to_checkpoint=path, report=report)
    return weights(network), history


def run_script(folder, path_to_images, **changes):
    """Run the script's function with all files in `folder`; the paths of its outputs."""
    found = outputs(folder)
    train_vae(path_to_images, 1, SMALL | changes, LABELS, found, folder / "checkpoint.pt", folder / "log.txt")
    return found


@pytest.fixture
def path_to_images(tmp_path):
    np.save(tmp_path / "images.npy", squares())
    return tmp_path / "images.npy"


@pytest.mark.parametrize("model", ["beta_vae", "factor_vae"])
def test_same_plan_same_weights_whatever_the_threads_and_the_global_generator(model):
    first, history = trained(model=model, parameters={})
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        torch.manual_seed(99)
        again, repeated = trained(model=model, parameters={})
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
    assert torch.equal(first, again)
    assert history == repeated


@pytest.mark.parametrize(
    "change",
    [
        {"restart": 1},
        {"parameters": {"beta": 2.0}},
        {"batch_size": 8},
        {"learning_rate": 2e-3},
        {"steps": 50},
    ],
)
def test_another_plan_gives_other_weights(change):
    assert not torch.equal(trained()[0], trained(**change)[0])


def test_discriminator_settings_matter():
    settings = {"model": "factor_vae", "parameters": {"gamma": 100.0}}
    reference = trained(**settings)[0]
    for change in ("discriminator_layers", "discriminator_width", "discriminator_learning_rate"):
        assert not torch.equal(reference, trained(**settings, **{change: 1})[0])


@pytest.mark.parametrize("model", registry.names("models"))
def test_loss_falls(model):
    parameters = {"annealed_vae": {"gamma": 1.0}, "dip_vae_i": {"lambda_d": 1.0}}.get(model, {})
    _, history = trained(model=model, parameters=parameters, steps=80)
    assert history[-1]["reconstruction"] < 0.6 * history[0]["reconstruction"]
    assert history[-1]["loss"] < 0.7 * history[0]["loss"]


def test_history_is_the_loss_and_its_parts():
    _, history = trained(steps=25)
    assert [row["step"] for row in history] == [10, 20, 25]
    for row in history:
        assert row["loss"] == pytest.approx(row["reconstruction"] + row["penalty_kl"], rel=1e-5)
        assert row["penalty_kl"] == pytest.approx(4 * row["kl"], rel=1e-5)
        assert row["kl"] == pytest.approx(sum(row["kl_per_latent"]))
        assert len(row["kl_per_latent"]) == 3


def test_colour_images_and_convolutions():
    images = squares(20)[..., None] * np.array([1, 0, 1], np.uint8)
    _, history = trained(images, network="conv", steps=2, report_every=1, checkpoint_every=1)
    assert history[1]["reconstruction"] < history[0]["reconstruction"]


class Stopped(Exception):
    """What ends a training in the middle, in place of a kill."""


@pytest.mark.parametrize("model", ["beta_vae", "factor_vae", "annealed_vae"])
def test_stopped_training_goes_on_as_if_nothing_had_happened(model, tmp_path):
    def stop(line):
        if line.startswith("step 50 "):
            raise Stopped

    settings = {"model": model, "parameters": {}, "path": tmp_path / "checkpoint.pt"}
    with pytest.raises(Stopped):
        trained(report=stop, **settings)
    lines = []
    resumed = trained(report=lines.append, **settings)
    assert lines[1] == "resumed from the checkpoint at step 40"
    undisturbed = trained(model=model, parameters={})
    assert torch.equal(resumed[0], undisturbed[0])
    assert resumed[1] == undisturbed[1]


@pytest.mark.parametrize(
    ("change", "images", "what"),
    [({"learning_rate": 2e-3}, squares(), "plan"), ({}, squares(100), "images")],
)
def test_checkpoint_of_another_training_is_not_taken_up(change, images, what, tmp_path):
    path = tmp_path / "checkpoint.pt"
    trained(path=path)
    lines = []
    found, _ = trained(images, report=lines.append, path=path, **change)
    assert lines[1] == f"the checkpoint has another {what}: from the start"
    assert torch.equal(found, trained(images, **change)[0])


KILLED = """
import sys, time
from pathlib import Path
from custodes.vae import minibatches
from tests.unit.test_training import run_script
convert = minibatches.convert
minibatches.convert = lambda *arguments: time.sleep(0.01) or convert(*arguments)  # leave time for the kill
run_script(Path(sys.argv[1]), sys.argv[2], steps=200)
"""


def test_training_killed_by_sigkill_ends_with_the_same_files(path_to_images, tmp_path):
    killed, undisturbed = tmp_path / "killed", tmp_path / "undisturbed"
    command = [sys.executable, "-c", KILLED, str(killed), str(path_to_images)]
    process = subprocess.Popen(command, cwd=CHECKOUT)
    deadline = time.monotonic() + 120
    while not (killed / "checkpoint.pt").exists():
        assert process.poll() is None, "the training ended before it wrote a checkpoint"
        assert time.monotonic() < deadline, "the training did not get anywhere"
        time.sleep(0.005)
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not any(path.exists() for path in outputs(killed).values())
    resumed = run_script(killed, path_to_images, steps=200)
    assert "resumed from the checkpoint at step" in (killed / "log.txt").read_text()
    for key, path in run_script(undisturbed, path_to_images, steps=200).items():
        assert resumed[key].read_bytes() == path.read_bytes(), key
    names = {path.name for path in outputs(killed).values()} | {"log.txt"}
    assert {path.name for path in killed.iterdir()} == names


def test_files(path_to_images, tmp_path):
    found = run_script(tmp_path / "run", path_to_images)
    curves = read_rows(found["curves"])
    assert [row["step"] for row in curves] == [10, 20, 30, 40, 50, 60]
    assert curves[0].items() >= LABELS.items()
    assert len(curves[0]["kl_per_latent"]) == 3
    with np.load(found["pictures"]) as arrays:
        assert arrays["traversals"].shape == (3, 9, 32, 32, 1)
        assert arrays["reconstructions"].shape == (2, 12, 32, 32, 1)
        assert arrays["kl_per_latent"].tolist() == curves[-1]["kl_per_latent"]
        originals = arrays["reconstructions"][0]
    shown = {image.tobytes() for image in originals}
    pooled = squares().reshape(-1, 32, 2, 32, 2).mean(axis=(2, 4)) * 255
    assert shown <= {image.tobytes() for image in np.rint(pooled).astype(np.uint8)}
    drawn = {name: tmp_path / f"{name}.png" for name in ("traversals", "reconstructions")}
    draw_pictures(found["pictures"], LABELS, drawn)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn.values())
    log = (tmp_path / "run" / "log.txt").read_text().splitlines()
    assert log[0] == "beta_vae (beta = 4), restart 0: 60 steps of 16 images on cpu"
    assert log[-1].startswith("step 60 of 60: loss")


def test_traversals_change_one_latent_at_a_time(path_to_images, tmp_path):
    found = run_script(tmp_path / "run", path_to_images, parameters={"beta": 1.0}, steps=150)
    with np.load(found["pictures"]) as arrays:
        images = arrays["traversals"].astype(float)
    assert np.abs(images - images[:, :1]).max() > 50
    assert len({row.tobytes() for row in images}) == 3


@pytest.mark.parametrize("share", [0, 0.5, 0.99, None])
def test_a_damaged_checkpoint_is_named(share, tmp_path):
    path = tmp_path / "checkpoint.pt"
    trained(path=path)
    data = path.read_bytes()
    middle = len(data) // 2  # in the weights: PyTorch itself does not see that a bit is another
    altered = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    path.write_bytes(altered if share is None else data[: int(share * len(data))])
    with pytest.raises(DamagedFile, match=r"checkpoint\.pt is damaged; delete it and run again \("):
        trained(path=path)


def test_divergence_names_step_terms_and_setting_and_writes_nothing(path_to_images, tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(Diverged) as caught:
        run_script(folder, path_to_images, learning_rate=1e6)
    message = str(caught.value)
    assert message.startswith("beta_vae (beta = 4), restart 0: diverged at step ")
    assert " of 60 with learning rate 1e+06: loss " in message
    assert "reconstruction " in message
    assert "penalty_kl " in message
    assert [path.name for path in folder.iterdir()] == ["log.txt"]
    assert (folder / "log.txt").read_text().splitlines()[-1] == message


def test_divergence_is_found_at_its_step():
    """The second step of a line of progress is the first whose loss overflows."""
    with pytest.raises(Diverged, match=r"diverged at step 2 of 60 .*loss (inf|nan)"):
        trained(learning_rate=1e20)


def test_weights_that_are_not_finite_are_refused():
    with pytest.raises(Diverged, match=r"diverged at step 1 .*: a weight is not finite"):
        trained(learning_rate=1e38, report_every=1, checkpoint_every=1, parameters={"beta": 1e30})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 0}, "steps = 0: .*at least 1"),
        ({"batch_size": 2.0}, "batch_size = 2.0"),
        ({"restart": -1}, "restart = -1"),
        ({"learning_rate": float("nan")}, "learning_rate = nan"),
        ({"discriminator_width": 0}, "discriminator_width = 0"),
        ({"checkpoint_every": 15}, "checkpoint_every = 15: must be a multiple of report_every = 10"),
        ({"network": "resnet"}, "network = 'resnet'"),
        ({"parameters": {"gamma": 1.0}}, "beta_vae has no parameter 'gamma'; known: beta"),
        ({"model": "vae"}, "vae has no parameter 'beta'; known: none"),
        ({"parameters": {"beta": -1.0}}, "beta = -1.0"),
    ],
)
def test_plans_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        plan(**change)


def test_unknown_model():
    with pytest.raises(ConfigError, match="unknown model 'betavae'; known: annealed_vae, beta_tc_vae"):
        plan(model="betavae")


def test_line_of_progress(monkeypatch):
    now = iter([100.0, 150.0])
    monkeypatch.setattr(training_log.time, "monotonic", lambda: next(now))
    clock = training_log.Clock(1000, 11_000, 64)
    summary = {"step": 2000, "loss": 60.0, "reconstruction": 40.0, "penalty_total_correlation": 15.0}
    summary |= {"penalty_kl": 5.0, "kl": 5.0, "kl_per_latent": [4.75, 0.25]}
    assert clock.line(summary) == (
        "step 2,000 of 11,000: loss 60.00 = reconstruction 40.00 + total correlation 15.00 + kl 5.00; "
        "KL 5.00 nats (4.75 0.25); 1,280 images/s; 7 min 30 s left"
    )


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "0 s"), (59.6, "1 min 00 s"), (3599, "59 min 59 s"), (7500, "2 h 05 min")]
)
def test_durations(seconds, words):
    assert in_words(seconds) == words
