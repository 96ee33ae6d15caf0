"""Files of representations: one row, the codes of one model.

Columns: which model it is and its sizes, the numbers `rows` of the encoded images (n,), and, as lists, the
codes z_hat (n, m), the divergence of each latent kl_per_latent (m,) and samples of the codes z_sample (n, m).
"""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from custodes.tables.files import label_table, read_table, replacing, without_nulls, write_table
from custodes.tables.trainings import MODEL

REPRESENTATION = MODEL | {"n": "int64", "m": "int64"}


class Representation(NamedTuple):
    """Codes of one model; `labels` say which, all arrays but `rows` are floats.

    rows (n,): numbers of the encoded images. z_hat (n, m): posterior means, or what a user's own encoder
    gives. kl_per_latent (m,): mean divergence from the prior in nats, None where it is not known.
    z_sample (n, m): a sample of each posterior, or None.
    """

    labels: dict
    rows: np.ndarray
    z_hat: np.ndarray
    kl_per_latent: np.ndarray | None = None
    z_sample: np.ndarray | None = None


def write_representation(path, representation):
    """Write a Representation; its labels get the sizes `n` and `m`.

    Raises ValueError when an array has another size, or entries that are not finite.
    """
    n, m = representation.z_hat.shape
    sizes = {"rows": (n,), "z_hat": (n, m), "kl_per_latent": (m,), "z_sample": (n, m)}
    table = label_table([representation.labels | {"n": n, "m": m}], REPRESENTATION)
    for name, shape in sizes.items():
        array = getattr(representation, name)
        if array is None:
            table = table.append_column(name, pa.nulls(1, pa.large_list(pa.float64())))
            continue
        if array.shape != shape:
            raise ValueError(f"{path}: {name} has shape {array.shape}; {shape} is needed")
        if not np.isfinite(array).all():
            raise ValueError(f"{path}: {name} has entries that are not finite")
        lists = pa.LargeListArray.from_arrays(pa.array([0, array.size]), pa.array(array.ravel()))
        table = table.append_column(name, lists)
    with replacing(path) as temporary:
        write_table(table, temporary, compression="zstd", use_dictionary=False)


def read_representation(path):
    """Read a Representation; arrays have the precision in which they were written."""
    table = read_table(path)
    arrays = {}
    for name in ("rows", "z_hat", "kl_per_latent", "z_sample"):
        lists = table[name].combine_chunks()
        arrays[name] = None if lists.null_count else lists.values.to_numpy()
    (labels,) = map(without_nulls, table.drop_columns(list(arrays)).to_pylist())
    for name in ("z_hat", "z_sample"):
        if arrays[name] is not None:
            arrays[name] = arrays[name].reshape(labels["n"], labels["m"])
    return Representation(labels, **arrays)
