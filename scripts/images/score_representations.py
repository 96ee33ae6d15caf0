"""Score every representation of one image data set with one metric."""

from pathlib import Path

from custodes.scoring.representations import score_representations

if __name__ == "__main__":
    score_representations(
        metric=snakemake.wildcards.metric,
        folder=Path(snakemake.input.factors).parent,
        paths_to_codes=snakemake.input.codes,
        parameters=snakemake.params.parameters,
        permutations=snakemake.params.permutations,
        seed=snakemake.params.seed,
        threads=snakemake.threads,
        paths_to_code=snakemake.input.code,
        path_to_scores=snakemake.output.scores,
    )
