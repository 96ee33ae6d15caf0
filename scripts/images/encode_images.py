"""Encode the images of a data set with one trained model."""

from custodes.images.image_set import open_images
from custodes.vae.encoding import encode_images

if __name__ == "__main__":
    encode_images(
        images=open_images(snakemake.input.images),
        white=snakemake.params.white,
        path_to_weights=snakemake.input.weights,
        count=snakemake.params.image_count,
        seed=snakemake.params.seed,
        sample=snakemake.params.sample,
        labels=snakemake.params.labels,
        path_to_codes=snakemake.output.codes,
    )
