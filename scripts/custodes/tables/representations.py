"""Tables and files of the image branch: codes of one model, and what is said of models and their settings."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from custodes.tables.columns import SCORES, STATISTICS
from custodes.tables.files import label_table, read_table, replacing, without_nulls, write_table

MODEL = {
    "dataset": pa.string(),
    "source": pa.string(),
    "model": pa.string(),
    "setting": pa.int64(),
    "restart": pa.int64(),
}
CURVES = MODEL | {
    "step": pa.int64(),
    "loss": pa.float64(),
    "reconstruction": pa.float64(),
    "kl": pa.float64(),
    "kl_per_latent": pa.list_(pa.float64()),
}
REPRESENTATION = MODEL | {"n": pa.int64(), "m": pa.int64()}
# Which others a score of a set of representations compares each with; null for scores of one.
COMPARISON = {"comparison": pa.string()}
REPRESENTATION_SCORES = REPRESENTATION | COMPARISON | SCORES
SETTING_STATISTICS = {
    "restarts" if column == "seeds" else column: kind
    for column, kind in (REPRESENTATION | COMPARISON | STATISTICS).items()
    if column != "restart"
}
PAIRS = REPRESENTATION | {
    "partner_model": pa.string(),
    "partner_setting": pa.int64(),
    "partner_restart": pa.int64(),
    "metric": pa.string(),
    "comparison": pa.string(),
}
RANKINGS = {
    "dataset": pa.string(),
    "source": pa.string(),
    "model": pa.string(),
    "comparison": pa.string(),
    "score": pa.string(),
    "reference": pa.string(),
    "correlation": pa.float64(),
    "ci_low": pa.float64(),
    "ci_high": pa.float64(),
    "models": pa.int64(),
    "status": pa.string(),
}


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
