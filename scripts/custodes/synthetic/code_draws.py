"""Draws that several encoders share, in the order of the reference implementation."""

import numpy as np


def draw_signed_scales(rng, m):
    """Multipliers a (m,) of an elementwise linear code: |a_j| uniform on [0.5, 2), then signs."""
    scales = rng.uniform(0.5, 2.0, m)
    return scales * rng.choice([-1, 1], m)


def draw_elementwise(rng, d):
    """Multipliers (d,) of an elementwise linear code with one code per factor, and the factors (d,) shown."""
    return draw_signed_scales(rng, d), rng.permutation(d)


def draw_sources(rng, d, m):
    """Factors (m,) that m >= d codes show: each once, m - d more at random, shuffled."""
    sources = np.concatenate([np.arange(d), rng.choice(d, m - d)])
    rng.shuffle(sources)
    return sources
