"""Rows of scores: of one pair of factors and codes, and of many in several processes."""

from functools import partial
from typing import NamedTuple

import numpy as np

from custodes import registry
from custodes.scoring import fingerprints, null_calibration
from custodes.scoring.sound_scores import naming
from custodes.tables.columns import FINGERPRINT, SCORES
from custodes.tables.files import write_rows


class Draw(NamedTuple):
    """Factors z (n, d) and codes z_hat (n, m) to score.

    labels: the columns that say which. seed: of the metric's own draws and of the permutations. split: as for
    the metric's `score`.
    """

    labels: dict
    seed: int
    split: tuple | None
    z: np.ndarray
    z_hat: np.ndarray


def score_draws(
    metric, draws, parameters, permutations, threads, path_to_scores, paths_to_code, columns, variant=None
):
    """Write a row for each draw and score to `path_to_scores`; draws that its rows know are not scored again.

    parameters: keyword arguments of the metric's `score`. permutations: of the null calibration, 0 for none.
    threads: processes to use; the scores do not depend on it. paths_to_code: all source files of the job.
    columns: typed columns of the labels. variant: None, or the name of a variant and the score that it is:
    only this one is written, under the name of the variant.
    """
    arguments = {
        "metric": metric,
        "parameters": parameters,
        "permutations": permutations,
        "variant": variant,
    }
    common = fingerprints.context(paths_to_code, **arguments)
    prints = [fingerprints.fingerprint(common, draw.seed, draw.split, draw.z, draw.z_hat) for draw in draws]
    known = fingerprints.kept_rows(path_to_scores)
    new = {own: draw for own, draw in zip(prints, draws, strict=True) if own not in known}
    blocks = in_processes(partial(_draw_rows, **arguments), list(new.values()), threads, _work)
    for own, rows in zip(new, blocks, strict=True):
        known[own] = [row | {"fingerprint": own} for row in rows]
    if len(new) < len(set(prints)):
        print(f"{path_to_scores}: {len(set(prints)) - len(new)} of {len(set(prints))} draws kept")
    rows = [draw.labels | row for own, draw in zip(prints, draws, strict=True) for row in known[own]]
    write_rows(path_to_scores, rows, columns | SCORES | FINGERPRINT)


def _draw_rows(draw, variant, **arguments):
    with naming({"metric": arguments["metric"]} | draw.labels | {"seed": draw.seed}):
        rows = score_rows(z=draw.z, z_hat=draw.z_hat, seed=draw.seed, split=draw.split, **arguments)
    if variant is None:
        return rows
    name, score = variant
    return [row | {"metric": name, "score": name} for row in rows if row["score"] == score]


def _work(draw):
    return draw.z.size * draw.z_hat.shape[1]


def score_rows(metric, z, z_hat, *, seed, split, parameters, permutations):
    """A row for each score of a metric, with `SCORES` as far as they are defined.

    z (n, d), z_hat (n, m). seed: of the metric's own draws and of the permutations. split, parameters: as
    for the metric's `score`. permutations: of the null calibration, 0 for none.
    """
    module = registry.load("metrics", metric)
    found = null_calibration.null_calibrate(
        module, z, z_hat, permutations, seed=seed, split=split, **parameters
    )
    return [{"metric": metric, "score": name} | columns for name, columns in found.items()]


def in_processes(function, items, processes, cost):
    """[function(item) for item in items] in several processes; the items of the largest cost start first."""
    if processes == 1:
        return [function(item) for item in items]
    from joblib import Parallel, delayed

    # Largest first, so that no process is left alone with a long item at the end.
    order = sorted(range(len(items)), key=lambda index: -cost(items[index]))
    pool = Parallel(n_jobs=processes, inner_max_num_threads=1, batch_size=1)
    done = pool(delayed(function)(items[index]) for index in order)
    return [result for _, result in sorted(zip(order, done, strict=True), key=lambda pair: pair[0])]
