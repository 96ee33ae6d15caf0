"""Rows of scores: of one pair of factors and codes, and of many in several processes."""

from scripts.core import null, random, registry, tables
from scripts.core.errors import Undefined


def score_rows(metric, z, z_hat, *, seed, split, parameters, permutations):
    """A row for each score of a metric, with `tables.SCORES` as far as they are defined.

    z (n, d), z_hat (n, m). seed: of the metric's own draws and of the permutations. split, parameters: as
    for the metric's `score`. permutations: of the null calibration, 0 for none.
    """
    module = registry.load("metrics", metric)
    common = {"metric": metric, "null_permutations": 0}
    try:
        scores = module.score(z, z_hat, random.metric(seed), split=split, **parameters)
    except Undefined as reason:
        return [common | {"score": name, "status": str(reason)} for name in module.SCORES]
    nulls = null.null_scores(module, z, z_hat, permutations, seed, split, parameters)
    return [
        common | {"score": name} | outcome(scores[name]) | null.calibration(module, name, scores[name], nulls)
        for name in module.SCORES
    ]


def outcome(value):
    """Columns `value` and `status` of a score, which may be an Undefined."""
    if isinstance(value, Undefined):
        return {"status": str(value)}
    return {"value": value, "status": tables.OK}


def in_processes(function, items, processes, cost=None):
    """[function(item) for item in items] in several processes; the items of the largest cost start first."""
    if processes == 1:
        return [function(item) for item in items]
    from joblib import Parallel, delayed

    # Largest first, so that no process is left alone with a long item at the end.
    order = sorted(range(len(items)), key=lambda index: -cost(items[index])) if cost else range(len(items))
    pool = Parallel(n_jobs=processes, inner_max_num_threads=1, batch_size=1)
    done = pool(delayed(function)(items[index]) for index in order)
    return [result for _, result in sorted(zip(order, done, strict=True), key=lambda pair: pair[0])]
