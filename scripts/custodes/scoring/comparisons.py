"""Compare the representations of one image data set with one another, by a metric of sets such as UDR."""

import numpy as np

from custodes import registry, streams
from custodes.errors import Undefined
from custodes.scoring.sound_scores import naming, sound
from custodes.statistics.columns import unit_and_constant
from custodes.tables.columns import OK, without_value
from custodes.tables.files import write_rows
from custodes.tables.image_scores import ANY_SETTING, PAIRS, REPRESENTATION_SCORES, SAME_SETTING
from custodes.tables.representations import read_representation
from custodes.tables.trainings import RUN

# Which others a representation is compared with, and the labels that these share with it.
COMPARISONS = {SAME_SETTING: ("model", "setting"), ANY_SETTING: ("model",)}

COLLAPSED = 0.05


def compare_representations(
    metric, paths_to_codes, informative_kl, parameters, seed, path_to_scores, path_to_pairs
):
    """Write one row per representation, comparison and score, and one per pair that is compared.

    informative_kl: mean divergence from the prior, in nats, above which a latent is informative. parameters:
    keyword arguments of the metric's `score_pairs`. seed: of its draws of partners.
    """
    module = registry.load("metrics", metric)
    found = [read_representation(path) for path in paths_to_codes]
    _check_rows(found, paths_to_codes)
    representations = [(one.z_hat, _informative(one, informative_kl)) for one in found]
    scores, pairs = [], []
    for comparison, shared in COMPARISONS.items():
        arguments = parameters | {"groups": [tuple(one.labels[key] for key in shared) for one in found]}
        common = {"metric": metric, "comparison": comparison}
        values_of_each, reason, columns = _compared(module, representations, seed, arguments)
        reason = reason or f"{metric}: no other representation in the group to compare with"
        for one, values in zip(found, values_of_each, strict=True):
            with naming(common | one.labels | {"seed": seed}):
                values = sound(module.METRIC, values) if values else values
            scores += [
                one.labels
                | common
                | {"score": name, "null_permutations": 0}
                | ({"value": values[name], "status": OK} if values else without_value(reason))
                for name in module.METRIC.scores
            ]
        pairs += _pairs(module, found, columns, common)
    write_rows(path_to_scores, scores, REPRESENTATION_SCORES)
    write_rows(path_to_pairs, pairs, PAIRS)


def _check_rows(found, paths):
    for one, path in zip(found, paths, strict=True):
        if not np.array_equal(one.rows, found[0].rows):
            raise ValueError(f"{path}: holds codes of other images than {paths[0]}")


def _informative(one, informative_kl):
    """Which codes carry information (m,): by their divergence from the prior, or else by their spread.

    Without divergences, those do whose standard deviation exceeds the share COLLAPSED of the largest.
    """
    if one.kl_per_latent is None:
        scale, constant = unit_and_constant(one.z_hat)
        common = scale[~constant].max(initial=np.finfo(float).tiny)
        spread = np.where(constant, 0.0, (one.z_hat / common).std(axis=0))
        return spread > COLLAPSED * spread.max()
    return one.kl_per_latent > informative_kl


def _compared(module, representations, seed, arguments):
    """Scores of each representation, why none has one, and the columns of the pairs that they come from."""
    try:
        columns = module.score_pairs(representations, streams.metric(seed), **arguments)
    except Undefined as reason:
        return [{}] * len(representations), reason, {}
    return module.scores_of_pairs(columns, len(representations)), None, columns


def _pairs(module, found, columns, common):
    if not columns:
        return []
    return [
        found[one].labels
        | common
        | {f"partner_{key}": found[other].labels[key] for key in RUN}
        | {name: float(columns[name][place]) for name in module.METRIC.scores}
        for place, (one, other) in enumerate(zip(columns["representation"], columns["partner"], strict=True))
    ]
