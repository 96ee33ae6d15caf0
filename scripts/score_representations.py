"""Score every representation of one image data set with one metric."""

from functools import partial
from pathlib import Path

from scripts.core import prepared, scoring, tables


def score_representations(
    metric, folder, paths_to_codes, parameters, permutations, seed, threads, path_to_scores
):
    """Write one row per representation and score.

    folder: of the prepared data set; factors are the classes of the encoded images. parameters: keyword
    arguments of the metric's `score`. permutations: of the null calibration, 0 for none. seed: of what the
    metric draws, the same for all representations. threads: processes to use; the scores do not depend on it.
    """
    score = partial(
        _score,
        classes=prepared.read(folder).classes,
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
        folder=Path(snakemake.input.factors).parent,
        paths_to_codes=snakemake.input.codes,
        parameters=snakemake.params.parameters,
        permutations=snakemake.params.permutations,
        seed=snakemake.params.seed,
        threads=snakemake.threads,
        path_to_scores=snakemake.output.scores,
    )
