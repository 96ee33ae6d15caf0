"""Figures made of small images: latent traversals and reconstructions of one model."""

import numpy as np

from custodes.drawing import panels, style
from custodes.image_plots import models
from custodes.tables.files import replacing

GAP = 2  # pixels between images


def draw_pictures(path_to_pictures, labels, outputs):
    """Draw what a training left as arrays (`vae.traversals.pictures`).

    labels: of the model. outputs: paths of `traversals` and `reconstructions` (PNG).
    """
    with np.load(path_to_pictures) as stored:
        pictures = dict(stored)
    title = f"{models.described_data(labels)}: {models.described(labels)}"
    kl, values = pictures["kl_per_latent"], pictures["values"]
    for name, figure in (
        ("traversals", traversals(pictures["traversals"], values, kl, title)),
        ("reconstructions", reconstructions(pictures["reconstructions"], title)),
    ):
        with replacing(outputs[name]) as temporary:
            figure.savefig(temporary, metadata={"Software": None})


def traversals(images, values, kl, title):
    """Draw images (L, V, H, W, C): a row for each latent, that of the largest KL (L,) on top.

    values (V,): of the latent, along a row.
    """
    order = np.argsort(-np.asarray(kl), kind="stable")
    rows = [f"{models.code_name(latent)}\n{kl[latent]:.2f} nats" for latent in order]
    columns = [style.value_label("value", value, short=True) for value in values]
    return _mosaic(images[order], rows, columns, title, "value of the latent, the others as in one image")


def reconstructions(images, title):
    """Draw images (2, n, H, W, C): originals over their reconstructions."""
    return _mosaic(images, ["original", "decoded"], [""] * images.shape[1], title, "")


def _mosaic(images, row_labels, column_labels, title, caption):
    """A figure of images (rows, columns, H, W, C) with a label beside each row and below each column."""
    import matplotlib

    page = _page(images)
    with matplotlib.rc_context(style.PARAMETERS):
        inches = (style.WIDTHS["two"] - 0.8) * len(page) / page.shape[1]
        figure = panels.sheet("two", inches + (0.6 if caption else 0.25))
        axes = figure.add_subplot()
        _show(axes, page, row_labels, column_labels)
        axes.set_xlabel(caption)
        axes.set_title(title)
    return figure


def _page(images):
    """One picture (height, width, C) of images (rows, columns, H, W, C), white between them."""
    rows, columns, height, width, channels = images.shape
    page = np.full((rows * (height + GAP) - GAP, columns * (width + GAP) - GAP, channels), 255, np.uint8)
    for row, column in np.ndindex(rows, columns):
        top, left = row * (height + GAP), column * (width + GAP)
        page[top : top + height, left : left + width] = images[row, column]
    return page


def _show(axes, page, row_labels, column_labels):
    """Draw a page with a label beside each row and below each column of its images."""
    height, width = (page.shape[0] + GAP) / len(row_labels), (page.shape[1] + GAP) / len(column_labels)
    axes.imshow(page.squeeze(), cmap="gray", vmin=0, vmax=255, interpolation="nearest")
    axes.set_yticks((np.arange(len(row_labels)) + 0.5) * height - GAP / 2, row_labels)
    axes.set_xticks((np.arange(len(column_labels)) + 0.5) * width - GAP / 2, column_labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def best_and_worst(parts, data, notes):
    """Draw reconstructions and traversals of models side by side.

    parts: a list of (title, pictures), pictures with `traversals` (L, V, H, W, C), `values` (V,),
    `reconstructions` (2, n, H, W, C) and `kl_per_latent` (L,), as the training leaves them.
    data: data set and source in writing. notes: the small print.
    """
    import matplotlib

    latents, across = np.max([pictures["traversals"].shape[:2] for _, pictures in parts], axis=0)
    cell = (style.WIDTHS["two"] / len(parts) - 0.7) / across  # inches
    with matplotlib.rc_context(style.PARAMETERS):
        figure = panels.sheet("two", 1.25 + cell * (latents + 2))
        grid = figure.subplots(2, len(parts), height_ratios=[2, latents], squeeze=False)
        for (decoded, traversed), (title, pictures) in zip(grid.T, parts, strict=True):
            values, kl = pictures["values"], pictures["kl_per_latent"]
            originals = pictures["reconstructions"][:, : len(values)]
            _show(decoded, _page(originals), ["original", "decoded"], [""] * originals.shape[1])
            decoded.set_title(title, fontsize=7)
            order = np.argsort(-np.asarray(kl), kind="stable")
            rows = [f"{models.code_name(latent)}  {kl[latent]:.2f} nats" for latent in order]
            columns = [style.value_label("value", value, short=True) for value in values]
            _show(traversed, _page(pictures["traversals"][order]), rows, columns)
            traversed.set_xlabel("value of the latent, the others as in one image")
        figure.suptitle(data, fontsize=7.5)
        models.note(figure, *notes)
    return figure
