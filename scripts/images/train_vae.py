"""Train one variational autoencoder: weights, curves, and pictures of what it learnt."""

from pathlib import Path

from custodes.image_plots.mosaics import write_pictures
from custodes.images.image_set import open_images
from custodes.tables.files import write_rows
from custodes.tables.representations import CURVES
from custodes.vae import logged_training, networks, training, traversals


def train_vae(path_to_images, white, plan, labels, outputs, path_to_checkpoint, path_to_log):
    """Train on prepared images as `logged_training.train` does, and write five files when it is done.

    plan: arguments of `training.Plan`. labels: columns of the curves that say which model this is. outputs:
    paths of `weights` (for `networks.load`), `curves` (Parquet), and those of `mosaics.write_pictures`. The
    checkpoint must not be among them, since Snakemake removes outputs before it runs a job again.
    """
    images = open_images(path_to_images)
    plan = training.Plan(**plan)
    network, history = logged_training.train(images, white, plan, path_to_checkpoint, path_to_log)
    networks.save(outputs["weights"], network)
    write_rows(outputs["curves"], [labels | row for row in history], CURVES)
    pictures = traversals.pictures(network, images, white, history[-1]["kl_per_latent"])
    write_pictures(pictures, labels, outputs)
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
