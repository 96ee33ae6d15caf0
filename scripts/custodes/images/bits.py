"""Binary images with a bit per pixel: each row of 64 pixels one word; bit j is column j."""

import numpy as np


def unpack(words):
    """Pixels 0 or 1, (n, size, 64) uint8, of words (n, size)."""
    octets = words.astype("<u8", copy=False)[..., None].view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little")


def pack(pixels):
    """Words (n, size) of pixels 0 or 1, (n, size, 64) uint8."""
    return np.packbits(pixels, axis=-1, bitorder="little").view("<u8")[..., 0]
