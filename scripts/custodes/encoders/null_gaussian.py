"""E9, Gaussian null code: z_hat_ij ~ N(0, 1), independent of z, any m >= 1.

The generator must not be the one that drew the factors, or the null code equals independent
factors.

Source: "Who guards the guardians?", Sec. 2.2 and App. D.2 (control baselines). No departure from
the reference implementation.
"""

from custodes.checks import require_count


def default_m(d):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m):
    """Raise ValueError unless m >= 1."""
    require_count("m", m, 1)


def encode(z, rng, m):
    """Return float64 (n, m) for the n rows of z (n, d). Errors as in `check`."""
    check(z.shape[1], m)
    return rng.normal(0.0, 1.0, (len(z), m))
