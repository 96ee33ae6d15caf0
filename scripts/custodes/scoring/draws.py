"""Score every code of one experiment and factor distribution with one metric."""

import numpy as np

from custodes import streams
from custodes.scoring import blocks
from custodes.tables.columns import LABELS, SEED, factor_key
from custodes.tables.draws import factors_by_label, read_draws


def compute_metric(
    metric,
    path_to_factors,
    paths_to_codes,
    parameters,
    split,
    permutations,
    threads,
    paths_to_code,
    path_to_scores,
    variant=None,
):
    """Write one row per draw and score.

    split: "none", "in_sample" or a mapping with `test_fraction`. The rest as for `blocks.score_draws`.
    """
    factors = factors_by_label(path_to_factors)
    draws = []
    for path in paths_to_codes:
        for labels, z_hat in zip(*read_draws(path, "z_hat"), strict=True):
            seed = labels["seed"]
            z = factors[factor_key(labels, seed)]
            draws.append(blocks.Draw(labels, seed, _rows(split, len(z), seed), z, z_hat))
    blocks.score_draws(
        metric,
        draws,
        parameters,
        permutations,
        threads,
        path_to_scores,
        paths_to_code,
        columns=LABELS | SEED,
        variant=variant,
    )


def _rows(split, n, seed):
    if split == "none":
        return None
    if split == "in_sample":
        return np.arange(n), np.arange(n)
    return streams.row_split(n, seed, split["test_fraction"])
