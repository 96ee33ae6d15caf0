"""Where rays meet solids that stand upright on the floor z = 0, their axis through the origin.

Rays are o + t d with origins o and unit directions d, both (3, ...), z up; o may be one point for all rays.
Every solid's function returns the distance t (...) at which a ray enters it, inf for a miss, and the
outward normal (3, ...) there, which means nothing for a miss. Rays start outside the solid.
"""

import numpy as np


def sphere(o, d, height, radius):
    """Sphere with its centre at `height`."""
    from_centre = o - height * _up(d)
    t = _entry(1.0, (from_centre * d).sum(axis=0), (from_centre**2).sum(axis=0) - radius**2)
    return t, _along(from_centre, d, t) / radius


def box(o, d, half_width, height):
    """Box with sides of 2 half_width along x and y."""
    corner = np.array([half_width, half_width, 0.0]).reshape(_up(d).shape)
    with np.errstate(divide="ignore", invalid="ignore"):  # a ray parallel to a face
        one, other = (-corner - o) / d, (corner + height * _up(d) - o) / d
    enter, leave = np.fmin(one, other), np.fmax(one, other)
    t = enter.max(axis=0)
    hit = (t > 0) & (t < leave.min(axis=0))
    entered = np.arange(3).reshape(_up(d).shape) == enter.argmax(axis=0)
    return np.where(hit, t, np.inf), np.where(entered, -np.sign(d), 0.0)


def cylinder(o, d, radius, height):
    """Closed cylinder."""
    with np.errstate(divide="ignore"):  # a level ray
        t = (height - o[2]) / d[2]
    x, y, _ = _along(o, d, t)
    lid = np.where((t > 0) & np.isfinite(t) & (x**2 + y**2 <= radius**2), t, np.inf)
    return nearest(_tube(o, d, radius, 0.0, height), (lid, np.broadcast_to(_up(d), d.shape)))


def capsule(o, d, radius, height):
    """Cylinder with a half sphere at either end; `height` is that of the whole."""
    return nearest(
        _tube(o, d, radius, radius, height - radius),
        sphere(o, d, height - radius, radius),
        sphere(o, d, radius, radius),
    )


def nearest(first, *others):
    """The nearest of several hits (t, normal) of the same rays."""
    t, normal = first
    for other_t, other_normal in others:
        normal = np.where(other_t < t, other_normal, normal)
        t = np.minimum(t, other_t)
    return t, normal


def _tube(o, d, radius, bottom, top):
    """Outer face of an upright tube between two heights."""
    half_b, c = (o[:2] * d[:2]).sum(axis=0), (o[:2] ** 2).sum(axis=0) - radius**2
    t = _entry((d[:2] ** 2).sum(axis=0), half_b, c)
    x, y, z = _along(o, d, t)
    return np.where((z > bottom) & (z < top), t, np.inf), np.stack([x, y, np.zeros_like(z)]) / radius


def _entry(a, half_b, c):
    """Smaller root of a t^2 + 2 half_b t + c = 0 where it is real and positive, else inf."""
    discriminant = half_b**2 - a * c
    crosses = (discriminant > 0) & (a > 0)
    t = (-half_b - np.sqrt(np.where(crosses, discriminant, 0.0))) / np.where(crosses, a, 1.0)
    return np.where(crosses & (t > 0), t, np.inf)


def _along(o, d, t):
    """Points o + t d, or o where t is not finite."""
    return o + np.where(np.isfinite(t), t, 0.0) * d


def _up(d):
    """The upward unit vector in a shape that broadcasts against d (3, ...)."""
    return np.array([0.0, 0.0, 1.0]).reshape(3, *[1] * (d.ndim - 1))
