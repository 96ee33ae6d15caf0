"""A prepared image data set: three files of a folder, the same bytes for the same data set.

images.npy         pixels uint8 (n, 64, 64, 3), or one 64-bit word per row of binary pixels (n, 64);
                   `images.open_images` reads both
factors.parquet    one row per image: `row` (its place in the complete data set), and `class_<factor>` and
                   `value_<factor>` of every factor
dataset.json       what it is and where it comes from; written last, removed first
"""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa

from custodes.images.bits import pack
from custodes.images.factor_grid import FactorGrid
from custodes.images.image_set import ImageSet, batches, open_images
from custodes.tables.files import read_table, replacing, write_table

IMAGES, FACTORS, DESCRIPTION = "images.npy", "factors.parquet", "dataset.json"


def write(image_set, rows, folder):
    """Write the images at `rows` (n,) of a data set, a batch at a time.

    A reader never meets half a data set: without its description a folder is not prepared.
    """
    folder = Path(folder)
    (folder / DESCRIPTION).unlink(missing_ok=True)
    with replacing(folder / IMAGES) as temporary:
        _write_images(image_set, rows, temporary)
    with replacing(folder / FACTORS) as temporary:
        write_table(_factor_table(image_set, rows), temporary, compression="zstd")
    grid = image_set.grid
    description = {
        "dataset": image_set.dataset,
        "source": image_set.source,
        "origin": image_set.origin,
        "images": len(rows),
        "complete": len(rows) == len(grid),
        "white": image_set.white,
        "factors": dict(zip(grid.names, grid.values, strict=True)),
    }
    with replacing(folder / DESCRIPTION) as temporary:
        temporary.write_text(json.dumps(description, indent=1) + "\n", encoding="utf-8")


def read(folder):
    """The prepared data set as an `ImageSet`, its images memory-mapped."""
    folder = Path(folder)
    if not (folder / DESCRIPTION).exists():
        raise FileNotFoundError(f"{folder}: there is no prepared data set ({DESCRIPTION} is missing)")
    description = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    factors = description["factors"]
    grid = FactorGrid(tuple(factors), tuple(map(tuple, factors.values())))
    table = read_table(folder / FACTORS)
    classes = np.stack([table[f"class_{name}"].to_numpy() for name in grid.names], axis=1)
    return ImageSet(
        dataset=description["dataset"],
        source=description["source"],
        origin=description["origin"],
        grid=grid,
        classes=classes.astype(np.int64),
        images=open_images(folder / IMAGES),
        white=description["white"],
    )


def _write_images(image_set, rows, path):
    """Plain writes, not a memory map: pages of a map count as memory of the process."""
    binary = image_set.white == 1
    shape = (len(rows), *image_set.images.shape[1 : 2 if binary else None])
    descr = "<u8" if binary else "|u1"
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
        for part in batches(len(rows)):
            pixels = image_set.images[rows[part]]
            file.write(np.ascontiguousarray(pack(pixels) if binary else pixels).data)


def _factor_table(image_set, rows):
    grid, classes = image_set.grid, image_set.classes[rows]
    values = grid.values_of(classes)
    columns = {"row": grid.rows(classes)}
    columns |= {f"class_{name}": classes[:, k].astype(np.int32) for k, name in enumerate(grid.names)}
    columns |= {f"value_{name}": values[:, k] for k, name in enumerate(grid.names)}
    return pa.table(columns)
