"""Encode the images of a data set with one trained model."""

import numpy as np

from custodes import streams
from custodes.tables.representations import Representation, write_representation
from custodes.vae import minibatches, networks, posteriors, training


def encode_images(images, white, path_to_weights, count, seed, sample, labels, path_to_codes):
    """Write the posterior means, and the mean divergence of each latent from the prior.

    count: how many of the images, drawn from `seed` without replacement and kept in order; None: all of
    them. sample: whether to write a sample of each posterior too. labels: columns that say which model this
    is. Images become floats a batch at a time.
    """
    network = networks.load(path_to_weights)
    rng = streams.images(seed)
    rows = streams.chosen(len(images), count, rng)
    mean, kl, drawn = encode(network, images, white, rows, int(rng.integers(2**63)) if sample else None)
    write_representation(path_to_codes, Representation(labels, rows, mean, kl, drawn))


def encode(network, images, white, rows, sample_seed=None):
    """Posterior means (n, L) float32 of images[rows], their mean divergence (L,), and samples or None."""
    import torch

    side = networks.SIDES[network.description["network"]]
    minibatches.check(images, white, side)
    device = training.device()
    network = network.to(device)
    generator = None if sample_seed is None else torch.Generator(device).manual_seed(sample_seed)
    means, samples, total = [], [], 0.0
    with torch.no_grad(), training.one_thread():
        for x in minibatches.in_order(images, rows, white, side, device):
            mean, log_var = networks.posterior(network, x)
            means.append(mean.cpu().numpy())
            total += len(x) * posteriors.kl_per_latent(mean, log_var).double().cpu().numpy()
            if generator is not None:
                samples.append(posteriors.sample(mean, log_var, generator).cpu().numpy())
    return np.concatenate(means), total / len(rows), np.concatenate(samples) if samples else None
