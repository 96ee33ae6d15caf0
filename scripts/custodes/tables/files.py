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
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from custodes.errors import DamagedFile


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


def write_table(table, path, **options):
    """Write an Arrow table with a checksum of every page."""
    pq.write_table(table, path, write_page_checksum=True, **options)


def read_table(path):
    """Read an Arrow table; DamagedFile where it is cut short or altered, lest that become a number."""
    try:
        return pq.read_table(path, partitioning=None, page_checksum_verification=True)
    except (FileNotFoundError, PermissionError):  # nothing is known of its content
        raise
    except (pa.ArrowException, OSError) as reason:
        why = " ".join(str(reason).split())
        raise DamagedFile(f"{path} is damaged; delete it and run again ({why})") from None


def write_rows(path, rows, columns):
    """Write `rows` (dictionaries): the typed `columns` first, further labels behind them."""
    with replacing(path) as temporary:
        write_table(label_table(rows, columns), temporary, compression="zstd")


def read_rows(path):
    """Read a file of `write_rows` as dictionaries without null entries."""
    return [without_nulls(row) for row in read_table(path).to_pylist()]


def read_frame(paths):
    """Read result tables into one pandas DataFrame (nulls become NaN or None)."""
    import pandas as pd

    frames = [read_table(path).to_pandas() for path in paths]
    return pd.concat(frames, ignore_index=True)


def label_table(rows, columns):
    """Arrow table of `rows` (dictionaries): the typed `columns` first, further labels behind them."""
    extra = sorted({key for row in rows for key in row} - set(columns))
    arrays = [pa.array([row.get(key) for row in rows], type=type_) for key, type_ in columns.items()]
    arrays += [pa.array([row.get(key) for row in rows]) for key in extra]
    return pa.table(arrays, names=[*columns, *extra])


def without_nulls(row):
    """The entries of a row that have a value."""
    return {key: value for key, value in row.items() if value is not None}
