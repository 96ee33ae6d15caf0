"""What a metric returns, refused where it is no score: the one place through which all scores come."""

from collections.abc import Mapping
from contextlib import contextmanager
from numbers import Real

from custodes import streams
from custodes.errors import Undefined, UnsoundScore

ROUNDING = 1e-9  # beyond a bound, of its size or 1: no fault, and cut off


def scored(name, module, z, z_hat, seed, split, parameters):
    """Scores {score: float or Undefined} of a metric module, in the order in which it declares them.

    name: of the metric, for messages. The rest as for `null_calibration.null_calibrate`. Raises Undefined
    where the metric does, and UnsoundScore; see `sound`.
    """
    rng = streams.metric(seed)
    return sound(name, module.METRIC, module.score(z, z_hat, rng, split=split, **parameters))


def sound(name, metric, scores):
    """The scores that a metric `name` returned, in the order in which it declares them, as floats.

    Raises UnsoundScore for a score that is missing or not declared, and for one that is neither an Undefined
    nor a number within the declared bounds; what rounding adds to a bound is cut off.
    """
    declared = metric.scores
    if not isinstance(scores, Mapping) or set(scores) != set(declared):
        found = list(scores) if isinstance(scores, Mapping) else scores
        raise UnsoundScore(f"{name} returned {found!r}: must be a mapping of {', '.join(declared)}")
    return {score: _within(name, score, scores[score], *bounds) for score, bounds in declared.items()}


@contextmanager
def naming(labels):
    """An UnsoundScore within gets the `labels` of the cell at its end."""
    try:
        yield
    except UnsoundScore as fault:
        cell = ", ".join(f"{key} {value}" for key, value in labels.items())
        raise UnsoundScore(f"{fault} ({cell})") from None


def _within(name, score, value, low, high):
    if isinstance(value, Undefined):
        return value
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        cut = min(max(number, low), high)
        if abs(number - cut) <= ROUNDING * max(1.0, abs(cut)):  # not so for a NaN or an infinity
            return cut
    raise UnsoundScore(f"{name}: {score} = {value!r}: must be a number in [{low}, {high}], or an Undefined")
