"""Compare the representations of one image data set with one another, by a metric of sets such as UDR."""

from custodes.scoring.comparisons import compare_representations

if __name__ == "__main__":
    compare_representations(
        metric=snakemake.wildcards.metric,
        paths_to_codes=snakemake.input.codes,
        informative_kl=snakemake.params.informative_kl,
        parameters=snakemake.params.parameters,
        seed=snakemake.params.seed,
        path_to_scores=snakemake.output.scores,
        path_to_pairs=snakemake.output.pairs,
    )
