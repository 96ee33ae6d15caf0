"""Tables of one image data set: scores of models, their statistics over restarts, agreement of rankings."""

from custodes.analysis.image_tables import aggregate_images

if __name__ == "__main__":
    aggregate_images(
        paths_to_scores=snakemake.input.scores,
        metrics=snakemake.params.metrics,
        labels=snakemake.params.labels,
        seed=snakemake.params.seed,
        path_to_models=snakemake.output.models,
        path_to_settings=snakemake.output.settings,
        path_to_rankings=snakemake.output.rankings,
    )
