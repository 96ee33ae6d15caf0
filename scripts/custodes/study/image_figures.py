"""Figures of the image branch: what each is drawn from, and which of them a configuration allows."""

from collections import Counter

from custodes import registry
from custodes.analysis.rank_agreement import FEWEST_MODELS
from custodes.drawing import style

# Figures over the models of a data set, and the kinds of files that they are drawn from.
RANKINGS = {
    "mi_against_irs": ("prepared", "codes"),
    "udr_against_scores": ("models", "rankings"),
    "score_profiles": ("models", "settings"),
    "effect_of_partners": ("models", "pairs"),
    "best_and_worst": ("models", "pictures"),
    "training_curves": ("curves",),
}


def rankings(images, dataset):
    """Names of the figures over the models of a data set that a checked image branch allows.

    Without UDR, partners of the same setting or trained models there is nothing to draw in some of them.
    """
    restarts = Counter((model, setting) for model, setting, _ in images.runs(dataset)).values()
    udr = "udr" in images.metrics and _discrete(images, dataset)
    scores = {score for metric in images.metrics for score in registry.load("metrics", metric).METRIC.scores}
    supervised = not scores.isdisjoint(style.SUPERVISED)
    ranked = udr and supervised and sum(count for count in restarts if count > 1) >= FEWEST_MODELS
    trained = bool(images.trained())
    allowed = {
        "mi_against_irs": _discrete(images, dataset),
        "udr_against_scores": ranked,
        "score_profiles": supervised or not scores.isdisjoint(style.UNSUPERVISED),
        "effect_of_partners": ranked and max(restarts) > 2,  # else there is one number of partners
        "best_and_worst": udr and trained and images.config["restarts"] > 1,
        "training_curves": trained,
    }
    return [name for name in RANKINGS if allowed[name]]


def drawn(images, dataset):
    """(model, setting, restart) of the representations that have figures of their own: each first restart."""
    if not _discrete(images, dataset):
        return []
    return [run for run in images.runs(dataset) if run[-1] == "s1"]


def _discrete(images, dataset):
    """Whether so many images are encoded that every class of a factor can have two of them."""
    grid = registry.load("datasets", dataset).DESCRIPTION.grid
    encoded = images.encoded or images.prepared or len(grid)
    return encoded >= 2 * max(grid.sizes)
