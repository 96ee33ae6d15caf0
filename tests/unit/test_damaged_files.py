"""Parquet files that a disk cut short or altered are refused by name, whatever reads them."""

import numpy as np
import pytest

from custodes.errors import DamagedFile
from custodes.tables.draws import factors_by_label, read_draws, write_draws
from custodes.tables.files import read_frame, read_rows
from custodes.tables.representations import read_representation

LABELS = {"dgp": "independent", "d": 2, "d_eff": 2, "n": 400, "seed": 1}


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "z.parquet"
    z = np.random.default_rng(0).standard_normal((400, 2))
    write_draws(path, "z", [LABELS], [z])
    return path, z


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.999])
def test_a_file_cut_short_is_refused(written, share):
    path, _ = written
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(DamagedFile, match=r"z\.parquet is damaged; delete it and run again \("):
        read_draws(path, "z")


def test_an_altered_number_is_refused(written):
    path, z = written
    data = path.read_bytes()
    for value in (z[0, 0], z[200, 1], z[-1, -1]):
        place = data.index(value.tobytes())
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(DamagedFile, match=r"z\.parquet"):
            read_draws(path, "z")


@pytest.mark.parametrize(
    "read",
    [
        read_rows,
        read_representation,
        factors_by_label,
        lambda path: read_frame([path]),
    ],
)
def test_every_reader_refuses_a_damaged_file(tmp_path, read):
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(DamagedFile, match=r"rows\.parquet"):
        read(path)


def test_a_file_that_is_not_there_is_not_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_rows(tmp_path / "none.parquet")


def test_the_message_is_one_line(tmp_path):
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"")
    with pytest.raises(DamagedFile) as refused:
        read_rows(path)
    assert "\n" not in str(refused.value)
