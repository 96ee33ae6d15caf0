"""Shuffled rows, a null control: z_hat_i = z_pi(i), pi a random permutation of the rows, m = d.

A perfect code paired with the wrong samples: unlike the Gaussian and uniform nulls it keeps the
joint distribution of the codes, and it loses their relation to the factors.

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
    """Return the rows of z (n, d) in random order, float64 (n, m). Errors as in `check`.

    Draws permutation(n).
    """
    check(z.shape[1], m)
    return z[rng.permutation(len(z))].astype(float)
