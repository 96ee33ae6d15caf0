"""Draw what one trained model makes of images: latent traversals and reconstructions, as PNG."""

from custodes.image_plots.mosaics import draw_pictures

if __name__ == "__main__":
    draw_pictures(
        path_to_pictures=snakemake.input.pictures,
        labels=snakemake.params.labels,
        outputs=dict(snakemake.output.items()),
    )
