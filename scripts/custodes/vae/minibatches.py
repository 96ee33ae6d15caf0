"""From uint8 images on disk to float tensors, a batch at a time; the images are never floats in full.

`images` is what has a shape (N, H, W) or (N, H, W, C) and gives uint8 pixels for an array of row numbers: a
NumPy array or memory map, or an object that unpacks bits. `white` is the value of a white pixel: 255, or 1
for binary images.
"""

import numpy as np

BATCH = 1024  # images held as floats where no gradient is needed


def channels(images):
    """Number of channels of images (N, H, W) or (N, H, W, C)."""
    return images.shape[3] if len(images.shape) == 4 else 1


def check(images, white, side):
    """Raise ValueError unless the images can be averaged to squares of `side` pixels."""
    shape = tuple(images.shape)
    if len(shape) not in (3, 4) or channels(images) not in (1, 3):
        raise ValueError(f"images have shape {shape}: must be (N, H, W), (N, H, W, 1) or (N, H, W, 3)")
    if images.dtype != np.uint8:
        raise ValueError(f"images hold {images.dtype} values; uint8 is needed")
    if shape[0] == 0:
        raise ValueError("there is no image")
    if shape[1] != shape[2] or shape[1] % side:
        raise ValueError(
            f"images are {shape[1]} x {shape[2]} pixels: must be squares of a multiple of {side}"
        )
    if white not in (1, 255):
        raise ValueError(f"white = {white!r}: must be 1 or 255")


def convert(pixels, white, side, device):
    """Pixels uint8 (B, H, W) or (B, H, W, C) as floats in [0, 1], (B, C, side, side), averaged to `side`."""
    import torch

    brightest = pixels.max(initial=0)
    if brightest > white:
        raise ValueError(f"images hold values up to {brightest}, where white is {white}")
    factor = pixels.shape[1] // side
    x = torch.from_numpy(_block_sums(pixels, factor) if factor > 1 else pixels).to(device)
    x = x[:, None] if x.dim() == 3 else x.permute(0, 3, 1, 2)
    return x.float() / (white * factor * factor)


def _block_sums(pixels, factor):
    """Sums over blocks of factor x factor pixels; several times faster than pooling floats."""
    sums = np.zeros_like(pixels[:, ::factor, ::factor], dtype=np.int32)
    for row in range(factor):
        for column in range(factor):
            sums += pixels[:, row::factor, column::factor]
    return sums


def drawn(images, white, side, size, generator, device):
    """Endless minibatches of `size` rows drawn with replacement, as the studies do, by a CPU generator."""
    import torch

    while True:
        rows = torch.randint(len(images), (size,), generator=generator).numpy()
        yield convert(images[rows], white, side, device)


def in_order(images, rows, white, side, device):
    """The images of `rows`, in that order, in batches of at most BATCH."""
    for start in range(0, len(rows), BATCH):
        yield convert(images[rows[start : start + BATCH]], white, side, device)
