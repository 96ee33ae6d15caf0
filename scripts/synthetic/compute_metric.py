"""Score every code of one experiment and factor distribution with one metric."""

from custodes.scoring.draws import compute_metric

if __name__ == "__main__":
    compute_metric(
        metric=snakemake.params.metric,
        path_to_factors=snakemake.input.factors,
        paths_to_codes=snakemake.input.codes,
        parameters=snakemake.params.parameters,
        split=snakemake.params.split,
        permutations=snakemake.params.permutations,
        threads=snakemake.threads,
        paths_to_code=snakemake.input.code,
        path_to_scores=snakemake.output.scores,
        variant=(snakemake.wildcards.metric, snakemake.params.score) if snakemake.params.score else None,
    )
