"""Training in one thread: images per CPU second of each network, and the objectives against the VAE.

Needs no data set: the images are noise. Times are CPU seconds of some steps after a first few; the VAE is
timed again beside every objective, since the speed of a busy machine drifts.
"""

import time

import numpy as np

from custodes import registry
from custodes.vae import training

NETWORKS = (
    {"network": "mlp", "width": 256, "batch_size": 256},
    {"network": "mlp", "width": 512, "batch_size": 256},
    {"network": "conv", "width": 256, "batch_size": 64},
)
SECONDS = 1.5  # of each measurement
SMALL = {"discriminator_layers": 3, "discriminator_width": 128}


def start(images, model, **settings):
    """A training that has taken its first steps."""
    run = training.Run(images, 1, training.Plan(model, {}, restart=0, steps=10**6, **settings))
    run.advance(2)
    return run


def images_per_second(run):
    """Images that it learns from in a CPU second."""
    steps, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        run.advance(1)
        steps += 1
    return steps * run.plan.batch_size / spent


def main():
    """All networks; on the first all objectives."""
    images = np.random.default_rng(0).integers(2, size=(2000, 64, 64), dtype=np.uint8)
    with training.one_thread():
        for settings in NETWORKS:
            speed = images_per_second(start(images, "vae", **settings))
            print(f"{settings}: {speed:,.0f} images per CPU second")
        vae = start(images, "vae", **NETWORKS[0])
        for model in registry.names("models"):
            sizes = [{}, SMALL] if registry.takes("models", model, "discriminator") else [{}]
            for size in sizes:
                run = start(images, model, **NETWORKS[0], **size)
                ratio = images_per_second(vae) / images_per_second(run)
                print(f"{model} {size or ''}: {ratio:.2f} times the CPU seconds of the vae")


if __name__ == "__main__":
    main()
