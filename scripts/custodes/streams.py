"""The random streams of one seed, as in the published study: the same seed gives the same samples.

Factors, codes and metrics of one seed never share a stream. (The published study added the offset
of the codes because the stream of the factors made the Gaussian null code equal to the factors.)
"""

from numbers import Integral

import numpy as np

ENCODER_OFFSET = 1_000_000
METRIC_OFFSET = 2_000_000
NULL_OFFSET = 3_000_000
TRAINING_OFFSET = 4_000_000
IMAGES_OFFSET = 5_000_000
SUBSET_OFFSET = 6_000_000


def generator(rng=None):
    """The generator that `rng` stands for: itself; for a whole number that of this seed; for None that of 0.

    So a metric that is called without one gives the same number for the same arrays. Raises TypeError for
    anything but a numpy Generator, a whole number of at least 0 and None.
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None:
        return np.random.default_rng(0)
    if isinstance(rng, Integral) and not isinstance(rng, bool) and rng >= 0:
        return np.random.default_rng(int(rng))
    raise TypeError(f"rng = {rng!r}: must be a numpy Generator, a whole number of at least 0 or None")


def factors(seed):
    """Generator for the factors of `seed`."""
    return np.random.default_rng(seed)


def codes(seed, offset=ENCODER_OFFSET):
    """Generator for the encoder of `seed`."""
    return np.random.default_rng(seed + offset)


def metric(seed):
    """Generator for what a metric draws (folds, trees, jitter) on the data of `seed`."""
    return np.random.default_rng(seed + METRIC_OFFSET)


def null(seed):
    """Generator for the permutations of the null calibration of `seed`."""
    return np.random.default_rng(seed + NULL_OFFSET)


def training(restart):
    """Seeds of the five streams of one training run.

    They are for the weights, the minibatches, the noise of the posteriors, the weights of a discriminator
    and its permutations. Runs of different settings share them and differ by their objective alone.
    """
    sequence = np.random.SeedSequence([TRAINING_OFFSET, restart])
    return [int(seed) for seed in sequence.generate_state(5, np.uint64)]


def images(seed):
    """Generator for the choice of images that are encoded or shown, and for samples of their codes."""
    return np.random.default_rng(seed + IMAGES_OFFSET)


def subset(seed):
    """Generator for the images that a prepared data set keeps."""
    return np.random.default_rng(seed + SUBSET_OFFSET)


def chosen(available, count, rng):
    """Numbers of `count` of the available images, in order; all where count is None."""
    if count is None:
        return np.arange(available)
    if not 1 <= count <= available:
        raise ValueError(f"count = {count}: must be at least 1 and at most the {available} images")
    return np.sort(rng.choice(available, size=count, replace=False))


def row_split(n, seed, test_fraction):
    """Train and test rows: `n` rows permuted, the first int((1 - test_fraction) n) for training.

    The legacy generator is the published study's (`RandomState`); a new one would give other rows.
    """
    order = np.random.RandomState(seed).permutation(n)
    cut = _training_rows(n, test_fraction)
    return order[:cut], order[cut:]


def rows_scored(n, split):
    """How many of `n` rows a score sees that fits nothing, under the `split` of a protocol."""
    return n - _training_rows(n, split["test_fraction"]) if isinstance(split, dict) else n


def _training_rows(n, test_fraction):
    return int((1 - test_fraction) * n)
