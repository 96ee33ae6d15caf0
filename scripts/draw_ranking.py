"""Draw the figures over all models of one image data set, and its best and worst model by UDR."""

import numpy as np

from scripts.core import correspondence, figure_files, random, ranking, tables
from scripts.plots import marks, matrices, models, mosaics, rankings, style, training_curves

DRAWS = 200  # random choices of the partners
WITHIN = "same setting"


def draw_ranking(
    path_to_factors,
    paths_to_codes,
    paths_to_tables,
    paths_to_curves,
    paths_to_pictures,
    udr,
    informative_kl,
    permutations,
    seed,
    paths_to_figures,
):
    """Draw the figures of `FIGURES`, as far as `paths_to_figures` names them.

    paths_to_tables: `models`, `settings`, `rankings` and `pairs` of the data set. paths_to_curves,
    paths_to_pictures: those of the models trained here, keyed by (model, setting, restart) as are the labels
    of the pictures. udr: the score by which models are ranked. informative_kl: nats. permutations: of the
    null of each code's IRS. seed: of all draws. paths_to_figures: for each figure its files.
    """
    read = {name: tables.read_frame([path]) for name, path in paths_to_tables.items()}
    table, rng = read["models"], random.metric(seed)
    pairs = read["pairs"][read["pairs"]["comparison"] == WITHIN]

    def mi_against_irs():
        rows = _codes(path_to_factors, paths_to_codes, permutations, rng)
        return matrices.mi_against_irs(rows, informative_kl=informative_kl)

    def effect_of_partners():
        scores = table[table["comparison"].isna()]
        references = rankings.supervised(scores)
        agreement = ranking.agreement_by_partners(scores, pairs, udr, references, DRAWS, rng)
        return rankings.effect_of_partners(agreement, table, udr=udr)

    figures = {
        "mi_against_irs": mi_against_irs,
        "udr_against_scores": lambda: rankings.udr_against_scores(table, read["rankings"], udr=udr),
        "score_profiles": lambda: rankings.score_profiles(table, read["settings"]),
        "effect_of_partners": effect_of_partners,
        "best_and_worst": lambda: _best_and_worst(table, udr, paths_to_pictures),
        "training_curves": lambda: training_curves.training_curves(tables.read_frame(paths_to_curves)),
    }
    for name, paths in paths_to_figures.items():
        figure_files.write(figures[name](), paths)


def _codes(path_to_factors, paths_to_codes, permutations, rng):
    """One row per code of each representation, as `matrices.mi_against_irs` takes them."""
    import pandas as pd

    classes = tables.read_factor_classes(path_to_factors)
    parts = []
    for path in paths_to_codes:
        found = tables.read_representation(path)
        z, z_hat = classes[found.rows], found.z_hat
        robustness = correspondence.beside_null(correspondence.robustness, z, z_hat, permutations, rng)
        columns = {
            "n": len(z),
            "code": np.arange(z_hat.shape[1]),
            "kl": np.nan if found.kl_per_latent is None else found.kl_per_latent,
            "modularity": correspondence.information(z, z_hat, rng).scores,
            "irs": robustness.scores,
            "irs_null": robustness.null,
        }
        parts.append(pd.DataFrame(found.labels | columns))
    return pd.concat(parts, ignore_index=True)


def _best_and_worst(table, udr, paths_to_pictures):
    """The figure of the first and the last model by UDR, of those that have pictures."""
    own = table[(table["score"] == udr) & (table["comparison"] == WITHIN) & table["value"].notna()]
    keys = own[models.MODEL].apply(tuple, axis=1)
    own = own[keys.isin(list(paths_to_pictures))].sort_values(["value", *models.MODEL])
    if len(own) < 2:
        raise ValueError(f"best and worst of {len(own)} models with {udr}: at least 2 are needed")
    parts = []
    for name, row in (("best", own.iloc[-1]), ("worst", own.iloc[0])):
        labels = row.to_dict()
        score = f"{style.value_label('score', udr)} {marks.two_decimals(row['value'])}"
        with np.load(paths_to_pictures[tuple(labels[key] for key in models.MODEL)]) as pictures:
            parts.append((f"{name} of {len(own)}, {score}\n{models.described(labels)}", dict(pictures)))
    notes = (models.images(own), models.restarts(own), "KL of each latent in nats, largest on top")
    return mosaics.best_and_worst(parts, models.data_set(own), notes)


if __name__ == "__main__":
    draw_ranking(
        path_to_factors=snakemake.input.factors,
        paths_to_codes=snakemake.input.codes,
        paths_to_tables={name: snakemake.input[name] for name in ("models", "settings", "rankings", "pairs")},
        paths_to_curves=snakemake.input.curves,
        paths_to_pictures=dict(zip(snakemake.params.trained, snakemake.input.pictures, strict=True)),
        udr=snakemake.params.udr,
        informative_kl=snakemake.params.informative_kl,
        permutations=snakemake.params.permutations,
        seed=snakemake.params.seed,
        paths_to_figures=dict(snakemake.output.items()),
    )
