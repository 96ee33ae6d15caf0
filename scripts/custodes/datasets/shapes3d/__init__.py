"""3D Shapes: 480,000 colour images of a solid in a room.

Data set: Burgess and Kim (2018), github.com/google-deepmind/3d-shapes.
Factors, the last changing fastest: hues of floor, walls and object, scale, shape, orientation.

    load("rendered")                        drawn here; see `scene.py`
    load("file", path="3dshapes.h5")
    load("tfds", data_dir="data/tfds")                                downloads 3dshapes.h5
    load("tfds", data_dir="data/tfds", manual_dir="downloads")        takes it from that folder

tensorflow-datasets prepares its records once, at about 3,000 images a second; its builder then holds all
pixels in memory (6 GB). `custodes/images/sources.py` explains the options.

The renderer traces each of the 480 combinations of scale, shape and orientation once in a process; the hues
are looked up. It has the light and the shadow of the originals but not the textures of floor and walls, and
differs from 30 originals by 2.2 of 255 on average, the scale of each being that which fits best.
"""

import colorsys

import numpy as np

from custodes.datasets.shapes3d import scene
from custodes.images import published_files, sources
from custodes.images.factor_grid import FactorGrid
from custodes.images.published_files import Layout, OfficialFile

HUES = tuple(k / 10 for k in range(10))
GRID = FactorGrid(
    names=("floor_hue", "wall_hue", "object_hue", "scale", "shape", "orientation"),
    values=(
        HUES,
        HUES,
        HUES,
        tuple(np.linspace(0.75, 1.25, 8).tolist()),
        (0.0, 1.0, 2.0, 3.0),  # cube, cylinder, sphere, capsule
        tuple(np.linspace(-30, 30, 15).tolist()),
    ),
)
# Level (see scene.LEVELS) of each channel of each hue.
LEVELS = np.rint(5 * np.array([colorsys.hsv_to_rgb(hue, 1, 1) for hue in HUES])).astype(int)
BATCH = 256


def render(factor_classes):
    """Images (N, 64, 64, 3) uint8 of factor classes (N, 6) in the official order of the factors."""
    classes = GRID.checked(factor_classes)
    images = np.empty((len(classes), scene.SIDE, scene.SIDE, 3), dtype=np.uint8)
    scenes, which, count = np.unique(classes[:, 3:], axis=0, return_inverse=True, return_counts=True)
    order, end = np.argsort(which, kind="stable"), np.cumsum(count)
    for (scale, shape, orientation), rows in zip(scenes, np.split(order, end)[:-1], strict=True):
        layers = scene.layers(GRID.values[3][scale], int(shape), GRID.values[5][orientation])
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            images[batch] = _coloured(layers, classes[batch, :3])
    return images


def _coloured(layers, hues):
    """Images (n, 64, 64, 3) of one scene with hue classes (n, 3)."""
    total = layers.sky + np.uint16(scene.GREY // 2)  # half a grey level, so that division rounds
    for surface, hue in zip(layers.coloured, hues.T, strict=True):
        total = total + surface[LEVELS[hue]]
    pixels = (total // scene.GREY).astype(np.uint8)
    return pixels.reshape(-1, 3, scene.SIDE, scene.SIDE).transpose(0, 2, 3, 1)


OFFICIAL = OfficialFile(
    "3dshapes.h5",
    267_573_662,
    "sha256",
    "0a0f6ed98baff276a50f3a081a7434d788da63cb135a98189b2a5b5769be1785",
)
OPENING = (OFFICIAL, Layout("images", "labels"), published_files.open_hdf5)
DESCRIPTION = sources.Description(
    name="shapes3d",
    grid=GRID,
    shape=(scene.SIDE, scene.SIDE, 3),
    white=255,
    render=render,
    constants=(),
    files={".h5": OPENING, ".hdf5": OPENING},
    features=tuple(f"value_{name}" for name in GRID.names),
    tfds_file=OFFICIAL,
)


def load(source="rendered", **options):
    """The data set as an `ImageSet`; see the module and `sources.load`."""
    return sources.load(DESCRIPTION, source, **options)
