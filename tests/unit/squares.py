"""A tiny data set for the tests of the image branch: white squares in 64 x 64 pixels, by place and size."""

from pathlib import Path

import numpy as np

from custodes.vae.training import Plan

SMALL = {"model": "beta_vae", "parameters": {"beta": 4.0}, "restart": 0, "steps": 60, "latents": 3}
SMALL |= {"width": 16, "batch_size": 16, "learning_rate": 1e-3, "report_every": 10, "checkpoint_every": 20}
SMALL |= {"discriminator_layers": 2, "discriminator_width": 8}


def squares(n=200, seed=0):
    """Images uint8 (n, 64, 64), values 0 and 1."""
    rng = np.random.default_rng(seed)
    images = np.zeros((n, 64, 64), np.uint8)
    for image, top, left, side in zip(images, *rng.integers(8, 32, (3, n)), strict=True):
        image[top : top + side, left : left + side] = 1
    return images


def plan(**changes):
    return Plan(**SMALL | changes)


def outputs(folder):
    names = {"weights": "weights.pt", "curves": "curves.parquet", "pictures": "pictures.npz"}
    return {key: Path(folder) / name for key, name in names.items()}
