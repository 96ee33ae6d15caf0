"""dSprites: 737,280 binary images of a square, an ellipse or a heart.

Data set: Matthey, Higgins, Hassabis and Lerchner (2017), github.com/google-deepmind/dsprites-dataset.
Factors, the last changing fastest: shape, scale, orientation, x, y. (Its sixth, the colour, is constant.)

    load("rendered")                        drawn here; differs from the originals by a pixel here and there
    load("file", path="dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz")         or the .hdf5 file
    load("tfds", data_dir="data/tfds")                                downloads the .hdf5 file
    load("tfds", data_dir="data/tfds", manual_dir="downloads")        takes it from that folder

The npz file is read once, in order, and kept with a bit per pixel (380 MB). tensorflow-datasets prepares its
records once, at about 3,000 images a second; its builder then holds all pixels in memory (3 GB).
`images/sources.py` explains the options.

Not every factor can be read from an image: orientations 0 and 39 are a full turn apart and the same image,
and a square looks the same after a quarter turn, an ellipse after half of one. So codes that tell all that an
image shows score less than 1 (30,000 images, default parameters): one orientation for 0 and 39, MIG .973,
SAP .946, mcc_spearman .971; orientations within the symmetry of each shape, .862, .744, .877.

The renderer sets a pixel when its centre lies inside the outline, which is turned counter-clockwise by the
orientation and has its centre 16 + 32 x pixels from the left and 16 + 32 y from the top.
"""

import numpy as np

from custodes.datasets.dsprites import polygons
from custodes.images import published_files, sources
from custodes.images.bits import unpack
from custodes.images.factor_grid import FactorGrid
from custodes.images.published_files import Layout, OfficialFile

SIDE = 64
GRID = FactorGrid(
    names=("shape", "scale", "orientation", "x", "y"),
    values=(
        (1.0, 2.0, 3.0),  # square, ellipse, heart
        tuple(np.linspace(0.5, 1, 6).tolist()),
        tuple(np.linspace(0, 2 * np.pi, 40).tolist()),
        tuple(np.linspace(0, 1, 32).tolist()),
        tuple(np.linspace(0, 1, 32).tolist()),
    ),
)

# Outlines at scale 1 and orientation 0, in pixels from the centre, y down. The numbers were fitted to
# published images of the data set.
HALF_SIDE = 9.6
SEMI_AXES = (12.775, 7.22)  # of the ellipse
ELLIPSE_VERTICES = 72
# Radii of the heart every 3 degrees, from the notch at the top to the tip; both halves are the same.
# fmt: off
HEART_RADII = np.array([
    5.14, 6.09, 6.96, 7.67, 8.31, 8.90, 9.42, 9.82, 10.20, 10.48, 10.72, 10.93, 11.06, 11.19, 11.22,
    11.26, 11.26, 11.21, 11.14, 11.04, 10.88, 10.72, 10.50, 10.26, 10.00, 9.70, 9.41, 9.07, 8.77, 8.43,
    8.13, 7.84, 7.56, 7.31, 7.09, 6.89, 6.69, 6.54, 6.39, 6.28, 6.16, 6.08, 6.01, 5.96, 5.92,
    5.92, 5.91, 5.92, 5.95, 6.02, 6.09, 6.17, 6.30, 6.44, 6.62, 6.85, 7.14, 7.48, 7.88, 8.53,
    9.63,
])
# fmt: on
BATCH = 4096  # images that are rows of words at a time


def _circle(vertices):
    angles = 2 * np.pi * np.arange(vertices) / vertices
    return np.stack([np.sin(angles), -np.cos(angles)], axis=1)  # clockwise from the top


OUTLINES = (
    HALF_SIDE * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]),
    np.array(SEMI_AXES) * _circle(ELLIPSE_VERTICES),
    np.concatenate([HEART_RADII, HEART_RADII[-2:0:-1]])[:, None] * _circle(120),
)


def render(factor_classes):
    """Images (N, 64, 64) uint8, 0 or 1, of factor classes (N, 5): shape, scale, orientation, x, y."""
    classes = GRID.checked(factor_classes)
    images = np.empty((len(classes), SIDE, SIDE), dtype=np.uint8)
    column = SIDE / 4 + SIDE / 2 * np.array(GRID.values[3])
    for shape, outline in enumerate(OUTLINES):
        rows = np.flatnonzero(classes[:, 0] == shape)
        poses, pose = np.unique(classes[rows][:, [1, 2, 4]], axis=0, return_inverse=True)
        crossings = polygons.row_crossings(_posed(outline, *poses.T), SIDE)
        for start in range(0, len(rows), BATCH):
            batch = slice(start, start + BATCH)
            words = polygons.fill(crossings[:, pose[batch]], column[classes[rows[batch], 3]])
            images[rows[batch]] = unpack(words)
    return images


def _posed(outline, scale, orientation, y):
    """Outlines (n, v, 2), turned counter-clockwise on the screen, at the height of class y."""
    size, angle = np.array(GRID.values[1])[scale], np.array(GRID.values[2])[orientation]
    cos, sin = (size * np.cos(angle))[:, None], (size * np.sin(angle))[:, None]
    across, down = outline.T
    height = SIDE / 4 + SIDE / 2 * np.array(GRID.values[4])[y]
    return np.stack([across * cos + down * sin, down * cos - across * sin + height[:, None]], axis=2)


# The size of the npz file and its SHA-256 are not published; the MD5 is the one that its users check.
NPZ = OfficialFile(
    "dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz", None, "md5", "7da33b31b13a06f4b04a70402ce90c2e"
)
HDF5 = OfficialFile(
    "dsprites_ndarray_co1sh3sc6or40x32y32_64x64.hdf5",
    28_024_106,
    "sha256",
    "729fa22e884c9c500e1f17415d580746b4c5894fbbb780a1319bbcfa39a745bb",
)
IN_NPZ = Layout("imgs", "latents_values", "latents_classes")
IN_HDF5 = Layout("imgs", "latents/values", "latents/classes")
DESCRIPTION = sources.Description(
    name="dsprites",
    grid=GRID,
    shape=(SIDE, SIDE),
    white=1,
    render=render,
    constants=("color",),
    files={
        ".npz": (NPZ, IN_NPZ, published_files.open_npz),
        ".hdf5": (HDF5, IN_HDF5, published_files.open_hdf5),
        ".h5": (HDF5, IN_HDF5, published_files.open_hdf5),
    },
    features=("value_shape", "value_scale", "value_orientation", "value_x_position", "value_y_position"),
    tfds_file=HDF5,
)


def load(source="rendered", **options):
    """The data set as an `ImageSet`; see the module and `sources.load`."""
    return sources.load(DESCRIPTION, source, **options)
