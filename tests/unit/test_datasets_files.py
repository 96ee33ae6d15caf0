"""Image data sets from files in the published formats, faulty files, and prepared data sets."""

import json
import re
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest

from custodes import registry
from custodes.datasets import dsprites, shapes3d
from custodes.images import image_set, prepared
from custodes.images.image_set import ImagesOnDemand
from scripts.images.prepare_dataset import prepare_dataset
from tests.unit import official_format

DSPRITES_ROWS = official_format.some_rows(dsprites, 70)
SHAPES3D_ROWS = official_format.some_rows(shapes3d, 50)
DSPRITES = official_format.dsprites_arrays(DSPRITES_ROWS)
SHAPES3D = official_format.shapes3d_arrays(SHAPES3D_ROWS)


def write(path, arrays):
    writer = official_format.write_npz if path.suffix == ".npz" else official_format.write_hdf5
    return writer(path, arrays)


def test_the_folder_is_the_registry():
    assert registry.names("datasets") == ("dsprites", "shapes3d")


@pytest.mark.parametrize(
    ("module", "name", "arrays", "rows"),
    [
        (dsprites, "small.npz", DSPRITES, DSPRITES_ROWS),
        (dsprites, "small.hdf5", DSPRITES, DSPRITES_ROWS),
        (shapes3d, "small.h5", SHAPES3D, SHAPES3D_ROWS),
    ],
)
def test_a_file_in_the_published_format(module, name, arrays, rows, tmp_path, monkeypatch):
    monkeypatch.setattr(image_set, "BATCH", 16)
    path = tmp_path / name
    data = module.load("file", path=path, sha256=write(path, arrays))
    pixels = next(iter(arrays.values()))
    assert (data.dataset, data.source) == (module.__name__.split(".")[-1], "file")
    assert data.origin.startswith(f"{name}, sha256 ")
    assert data.white == pixels.max()
    assert np.array_equal(data.grid.rows(data.classes), rows)
    assert np.array_equal(data.values, module.GRID.values_of(module.GRID.classes(rows)))
    assert data.images.shape == pixels.shape
    for chosen in (slice(None), slice(3, 9), np.array([5, 2, 2, 40]), np.array([], int), 7, -1):
        found = data.images[chosen]
        assert found.dtype == data.images.dtype == np.uint8
        assert np.array_equal(found, pixels[chosen])
    with pytest.raises(IndexError):
        data.images[len(rows)]


def test_drawn_images_are_the_complete_data_set():
    for module in (dsprites, shapes3d):
        data = module.load()
        rows = np.array([len(module.GRID) - 1, 12345])
        assert data.source == "rendered"
        assert len(data) == len(data.images) == len(module.GRID)
        assert np.array_equal(data.images[rows], module.render(module.GRID.classes(rows)))
        assert np.array_equal(data.classes[rows], module.GRID.classes(rows))


def changed(arrays, **changes):
    return {
        name: changes.get(name, array) for name, array in arrays.items() if changes.get(name, 0) is not None
    }


VALUES, CLASSES, PIXELS = DSPRITES["latents_values"], DSPRITES["latents_classes"], SHAPES3D["images"]
FAULTS = {
    "keys": (
        "a.npz",
        changed(DSPRITES, latents_values=None),
        "lacks latents_values; it has imgs, latents_cl",
    ),
    "keys of HDF5": (
        "a.hdf5",
        changed(DSPRITES, imgs=None),
        "lacks imgs; it has latents/classes, latents/val",
    ),
    "other keys": ("a.h5", {"x": np.ones(3)}, "lacks images, labels; it has x"),
    "swapped axes": (
        "a.h5",
        changed(SHAPES3D, images=PIXELS.transpose(0, 3, 1, 2)),
        "images has shape (50, 3, 64, 64); it must be (N, 64, 64, 3), in this order of axes",
    ),
    "channels": (
        "a.npz",
        changed(DSPRITES, imgs=DSPRITES["imgs"][..., None]),
        "imgs has shape (70, 64, 64, 1); it must be (N, 64, 64)",
    ),
    "rows for columns": (
        "a.npz",
        changed(DSPRITES, imgs=DSPRITES["imgs"].transpose(0, 2, 1)),
        "the images do not show their factors",
    ),
    "rows for columns in HDF5": (
        "a.h5",
        changed(SHAPES3D, images=PIXELS.transpose(0, 2, 1, 3)),
        "the images do not show their factors",
    ),
    "other order": (
        "a.hdf5",
        changed(DSPRITES, imgs=DSPRITES["imgs"][::-1]),
        "the images do not show their factors",
    ),
    "floats": ("a.h5", changed(SHAPES3D, images=PIXELS / 255), "images holds float64 values; uint8 pixels"),
    "0 to 1": (
        "a.h5",
        changed(SHAPES3D, images=PIXELS // 255),
        "brightest pixel is 1; they must go from 0 to 255",
    ),
    "black": ("a.npz", changed(DSPRITES, imgs=0 * DSPRITES["imgs"]), "brightest pixel is 0"),
    "0 to 255": (
        "a.npz",
        changed(DSPRITES, imgs=255 * DSPRITES["imgs"]),
        "imgs holds the value 255; pixels must be 0",
    ),
    "0 to 255 in HDF5": (
        "a.hdf5",
        changed(DSPRITES, imgs=255 * DSPRITES["imgs"]),
        "imgs holds the value 255",
    ),
    "too few factors": (
        "a.npz",
        changed(DSPRITES, latents_values=VALUES[:, 1:]),
        "latents_values has shape (70, 5); it must be (70, 6): color, shape, scale, orientation, x, y",
    ),
    "too many factors": (
        "a.h5",
        changed(SHAPES3D, labels=np.hstack([SHAPES3D["labels"]] * 2)),
        "labels has shape (50, 12); it must be (50, 6): floor_hue, wall_hue, object_hue",
    ),
    "too few rows": (
        "a.npz",
        changed(DSPRITES, latents_classes=CLASSES[:-1]),
        "latents_classes has shape (69, 6)",
    ),
    "swapped factors": (
        "a.h5",
        changed(SHAPES3D, labels=SHAPES3D["labels"][:, ::-1]),
        "floor_hue = -",
    ),
    "classes of others": (
        "a.npz",
        changed(DSPRITES, latents_classes=CLASSES[::-1]),
        "latents_values disagree",
    ),
    "no images": ("a.npz", {name: array[:0] for name, array in DSPRITES.items()}, "imgs holds no image"),
    "text": (
        "a.npz",
        changed(DSPRITES, latents_values=VALUES.astype(str)),
        "latents_values holds <U32 values; real numbers are needed",
    ),
    "columns first": (
        "a.npz",
        changed(DSPRITES, imgs=np.asfortranarray(DSPRITES["imgs"])),
        "imgs is stored by columns",
    ),
    "pickled values": (
        "a.npz",
        changed(DSPRITES, latents_values=np.array(official_format.Trap(), dtype=object)),
        "latents_values cannot be read: Object arrays cannot be loaded when allow_pickle=False",
    ),
    "pickled images": (
        "a.npz",
        changed(DSPRITES, imgs=np.full((70, 64, 64), official_format.Trap(), dtype=object)),
        "imgs holds object values",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_contents_are_named(fault, tmp_path):
    name, arrays, message = FAULTS[fault]
    path = tmp_path / name
    digest = write(path, arrays)
    module = dsprites if "imgs" in arrays or "latents_values" in arrays else shapes3d

    def load_and_read():
        return module.load("file", path=path, sha256=digest).images[:]

    with pytest.raises(ValueError, match=re.escape(message)) as error:
        load_and_read()
    assert str(error.value).startswith(f"{path}: ")


@pytest.mark.parametrize(("name", "arrays"), [("a.npz", DSPRITES), ("a.hdf5", DSPRITES), ("a.h5", SHAPES3D)])
def test_another_file_and_a_cut_file_are_refused_with_both_digests(name, arrays, tmp_path):
    path = tmp_path / name
    whole = write(path, arrays)
    module = shapes3d if arrays is SHAPES3D else dsprites
    official = module.DESCRIPTION.files[path.suffix][0]
    size = "" if official.size is None else f"{official.size} bytes, "
    with pytest.raises(ValueError, match=re.escape(f"{size}{official.algorithm} {official.digest}")) as error:
        module.load("file", path=path)
    assert f"{path}: wrong file" in str(error.value)
    assert f"{path.stat().st_size} bytes, {official.algorithm} " in str(error.value)
    path.write_bytes(path.read_bytes()[:-1000])
    cut = official_format.sha256(path)
    with pytest.raises(ValueError, match=f"sha256 {cut}; the file that was asked for has sha256 {whole}"):
        module.load("file", path=path, sha256=whole)
    kind = "npz" if path.suffix == ".npz" else "HDF5"
    with pytest.raises(ValueError, match=f"not an {kind} file that can be read"):
        module.load("file", path=path, sha256=cut)


def test_damage_inside_an_npz_is_seen(tmp_path):
    path = tmp_path / "a.npz"
    write(path, DSPRITES)
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("imgs.npy").header_offset
    content[start + 600] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not an npz file that can be read"):
        dsprites.load("file", path=path, sha256=official_format.sha256(path))


def test_missing_files_other_names_and_wrong_options(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"a\.h5: there is no such file; the official one is 3dshapes.h5"
    ):
        shapes3d.load("file", path=tmp_path / "a.h5")
    (tmp_path / "a.zip").write_text("")
    with pytest.raises(ValueError, match=r"a name that ends in \.npz or \.hdf5 or \.h5"):
        dsprites.load("file", path=tmp_path / "a.zip")
    with pytest.raises(ValueError, match="source = 'files': must be one of rendered, file, tfds"):
        dsprites.load("files")
    with pytest.raises(ValueError, match="source 'file' of dsprites: missing a required argument: 'path'"):
        dsprites.load("file")
    with pytest.raises(
        ValueError, match=r"source 'rendered' of shapes3d: .*unexpected keyword argument 'path'"
    ):
        shapes3d.load("rendered", path="x")


def test_the_official_digest_asks_for_the_whole_data_set(tmp_path, monkeypatch):
    path = tmp_path / "3dshapes.h5"
    digest = write(path, SHAPES3D)
    official = shapes3d.OFFICIAL._replace(size=path.stat().st_size, digest=digest)
    monkeypatch.setitem(shapes3d.DESCRIPTION.files, ".h5", (official, *shapes3d.OPENING[1:]))
    with pytest.raises(ValueError, match="not the 480000 images of shapes3d in their order"):
        shapes3d.load("file", path=path)


@pytest.mark.parametrize("module", [dsprites, shapes3d])
def test_prepared_data_sets(module, tmp_path, monkeypatch):
    monkeypatch.setattr(image_set, "BATCH", 16)
    name = module.__name__.split(".")[-1]
    for folder in ("one", "two"):
        prepare_dataset(name, "rendered", {}, images=100, seed=3, folder=tmp_path / folder)
    prepare_dataset(name, "rendered", {}, images=100, seed=4, folder=tmp_path / "other")
    for file in (prepared.IMAGES, prepared.FACTORS, prepared.DESCRIPTION):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    data = prepared.read(tmp_path / "one")
    rows = data.grid.rows(data.classes)
    assert len(data) == len(np.unique(rows)) == 100
    assert (np.diff(rows) > 0).all()
    assert rows[-1] > 0.8 * len(module.GRID)
    assert data.grid == module.GRID
    assert (data.dataset, data.source, data.white) == (name, "rendered", module.DESCRIPTION.white)
    expected = module.render(module.GRID.classes(rows))
    assert data.images.shape == expected.shape
    assert np.array_equal(data.images[:], expected)
    assert np.array_equal(data.images[np.array([9, 3])], expected[[9, 3]])
    table = pq.read_table(tmp_path / "one" / prepared.FACTORS).to_pandas()
    assert np.array_equal(table["row"], rows)
    assert np.array_equal(table[[f"value_{factor}" for factor in module.GRID.names]], data.values)
    assert not np.array_equal(prepared.read(tmp_path / "other").classes, data.classes)
    description = json.loads((tmp_path / "one" / prepared.DESCRIPTION).read_text())
    assert description["images"] == 100
    assert not description["complete"]
    assert str(tmp_path) not in str(description)


def test_a_file_prepares_as_it_is(tmp_path):
    path = tmp_path / "a.npz"
    digest = write(path, DSPRITES)
    prepare_dataset("dsprites", "file", {"path": path, "sha256": digest}, None, 0, tmp_path / "out")
    data = prepared.read(tmp_path / "out")
    assert np.array_equal(data.images[:], DSPRITES["imgs"])
    assert np.array_equal(data.grid.rows(data.classes), DSPRITES_ROWS)
    assert data.origin == f"a.npz, sha256 {digest}"


def test_few_images_are_read_at_a_time(tmp_path):
    data, asked = shapes3d.load(), []

    def read(rows):
        asked.append(len(rows))
        return np.zeros((len(rows), 64, 64, 3), np.uint8)

    object.__setattr__(data, "images", ImagesOnDemand(data.images.shape, read))
    prepared.write(data, np.arange(3 * image_set.BATCH + 1), tmp_path)
    assert asked == [image_set.BATCH] * 3 + [1]
    assert image_set.BATCH <= 4096


def test_an_interrupted_preparation_leaves_no_data_set(tmp_path):
    prepare_dataset("dsprites", "rendered", {}, 5, 0, tmp_path)
    data = dsprites.load()

    def fail(rows):
        raise KeyboardInterrupt

    object.__setattr__(data, "images", ImagesOnDemand(data.images.shape, fail))
    with pytest.raises(KeyboardInterrupt):
        prepared.write(data, np.arange(5), tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no prepared data set"):
        prepared.read(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {prepared.IMAGES, prepared.FACTORS}
    prepare_dataset("dsprites", "rendered", {}, 6, 0, tmp_path)
    assert len(prepared.read(tmp_path)) == 6


@pytest.mark.parametrize("count", [0, 737_281])
def test_a_number_of_images_that_cannot_be(count, tmp_path):
    with pytest.raises(
        ValueError, match=f"count = {count}: must be at least 1 and at most the 737280 images"
    ):
        prepare_dataset("dsprites", "rendered", {}, count, 0, tmp_path)
