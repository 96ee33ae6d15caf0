"""Compare the representations of one image data set with one another, by a metric of sets such as UDR."""

import numpy as np

from custodes import registry, streams
from custodes.errors import Undefined
from custodes.scoring import blocks
from custodes.scoring.sound_scores import naming, sound
from custodes.statistics.columns import unit_and_constant
from custodes.tables.files import write_rows
from custodes.tables.image_scores import PAIRS, REPRESENTATION_SCORES
from custodes.tables.representations import read_representation

# Which others a representation is compared with, and the labels that these share with it.
COMPARISONS = {"same setting": ("model", "setting"), "any setting": ("model",)}

COLLAPSED = (
    0.05  # standard deviation of such a code, as a share of the largest: that of metrics.factor_vae_score
)


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
        values_of_each, columns = _compared(module, representations, seed, arguments)
        for one, values in zip(found, values_of_each, strict=True):
            with naming(one.labels | {"comparison": comparison, "seed": seed}):
                values = sound(metric, module.METRIC, values)
            scores += [
                one.labels | common | {"score": name, "null_permutations": 0} | blocks.outcome(value)
                for name, value in values.items()
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

    Without divergences those have collapsed whose standard deviation is below a twentieth of the largest.
    """
    if one.kl_per_latent is None:
        scale, constant = unit_and_constant(one.z_hat)
        common = scale[~constant].max(initial=np.finfo(float).tiny)
        spread = np.where(constant, 0.0, (one.z_hat / common).std(axis=0))
        return spread > COLLAPSED * spread.max()
    return one.kl_per_latent > informative_kl


def _compared(module, representations, seed, arguments):
    """Scores of each representation, and the columns of the pairs that they come from."""
    try:
        columns = module.score_pairs(representations, streams.metric(seed), **arguments)
    except Undefined as reason:
        return [dict.fromkeys(module.METRIC.scores, reason)] * len(representations), {}
    return module.scores_of_pairs(columns, len(representations)), columns


def _pairs(module, found, columns, common):
    if not columns:
        return []
    keys = ("model", "setting", "restart")
    return [
        found[one].labels
        | common
        | {f"partner_{key}": found[other].labels[key] for key in keys}
        | {name: float(columns[name][place]) for name in module.METRIC.scores}
        for place, (one, other) in enumerate(zip(columns["representation"], columns["partner"], strict=True))
    ]
