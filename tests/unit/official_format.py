"""Small files in the published formats, for the tests of the image data sets."""

import hashlib

import h5py
import numpy as np

from custodes.datasets import dsprites, shapes3d


def some_rows(module, n, seed=0):
    return np.random.default_rng(seed).choice(len(module.GRID), size=n, replace=False)


def dsprites_arrays(rows):
    """Entries of the npz file but for the metadata."""
    classes = dsprites.GRID.classes(rows)
    zeros, ones = np.zeros((len(rows), 1), int), np.ones((len(rows), 1))
    return {
        "imgs": dsprites.render(classes),
        "latents_classes": np.hstack([zeros, classes]),
        "latents_values": np.hstack([ones, dsprites.GRID.values_of(classes)]),
    }


def shapes3d_arrays(rows):
    classes = shapes3d.GRID.classes(rows)
    return {"images": shapes3d.render(classes), "labels": shapes3d.GRID.values_of(classes)}


def write_hdf5(path, arrays):
    """Write the arrays, those of dSprites below `latents/`, and return the SHA-256 of the file."""
    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file[name.replace("latents_", "latents/")] = array
    return sha256(path)


class Trap:
    """Fails the test if it is ever unpickled."""

    def __reduce__(self):
        return exec, ("raise AssertionError('the metadata was unpickled')",)


def write_npz(path, arrays):
    """Write the arrays and a pickled metadata entry, and return the SHA-256 of the file."""
    np.savez_compressed(path, metadata=np.array(Trap(), dtype=object), **arrays)
    return sha256(path)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
