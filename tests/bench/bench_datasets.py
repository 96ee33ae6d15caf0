"""Drawing and preparing the image data sets: CPU seconds, images a second, peak memory, in one thread."""

import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from matplotlib.path import Path as Outline

from custodes.datasets import dsprites, shapes3d
from custodes.datasets.shapes3d import scene
from scripts.images.prepare_dataset import prepare_dataset

PART = 61_440  # images at a time, so that the pictures themselves fit into memory
TEXTBOOK = 200  # images that the textbook version draws


def cpu_seconds(function):
    """CPU seconds of one call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def report(name, count, seconds):
    """Print one rate."""
    print(f"{name:52}{count:9} images {seconds:8.2f} s {count / seconds:9.0f} images/s")


def in_parts(module, rows):
    """Draw the images at `rows`, some at a time."""
    for start in range(0, len(rows), PART):
        module.render(module.GRID.classes(rows[start : start + PART]))


def one_by_one(classes):
    """Textbook dSprites: a point-in-polygon test of all pixels, image by image."""
    centres = np.stack(np.meshgrid(np.arange(64) + 0.5, np.arange(64) + 0.5), axis=-1).reshape(-1, 2)
    for shape, scale, orientation, x, y in classes:
        angle = 2 * np.pi * orientation / 39
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        outline = (0.5 + 0.1 * scale) * dsprites.OUTLINES[shape] @ turn + 16 + 32 * np.array([x, y]) / 31
        Outline(outline).contains_points(centres)


def prepare(dataset, images):
    """Prepare a drawn data set in a scratch folder; print CPU seconds and the peak memory of the process."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = cpu_seconds(lambda: prepare_dataset(dataset, "rendered", {}, images, 0, folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    report(f"prepare {dataset}, peak memory {peak:.2f} GiB", images or len(dsprites.GRID), seconds)


def main():
    """All rates; the preparations run in processes of their own."""
    rng = np.random.default_rng(0)
    dsprites_rows = np.arange(len(dsprites.GRID))
    ordered = cpu_seconds(lambda: in_parts(dsprites, dsprites_rows))
    report("dSprites, all in order", len(dsprites_rows), ordered)
    some = rng.permutation(dsprites_rows)[:PART]
    report("dSprites, shuffled", len(some), cpu_seconds(lambda: in_parts(dsprites, some)))
    classes = dsprites.GRID.classes(some[:TEXTBOOK])
    textbook = cpu_seconds(lambda: one_by_one(classes))
    report("dSprites, textbook", TEXTBOOK, textbook)
    speed = textbook / TEXTBOOK * len(dsprites_rows) / ordered
    print(f"in order, a textbook image takes {speed:.0f} times as long")

    report("3D Shapes, the 480 scenes", 480, cpu_seconds(lambda: in_parts(shapes3d, np.arange(480))))
    shapes3d_rows = rng.permutation(len(shapes3d.GRID))[:12_000]
    report("3D Shapes, shuffled", len(shapes3d_rows), cpu_seconds(lambda: in_parts(shapes3d, shapes3d_rows)))
    scene.layers.cache_clear()
    report(
        "3D Shapes, shuffled, with the scenes", 12_000, cpu_seconds(lambda: in_parts(shapes3d, shapes3d_rows))
    )

    for dataset, images in (("dsprites", None), ("shapes3d", 20_000)):
        program = f"from tests.bench.bench_datasets import prepare; prepare({dataset!r}, {images})"
        subprocess.run([sys.executable, "-c", program], check=True)


if __name__ == "__main__":
    main()
