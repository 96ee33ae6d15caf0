"""The room of 3D Shapes: a floor, a back wall, two side walls, sky, and one solid on the floor.

The camera stands on a circle around the solid and looks at it; the room and the lamp stay where they are.
Lengths are in the units of the data set's scale factor; seen by a camera at orientation 0, x points to the
right, y away and z up. The numbers were fitted to published images of the data set.

Of a surface whose colour channel is v in [0, 1] the camera sees
    min(1, v (ambient + head max(0, cos a) + lamp max(0, cos b) s) + gloss s),
a between the surface's normal and the back of the camera, b between the normal and the lamp, and s the
lamp's spot: the tenth power of the cosine between straight down and the ray from the lamp. In the shadow
of the solid lamp is 0. gloss is on the solid only, where it faces the lamp. Textures are left out.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from custodes.datasets.shapes3d import ray_casting

SIDE = 64
SAMPLES = 3  # rays along either side of a pixel; their mean is the pixel

FIELD_OF_VIEW = np.deg2rad(45)
ORBIT_RADIUS, CAMERA_HEIGHT, PITCH = 4.942, 1.429, 0.0196  # the pitch is downwards, in radians
BACK_WALL, SIDE_WALLS, WALL_HEIGHT = 5.932, 5.761, 3.327
SKY_COLOUR = np.array([153, 226, 249])

LAMP = np.array([-2.418, 0.804, 12.264]).reshape(3, 1, 1)
SPOT_EXPONENT = 10
AMBIENT_GAIN, HEAD_GAIN, LAMP_GAIN, GLOSS = 0.3465, 0.5933, 0.968, 0.149

# Cube, cylinder, sphere and capsule at scale 1.
SOLIDS = (
    (ray_casting.box, (0.621, 1.296)),
    (ray_casting.cylinder, (0.662, 1.378)),
    (ray_casting.sphere, (0.753, 0.753)),
    (ray_casting.capsule, (0.570, 2.346)),
)

LEVELS = np.arange(6) / 5  # the values that channels of the hues 0, .1, .. have
GREY = 256  # parts of a grey level in the fixed-point numbers of the layers

FLOOR, WALL, SOLID, SKY = range(4)
# Normals of the floor, the back wall, the left and the right wall.
NORMALS = np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0], [-1, 0, 0]], dtype=float)


class Layers(NamedTuple):
    """What the surfaces add to each pixel, in 1/256 of a grey level.

    coloured: (3, 6, pixels) uint16, of floor, walls and solid at each level of a colour channel.
    sky: (3, pixels) uint16, of red, green and blue.
    """

    coloured: np.ndarray
    sky: np.ndarray


class _View(NamedTuple):
    """The empty room from one orientation; rays and points (3, pixels, samples), the rest without the 3."""

    camera: np.ndarray
    forward: np.ndarray
    rays: np.ndarray
    points: np.ndarray
    surfaces: np.ndarray
    gains: np.ndarray
    layers: Layers


@cache
def layers(scale, shape, orientation):
    """Layers of the room with a solid: its scale, the class of its shape, the orientation in degrees.

    Only the pixels near the solid and near its shadow are traced anew.
    """
    view = _empty_room(orientation)
    trace, lengths = SOLIDS[shape]
    lengths = [scale * length for length in lengths]
    pixels = _near(view, trace, lengths)
    rays, points = view.rays[:, pixels], view.points[:, pixels]
    surfaces, gains = view.surfaces[pixels], view.gains[pixels]

    toward_lamp = _unit(LAMP - points)
    shaded = (surfaces == FLOOR) & np.isfinite(trace(points, toward_lamp, *lengths)[0])
    gains = np.where(shaded, _headlight(view.forward, NORMALS[FLOOR].reshape(3, 1, 1)), gains)

    distance, normals = trace(view.camera, rays, *lengths)
    hit = np.isfinite(distance)
    points = view.camera + np.where(hit, distance, 0.0) * rays
    facing, spot = _lamplight(points, normals)
    lit = _headlight(view.forward, normals) + LAMP_GAIN * facing * spot
    traced = _pooled(
        np.where(hit, SOLID, surfaces),
        np.where(hit, lit, gains),
        np.where(hit & (facing > 0), GLOSS * spot, 0.0),
    )
    coloured, sky = view.layers.coloured.copy(), view.layers.sky.copy()
    coloured[..., pixels], sky[..., pixels] = traced
    return Layers(coloured, sky)


def _near(view, trace, lengths):
    """Pixels in whose middle the solid or its shadow is seen, and the pixels next to them."""
    from scipy.ndimage import binary_dilation

    middle = slice(SAMPLES**2 // 2, SAMPLES**2 // 2 + 1)
    points = view.points[:, :, middle]
    solid, _ = trace(view.camera, view.rays[:, :, middle], *lengths)
    blocked, _ = trace(points, _unit(LAMP - points), *lengths)
    found = np.isfinite(solid) | ((view.surfaces[:, middle] == FLOOR) & np.isfinite(blocked))
    return np.flatnonzero(binary_dilation(found.reshape(SIDE, SIDE), np.ones((3, 3))))


@cache
def _empty_room(orientation):
    camera, forward, rays = _camera(np.deg2rad(orientation))
    x, y, z = camera
    with np.errstate(divide="ignore"):  # rays parallel to a plane
        planes = [-z, BACK_WALL - y, -SIDE_WALLS - x, SIDE_WALLS - x] / rays[[2, 1, 0, 0]]
    planes[planes <= 0] = np.inf
    nearest = planes.argmin(axis=0)
    points = camera + planes.min(axis=0) * rays
    normals = np.moveaxis(NORMALS[nearest], -1, 0)
    facing, spot = _lamplight(points, normals)
    gains = _headlight(forward, normals) + LAMP_GAIN * facing * spot
    surfaces = np.where(points[2] > WALL_HEIGHT, SKY, np.where(nearest == 0, FLOOR, WALL))
    return _View(camera, forward, rays, points, surfaces, gains, Layers(*_pooled(surfaces, gains, 0.0)))


def _camera(angle):
    """Position (3, 1, 1), direction of view (3, 1, 1) and rays (3, pixels, samples) of the camera."""
    right = np.array([np.cos(angle), np.sin(angle), 0.0])
    ahead = np.array([-np.sin(angle), np.cos(angle), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    position = CAMERA_HEIGHT * up - ORBIT_RADIUS * ahead
    forward = np.cos(PITCH) * ahead - np.sin(PITCH) * up
    upward = np.cos(PITCH) * up + np.sin(PITCH) * ahead
    lines = SIDE * SAMPLES
    offsets = ((np.arange(lines) + 0.5) / lines * 2 - 1) * np.tan(FIELD_OF_VIEW / 2)
    grid = forward + offsets[:, None] * right - offsets[:, None, None] * upward
    grid = grid.reshape(SIDE, SAMPLES, SIDE, SAMPLES, 3).transpose(4, 0, 2, 1, 3)
    rays = _unit(grid.reshape(3, SIDE**2, SAMPLES**2))
    return position.reshape(3, 1, 1), forward.reshape(3, 1, 1), rays


def _headlight(forward, normals):
    """Gain of a surface that the lamp does not reach."""
    return AMBIENT_GAIN + HEAD_GAIN * np.maximum(0.0, -(normals * forward).sum(axis=0))


def _lamplight(points, normals):
    """How much surfaces face the lamp, a cosine or 0, and the strength of its spot there."""
    toward = _unit(LAMP - points)
    return np.maximum(0.0, (normals * toward).sum(axis=0)), np.maximum(0.0, toward[2]) ** SPOT_EXPONENT


def _pooled(surfaces, gains, gloss):
    """Layers of pixels, as arrays, from samples (pixels, samples)."""
    coloured = np.empty((3, len(LEVELS), len(surfaces)), dtype=np.uint16)
    for level, value in enumerate(LEVELS):
        brightness = np.minimum(1.0, value * gains + gloss)
        for surface in (FLOOR, WALL, SOLID):
            seen = np.where(surfaces == surface, brightness, 0.0).mean(axis=1)
            coloured[surface, level] = np.rint(255 * GREY * seen)
    sky = SKY_COLOUR[:, None] * (surfaces == SKY).mean(axis=1)
    return coloured, np.rint(GREY * sky).astype(np.uint16)


def _unit(vectors):
    return vectors / np.sqrt((vectors**2).sum(axis=0))
