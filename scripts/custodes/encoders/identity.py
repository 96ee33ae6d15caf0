"""Identity, a positive control: z_hat = z, m = d; every metric should give its best value.

Source: ours; neither the paper nor the reference implementation has it.
"""

from custodes.checks import require_count


def default_m(d):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m):
    """Raise ValueError unless m = d."""
    require_count("m", m, d, d, "one code per factor, m = d")


def encode(z, rng, m):
    """Return a copy of z (n, d), float64 (n, m). Draws nothing. Errors as in `check`."""
    check(z.shape[1], m)
    return z.astype(float)
