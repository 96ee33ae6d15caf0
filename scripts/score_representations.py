"""Score every representation of one image data set with one metric."""

from functools import partial

from scripts.core import scoring, tables


def score_representations(
    metric, path_to_factors, paths_to_codes, parameters, permutations, seed, threads, path_to_scores
):
    """Write one row per representation and score.

    Factors are the classes of the encoded images. parameters: keyword arguments of the metric's `score`.
    permutations: of the null calibration, 0 for none. seed: of what the metric draws, the same for all
    representations. threads: processes to use; the scores do not depend on it.
    """
    score = partial(
        _score,
        classes=tables.read_factor_classes(path_to_factors),
        metric=metric,
        seed=seed,
        split=None,
        parameters=parameters,
        permutations=permutations,
    )
    blocks = scoring.in_processes(score, paths_to_codes, threads)
    tables.write_rows(path_to_scores, [row for rows in blocks for row in rows], tables.REPRESENTATION_SCORES)


def _score(path, classes, metric, **arguments):
    found = tables.read_representation(path)
    rows = scoring.score_rows(metric, classes[found.rows], found.z_hat, **arguments)
    return [found.labels | row for row in rows]


if __name__ == "__main__":
    score_representations(
        metric=snakemake.wildcards.metric,
        path_to_factors=snakemake.input.factors,
        paths_to_codes=snakemake.input.codes,
        parameters=snakemake.params.parameters,
        permutations=snakemake.params.permutations,
        seed=snakemake.params.seed,
        threads=snakemake.threads,
        path_to_scores=snakemake.output.scores,
    )
