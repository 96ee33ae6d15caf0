"""E9, uniform null code: z_hat_ij ~ U(low, high), independent of z, any m >= 1.

Source: "Who guards the guardians?", Sec. 2.2 and App. D.2 (control baselines), U(0, 1), the
default. Departure: the reference implementation draws from U(-1, 1).
"""

from custodes.checks import require_count, require_real


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m, low=0.0, high=1.0):
    """Raise ValueError unless m >= 1 and low < high."""
    require_count("m", m, 1)
    require_real("low", low)
    require_real("high", high)
    if low >= high:
        raise ValueError(f"low = {low!r}: must be below high = {high!r}")


def encode(z, rng, m, low=0.0, high=1.0):
    """Return float64 (n, m) in [low, high) for the n rows of z (n, d). Errors as in `check`."""
    check(z.shape[1], m, low, high)
    return rng.uniform(low, high, (len(z), m))
