"""Checks of grid parameters, shared by factor distributions and encoders.

Each check raises ValueError with a message that names the parameter, the value given and what is
allowed. They run while a grid is parsed and again inside `sample` and `encode`, so that a notebook
gets the same message.
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


def require_real(name, value, low=-math.inf, high=math.inf, reason=""):
    """Refuse anything but a finite number with low <= value <= high."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not low <= value <= high:
        raise ValueError(_message(name, value, f"a finite number in [{low}, {high}]", reason))


def require_choice(name, value, allowed, reason=""):
    """Refuse a value that is none of `allowed`, in value and type (1 is not True)."""
    if not any(type(value) is type(choice) and value == choice for choice in allowed):
        listed = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(_message(name, value, f"one of {listed}", reason))


def _message(name, value, allowed, reason):
    return f"{name} = {value!r}: must be {allowed}" + (f" ({reason})" if reason else "")
