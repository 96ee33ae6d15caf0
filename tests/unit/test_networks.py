"""Encoders, decoders and their minibatches: sizes, likelihood, initial weights, files, refused images."""

import math

import numpy as np
import pytest
import torch

from custodes.images.image_set import open_images
from custodes.vae import minibatches, networks

CPU = torch.device("cpu")


def network(name="mlp", channels=1, latents=3, width=16, seed=0):
    return networks.autoencoder(name, channels, latents, width, seed)


def pixels(n=6, side=64, channels=3, seed=0):
    shape = (n, side, side, channels) if channels else (n, side, side)
    return np.random.default_rng(seed).integers(256, size=shape, dtype=np.uint8)


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("name", networks.SIDES)
def test_shapes(name, channels):
    side = networks.SIDES[name]
    x = torch.rand((5, channels, side, side))
    net = network(name, channels)
    mean, log_var = networks.posterior(net, x)
    assert mean.shape == log_var.shape == (5, 3)
    assert networks.decode(net, mean).shape == x.shape
    assert 0 < networks.decode(net, mean).min() < networks.decode(net, mean).max() < 1


def test_convolutions_are_the_study_s():
    net = network("conv", latents=10, width=256)
    down = [layer for layer in net["encoder"] if isinstance(layer, torch.nn.Conv2d)]
    up = [layer for layer in net["decoder"] if isinstance(layer, torch.nn.ConvTranspose2d)]
    assert [layer.out_channels for layer in down] == [32, 32, 64, 64]
    assert [layer.out_channels for layer in up] == [64, 32, 32, 1]
    assert all(layer.kernel_size == (4, 4) and layer.stride == (2, 2) for layer in down + up)
    filters = 16 * (32 + 32 * 32 + 32 * 64 + 64 * 64)
    assert count(net["encoder"]) == filters + 192 + (1024 * 256 + 256) + (256 * 20 + 20)
    assert count(net["decoder"]) == filters + 129 + (10 * 256 + 256) + (256 * 1024 + 1024)


def test_dense_layers():
    net = network("mlp", latents=10, width=256)
    assert count(net["encoder"]) == (1024 + 1) * 256 + 257 * 256 + 257 * 20
    assert count(net["decoder"]) == (10 + 1) * 256 + 257 * 256 + 257 * 1024
    activations = [type(layer).__name__ for layer in net["encoder"]]
    assert activations == ["Flatten", "Linear", "ReLU", "Linear", "ReLU", "Linear"]


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


def test_discriminator_is_the_study_s():
    net = networks.discriminator(10, 6, 1000, 0)
    assert count(net) == 11 * 1000 + 5 * 1001 * 1000 + 1001
    kinds = [type(layer).__name__ for layer in net]
    assert kinds == ["Linear", "LeakyReLU"] * 6 + ["Linear"]


def test_reconstruction_error_is_the_likelihood_of_the_pixels():
    net = network()
    x, z = torch.rand((4, 1, 32, 32)), torch.randn((4, 3))
    p = networks.decode(net, z).double()
    expected = -(x * p.log() + (1 - x) * (1 - p).log()).sum(dim=(1, 2, 3)).mean()
    assert networks.reconstruction_error(net, z, x).item() == pytest.approx(expected.item(), rel=1e-5)


def test_initial_weights_depend_on_the_seed_alone():
    before = torch.random.get_rng_state()
    one, same, other = network(seed=1), network(seed=1), network(seed=2)
    assert torch.equal(torch.random.get_rng_state(), before)
    for name, value in one.state_dict().items():
        assert torch.equal(value, same.state_dict()[name])
        if value.dim() > 1:
            assert not torch.equal(value, other.state_dict()[name])


def test_initial_weights_are_glorot_s():
    net = network("mlp", width=64)
    layer = net["encoder"][1]
    bound = math.sqrt(6 / (1024 + 64))
    assert 0.99 * bound < layer.weight.abs().max().item() <= bound
    assert not layer.bias.any()


def test_a_file_gives_the_same_network_whatever_its_name(tmp_path):
    net = network("conv", channels=3)
    networks.save(tmp_path / "one.pt", net)
    networks.save(tmp_path / "folder" / "another.pt", net)
    assert (tmp_path / "one.pt").read_bytes() == (tmp_path / "folder" / "another.pt").read_bytes()
    loaded = networks.load(tmp_path / "one.pt")
    assert loaded.description == {"network": "conv", "channels": 3, "latents": 3, "width": 16}
    x = torch.rand((2, 3, 64, 64))
    assert torch.equal(loaded["encoder"](x), net["encoder"](x))
    assert sorted(torch.load(tmp_path / "one.pt", weights_only=True)) == ["description", "weights"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "cnn"}, "network = 'cnn': must be one of 'mlp', 'conv'"),
        ({"channels": 2}, "channels = 2: must be one of 1, 3"),
        ({"latents": 0}, "latents = 0: .*at least 1"),
        ({"width": 2.5}, "width = 2.5: .*whole number"),
    ],
)
def test_networks_refuse(arguments, message):
    with pytest.raises(ValueError, match=message):
        network(**arguments)


@pytest.mark.parametrize("channels", [0, 1, 3])
def test_pixels_become_averages_in_0_to_1(channels):
    images = pixels(channels=channels)
    x = minibatches.convert(images, 255, 32, CPU)
    assert x.shape == (6, max(channels, 1), 32, 32)
    expected = images.reshape(6, 32, 2, 32, 2, -1).mean(axis=(2, 4)) / 255
    assert np.allclose(x.permute(0, 2, 3, 1).numpy(), expected)


def test_pixels_of_the_network_s_size_are_kept():
    images = pixels(channels=0)
    x = minibatches.convert(images, 255, 64, CPU)
    assert np.array_equal((x[:, 0] * 255).round().numpy(), images)


def test_binary_images():
    images = pixels(channels=0) // 128
    x = minibatches.convert(images, 1, 64, CPU)
    assert np.array_equal(x[:, 0].numpy(), images)
    with pytest.raises(ValueError, match="values up to 255, where white is 1"):
        minibatches.convert(pixels(), 1, 64, CPU)


def test_minibatches_are_drawn_by_their_generator():
    images = np.arange(10, dtype=np.uint8)[:, None, None].repeat(32, axis=1).repeat(32, axis=2)
    streams = [
        minibatches.drawn(images, 255, 32, 4, torch.Generator().manual_seed(seed), CPU) for seed in (1, 1, 2)
    ]
    one, same, other = (torch.cat([next(stream) for _ in range(50)])[:, 0, 0, 0] * 255 for stream in streams)
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    counts = np.bincount(one.round().int().numpy(), minlength=10)
    assert counts.sum() == 200
    assert counts.min() > 8


class Made:
    """Images that exist only once they are asked for, as those that are kept as bits."""

    shape, dtype = (9, 64, 64, 3), np.dtype(np.uint8)

    def __len__(self):
        return 9

    def __getitem__(self, rows):
        return pixels(9)[rows]


def test_images_made_on_demand():
    minibatches.check(Made(), 255, 32)
    rows = np.array([8, 0])
    (x,) = minibatches.in_order(Made(), rows, 255, 64, CPU)
    assert np.allclose(x.permute(0, 2, 3, 1).numpy(), pixels(9)[rows] / 255)
    assert next(minibatches.drawn(Made(), 255, 32, 4, torch.Generator(), CPU)).shape == (4, 3, 32, 32)


def test_images_in_order_come_in_bounded_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(minibatches, "BATCH", 4)
    np.save(tmp_path / "images.npy", pixels(11, side=32, channels=0))
    images = open_images(tmp_path / "images.npy")
    assert isinstance(images, np.memmap)
    rows = np.array([10, 2, 3, 5, 7, 9])
    batches = list(minibatches.in_order(images, rows, 255, 32, CPU))
    assert [len(batch) for batch in batches] == [4, 2]
    expected = images[rows] / 255
    assert np.allclose(torch.cat(batches)[:, 0].numpy(), expected)


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (np.zeros((5, 64, 64), np.float32), "float32 values; uint8 is needed"),
        (np.zeros((5, 64), np.uint8), r"shape \(5, 64\)"),
        (np.zeros((5, 3, 64, 64), np.uint8), r"shape \(5, 3, 64, 64\): must be \(N, H, W\)"),
        (np.zeros((5, 64, 48), np.uint8), "64 x 48 pixels: must be squares"),
        (np.zeros((5, 48, 48), np.uint8), "48 x 48 pixels: must be squares of a multiple of 32"),
        (np.zeros((0, 64, 64), np.uint8), "there is no image"),
    ],
)
def test_images_that_are_refused(images, message):
    with pytest.raises(ValueError, match=message):
        minibatches.check(images, 255, 32)


def test_white_is_1_or_255():
    with pytest.raises(ValueError, match="white = 256"):
        minibatches.check(pixels(), 256, 32)
