"""How far scores agree on the order of models, and what the number of partners does to UDR.

Source: "Unsupervised Model Selection for Variational Disentangled Representation Learning", section 5:
Spearman's correlation of two rankings of the same models (Tbl. 1), and of UDR with P partners (Tbl. 2).
"""

import numpy as np

from custodes.errors import Undefined
from custodes.statistics.columns import constant_columns, ranks, unit_columns
from custodes.statistics.inputs import check_array
from custodes.tables.columns import COVERAGE, OK, STATUS, without_value
from custodes.tables.trainings import CLASS, MODEL

FEWEST_MODELS = 3  # two agree or disagree fully
FEWEST_RESAMPLES = 100


def compare_rankings(table, scores, rng, *, references=None, by=CLASS, identity=tuple(MODEL), **options):
    """Agreement of each of `scores` with each reference, within each group of models, as a DataFrame.

    table: a DataFrame with the columns `identity`, which tell models apart, score, and value (null where
    undefined). scores, references: names of scores; references None: all others in the table.
    by: the columns that make a group, part of `identity`. options: of `agreement`.
    Columns of the result: `by`, score, reference, those of `agreement` over the models that have both
    scores, and status: ok, or undefined for a reason, and these columns are null.
    """
    import pandas as pd

    values = table.pivot(index=list(identity), columns="score", values="value").astype(float)
    if references is None:
        references = [name for name in values.columns if name not in scores]
    rows = []
    for key, models in values.groupby(level=list(by)):
        labels = dict(zip(by, key, strict=True))
        for score in scores:
            for reference in references:
                both = models[[score, reference]].dropna().to_numpy()
                try:
                    found = agreement(*both.T, rng, **options) | {"status": OK}
                except Undefined as reason:
                    found = {"models": len(both)} | without_value(reason)
                rows.append(labels | {"score": score, "reference": reference} | found)
    columns = [*by, "score", "reference", "correlation", "ci_low", "ci_high", "models", *STATUS]
    return pd.DataFrame(rows, columns=columns)


def agreement(scores, reference, rng, *, resamples=2000, coverage=COVERAGE):
    """Spearman's correlation of scores (models,) and reference (models,), with a bootstrap interval.

    Returns correlation, ci_low, ci_high (percentiles that hold `coverage` of the correlations of models
    drawn with replacement; draws in which all scores are equal are left out) and models, their number.
    The interval takes models as independent, though UDR compares them with one another.
    Raises Undefined for fewer than 3 models and where all have the same score.
    """
    if resamples < FEWEST_RESAMPLES or not 0 < coverage < 1:
        raise ValueError(
            f"resamples = {resamples}, coverage = {coverage}: {FEWEST_RESAMPLES} or more, and between 0 and 1"
        )
    correlation = rank_correlations(scores, reference)
    drawn = rng.integers(len(reference), size=(len(reference), resamples))
    scores, reference = np.asarray(scores)[drawn], np.asarray(reference)[drawn]
    usable = ~(constant_columns(scores) | constant_columns(reference))
    found = (_unit_ranks(scores[:, usable]) * _unit_ranks(reference[:, usable])).sum(axis=0)
    low, high = np.quantile(found, [(1 - coverage) / 2, (1 + coverage) / 2])
    return {
        "correlation": float(correlation),
        "ci_low": float(low),
        "ci_high": float(high),
        "models": len(drawn),
    }


def rank_correlations(scores, reference):
    """Spearman's correlations (...) of rankings `scores` (..., models) with `reference` (models,).

    Raises Undefined for fewer than 3 models and where all have the same score.
    """
    scores, reference = np.asarray(scores), np.asarray(reference)
    models = len(reference)
    if scores.shape[-1] != models:
        raise ValueError(f"scores are of {scores.shape[-1]} models and reference of {models}")
    if models < FEWEST_MODELS:
        raise Undefined(f"a rank correlation needs {FEWEST_MODELS} models, got {models}")
    rankings = check_array(scores.reshape(-1, models).T, "scores")
    reference = check_array(reference.reshape(-1, 1), "reference")
    if constant_columns(rankings).any() or constant_columns(reference).any():
        raise Undefined("a rank correlation needs scores that differ: all models have the same")
    return (_unit_ranks(rankings) * _unit_ranks(reference)).sum(axis=0).reshape(scores.shape[:-1])


def _unit_ranks(x):
    return unit_columns(ranks(x))


def scores_by_partners(representation, values, counts, draws, rng):
    """UDR (counts, draws, representations) of each representation from P of its partners, P in `counts`.

    representation, values (k,): whose pair it is, and UDR_ij. In each of `draws` the partners are drawn
    without replacement, those of a smaller P being among those of a larger one; the score is their median.
    The last axis is in the order of the sorted representations. Raises ValueError for P below 1 or above
    the number of partners that one of them has.
    """
    order = np.argsort(representation, kind="stable")
    present, first = np.unique(np.asarray(representation)[order], return_index=True)
    own = np.split(np.asarray(values)[order], first[1:])
    fewest = min(map(len, own))
    if not all(1 <= count <= fewest for count in counts):
        raise ValueError(
            f"counts = {list(counts)}: must be from 1 to {fewest}, the fewest partners there are"
        )
    scores = np.empty((len(counts), draws, len(present)))
    for k, pairs in enumerate(own):
        drawn = rng.permuted(np.tile(pairs, (draws, 1)), axis=1)
        scores[:, :, k] = [np.median(drawn[:, :count], axis=1) for count in counts]
    return scores


def agreement_by_partners(table, pairs, score, references, draws, rng, *, most_counts=9):
    """How the agreement of UDR with each reference grows with the number of partners, as a DataFrame.

    table: as for `compare_rankings`; pairs: one row per pair, with the columns MODEL of the first and
    `score`, UDR_ij. Within each class of models: scores from P partners drawn at random, for up to
    `most_counts` P from 1 to the fewest partners a model has, and their rank correlation with the reference
    over the models that have both. Columns: model, reference, partners (P), correlation (mean over `draws`),
    low and high (the middle 95 % of the draws), models, status and reason as for `compare_rankings`.
    """
    import pandas as pd

    identity = list(MODEL)
    values = table.pivot(index=identity, columns="score", values="value").astype(float)
    rows = []
    for (model,), own in pairs.groupby(["model"]):
        number = own.groupby(identity).ngroup()
        present = values.reindex(own.groupby(identity).size().index)
        fewest = int(number.value_counts().min())
        counts = np.unique(np.linspace(1, fewest, most_counts).round().astype(int))
        scores = scores_by_partners(number.to_numpy(), own[score].to_numpy(), counts, draws, rng)
        for reference in references:
            known = present[reference].notna().to_numpy()
            labels = {"model": model, "reference": reference, "models": int(known.sum())}
            for count, drawn in zip(counts, scores[:, :, known], strict=True):
                found = _middle(drawn, present.loc[known, reference].to_numpy())
                rows.append(labels | {"partners": int(count)} | found)
    columns = ["model", "reference", "partners", "correlation", "low", "high", "models", *STATUS]
    return pd.DataFrame(rows, columns=columns)


def _middle(drawn, reference):
    """Mean and middle 95 % of the rank correlations of drawn scores (draws, models) with a reference."""
    try:
        found = rank_correlations(drawn, reference)
    except Undefined as reason:
        return without_value(reason)
    low, high = np.quantile(found, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
    return {"correlation": float(found.mean()), "low": float(low), "high": float(high), "status": OK}
