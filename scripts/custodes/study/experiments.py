"""Experiment files, checked: the metrics and the variants of metrics that they name, and their cells."""

from typing import NamedTuple

from custodes import registry
from custodes.contracts import PAIRED
from custodes.errors import ConfigError
from custodes.sources import CHECKOUT
from custodes.study import grid, yaml_files


class Scorer(NamedTuple):
    """A metric or, where `score` is given, a variant of it: this score alone, under other parameters."""

    metric: str
    score: str | None = None
    parameters: dict | None = None

    def scores(self, name):
        """Scores under the names that tables have, with their ranges; `name` is that of the variant."""
        known = registry.load("metrics", self.metric).METRIC.scores
        return known if self.score is None else {name: known[self.score]}


def read(name):
    """The file of an experiment, its `variants` a mapping from names to Scorer."""
    path = CHECKOUT / "config" / "experiments" / f"{name}.yaml"
    experiment = yaml_files.read_validated(path, "experiment")
    metrics(experiment.get("metrics", "all"), f" in {path.name}")
    variants = {
        variant: _variant(variant, given, f"config/experiments/{name}.yaml: variants.{variant}")
        for variant, given in experiment.get("variants", {}).items()
    }
    return experiment | {"variants": variants}


def limited(experiment, without, where):
    """The experiment but for the metrics and variants that a quick study leaves out."""
    own = experiment.get("metrics", metrics("all"))
    left_out = yaml_files.chosen(without, [*own, *experiment["variants"]], f"metric in {where}")
    variants = {name: scorer for name, scorer in experiment["variants"].items() if name not in left_out}
    return experiment | {"metrics": [name for name in own if name not in left_out], "variants": variants}


def metrics(wanted, where=""):
    """Names of the metrics that score samples of factors and their codes; others are refused."""
    known = registry.known_metrics(wanted)
    needs = {name: registry.load("metrics", name).METRIC.needs for name in known}
    paired = [name for name in known if needs[name] == PAIRED]
    chosen = yaml_files.chosen(paired if wanted == "all" else wanted, known, f"metric{where}")
    for name in chosen:
        if name not in paired:
            raise ConfigError(
                f"metric{where} {name!r} needs a {needs[name]}: it runs on image data sets (image_metrics)"
            )
    _refuse_equal_scores(chosen)
    return chosen


def _refuse_equal_scores(metrics):
    owners = {}
    for metric in metrics:
        for score in Scorer(metric).scores(metric):
            if owners.setdefault(score, metric) != metric:
                raise ConfigError(f"metrics {owners[score]} and {metric} both have a score {score!r}")


def cells(name, experiment, protocol, settings, thin):
    """Cells of an experiment under a protocol and its merged `settings`; [] where no grid is for it."""
    where = f"config/experiments/{name}.yaml"
    if not any(protocol in block.get("protocols", [protocol]) for block in experiment["grids"]):
        return []
    found = grid.expand(
        experiment["grids"],
        settings,
        name=protocol,
        where=where,
        infeasible=experiment.get("infeasible", "refuse"),
        thin=thin,
    )
    if not found:
        raise ConfigError(f"{where}: the grid is empty under protocol {protocol}")
    return found


def _variant(name, given, place):
    metrics([given["metric"]], f" in {place}")
    registry.check_values(given["metric"], given["parameters"], place)
    taken = [score for metric in registry.names("metrics") for score in Scorer(metric).scores(metric)]
    if name in (*registry.names("metrics"), *taken):
        raise ConfigError(f"{place}: there is a metric or a score of this name")
    known = Scorer(given["metric"]).scores(given["metric"])
    score = given.get("score", next(iter(known)))
    yaml_files.chosen([score], known, f"score of {given['metric']} in {place}")
    return Scorer(given["metric"], score, given["parameters"])
