"""3D Shapes: drawn images against real ones, rays against a walk along them, colours, the grid."""

from pathlib import Path

import numpy as np
import pytest

from custodes.datasets import shapes3d
from custodes.datasets.shapes3d import ray_casting, scene

REAL = Path(__file__).resolve().parents[1] / "data" / "shapes3d_real.npz"


def sample(n, seed=0):
    return shapes3d.GRID.classes(np.random.default_rng(seed).integers(len(shapes3d.GRID), size=n))


def test_real_images():
    """The best of all scales and of the three orientations next to the estimated one."""
    errors = []
    with np.load(REAL, allow_pickle=False) as real:
        cases = zip(real["images"], real["hue_idx"], real["shape_idx"], real["orient_idx_est"], strict=True)
        for image, hues, shape, estimate in cases:
            orientations = [k for k in (estimate - 1, estimate, estimate + 1) if 0 <= k < 15]
            classes = [[*hues, scale, shape, turn] for scale in range(8) for turn in orientations]
            difference = np.abs(shapes3d.render(classes).astype(float) - image)
            errors.append(difference.mean(axis=(1, 2, 3)).min())
    assert np.mean(errors) < 2.5
    assert max(errors) < 3.5


SOLIDS = {
    "box": (ray_casting.box, (0.6, 1.3), lambda p: (np.abs(p[:2]).max(axis=0) < 0.6) & (p[2] < 1.3)),
    "cylinder": (
        ray_casting.cylinder,
        (0.7, 1.4),
        lambda p: (np.hypot(p[0], p[1]) < 0.7) & (p[2] > 0) & (p[2] < 1.4),
    ),
    "sphere": (
        ray_casting.sphere,
        (0.8, 0.8),
        lambda p: np.hypot(np.hypot(p[0], p[1]), p[2] - 0.8) < 0.8,
    ),
    "capsule": (
        ray_casting.capsule,
        (0.5, 2.2),
        lambda p: np.hypot(np.hypot(p[0], p[1]), p[2] - np.clip(p[2], 0.5, 1.7)) < 0.5,
    ),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_rays_enter_a_solid_where_a_walk_along_them_does(name):
    trace, lengths, inside = SOLIDS[name]
    rng = np.random.default_rng(1)
    origins = np.stack([*rng.uniform(-3, 3, (2, 500)), rng.uniform(3, 4, 500)])
    rays = np.stack([*rng.uniform(-0.9, 0.9, (2, 500)), rng.uniform(0, 2, 500)]) - origins
    rays /= np.linalg.norm(rays, axis=0)
    distance, normals = trace(origins, rays, *lengths)
    steps = np.arange(0, 8, 0.002)
    walk = origins[:, :, None] + rays[:, :, None] * steps
    within = inside(walk) & (walk[2] > 0)
    hit = within.any(axis=1)
    assert 100 < hit.sum() < 490
    assert (np.isfinite(distance) != hit).sum() <= 2  # a walk may step over an edge
    both = hit & np.isfinite(distance)
    assert distance[both] == pytest.approx(steps[within.argmax(axis=1)][both], abs=0.0021)
    assert np.linalg.norm(normals[:, both], axis=0) == pytest.approx(1)
    points = (origins + np.where(both, distance, 0) * rays)[:, both]
    outward = normals[:, both] * 1e-3
    assert not inside(points + outward).any()
    assert inside(points - outward).mean() > 0.99  # but for the rim of the floor
    assert not np.isfinite(trace(origins, -rays, *lengths)[0]).any()


def test_rays_from_straight_above():
    down = np.array([[0.0], [0.0], [-1.0]])
    for trace, lengths, _ in SOLIDS.values():
        top = 2 * lengths[1] if trace is ray_casting.sphere else lengths[1]
        distance, normal = trace(np.array([[0.1], [0.0], [5.0]]), down, *lengths)
        assert distance[0] == pytest.approx(5 - top, abs=0.02)
        assert normal[2, 0] > 0.97
        assert not np.isfinite(trace(np.array([[2.0], [0.0], [5.0]]), down, *lengths)[0]).any()


@pytest.mark.parametrize("shape", range(4))
def test_tracing_only_the_pixels_near_the_solid_is_enough(shape, monkeypatch):
    poses = [(0.75, shape, -30.0), (1.25, shape, 30.0), (1.0, shape, 4.2)]
    few = [scene.layers(*pose) for pose in poses]
    monkeypatch.setattr(scene, "_near", lambda *_: np.arange(scene.SIDE**2))
    for pose, layers in zip(poses, few, strict=True):
        every = scene.layers.__wrapped__(*pose)
        assert np.array_equal(layers.coloured, every.coloured)
        assert np.array_equal(layers.sky, every.sky)


def test_a_hue_colours_its_own_surface():
    base = np.array([2, 5, 7, 4, 0, 9])
    images = [shapes3d.render(base[None])[0].astype(int)]
    for factor in range(3):
        other = base.copy()
        other[factor] = 0
        images.append(shapes3d.render(other[None])[0].astype(int))
    changed = [(image != images[0]).any(axis=-1) for image in images[1:]]
    floor, walls, solid = changed
    assert floor[60].all()
    assert not floor[30].any()
    assert walls[30, 5]
    assert not walls[60].any()
    assert solid[40, 32]
    assert not solid[60].any()
    assert not solid[:, 5].any()
    assert (np.add(floor, walls) & solid).mean() < 0.05  # pixels that show two surfaces
    assert not np.any(changed, axis=0)[:10].any()
    assert np.array_equal(images[0][0, 0], [153, 226, 249])
    assert np.array_equal(images[1][60, 5][1:], [0, 0])  # a red floor has no green and no blue


def test_light_and_shadow():
    """The lamp is to the left and above: the floor is brighter there, and the shadow falls to the right."""
    (image,) = shapes3d.render([[0, 5, 5, 4, 2, 7]])
    red, green, _ = image.astype(int).transpose(2, 0, 1)
    assert red[62, 2] > red[62, 61] + 20
    _, columns = np.nonzero((red > 60) & (red < 130) & (green == 0))
    assert len(columns) > 20
    assert columns.mean() > 34


def test_no_sum_of_layers_overflows():
    for shape in range(4):
        layers = scene.layers(1.25, shape, 30.0)
        brightest = layers.coloured.max(axis=1).astype(int).sum(axis=0) + layers.sky.astype(int)
        assert brightest.max() + scene.GREY // 2 < 2**16


def test_layers_are_the_means_of_samples():
    """A surface of full brightness and gloss, half of a pixel, the other half sky; one pixel of floor."""
    surfaces = np.array([[scene.SOLID, scene.SKY], [scene.FLOOR, scene.FLOOR]])
    gains, gloss = np.array([[2.0, 9.0], [0.5, 0.25]]), np.array([[0.1, 9.0], [0.0, 0.0]])
    coloured, sky = scene._pooled(surfaces, gains, gloss)
    assert coloured[scene.SOLID, :, 0] / scene.GREY == pytest.approx(
        127.5 * np.minimum(1, 0.1 + np.arange(6) * 0.4), abs=0.01
    )
    assert coloured[scene.FLOOR, :, 1] / scene.GREY == pytest.approx(255 * 0.375 * np.arange(6) / 5, abs=0.01)
    assert coloured[scene.FLOOR, :, 0].max() == coloured[scene.WALL].max() == 0
    assert (sky / scene.GREY).tolist() == [[76.5, 0], [113, 0], [124.5, 0]]


def test_an_image_does_not_depend_on_the_others(monkeypatch):
    classes = sample(60)
    classes[:30, 3:] = classes[0, 3:]
    together = shapes3d.render(classes)
    assert together.shape == (60, 64, 64, 3)
    assert together.dtype == np.uint8
    assert np.array_equal(shapes3d.render(classes[::-1])[::-1], together)
    assert np.array_equal(np.concatenate([shapes3d.render(one[None]) for one in classes]), together)
    monkeypatch.setattr(shapes3d, "BATCH", 7)
    assert np.array_equal(shapes3d.render(classes), together)
    assert shapes3d.render(np.empty((0, 6), int)).shape == (0, 64, 64, 3)


def test_order_and_values_of_the_factors():
    grid = shapes3d.GRID
    assert len(grid) == 480_000
    assert grid.sizes == (10, 10, 10, 8, 4, 15)
    assert grid.classes(np.array([0, 1, 15, 60, 480])).tolist() == [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 1],
        [0, 0, 0, 0, 1, 0],
        [0, 0, 0, 1, 0, 0],
        [0, 0, 1, 0, 0, 0],
    ]
    values = grid.values_of(np.array([[0, 0, 0, 0, 0, 0], [9, 9, 9, 7, 3, 14]]))
    assert values == pytest.approx(np.array([[0, 0, 0, 0.75, 0, -30], [0.9, 0.9, 0.9, 1.25, 3, 30]]))


def test_bad_classes_are_refused():
    with pytest.raises(
        ValueError, match=r"it must be \(n, 6\): floor_hue, wall_hue, object_hue, scale, shape"
    ):
        shapes3d.render(np.zeros((1, 5), int))
    with pytest.raises(ValueError, match="row 0: class 15 of orientation: must be 0 to 14"):
        shapes3d.render([[0, 0, 0, 0, 0, 15]])
