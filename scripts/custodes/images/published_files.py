"""The published files of the image data sets: is it the right file, and what does it hold?

Nothing is ever unpickled: an entry that would need it is refused, and entries that are not needed (the
metadata of dSprites) are not read. Every refusal is a ValueError, or a FileNotFoundError, that names the
file and what is allowed.
"""

import hashlib
import zipfile
import zlib
from typing import NamedTuple

import numpy as np

from custodes.images.bits import pack
from custodes.images.image_set import ImagesOnDemand, batches, packed


class OfficialFile(NamedTuple):
    """A published file: its size in bytes (None where it is not known) and its digest."""

    name: str
    size: int | None
    algorithm: str
    digest: str


class Layout(NamedTuple):
    """Names of a file's images, factor values and, if it has them, factor classes."""

    images: str
    values: str
    classes: str | None = None


def verify(path, official, sha256=None):
    """Raise unless the file at `path` is the `official` one, or has the digest `sha256` where one is given.

    Returns the digest in words, for the record.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file; the official one is {official.name}")
    if sha256 is None:
        expected, whose = official, f"the official {official.name}"
    else:
        expected, whose = OfficialFile(path.name, None, "sha256", sha256), "the file that was asked for"
    size = path.stat().st_size
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, expected.algorithm).hexdigest()
    if digest != expected.digest or expected.size not in (None, size):
        length = "" if expected.size is None else f"{expected.size} bytes, "
        raise ValueError(
            f"{path}: wrong file, or one cut short or changed on its way: {size} bytes, "
            f"{expected.algorithm} {digest}; {whose} has {length}{expected.algorithm} {expected.digest}"
        )
    return f"{expected.algorithm} {digest}"


def open_hdf5(path, layout, shape, white):
    """Images (N, *shape) on demand, and arrays of values and classes (or None), of an HDF5 file."""
    import h5py

    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise ValueError(f"{path}: not an HDF5 file that can be read: {error}") from error
    with file:
        found = []
        file.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) else None)
        _check_names(path, layout, found)
        stored = file[layout.images]
        _check_images(path, layout.images, stored.shape, stored.dtype, shape)
        total = stored.shape
        values = file[layout.values][()]
        classes = None if layout.classes is None else file[layout.classes][()]

    def read(rows):
        ascending, place = np.unique(rows, return_inverse=True)
        if len(rows) and ascending[-1] - ascending[0] == len(ascending) - 1:
            ascending = slice(ascending[0], ascending[-1] + 1)  # HDF5 reads slices much faster
        with h5py.File(path, "r") as again:
            pixels = again[layout.images][ascending]
        _check_pixels(path, layout.images, pixels, white)
        return pixels[place]

    return ImagesOnDemand(total, read), values, classes


def open_npz(path, layout, shape, white):
    """As `open_hdf5`, for an npz file of binary images, which are read once and kept in memory, packed."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_names(path, layout, [name.removesuffix(".npy") for name in archive.namelist()])
            values = _read_array(path, archive, layout.values)
            classes = None if layout.classes is None else _read_array(path, archive, layout.classes)
            words = _read_packed(path, archive, layout.images, shape, white)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise ValueError(f"{path}: not an npz file that can be read: {error}") from error
    return packed(words), values, classes


def _read_array(path, archive, name):
    with archive.open(f"{name}.npy") as stream:
        try:
            return np.lib.format.read_array(stream, allow_pickle=False)
        except ValueError as error:
            raise ValueError(f"{path}: {name} cannot be read: {error}") from error


def _read_packed(path, archive, name, shape, white):
    with archive.open(f"{name}.npy") as stream:
        try:
            version = np.lib.format.read_magic(stream)
            read_header = {
                (1, 0): np.lib.format.read_array_header_1_0,
                (2, 0): np.lib.format.read_array_header_2_0,
            }[version]
            total, fortran, dtype = read_header(stream)
        except (ValueError, KeyError) as error:
            raise ValueError(f"{path}: {name} cannot be read: {error}") from error
        _check_images(path, name, total, dtype, shape)
        if fortran:
            raise ValueError(f"{path}: {name} is stored by columns; it must be stored by rows")
        words = np.empty(total[:2], dtype=np.uint64)
        for rows in batches(total[0]):
            part = words[rows]
            pixels = np.frombuffer(stream.read(part.size * shape[1]), dtype=np.uint8)
            if pixels.size < part.size * shape[1]:
                raise EOFError(f"{name} ends early")
            _check_pixels(path, name, pixels, white)
            part[:] = pack(pixels.reshape(-1, *shape))
        return words


def _check_names(path, layout, found):
    missing = {name for name in layout if name is not None} - set(found)
    if missing:
        raise ValueError(
            f"{path}: lacks {', '.join(sorted(missing))}; it has {', '.join(sorted(found)) or 'nothing'}"
        )


def _check_images(path, name, total, dtype, shape):
    if len(total) != len(shape) + 1 or total[1:] != shape:
        wanted = ", ".join(map(str, shape))
        raise ValueError(f"{path}: {name} has shape {total}; it must be (N, {wanted}), in this order of axes")
    if total[0] == 0:
        raise ValueError(f"{path}: {name} holds no image")
    if dtype != np.uint8:
        raise ValueError(f"{path}: {name} holds {dtype} values; uint8 pixels are needed")


def _check_pixels(path, name, pixels, white):
    if pixels.max(initial=0) > white:
        raise ValueError(f"{path}: {name} holds the value {pixels.max()}; pixels must be 0 to {white}")
