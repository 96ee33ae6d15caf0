"""What a metric returns, refused where it is no score: the one place through which all scores come."""

from collections.abc import Mapping
from contextlib import contextmanager
from numbers import Real

from custodes import streams
from custodes.errors import Undefined, UnsoundScore

ROUNDING = 1e-9  # beyond a bound, of its size or 1: no fault, and cut off


def scored(module, z, z_hat, seed, split, parameters):
    """Scores {score: float} of a metric module that exist, and why others do not (None where all do).

    Arguments as for `null_calibration.null_calibrate`. Raises UnsoundScore; see `sound`.
    """
    try:
        scores = module.score(z, z_hat, streams.metric(seed), split=split, **parameters)
    except Undefined as reason:
        return sound(module.METRIC, reason.scores, whole=False), str(reason)
    return sound(module.METRIC, scores), None


def sound(metric, scores, whole=True):
    """The scores that a metric returned, in the order in which its METRIC declares them, as floats.

    Raises UnsoundScore for a score that is not declared or, if they are to be the `whole`, missing, and for
    one that is no number within the declared bounds; what rounding adds to a bound is cut off.
    """
    declared = metric.scores
    found = list(scores) if isinstance(scores, Mapping) else scores
    is_named = isinstance(scores, Mapping) and set(scores) <= set(declared)
    if not is_named or (whole and len(scores) < len(declared)):
        raise UnsoundScore(f"scores = {found!r}: must be a mapping of {', '.join(declared)}")
    return {score: _within(score, scores[score], *declared[score]) for score in declared if score in scores}


@contextmanager
def naming(labels):
    """An UnsoundScore within gets the `labels` of its cell at its end."""
    try:
        yield
    except UnsoundScore as fault:
        cell = ", ".join(f"{key} {value}" for key, value in labels.items())
        raise UnsoundScore(f"{fault} ({cell})") from None


def _within(score, value, low, high):
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        cut = min(max(number, low), high)
        if abs(number - cut) <= ROUNDING * max(1.0, abs(cut)):  # not so for a NaN or an infinity
            return cut
    raise UnsoundScore(f"{score} = {value!r}: must be a number in [{low}, {high}]")
