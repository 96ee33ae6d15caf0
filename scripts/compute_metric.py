"""Score every code of one experiment and factor distribution with one metric."""

import numpy as np

from scripts.core import null, random, registry, tables
from scripts.core.errors import Undefined


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
    arguments = (metric, parameters, split, permutations)
    if threads == 1:
        blocks = [_score_draw(draw, *arguments) for draw in draws]
    else:
        from joblib import Parallel, delayed

        # Largest first, so that no worker is left alone with a long draw at the end.
        order = sorted(range(len(draws)), key=lambda index: -draws[index][1].size * draws[index][2].shape[1])
        pool = Parallel(n_jobs=threads, inner_max_num_threads=1, batch_size=1)
        done = pool(delayed(_score_draw)(draws[index], *arguments) for index in order)
        blocks = [rows for _, rows in sorted(zip(order, done, strict=True), key=lambda pair: pair[0])]
    columns = tables.LABELS | tables.SEED | tables.SCORES
    tables.write_rows(path_to_scores, [row for rows in blocks for row in rows], columns)


def _score_draw(draw, metric, parameters, split, permutations):
    """Rows of one draw: its labels with each score, or with the reason why there is none."""
    labels, z, z_hat = draw
    module = registry.load("metrics", metric)
    seed = labels["seed"]
    rows = _rows(split, len(z), seed)
    common = labels | {"metric": metric, "null_permutations": 0}
    try:
        scores = module.score(z, z_hat, random.metric(seed), split=rows, **parameters)
    except Undefined as reason:
        return [common | {"score": name, "status": str(reason)} for name in module.SCORES]
    nulls = null.null_scores(module, z, z_hat, permutations, seed, rows, parameters)
    return [
        common
        | {"score": name}
        | _outcome(scores[name])
        | null.calibration(module, name, scores[name], nulls)
        for name in module.SCORES
    ]


def _outcome(value):
    if isinstance(value, Undefined):
        return {"status": str(value)}
    return {"value": value, "status": tables.OK}


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
