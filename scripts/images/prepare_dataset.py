"""Prepare one image data set: its images and factors in files that the later stages read."""

from pathlib import Path

from custodes import registry, streams
from custodes.images import prepared


def prepare_dataset(dataset, source, options, images, seed, folder):
    """Write the prepared data set into `folder`; see `custodes/images/prepared.py` for its files.

    source, options: see `custodes.images.sources`. images: how many of the images, drawn without replacement
    from `seed` and kept in order; None: all of them.
    """
    data = registry.load("datasets", dataset).load(source, **options)
    rows = streams.chosen(len(data), images, streams.subset(seed))
    prepared.write(data, rows, folder)


if __name__ == "__main__":
    prepare_dataset(
        dataset=snakemake.wildcards.dataset,
        source=snakemake.params.source,
        options=snakemake.params.options,
        images=snakemake.params.images,
        seed=snakemake.params.seed,
        folder=Path(snakemake.output.images).parent,
    )
