"""Image data sets through tensorflow-datasets, with its own builders and without TensorFlow.

Two things make that possible: the records are kept as array_record files, which need no TensorFlow, and
images are encoded to PNG by Pillow.
"""

import dataclasses
import io
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from custodes.images import published_files
from custodes.images.image_set import ImagesOnDemand


def open_records(name, official, features, shape, data_dir, manual_dir=None, sha256=None):
    """Images (N, *shape) and factor values (N, K) of the records of a builder, in the order of the records.

    The first call prepares the records below `data_dir`, from the file `official` in `manual_dir` or, where
    that is None, from a download. The builder then holds the images of the whole file in memory.
    features: names of the K values in a record. Also returns the origin in words.
    """
    import tensorflow_datasets as tfds

    builder = tfds.builder(name, data_dir=data_dir, file_format="array_record")
    if not builder.is_prepared():
        _prepare(builder, official, manual_dir, sha256)
    if sha256 is None and builder.info.download_size != official.size:
        raise ValueError(
            f"{builder.data_path}: prepared from a file of {int(builder.info.download_size)} bytes; "
            f"the official {official.name} has {official.size}"
        )
    unread = {"image": tfds.decode.SkipDecoding()}
    labels = builder.as_data_source(split="train", decoders=unread)
    values = np.array([[record[feature] for feature in features] for record in labels])
    records = builder.as_data_source(split="train")

    def read(rows):
        found = records.__getitems__(rows.tolist())
        return np.array([record["image"] for record in found]).reshape(-1, *shape)

    origin = f"tensorflow-datasets {tfds.__version__}, {name} {builder.version}"
    return ImagesOnDemand((len(records), *shape), read), values, origin


def _prepare(builder, official, manual_dir, sha256):
    import tensorflow_datasets as tfds

    if manual_dir is not None:
        published_files.verify(Path(manual_dir) / official.name, official, sha256)
    builder.info.features["image"].encode_example = encode_png
    with _registered(builder, manual_dir, official, sha256):
        builder.download_and_prepare(
            download_config=tfds.download.DownloadConfig(manual_dir=manual_dir, try_download_gcs=False)
        )


@contextmanager
def _registered(builder, manual_dir, official, sha256):
    """The builder's record of its download is that of another file for a while, if `sha256` is given."""
    ((url, record),) = builder.url_infos.items()
    if sha256 is not None:
        size = (Path(manual_dir) / official.name).stat().st_size
        builder.url_infos[url] = dataclasses.replace(record, size=type(record.size)(size), checksum=sha256)
    try:
        yield
    finally:
        builder.url_infos[url] = record


def encode_png(pixels):
    """PNG bytes of an image (height, width, 1 or 3) uint8."""
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(pixels.squeeze()).save(stream, "PNG", compress_level=1)
    return stream.getvalue()
