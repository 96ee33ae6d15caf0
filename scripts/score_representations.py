"""Score every representation of one image data set with one metric."""

from pathlib import Path

from scripts.core import prepared, scoring, tables


def score_representations(
    metric,
    folder,
    paths_to_codes,
    parameters,
    permutations,
    seed,
    threads,
    paths_to_code,
    path_to_scores,
):
    """Write one row per representation and score.

    folder: of the prepared data set; factors are the classes of the encoded images. seed: of what the
    metric draws, the same for all representations. The rest as for `scoring.score_draws`.
    """
    classes = prepared.read(folder).classes
    found = [tables.read_representation(path) for path in paths_to_codes]
    scoring.score_draws(
        metric,
        [scoring.Draw(one.labels, seed, None, classes[one.rows], one.z_hat) for one in found],
        parameters,
        permutations,
        threads,
        path_to_scores,
        paths_to_code,
        columns=tables.REPRESENTATION | tables.COMPARISON,
    )


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
