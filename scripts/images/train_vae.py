"""Train one variational autoencoder: weights, curves, and pictures as arrays."""

from pathlib import Path

import numpy as np

from custodes.images.image_set import open_images
from custodes.tables.files import replacing, write_rows
from custodes.tables.trainings import CURVES
from custodes.vae import logged_training, networks, training, traversals


def train_vae(path_to_images, white, plan, labels, outputs, path_to_checkpoint, path_to_log):
    """Train on prepared images as `logged_training.train` does, and write three files when it is done.

    plan: arguments of `training.Plan`. labels: columns of the curves that say which model this is. outputs:
    `weights` (for `networks.load`), `curves` (Parquet) and `pictures` (npz, of `traversals.pictures`). The
    checkpoint must not be among them, since Snakemake removes outputs before it runs a job again.
    """
    images = open_images(path_to_images)
    plan = training.Plan(**plan)
    network, history = logged_training.train(images, white, plan, path_to_checkpoint, path_to_log)
    networks.save(outputs["weights"], network)
    write_rows(outputs["curves"], [labels | row for row in history], CURVES)
    pictures = traversals.pictures(network, images, white, history[-1]["kl_per_latent"])
    with replacing(outputs["pictures"]) as temporary:
        np.savez_compressed(temporary, **pictures)
    Path(path_to_checkpoint).unlink(missing_ok=True)


if __name__ == "__main__":
    train_vae(
        path_to_images=snakemake.input.images,
        white=snakemake.params.white,
        plan=snakemake.params.plan,
        labels=snakemake.params.labels,
        outputs=dict(snakemake.output.items()),
        path_to_checkpoint=snakemake.params.checkpoint,
        path_to_log=snakemake.log[0],
    )
