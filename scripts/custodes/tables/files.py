"""How Parquet files between the stages are written and read; what their rows are is said by other modules.

A file takes its place whole or not at all, its pages have checksums, and what cannot be read is refused by
name. Missing values are nulls, which dictionaries of rows leave out.
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
    """Arrow table of `rows` (dictionaries): the typed `columns` first, further labels behind them.

    columns: {name: type, of pyarrow or the name of one}.
    """
    extra = sorted({key for row in rows for key in row} - set(columns))
    arrays = [pa.array([row.get(key) for row in rows], type=type_) for key, type_ in columns.items()]
    arrays += [pa.array([row.get(key) for row in rows]) for key in extra]
    return pa.table(arrays, names=[*columns, *extra])


def without_nulls(row):
    """The entries of a row that have a value."""
    return {key: value for key, value in row.items() if value is not None}
