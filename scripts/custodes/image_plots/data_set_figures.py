"""Draw a figure over all models of one image data set, or of the best and the worst of them by UDR."""

from pathlib import Path

import numpy as np

from custodes import streams
from custodes.analysis import associations, rank_agreement
from custodes.drawing import files, marks, style
from custodes.errors import Undefined
from custodes.image_plots import matrices, models, mosaics, partners, rankings, training_curves
from custodes.images import prepared
from custodes.tables.files import read_frame
from custodes.tables.image_scores import SAME_SETTING
from custodes.tables.representations import read_representation
from custodes.tables.trainings import RUN

UDR = "udr_lasso"  # by which models are ranked
DRAWS = 200  # random choices of the partners


def draw_ranking(name, dataset, inputs, trained, informative_kl, permutations, seed, paths_to_figure):
    """Draw one of six figures; where what it shows is undefined it says why.

    inputs: lists of files by kind, the kinds of `study.image_figures.RANKINGS`; those of `prepared` are one
    data set. trained: RUN of each of the pictures. informative_kl: nats. permutations:
    of the null of each code's IRS. seed: of all draws. paths_to_figure: the PDF and PNG files to write.
    """
    rng = streams.metric(seed)

    def read(kind):
        return read_frame(inputs[kind])

    def mi_against_irs():
        rows = _codes(Path(inputs["prepared"][0]).parent, inputs["codes"], permutations, rng)
        return matrices.mi_against_irs(rows, informative_kl=informative_kl)

    def effect_of_partners():
        table, pairs = read("models"), read("pairs")
        scores, pairs = table[table["comparison"].isna()], pairs[pairs["comparison"] == SAME_SETTING]
        if pairs.empty:
            raise Undefined(f"udr: no models of the {SAME_SETTING} were compared")
        references = rankings.supervised(scores)
        agreement = rank_agreement.agreement_by_partners(scores, pairs, UDR, references, DRAWS, rng)
        return partners.effect_of_partners(agreement, table, udr=UDR)

    def best_and_worst():
        return _best_and_worst(read("models"), dict(zip(trained, inputs["pictures"], strict=True)))

    figures = {
        "mi_against_irs": mi_against_irs,
        "udr_against_scores": lambda: rankings.udr_against_scores(read("models"), read("rankings"), udr=UDR),
        "score_profiles": lambda: rankings.score_profiles(read("models"), read("settings")),
        "effect_of_partners": effect_of_partners,
        "best_and_worst": best_and_worst,
        "training_curves": lambda: training_curves.training_curves(read("curves")),
    }
    try:
        figure = figures[name]()
    except Undefined as reason:
        figure = models.undefined(style.value_label("dataset", dataset), reason)
    files.write(figure, paths_to_figure)


def _codes(folder, paths_to_codes, permutations, rng):
    """One row per code of each representation, as `matrices.mi_against_irs` takes them."""
    import pandas as pd

    classes = prepared.read(folder).classes
    parts = []
    for path in paths_to_codes:
        found = read_representation(path)
        z, z_hat = classes[found.rows], found.z_hat
        robustness = associations.beside_null(associations.robustness, z, z_hat, permutations, rng)
        columns = {
            "n": len(z),
            "code": np.arange(z_hat.shape[1]),
            "kl": np.nan if found.kl_per_latent is None else found.kl_per_latent,
            "modularity": associations.information(z, z_hat, rng).scores,
            "irs": robustness.scores,
            "irs_null": robustness.null,
        }
        parts.append(pd.DataFrame(found.labels | columns))
    return pd.concat(parts, ignore_index=True)


def _best_and_worst(table, paths_to_pictures):
    """The figure of the first and the last model by UDR, of those that have pictures."""
    own = table[(table["score"] == UDR) & (table["comparison"] == SAME_SETTING) & table["value"].notna()]
    keys = own[list(RUN)].apply(tuple, axis=1)
    own = own[keys.isin(list(paths_to_pictures))].sort_values(["value", *RUN])
    if len(own) < 2:
        raise Undefined(f"best and worst of {len(own)} models with {UDR}: at least 2 are needed")
    parts = []
    for name, row in (("best", own.iloc[-1]), ("worst", own.iloc[0])):
        labels = row.to_dict()
        score = f"{style.value_label('score', UDR)} {marks.two_decimals(row['value'])}"
        with np.load(paths_to_pictures[tuple(labels[key] for key in RUN)]) as pictures:
            parts.append((f"{name} of {len(own)}, {score}\n{models.described(labels)}", dict(pictures)))
    notes = (models.images(own), models.restarts(own), "KL of each latent in nats, largest on top")
    return mosaics.best_and_worst(parts, models.data_set(own), notes)
