"""Figures made of small images: latent traversals and reconstructions of one model."""

import numpy as np

from scripts.plots import panels, style

GAP = 2  # pixels between images


def traversals(images, values, kl, title):
    """Draw images (L, V, H, W, C): a row for each latent, that of the largest KL (L,) on top.

    values (V,): of the latent, along a row.
    """
    order = np.argsort(-np.asarray(kl), kind="stable")
    rows = [f"latent {latent}\n{kl[latent]:.2f} nats" for latent in order]
    columns = [style.value_label("value", value, short=True) for value in values]
    return _mosaic(images[order], rows, columns, title, "value of the latent, the others as in one image")


def reconstructions(images, title):
    """Draw images (2, n, H, W, C): originals over their reconstructions."""
    return _mosaic(images, ["original", "decoded"], [""] * images.shape[1], title, "")


def _mosaic(images, row_labels, column_labels, title, caption):
    """A figure of images (rows, columns, H, W, C) with a label beside each row and below each column."""
    import matplotlib

    rows, columns, height, width, channels = images.shape
    page = np.full((rows * (height + GAP) - GAP, columns * (width + GAP) - GAP, channels), 255, np.uint8)
    for row, column in np.ndindex(rows, columns):
        top, left = row * (height + GAP), column * (width + GAP)
        page[top : top + height, left : left + width] = images[row, column]
    with matplotlib.rc_context(style.PARAMETERS):
        inches = (style.WIDTHS["two"] - 0.8) * len(page) / page.shape[1]
        figure = panels.sheet("two", inches + (0.6 if caption else 0.25))
        axes = figure.add_subplot()
        axes.imshow(page.squeeze(), cmap="gray", vmin=0, vmax=255, interpolation="nearest")
        axes.set_yticks(np.arange(rows) * (height + GAP) + height / 2, row_labels)
        axes.set_xticks(np.arange(columns) * (width + GAP) + width / 2, column_labels)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_xlabel(caption)
        axes.set_title(title)
    return figure
