"""Checks of the parameters of entries: factor distributions, encoders, models and metrics.

Each check raises ValueError with a message that names the parameter, the value given and what is
allowed. They run while a configuration is parsed and again inside `sample`, `encode` and `score`, so that
a notebook gets the same message. `flag`, and what `one_of`, `count`, `real` and `optional` return, are checks
of a name and a value, for the options of a metric.
"""

import math
from numbers import Integral, Real


def require_count(name, value, low, high=math.inf, reason=""):
    """Refuse anything but a whole number with low <= value <= high; a boolean is not a number."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        if low == high:
            allowed = f"the whole number {low}"
        else:
            allowed = f"a whole number, at least {low}"
            if high < math.inf:
                allowed += f" and at most {high}"
        raise ValueError(_message(name, value, allowed, reason))


def require_real(name, value, low=-math.inf, high=math.inf, reason="", ends=True):
    """Refuse anything but a finite number with low <= value <= high; ends=False: low < value < high."""
    number = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    if not number or not low <= value <= high or not (ends or low < value < high):
        span = f"[{low}, {high}]" if ends else f"({low}, {high})"
        raise ValueError(_message(name, value, f"a finite number in {span}", reason))


def require_choice(name, value, allowed, reason=""):
    """Refuse a value that is none of `allowed`, in value and type (1 is not True)."""
    if not any(type(value) is type(choice) and value == choice for choice in allowed):
        listed = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(_message(name, value, f"one of {listed}", reason))


def flag(name, value):
    """Refuse anything but True and False."""
    require_choice(name, value, (True, False))


def one_of(*allowed):
    """A check that refuses what is none of `allowed`."""
    return lambda name, value: require_choice(name, value, allowed)


def count(low):
    """A check that refuses anything but a whole number of at least `low`."""
    return lambda name, value: require_count(name, value, low)


def real(low, high=math.inf, ends=True):
    """A check that refuses anything but a finite number from `low` to `high`, with or without these ends."""
    return lambda name, value: require_real(name, value, low, high, ends=ends)


def optional(check):
    """A check that lets None pass, and says so when it refuses."""

    def none_or(name, value):
        if value is not None:
            try:
                check(name, value)
            except ValueError as reason:
                raise ValueError(f"{reason}, or None") from None

    return none_or


def _message(name, value, allowed, reason):
    return f"{name} = {value!r}: must be {allowed}" + (f" ({reason})" if reason else "")
