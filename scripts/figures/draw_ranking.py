"""Draw a figure over all models of one image data set, or of the best and the worst of them by UDR."""

from custodes.image_plots.data_set_figures import draw_ranking

if __name__ == "__main__":
    draw_ranking(
        name=snakemake.wildcards.ranking,
        dataset=snakemake.wildcards.dataset,
        inputs=dict(snakemake.input.items()),
        trained=snakemake.params.trained,
        informative_kl=snakemake.params.informative_kl,
        permutations=snakemake.params.permutations,
        seed=snakemake.params.seed,
        paths_to_figure=snakemake.output,
    )
