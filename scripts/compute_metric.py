"""Score every code of one experiment and factor distribution with one metric."""

from functools import partial

import numpy as np

from scripts.core import random, scoring, tables


def compute_metric(
    metric, path_to_factors, paths_to_codes, parameters, split, permutations, threads, path_to_scores
):
    """Write one row per draw and score.

    parameters: keyword arguments of the metric's `score`. split: "none", "in_sample" or a mapping
    with `test_fraction`. permutations: of the null calibration, 0 for none. threads: processes to
    use; the scores do not depend on it.
    """
    factors = tables.factors_by_label(path_to_factors)
    draws = [
        (labels, factors[tables.factor_key(labels)], z_hat)
        for path in paths_to_codes
        for labels, z_hat in zip(*tables.read_draws(path, "z_hat"), strict=True)
    ]
    score = partial(_score_draw, metric=metric, parameters=parameters, split=split, permutations=permutations)
    blocks = scoring.in_processes(score, draws, threads, cost=_work)
    columns = tables.LABELS | tables.SEED | tables.SCORES
    tables.write_rows(path_to_scores, [row for rows in blocks for row in rows], columns)


def _work(draw):
    _, z, z_hat = draw
    return z.size * z_hat.shape[1]


def _score_draw(draw, metric, parameters, split, permutations):
    """Rows of one draw: its labels with each score, or with the reason why there is none."""
    labels, z, z_hat = draw
    seed = labels["seed"]
    rows = scoring.score_rows(
        metric,
        z,
        z_hat,
        seed=seed,
        split=_rows(split, len(z), seed),
        parameters=parameters,
        permutations=permutations,
    )
    return [labels | row for row in rows]


def _rows(split, n, seed):
    if split == "none":
        return None
    if split == "in_sample":
        return np.arange(n), np.arange(n)
    return random.row_split(n, seed, split["test_fraction"])


if __name__ == "__main__":
    compute_metric(
        metric=snakemake.wildcards.metric,
        path_to_factors=snakemake.input.factors,
        paths_to_codes=snakemake.input.codes,
        parameters=snakemake.params.parameters,
        split=snakemake.params.split,
        permutations=snakemake.params.permutations,
        threads=snakemake.threads,
        path_to_scores=snakemake.output.scores,
    )
