"""Tables of one image data set: scores of models, their statistics over restarts, agreement of rankings."""

from collections import defaultdict

from custodes import registry, streams
from custodes.analysis import rank_agreement
from custodes.tables import summaries
from custodes.tables.columns import SCORES
from custodes.tables.files import read_rows, write_rows
from custodes.tables.image_scores import RANKINGS, REPRESENTATION_SCORES, SETTING_STATISTICS
from custodes.tables.trainings import CLASS, RUN

ALL_MODELS = tuple(column for column in CLASS if column != "model")


def aggregate_images(
    paths_to_scores, metrics, labels, seed, path_to_models, path_to_settings, path_to_rankings
):
    """Write three tables.

    models: one row per representation and score, in the order of `labels` (of the representations) and
    `metrics`. settings: the same over the restarts of a setting. rankings: how far scores of a set of
    representations rank the models as each other score does, per class of model and over all (model null).
    A representation that lacks a score is an error: no row may vanish on the way. seed: of the bootstrap.
    """
    found = defaultdict(list)
    for path in paths_to_scores:
        for row in read_rows(path):
            found[_key(row), row["metric"]].append(row)
    rows = [row for one in labels for metric in metrics for row in _complete(found, one, metric)]
    write_rows(path_to_models, rows, REPRESENTATION_SCORES)
    write_rows(path_to_settings, _settings(rows), SETTING_STATISTICS)
    write_rows(path_to_rankings, _rankings(rows, seed), RANKINGS)


def _key(labels):
    return tuple(labels[key] for key in RUN)


def _complete(found, labels, metric):
    rows = found[_key(labels), metric]
    if {row["score"] for row in rows} != set(registry.load("metrics", metric).METRIC.scores):
        raise ValueError(f"the scores of {metric} lack some of {labels}")
    return rows


def _settings(rows):
    groups = defaultdict(list)
    for row in rows:
        groups[row["model"], row["setting"], row["score"], row.get("comparison")].append(row)
    own = {"restart", *SCORES} - {"metric", "score"}
    return [
        {key: value for key, value in members[0].items() if key not in own}
        | {"restarts": len(members)}
        | summaries.summary(members)
        for members in groups.values()
    ]


def _rankings(rows, seed):
    """Agreement of each score of a set with all others, for each comparison."""
    import pandas as pd

    table = pd.DataFrame(rows, columns=[*REPRESENTATION_SCORES])
    compares = table["comparison"].notna()
    scores = list(table.loc[compares, "score"].unique())
    found = []
    for comparison in table.loc[compares, "comparison"].unique():
        compared = table[table["comparison"].isna() | (table["comparison"] == comparison)]
        for by in (CLASS, ALL_MODELS):
            agreement = rank_agreement.compare_rankings(compared, scores, streams.metric(seed), by=by)
            found += [{"comparison": comparison} | row for row in agreement.to_dict("records")]
    return [{key: value for key, value in row.items() if not pd.isna(value)} for row in found]
