"""dSprites: drawn images against real ones and against a point-in-polygon test, the grid, bad classes."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.path import Path as Outline

from custodes.datasets import dsprites
from custodes.datasets.dsprites import polygons
from custodes.images.bits import pack, unpack

REAL = Path(__file__).resolve().parents[1] / "data" / "dsprites_real.npz"


def sample(n, seed=0):
    return dsprites.GRID.classes(np.random.default_rng(seed).integers(len(dsprites.GRID), size=n))


def test_real_images():
    with np.load(REAL, allow_pickle=False) as real:
        wrong = (dsprites.render(real["factor_classes"]) != real["images"]).sum(axis=(1, 2))
        official = real["labels"] == "official"
    assert official.sum() == 6
    assert wrong[official].max() <= 1
    assert np.median(wrong) == 0
    assert (wrong <= 2).mean() > 0.98


def test_pixels_are_those_whose_centre_lies_inside():
    centres = np.stack(np.meshgrid(np.arange(64) + 0.5, np.arange(64) + 0.5), axis=-1).reshape(-1, 2)
    classes = sample(60)
    for (shape, scale, orientation, x, y), image in zip(classes, dsprites.render(classes), strict=True):
        angle = 2 * np.pi * orientation / 39
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        outline = (0.5 + 0.1 * scale) * dsprites.OUTLINES[shape] @ turn + 16 + 32 * np.array([x, y]) / 31
        assert np.array_equal(Outline(outline).contains_points(centres), image.ravel())


def test_where_the_sprite_is_and_how_it_is_turned():
    """An ellipse in its upper left place, turned counter-clockwise by an eighth: it rises to the right."""
    image = dsprites.render(np.array([[1, 5, 5, 0, 0]]))[0]
    rows, columns = np.nonzero(image)
    assert rows.mean() + 0.5 == pytest.approx(16, abs=0.1)
    assert columns.mean() + 0.5 == pytest.approx(16, abs=0.1)
    assert np.corrcoef(rows, columns)[0, 1] < -0.4
    (moved,) = dsprites.render(np.array([[1, 5, 5, 31, 10]]))
    rows, columns = np.nonzero(moved)
    assert columns.mean() + 0.5 == pytest.approx(48, abs=0.1)
    assert rows.mean() + 0.5 == pytest.approx(16 + 320 / 31, abs=0.1)
    heart = dsprites.render(np.array([[2, 5, 0, 16, 16]]))[0]
    assert heart[:32].sum() > heart[33:].sum()  # its tip is below
    assert np.array_equal(heart.sum(axis=0)[:10], heart.sum(axis=0)[-10:])


def test_a_full_turn_is_no_turn():
    classes = sample(50)
    classes[:, 2] = 0
    turned = classes.copy()
    turned[:, 2] = 39
    assert np.array_equal(dsprites.render(classes), dsprites.render(turned))


def test_an_image_does_not_depend_on_the_others(monkeypatch):
    classes = sample(100)
    together = dsprites.render(classes)
    assert together.dtype == np.uint8
    assert together.max() == 1
    assert np.array_equal(dsprites.render(classes[::-1])[::-1], together)
    assert np.array_equal(np.concatenate([dsprites.render(one[None]) for one in classes]), together)
    monkeypatch.setattr(dsprites, "BATCH", 7)
    assert np.array_equal(dsprites.render(classes.astype(np.uint8)), together)
    assert dsprites.render(np.empty((0, 5), int)).shape == (0, 64, 64)


def test_order_and_values_of_the_factors():
    grid = dsprites.GRID
    assert len(grid) == 737_280
    assert grid.sizes == (3, 6, 40, 32, 32)
    assert grid.classes(np.array([0, 1, 32, 1024, len(grid) - 1])).tolist() == [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 1, 0],
        [0, 0, 1, 0, 0],
        [2, 5, 39, 31, 31],
    ]
    values = grid.values_of(np.array([[0, 0, 0, 0, 0], [2, 1, 39, 31, 31]]))
    assert values == pytest.approx(np.array([[1, 0.5, 0, 0, 0], [3, 0.6, 2 * np.pi, 1, 1]]))
    rows = np.random.default_rng(0).integers(len(grid), size=1000)
    assert np.array_equal(grid.rows(grid.classes(rows)), rows)
    single = grid.values_of(grid.classes(rows)).astype(np.float32)
    assert np.array_equal(grid.classes_of_values(single), grid.classes(rows))


@pytest.mark.parametrize("value", [0.55, 1.1, np.nan])
def test_values_off_the_grid_are_refused(value):
    values = np.array([[1.0, 0.5, 0, 0, 0], [1.0, value, 0, 0, 0]])
    with pytest.raises(ValueError, match=r"row 1: scale = .*: must be one of 0\.5, 0\.6, 0\.7"):
        dsprites.GRID.classes_of_values(values)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (np.zeros(5, int), r"shape \(5,\); it must be \(n, 5\): shape, scale, orientation, x, y"),
        (np.zeros((2, 6), int), r"shape \(2, 6\)"),
        (np.zeros((2, 5)), "float64 numbers; integers are needed"),
        ([[0, 0, 0, 0, 0], [0, 6, 0, 0, 0]], "row 1: class 6 of scale: must be 0 to 5"),
        ([[0, 0, 0, 0, -1]], "row 0: class -1 of y: must be 0 to 31"),
    ],
)
def test_bad_classes_are_refused(classes, message):
    with pytest.raises(ValueError, match=message):
        dsprites.render(classes)


def test_polygons_beyond_the_image_and_with_several_crossings():
    """A comb of three teeth, partly outside, by the even-odd rule."""
    comb = np.array(
        [[-5, -5], [70, -5], [70, 9], [50, 40], [40, 9], [30, 40], [20, 9], [9, 70], [-5, 9]], float
    )
    (words,) = polygons.fill(polygons.row_crossings(comb[None], 64), np.array([0.25]))
    centres = np.stack(np.meshgrid(np.arange(64) + 0.5, np.arange(64) + 0.5), axis=-1).reshape(-1, 2)
    expected = Outline(comb + np.array([0.25, 0])).contains_points(centres).reshape(64, 64)
    assert np.array_equal(unpack(words), expected)
    assert 0 < expected.sum() < 4096


def test_packing_is_undone_by_unpacking():
    pixels = np.random.default_rng(0).integers(2, size=(3, 64, 64), dtype=np.uint8)
    words = pack(pixels)
    assert words.shape == (3, 64)
    assert words[0, 0] & 1 == pixels[0, 0, 0]
    assert np.array_equal(unpack(words), pixels)
