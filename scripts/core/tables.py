"""Layout of every Parquet file between the stages; the only module that knows it.

factors and codes   one row per draw; the sample (n, d) or (n, m) is one list of doubles, row by row
scores              one row per draw and score
tables              one row per cell and score
curves              one row per line of progress of a training, the divergence of each latent as a list
representations     one row for the codes of one model: the numbers of the encoded images (n,), the codes
                    (n, m), the divergence of each latent (m,) and samples of the codes (n, m), as lists
of images           scores and tables: one row per representation and score; pairs: one row per
                    representation, partner and comparison; settings: one row per setting and score;
                    rankings: one row per class of model and two scores

Missing values are nulls. A parameter that a factor distribution or encoder does not have is null.
"""

import os
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from scripts.core.errors import DamagedFile

FACTOR_LABELS = {
    "dgp": pa.string(),
    "d": pa.int64(),
    "d_eff": pa.int64(),
    "n": pa.int64(),
    "dgp_rho": pa.float64(),
    "dgp_coupling": pa.float64(),
    "dgp_constraints": pa.int64(),
    "dgp_function": pa.string(),
}
CODE_LABELS = {
    "encoder": pa.string(),
    "m": pa.int64(),
    "encoder_alpha": pa.float64(),
    "encoder_kappa": pa.float64(),
    "encoder_codes_per_factor": pa.int64(),
    "encoder_keep": pa.string(),
    "encoder_functions": pa.string(),
    "encoder_cross_factor": pa.bool_(),
}
LABELS = FACTOR_LABELS | CODE_LABELS
SEED = {"seed": pa.int64()}
STUDY = {"protocol": pa.string(), "experiment": pa.string()}
SCORES = {
    "metric": pa.string(),
    "score": pa.string(),
    "value": pa.float64(),
    "status": pa.string(),
    "null_mean": pa.float64(),
    "null_q95": pa.float64(),
    "p_value": pa.float64(),
    "adjusted": pa.float64(),
    "null_permutations": pa.int64(),
}
FINGERPRINT = {"fingerprint": pa.string()}  # of all that a row of scores depends on
STATISTICS = {
    "metric": pa.string(),
    "score": pa.string(),
    "mean": pa.float64(),
    "std": pa.float64(),
    "ci_low": pa.float64(),
    "ci_high": pa.float64(),
    "seeds": pa.int64(),
    "undefined": pa.int64(),
    "status": pa.string(),
    "null_mean": pa.float64(),
    "null_q95": pa.float64(),
    "p_value": pa.float64(),
    "adjusted": pa.float64(),
    "null_permutations": pa.int64(),
}
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
OK = "ok"


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


@contextmanager
def replacing(path):
    """Yield a temporary path beside `path` that takes its place, or vanishes on failure."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for stale in path.parent.glob(f".{path.stem}.*{path.suffix}"):  # of a job that was killed
        stale.unlink(missing_ok=True)
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write(table, path, **options):
    """Write an Arrow table with a checksum of every page."""
    pq.write_table(table, path, write_page_checksum=True, **options)


def read(path):
    """Read an Arrow table; DamagedFile where it is cut short or altered, lest that become a number."""
    try:
        return pq.read_table(path, partitioning=None, page_checksum_verification=True)
    except (FileNotFoundError, PermissionError):  # nothing is known of its content
        raise
    except (pa.ArrowException, OSError) as reason:
        why = " ".join(str(reason).split())
        raise DamagedFile(f"{path} is damaged; delete it and run again ({why})") from None


def write_draws(path, name, labels, arrays):
    """Write draws: dictionaries `labels` and as many arrays `name`: "z" (n, d) or "z_hat" (n, m).

    Raises ValueError when an array has entries that are not finite, or not the size of its labels.
    """
    width = "d" if name == "z" else "m"
    for label, array in zip(labels, arrays, strict=True):
        if array.shape != (label["n"], label[width]):
            raise ValueError(f"{path}: {name} of {label} has shape {array.shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"{path}: {name} of {label} has entries that are not finite")
    offsets = np.cumsum([0] + [array.size for array in arrays])
    values = np.concatenate([array.ravel() for array in arrays]) if arrays else np.empty(0)
    known = FACTOR_LABELS if name == "z" else LABELS
    table = _label_table(labels, known | SEED)
    table = table.append_column(name, pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(values)))
    with replacing(path) as temporary:
        # Samples of floats do not compress.
        write(table, temporary, compression="none", use_dictionary=False)


def read_draws(path, name):
    """Read (labels, arrays) as `write_draws` took them, the labels without null entries."""
    table = read(path)
    width = "d" if name == "z" else "m"
    labels = [_without_nulls(row) for row in table.drop_columns([name]).to_pylist()]
    arrays = [
        chunk.values.slice(start, stop - start).to_numpy().reshape(-1, label[width])
        for chunk, start, stop, label in _list_bounds(table[name], labels)
    ]
    return labels, arrays


def factors_by_label(path):
    """Read a factors file as a mapping from `factor_key` of its labels to z (n, d)."""
    labels, arrays = read_draws(path, "z")
    return {factor_key(label): array for label, array in zip(labels, arrays, strict=True)}


def factor_key(labels):
    """What identifies the factors of a draw: the labels of the distribution and the seed."""
    own = {"dgp", "d", "n", "seed"}
    return frozenset((key, value) for key, value in labels.items() if key in own or key.startswith("dgp_"))


def write_representation(path, representation):
    """Write a Representation; its labels get the sizes `n` and `m`.

    Raises ValueError when an array has another size, or entries that are not finite.
    """
    n, m = representation.z_hat.shape
    sizes = {"rows": (n,), "z_hat": (n, m), "kl_per_latent": (m,), "z_sample": (n, m)}
    table = _label_table([representation.labels | {"n": n, "m": m}], REPRESENTATION)
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
        write(table, temporary, compression="zstd", use_dictionary=False)


def read_representation(path):
    """Read a Representation; arrays have the precision in which they were written."""
    table = read(path)
    arrays = {}
    for name in ("rows", "z_hat", "kl_per_latent", "z_sample"):
        lists = table[name].combine_chunks()
        arrays[name] = None if lists.null_count else lists.values.to_numpy()
    (labels,) = map(_without_nulls, table.drop_columns(list(arrays)).to_pylist())
    for name in ("z_hat", "z_sample"):
        if arrays[name] is not None:
            arrays[name] = arrays[name].reshape(labels["n"], labels["m"])
    return Representation(labels, **arrays)


def is_parameter(column):
    """Whether a column is a parameter of a factor distribution or an encoder."""
    return column.startswith(("dgp_", "encoder_"))


def write_rows(path, rows, columns):
    """Write `rows` (dictionaries): the typed `columns` first, further labels behind them."""
    with replacing(path) as temporary:
        write(_label_table(rows, columns), temporary, compression="zstd")


def read_rows(path):
    """Read a file of `write_rows` as dictionaries without null entries."""
    return [_without_nulls(row) for row in read(path).to_pylist()]


def read_frame(paths):
    """Read result tables into one pandas DataFrame (nulls become NaN or None)."""
    import pandas as pd

    frames = [read(path).to_pandas() for path in paths]
    return pd.concat(frames, ignore_index=True)


def _list_bounds(column, labels):
    labels = iter(labels)
    for chunk in column.chunks:
        offsets = chunk.offsets.to_numpy()
        for start, stop in pairwise(offsets):
            yield chunk, start, stop, next(labels)


def _label_table(rows, columns):
    extra = sorted({key for row in rows for key in row} - set(columns))
    arrays = [pa.array([row.get(key) for row in rows], type=type_) for key, type_ in columns.items()]
    arrays += [pa.array([row.get(key) for row in rows]) for key in extra]
    return pa.table(arrays, names=[*columns, *extra])


def _without_nulls(row):
    return {key: value for key, value in row.items() if value is not None}
