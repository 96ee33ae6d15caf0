"""Image data sets through the builders of tensorflow-datasets, from small files in the published format."""

import re
import shutil
import sys

import numpy as np
import pytest

from custodes.datasets import dsprites, shapes3d
from custodes.images import tfds
from tests.unit import official_format

ARRAYS = {dsprites: official_format.dsprites_arrays, shapes3d: official_format.shapes3d_arrays}


@pytest.fixture(scope="module", params=[dsprites, shapes3d], ids=["dsprites", "shapes3d"])
def small(request, tmp_path_factory):
    """Module, rows of the file, options that load it; the records are prepared once."""
    module, folder = request.param, tmp_path_factory.mktemp("tfds")
    rows = official_format.some_rows(module, 60)
    manual = folder / "manual"
    manual.mkdir()
    path = manual / module.DESCRIPTION.tfds_file.name
    digest = official_format.write_hdf5(path, ARRAYS[module](rows))
    options = {"data_dir": folder / "data", "manual_dir": manual, "sha256": digest}
    module.load("tfds", **options)
    return module, rows, options


def test_records_come_in_the_order_of_the_data_set(small):
    module, rows, options = small
    data = module.load("tfds", **options)
    assert data.source == "tfds"
    assert re.match(r"tensorflow-datasets [\d.]+, \w+ 2\.0\.0, ", data.origin)
    assert options["sha256"] in data.origin
    assert np.array_equal(data.grid.rows(data.classes), np.sort(rows))
    expected = module.render(module.GRID.classes(np.sort(rows)))
    assert data.images.shape == expected.shape
    assert np.array_equal(data.images[:], expected)
    assert np.array_equal(data.images[np.array([8, 1, 8])], expected[[8, 1, 8]])
    assert data.images[np.array([], int)].shape == (0, *expected.shape[1:])


def test_prepared_records_need_no_file_and_no_tensorflow(small, tmp_path):
    module, _, options = small
    data = module.load("tfds", **options | {"manual_dir": tmp_path})
    assert len(data) == 60
    assert "tensorflow" not in sys.modules


def test_records_of_another_file_are_not_the_official_ones(small):
    module, _, options = small
    official = module.DESCRIPTION.tfds_file
    with pytest.raises(ValueError, match=rf"prepared from a file of \d+ bytes; .* has {official.size}"):
        module.load("tfds", data_dir=options["data_dir"])


def test_another_file_is_refused_with_both_digests(small, tmp_path):
    module, _, options = small
    official = module.DESCRIPTION.tfds_file
    pattern = f"sha256 {options['sha256']}; the official {official.name} has .*{official.digest}"
    with pytest.raises(ValueError, match=pattern):
        module.load("tfds", data_dir=tmp_path, manual_dir=options["manual_dir"])
    shutil.copy(options["manual_dir"] / official.name, tmp_path)
    with (tmp_path / official.name).open("ab") as file:
        file.write(b"x")
    with pytest.raises(ValueError, match=f"the file that was asked for has sha256 {options['sha256']}"):
        module.load("tfds", data_dir=tmp_path, manual_dir=tmp_path, sha256=options["sha256"])


def test_the_builder_checks_the_digest_itself(small, tmp_path, monkeypatch):
    """Without our own check, and with the official digest in force again after other files."""
    from tensorflow_datasets.core.download.download_manager import NonMatchingChecksumError

    module, _, options = small
    monkeypatch.setattr(tfds.published_files, "verify", lambda *_: None)
    with pytest.raises(NonMatchingChecksumError):
        module.load("tfds", data_dir=tmp_path, manual_dir=options["manual_dir"])


def test_a_missing_file_is_not_downloaded(small, tmp_path):
    module, _, _ = small
    with pytest.raises(FileNotFoundError, match=module.DESCRIPTION.tfds_file.name):
        module.load("tfds", data_dir=tmp_path, manual_dir=tmp_path)
    with pytest.raises(ValueError, match="a file in manual_dir, which is missing"):
        module.load("tfds", data_dir=tmp_path, sha256="0")
    with pytest.raises(ValueError, match="missing a required argument: 'data_dir'"):
        module.load("tfds")


@pytest.mark.parametrize("shape", [(64, 64, 1), (64, 64, 3)])
def test_png_is_lossless(shape):
    import io

    from PIL import Image

    pixels = np.random.default_rng(0).integers(256, size=shape, dtype=np.uint8)
    decoded = np.asarray(Image.open(io.BytesIO(tfds.encode_png(pixels))))
    assert np.array_equal(decoded.reshape(shape), pixels)
