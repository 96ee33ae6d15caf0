"""A metric on trial: what its properties are tried on."""

from typing import NamedTuple

import numpy as np

from custodes.testing.samples import Sample

EXACT = 1e-6
SEED = 5


class MetricFault(AssertionError):
    """A metric does not keep what it declares, or what all owe; the message says what was seen."""


class Trial(NamedTuple):
    """A metric, what it is tried on, and the parameters of all calls."""

    module: object
    sample: Sample
    parameters: dict

    @property
    def metric(self):
        """What the module declares."""
        return self.module.METRIC

    def example(self, n=None):
        """Three factors and four codes."""
        return self.sample.example(n or self.sample.rows)

    def score(self, z, z_hat, seed=SEED, split=None):
        """Scores of a pair."""
        rng = np.random.default_rng(seed)
        scores = self.module.score(z, z_hat, rng, split=split, **self.parameters)
        require(list(scores) == list(self.metric.scores), f"the scores returned are {', '.join(scores)}")
        return scores

    def sound(self, z, z_hat, case, split=None):
        """The same, refused where a score is no float or out of bounds."""
        scores = self.score(z, z_hat, split=split)
        for key, value in scores.items():
            low, high = self.metric.scores[key]
            sound = type(value) is float and low <= value <= high
            require(sound, f"{case}: {key} = {value!r}: must be a float in [{low}, {high}]")
        return scores


def require(condition, fault):
    """MetricFault unless the condition holds."""
    if not condition:
        raise MetricFault(fault)


def close(found, expected, tolerance):
    """Whether all scores of `found` are within `tolerance` of those expected."""
    return all(abs(found[key] - expected[key]) <= tolerance for key in expected)
