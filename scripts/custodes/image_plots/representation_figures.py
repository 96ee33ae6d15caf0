"""Draw what the codes of one representation do with the factors: matrices, effects, violins."""

import numpy as np

from custodes import streams
from custodes.analysis import associations, interventional_effects
from custodes.drawing import files
from custodes.errors import Undefined
from custodes.image_plots import effects as effect_plots
from custodes.image_plots import matrices, models
from custodes.images import prepared
from custodes.tables.representations import read_representation

MOST_CODES = 12  # in one figure
KINDS = {
    "robustness": associations.robustness,
    "importance": associations.importance,
    "information": associations.information,
}


def draw_representation(folder, path_to_codes, informative_kl, permutations, seed, paths_to_figures):
    """Draw the figures `irs_matrices`, `interventions` and `violins` of one representation.

    folder: of the prepared data set. informative_kl: in nats; codes that diverge less from the prior are left
    out of effects and violins. permutations: of the null of the scores. seed: of the forests and the
    permutations. paths_to_figures: for each figure the files to write, as PDF or PNG. Where IRS is undefined
    they say why.
    """
    found = read_representation(path_to_codes)
    data = prepared.read(folder)
    z, labels = data.classes[found.rows], found.labels
    try:
        figures = _figures(found, z, data.grid.names, informative_kl, permutations, streams.metric(seed))
    except Undefined as reason:
        title = f"{models.described_data(labels)}: {models.described(labels)}"
        figures = {name: models.undefined(title, reason) for name in paths_to_figures}
    for name, paths in paths_to_figures.items():
        files.write(figures[name], paths)


def _figures(found, z, factors, informative_kl, permutations, rng):
    """The figures by name; z (n, d) are the classes of the encoded images."""
    kl = found.kl_per_latent
    kinds = {
        name: associations.beside_null(measure, z, found.z_hat, permutations, rng)
        for name, measure in KINDS.items()
    }
    codes = associations.most_informative(kinds["information"].matrix, MOST_CODES)
    followed = kinds["robustness"].matrix.argmax(axis=1)
    loud = codes if kl is None else codes[kl[codes] > informative_kl]
    loud = loud if len(loud) else codes
    merged = interventional_effects.in_few_levels(z)
    labels = found.labels | {"n": len(z), "m": found.z_hat.shape[1]}
    notes = [
        f"neighbouring classes merged into {interventional_effects.LEVELS}" if np.any(z != merged) else "",
        f"{len(loud)} of {labels['m']} codes, KL above {informative_kl:g} nats"
        if len(loud) < labels["m"]
        else "",
    ]
    table = interventional_effects.interventional_effects(merged, found.z_hat, followed)
    leaf = associations.smallest_leaf(len(z))
    options = {"leaf": leaf, "kl": kl, "informative_kl": informative_kl}
    return {
        "irs_matrices": matrices.irs_matrices(kinds, codes, factors, labels, **options),
        "interventions": effect_plots.interventions(table, loud, factors, labels, notes=notes),
        "violins": effect_plots.violins(merged, found.z_hat, loud, factors, labels, notes=notes),
    }
