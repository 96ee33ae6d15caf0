"""Image data sets from files in the published formats, through the rule that prepares them."""

import numpy as np
import pytest

from custodes.datasets import dsprites, shapes3d
from custodes.images import prepared
from tests.unit import official_format

ARRAYS = {"dsprites": official_format.dsprites_arrays, "shapes3d": official_format.shapes3d_arrays}
MODULES = {"dsprites": dsprites, "shapes3d": shapes3d}


@pytest.mark.parametrize("dataset", ARRAYS)
@pytest.mark.parametrize("source", ["file", "tfds"])
def test_a_file_of_ones_own_is_prepared(fresh, dataset, source):
    module = MODULES[dataset]
    rows = np.sort(official_format.some_rows(module, 60))
    arrays = ARRAYS[dataset](rows)
    (fresh.path / "manual").mkdir()
    path = fresh.path / "manual" / module.DESCRIPTION.tfds_file.name
    digest = official_format.write_hdf5(path, arrays)
    (fresh.path / "records").mkdir()
    options = {"file": f"path: {path}", "tfds": f"manual_dir: {path.parent}, data_dir: records"}[source]
    fresh.snakemake(
        *("--cores", "1", "--config", f"datasets=[{dataset}]", "images=all"),
        f"sources={{{dataset}: {{source: {source}, {options}, sha256: {digest}}}}}",
        *("--", f"results/images/{dataset}/factors.parquet"),
    )
    folder = fresh.path / "results/images" / dataset
    found = prepared.read(folder)
    assert found.source == source
    assert (found.classes == module.GRID.classes(rows)).all()
    assert (found.images[np.arange(60)] == arrays[next(iter(arrays))]).all()
