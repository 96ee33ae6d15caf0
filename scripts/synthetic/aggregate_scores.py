"""Reduce the scores of one experiment to one row per cell and score: statistics over seeds."""

from custodes.tables.experiment_tables import aggregate_scores

if __name__ == "__main__":
    aggregate_scores(
        paths_to_scores=snakemake.input.scores,
        protocol=snakemake.wildcards.protocol,
        experiment=snakemake.wildcards.experiment,
        scores=snakemake.params.scores,
        cells=snakemake.params.cells,
        seeds=snakemake.params.seeds,
        seed_offset=snakemake.params.seed_offset,
        split=snakemake.params.split,
        path_to_table=snakemake.output.table,
    )
