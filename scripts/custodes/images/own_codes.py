"""Take over codes that a user's own encoder gave for the images of a data set."""

from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

import numpy as np

from custodes.statistics.inputs import check_array
from custodes.tables.representations import Representation, write_representation

FORMATS = (".npy", ".npz", ".parquet")
ARRAYS = ("codes", "rows", "kl_per_latent")  # of an .npz file
NOT_CODES = ("row", "id", "index", "image", "")  # in small letters
SAVED_INDEX = ("__index_level_", "unnamed:")  # how pandas begins the name of an index that it wrote

ADVICE = "leave it out, or call it `rows` if it holds the numbers of the images"
FEWEST = 4  # rows from which on a column that counts them is no chance


def import_codes(path_to_user_codes, image_count, labels, path_to_codes, kept=None):
    """Write the codes in the layout of `encode_images`.

    kept: numbers of the images whose codes are taken over, in order, the same as are encoded with trained
    models; None: of all for which there are codes.

    The user's file is one of
    .npy      codes (N, L), one row for each of the data set's `image_count` images, in its order
    .npz      `codes` (n, L); optionally `rows` (n,), the numbers of the encoded images from 0 on, and
              `kl_per_latent` (L,), the mean divergence of each latent from the prior in nats
    .parquet  a column for each latent, and optionally a column `rows`
    Without `rows` there must be a code for every image. A column that numbers the rows or the images is no
    latent, and is refused. Raises ValueError naming the file and the fault.
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


def check_head(path, image_count, encoded):
    """Refuse a file whose head says that its codes cannot be for the images, without reading the codes.

    image_count: images of the data set; encoded: those of them whose codes are taken over. Raises ValueError.
    """
    path = Path(path)
    try:
        shape, has_rows = {".npy": _npy_head, ".npz": _npz_head, ".parquet": _parquet_head}[path.suffix](path)
        _check_shape(shape, has_rows, image_count, encoded)
    except (ValueError, OSError, BadZipFile) as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())}") from None


def _check_shape(shape, has_rows, image_count, encoded):
    if len(shape) != 2 or 0 in shape:
        raise ValueError(f"codes have shape {shape}; they must be (rows, latents)")
    if not has_rows:
        _refuse_other_count(shape, image_count)
    elif not encoded <= shape[0] <= image_count:
        raise ValueError(
            f"has codes of {shape[0]} images; there are {image_count}, and {encoded} of them are encoded"
        )


def _refuse_other_count(shape, image_count):
    if shape[0] != image_count:
        hint = "are the axes swapped?" if shape[1] == image_count else "give `rows`, or a code for each"
        raise ValueError(f"codes have shape {shape} for {image_count} images: {hint}")


def _npy_head(path):
    with path.open("rb") as file:
        return _array_head(file), False


def _npz_head(path):
    if not is_zipfile(path):
        raise ValueError("not an npz file that can be read")
    with ZipFile(path) as archive:
        _refuse_unknown([name.removesuffix(".npy") for name in archive.namelist()])
        with archive.open("codes.npy") as file:
            return _array_head(file), "rows.npy" in archive.namelist()


def _array_head(file):
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return read(file)[0]


def _parquet_head(path):
    import pyarrow.parquet as pq

    head = pq.read_metadata(path)
    names = head.schema.to_arrow_schema().names
    _refuse_no_codes(names)
    return (head.num_rows, len(names) - ("rows" in names)), "rows" in names


def _refuse_no_codes(columns):
    for name in columns:
        plain = name.strip().lower()
        if plain in NOT_CODES or plain.startswith(SAVED_INDEX):
            raise ValueError(f"column {name!r} is no latent: {ADVICE}")


def _refuse_unknown(arrays):
    if "codes" not in arrays or set(arrays) - set(ARRAYS):
        raise ValueError(f"has the arrays {', '.join(arrays)}; known: {', '.join(ARRAYS)}")


def _read_npy(path):
    with path.open("rb") as file:
        return np.lib.format.read_array(file, allow_pickle=False), None, None, None


def _read_npz(path):
    if not is_zipfile(path):
        raise ValueError("not an npz file that can be read")
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        _refuse_unknown(stored.files)
        return *(stored[name] if name in stored.files else None for name in ARRAYS), None


def _read_parquet(path):
    import pyarrow.parquet as pq

    table = pq.read_table(path, partitioning=None)
    for name in table.column_names:
        if table[name].null_count:
            raise ValueError(f"column {name!r} has missing values")
    _refuse_no_codes(table.column_names)
    columns = {name: table[name].to_numpy() for name in table.column_names}
    rows = columns.pop("rows", None)
    if not columns:
        raise ValueError("has no column of codes")
    return np.stack(list(columns.values()), axis=1), rows, None, list(columns)


def _refuse_numbers(codes, rows, names):
    """ValueError for a column of codes (n, L) that counts the rows, up or down, or is `rows` (n,)."""
    if len(codes) < FEWEST:
        return
    for name, column in zip(names, codes.T, strict=True):
        steps = np.diff(column)
        if abs(steps[0]) == 1 and np.all(steps == steps[0]):
            raise ValueError(f"column {name!r} is no latent but counts the rows: {ADVICE}")
        if np.array_equal(column, rows):
            raise ValueError(f"column {name!r} is no latent but the same as `rows`: leave it out")


def _checked(codes, rows, kl_per_latent, names, image_count, labels):
    """The representation of these arrays, or ValueError."""
    codes = check_array(codes, "codes")
    if rows is None:
        _refuse_other_count(codes.shape, image_count)
        rows = np.arange(image_count)
    if rows.shape != (len(codes),) or rows.dtype.kind not in "iu":
        raise ValueError(f"rows are {rows.dtype} {rows.shape}; {len(codes)} whole numbers are needed")
    if rows.min() < 0 or rows.max() >= image_count:
        raise ValueError(f"rows run from {rows.min()} to {rows.max()}; there are {image_count} images")
    if len(np.unique(rows)) < len(rows):
        raise ValueError("rows name an image twice")
    _refuse_numbers(codes, rows, names or range(codes.shape[1]))
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
