"""Train one variational autoencoder: weights, curves, and pictures of what it learnt."""

from pathlib import Path

import numpy as np

from custodes import streams
from custodes.errors import Diverged
from custodes.image_plots import models, mosaics
from custodes.images.image_set import open_images
from custodes.tables.files import replacing, write_rows
from custodes.tables.representations import CURVES
from custodes.vae import minibatches, networks, training, traversals

TRAVERSED = np.linspace(-2, 2, 9)  # standard deviations of the prior
SHOWN = 12  # images that are reconstructed, the same for every model; the first is also traversed


def train_vae(path_to_images, white, plan, labels, outputs, path_to_checkpoint, path_to_log):
    """Train on prepared images and write five files.

    white: see `vae.minibatches`. plan: arguments of `training.Plan`. labels: columns of the curves that
    say which model this is. outputs: paths of `weights` (for `networks.load`), `curves` (Parquet),
    `pictures` (npz: `traversals`, `values`, `reconstructions`, `kl_per_latent`), `traversals` and
    `reconstructions` (PNG). They are written when the training is done; until then the checkpoint keeps
    what a killed job has done, and it must not be among the outputs, which Snakemake removes before it
    runs a job again.
    """
    plan = training.Plan(**plan)
    images = open_images(path_to_images)
    resuming = Path(path_to_checkpoint).exists()
    Path(path_to_log).parent.mkdir(parents=True, exist_ok=True)
    with Path(path_to_log).open("a" if resuming else "w", encoding="utf-8", buffering=1) as log:

        def report(line):
            print(line, file=log)

        try:
            network, history = training.train(
                images, white, plan, path_to_checkpoint=path_to_checkpoint, report=report
            )
        except Diverged as reason:
            report(reason)
            raise
    networks.save(outputs["weights"], network)
    write_rows(outputs["curves"], [labels | row for row in history], CURVES)
    title = f"{models.described_data(labels)}: {models.described(labels)}"
    _write_pictures(network, images, white, history[-1]["kl_per_latent"], title, outputs)
    Path(path_to_checkpoint).unlink(missing_ok=True)


def _write_pictures(network, images, white, kl, title, outputs):
    rows = streams.images(0).integers(len(images), size=SHOWN)
    side = networks.SIDES[network.description["network"]]
    x = minibatches.convert(images[rows], white, side, "cpu")
    traversed = traversals.traversed(network, x[:1], TRAVERSED)
    reconstructed = traversals.reconstructed(network, x)
    with replacing(outputs["pictures"]) as temporary:
        np.savez_compressed(
            temporary,
            traversals=traversed,
            values=TRAVERSED,
            reconstructions=reconstructed,
            kl_per_latent=kl,
        )
    for name, figure in (
        ("traversals", mosaics.traversals(traversed, TRAVERSED, kl, title)),
        ("reconstructions", mosaics.reconstructions(reconstructed, title)),
    ):
        with replacing(outputs[name]) as temporary:
            figure.savefig(temporary, metadata={"Software": None})


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
