"""Rows of scores that an earlier run left, kept where nothing that they depend on has changed.

A row carries a fingerprint of the factors, the codes, the split, the seed, the parameters, the source files
that score and the versions of the libraries. A row with the same fingerprint would be computed again to the
same numbers, so a block that grows by seeds or grid points costs the new draws only.
"""

import hashlib
from importlib.metadata import version
from pathlib import Path

from custodes.errors import DamagedFile
from custodes.sources import CHECKOUT
from custodes.tables.columns import FINGERPRINT, SCORES
from custodes.tables.files import read_rows

LIBRARIES = ("numpy", "scipy", "scikit-learn", "lightgbm")  # whatever is installed, lock or not
LOCK = CHECKOUT / "envs/requirements.txt"


def context(paths_to_code, **arguments):
    """What all rows of one file depend on: content of source files, versions, and plain arguments."""
    code = [hashlib.blake2b(Path(path).read_bytes()).hexdigest() for path in [*paths_to_code, LOCK]]
    versions = {name: version(name) for name in LIBRARIES}
    return repr((code, versions, sorted(arguments.items())))


def fingerprint(common, seed, split, *arrays):
    """Digest of a draw: `common` of `context`, the seed, the rows of the split (or None) and arrays."""
    digest = hashlib.blake2b(repr((common, seed, split is None)).encode(), digest_size=16)
    for array in [*(split or ()), *arrays]:
        digest.update(repr((array.shape, array.dtype.str)).encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def kept_rows(path):
    """{fingerprint: what its rows say besides their labels} of the file of scores at `path`.

    Empty where there is no such file, or none that can be read: it is about to be replaced.
    """
    try:
        rows = read_rows(path)
    except (FileNotFoundError, DamagedFile):
        return {}
    kept = {}
    for row in rows:
        if "fingerprint" in row:
            own = {key: row[key] for key in (*SCORES, *FINGERPRINT) if key in row}
            # Two cells may hold the same draw, such as a code without noise: one row for each score.
            kept.setdefault(row["fingerprint"], {})[row["score"]] = own
    return {fingerprint: list(own.values()) for fingerprint, own in kept.items()}
