"""Take over codes that a user's own encoder gave for the images of a data set."""

from custodes import streams
from custodes.images.image_set import open_images
from custodes.images.own_codes import import_codes

if __name__ == "__main__":
    image_count = len(open_images(snakemake.input.images))
    import_codes(
        path_to_user_codes=snakemake.input.user_codes,
        image_count=image_count,
        labels=snakemake.params.labels,
        path_to_codes=snakemake.output.codes,
        kept=streams.chosen(image_count, snakemake.params.image_count, streams.images(snakemake.params.seed)),
    )
