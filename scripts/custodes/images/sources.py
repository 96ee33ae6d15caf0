"""The sources of an image data set: the published file, tensorflow-datasets, or drawn here.

A data set describes itself once (`Description`); every source then gives the same `ImageSet`.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from custodes.images import published_files, tfds
from custodes.images.factor_grid import FactorGrid
from custodes.images.image_set import ImageSet, ImagesOnDemand
from custodes.images.published_files import Layout, OfficialFile

COMPARED = 32  # images of a file that are compared with drawn ones
LARGEST_DIFFERENCE = 0.03  # mean over their pixels, where black is 0 and white is 1


@dataclass(frozen=True)
class Description:
    """A data set, its published files and its tensorflow-datasets builder.

    constants: names of the columns before the K factors in the published tables, where all rows are alike.
    files: by the ending of their name, the published file, its layout and the function that opens it.
    features: names of the factor values in a record of tensorflow-datasets.
    tfds_file: the published file from which its builder prepares the records.
    """

    name: str
    grid: FactorGrid
    shape: tuple[int, ...]
    white: int
    render: Callable
    constants: tuple[str, ...]
    files: dict[str, tuple[OfficialFile, Layout, Callable]]
    features: tuple[str, ...]
    tfds_file: OfficialFile


def load(description, source, **options):
    """The data set as an `ImageSet`; which `options` there are depends on the `source`.

    rendered    none
    file        path, sha256=None
    tfds        data_dir, manual_dir=None, sha256=None

    path: the published file. data_dir: where tensorflow-datasets keeps its records, which the first call
    prepares. manual_dir: the folder that has the published file under its own name; without one it is
    downloaded. sha256: the digest of a file in the published format that is not the published one; it may
    hold any images of the data set, in any order.
    Raises ValueError or FileNotFoundError that say what is wrong and what is allowed.
    """
    if source not in SOURCES:
        raise ValueError(f"source = {source!r}: must be one of {', '.join(SOURCES)}")
    try:
        inspect.signature(SOURCES[source]).bind(description, **options)
    except TypeError as error:
        raise ValueError(f"source {source!r} of {description.name}: {error}") from None
    return SOURCES[source](description, **options)


def _rendered(description):
    rows = np.arange(len(description.grid))

    def read(rows):
        return description.render(description.grid.classes(rows))

    return ImageSet(
        dataset=description.name,
        source="rendered",
        origin="drawn by scripts.datasets",
        grid=description.grid,
        classes=description.grid.classes(rows),
        images=ImagesOnDemand((len(rows), *description.shape), read),
        white=description.white,
    )


def _from_file(description, path, sha256=None):
    path = Path(path)
    if path.suffix not in description.files:
        endings = " or ".join(description.files)
        raise ValueError(f"{path}: a file of {description.name} has a name that ends in {endings}")
    official, layout, opened = description.files[path.suffix]
    digest = published_files.verify(path, official, sha256)
    images, values, classes = opened(path, layout, description.shape, description.white)
    constants = len(description.constants)
    columns = (*description.constants, *description.grid.names)
    for name, table in ((layout.values, values), (layout.classes, classes)):
        if table is not None and table.shape != (len(images), len(columns)):
            raise ValueError(
                f"{path}: {name} has shape {table.shape}; it must be ({len(images)}, {len(columns)}): "
                f"{', '.join(columns)}"
            )
        if table is not None and table.dtype.kind not in "iuf":
            raise ValueError(f"{path}: {name} holds {table.dtype} values; real numbers are needed")
    found = _classes(description, path, values[:, constants:])
    if classes is not None and not np.array_equal(classes[:, constants:], found):
        raise ValueError(f"{path}: {layout.classes} and {layout.values} disagree")
    return _checked(description, "file", f"{path.name}, {digest}", path, found, images, sha256 is None)


def _from_tfds(description, data_dir, manual_dir=None, sha256=None):
    if sha256 is not None and manual_dir is None:
        raise ValueError("sha256 is the digest of a file in manual_dir, which is missing")
    official = description.tfds_file
    images, values, origin = tfds.open_records(
        description.name, official, description.features, description.shape, data_dir, manual_dir, sha256
    )
    classes = _classes(description, data_dir, values)
    order = np.argsort(description.grid.rows(classes), kind="stable")

    def read(rows):
        return images[order[rows]]

    origin += f", {official.name} with sha256 {sha256 or official.digest}"
    in_order = ImagesOnDemand(images.shape, read)
    return _checked(description, "tfds", origin, data_dir, classes[order], in_order, sha256 is None)


def _classes(description, where, values):
    try:
        return description.grid.classes_of_values(values)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _checked(description, source, origin, where, classes, images, official):
    """The data set: complete and in order if it is the `official` one, else with pictures of its factors."""
    grid = description.grid
    if official and not np.array_equal(grid.rows(classes), np.arange(len(grid))):
        raise ValueError(
            f"{where}: these are not the {len(grid)} images of {description.name} in their order"
        )
    if not official:
        _check_pictures(description, where, classes, images)
    return ImageSet(description.name, source, origin, grid, classes, images, description.white)


def _check_pictures(description, where, classes, images):
    """Compare some images with drawn ones."""
    rows = np.unique(np.linspace(0, len(images) - 1, COMPARED).astype(int))
    pixels, white = images[rows].astype(float), description.white
    if pixels.max() <= white / 2:
        raise ValueError(
            f"{where}: the brightest pixel is {pixels.max():.0f}; they must go from 0 to {white}"
        )
    difference = np.abs(pixels - description.render(classes[rows])).mean() / white
    if difference > LARGEST_DIFFERENCE:
        raise ValueError(
            f"{where}: the images do not show their factors: they differ from drawn ones by {difference:.3f} "
            f"on average (at most {LARGEST_DIFFERENCE}, where white is 1); axes or rows may be out of order"
        )


SOURCES = {"rendered": _rendered, "file": _from_file, "tfds": _from_tfds}
