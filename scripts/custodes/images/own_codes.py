"""Take over codes that a user's own encoder gave for the images of a data set."""

from pathlib import Path
from zipfile import BadZipFile, is_zipfile

import numpy as np

from custodes.statistics.inputs import check_array
from custodes.tables.representations import Representation, write_representation

FORMATS = (".npy", ".npz", ".parquet")
NOT_CODES = ("row", "id", "index", "__index_level_0__")  # the last is how pandas writes an index


def import_codes(path_to_user_codes, image_count, labels, path_to_codes, kept=None):
    """Write the codes in the layout of `encode_images`.

    kept: numbers of the images whose codes are taken over, in order, the same as are encoded with trained
    models; None: of all for which there are codes.

    The user's file is one of
    .npy      codes (N, L), one row for each of the data set's `image_count` images, in its order
    .npz      `codes` (n, L); optionally `rows` (n,), the numbers of the encoded images from 0 on, and
              `kl_per_latent` (L,), the mean divergence of each latent from the prior in nats
    .parquet  a column for each latent, and optionally a column `rows`
    Without `rows` there must be a code for every image. Raises ValueError naming the file and the fault.
    """
    path = Path(path_to_user_codes)
    if path.suffix not in FORMATS:
        raise ValueError(f"{path}: must be one of {', '.join(FORMATS)}")
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    read = {".npy": _read_npy, ".npz": _read_npz, ".parquet": _read_parquet}[path.suffix]
    try:
        representation = _checked(*read(path), image_count, labels)
        if kept is not None:
            representation = _restricted(representation, kept)
    except (ValueError, BadZipFile) as error:
        raise ValueError(f"{path}: {error}") from error
    write_representation(path_to_codes, representation)


def _read_npy(path):
    with path.open("rb") as file:
        return np.lib.format.read_array(file, allow_pickle=False), None, None


def _read_npz(path):
    known = ("codes", "rows", "kl_per_latent")
    if not is_zipfile(path):
        raise ValueError("not an npz file that can be read")
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        unknown = sorted(set(stored.files) - set(known))
        if unknown or "codes" not in stored.files:
            raise ValueError(f"has the arrays {', '.join(stored.files)}; known: {', '.join(known)}")
        return tuple(stored[name] if name in stored.files else None for name in known)


def _read_parquet(path):
    import pyarrow.parquet as pq

    table = pq.read_table(path, partitioning=None)
    for name in table.column_names:
        if table[name].null_count:
            raise ValueError(f"column {name!r} has missing values")
        if name in NOT_CODES:
            raise ValueError(f"column {name!r} is no latent: call the numbers of the images `rows`")
    columns = {name: table[name].to_numpy() for name in table.column_names}
    rows = columns.pop("rows", None)
    if not columns:
        raise ValueError("has no column of codes")
    return np.stack(list(columns.values()), axis=1), rows, None


def _checked(codes, rows, kl_per_latent, image_count, labels):
    """The representation of these arrays, or ValueError."""
    codes = check_array(codes, "codes")
    if rows is None:
        if len(codes) != image_count:
            swapped = codes.shape[1] == image_count
            hint = "are the axes swapped?" if swapped else "give `rows`, or a code for each"
            raise ValueError(f"codes have shape {codes.shape} for {image_count} images: {hint}")
        rows = np.arange(image_count)
    if rows.shape != (len(codes),) or rows.dtype.kind not in "iu":
        raise ValueError(f"rows are {rows.dtype} {rows.shape}; {len(codes)} whole numbers are needed")
    if rows.min() < 0 or rows.max() >= image_count:
        raise ValueError(f"rows run from {rows.min()} to {rows.max()}; there are {image_count} images")
    if len(np.unique(rows)) < len(rows):
        raise ValueError("rows name an image twice")
    order = np.argsort(rows)
    if kl_per_latent is not None:
        kl_per_latent = check_array(kl_per_latent[None], "kl_per_latent")[0]
        if len(kl_per_latent) != codes.shape[1]:
            raise ValueError(f"kl_per_latent has {len(kl_per_latent)} values for {codes.shape[1]} latents")
    return Representation(labels, rows[order].astype(np.int64), codes[order], kl_per_latent)


def _restricted(representation, kept):
    """The representation with the codes of the images `kept` only."""
    missing = np.setdiff1d(kept, representation.rows)
    if len(missing):
        raise ValueError(
            f"lacks codes of {len(missing)} of the {len(kept)} images that are encoded, such as {missing[0]}"
        )
    places = np.searchsorted(representation.rows, kept)
    return representation._replace(rows=kept, z_hat=representation.z_hat[places])
