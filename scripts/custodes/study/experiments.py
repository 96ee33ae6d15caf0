"""Experiment files, checked: the metrics and the variants of metrics that they name, and their cells."""

from typing import NamedTuple

from custodes import registry
from custodes.contracts import PAIRED
from custodes.errors import ConfigError
from custodes.registry import configured
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
    where = f"config/experiments/{name}.yaml"
    experiment = yaml_files.read_validated(path, "experiment")
    if "metrics" in experiment:
        metrics(experiment["metrics"], f"{where}: metrics")
    for index, block in enumerate(experiment.get("grids", [])):
        place = f"{where}: grids[{index}].protocols"
        yaml_files.chosen(block.get("protocols", []), configured("protocols"), "protocol", place)
    variants = {
        variant: _variant(variant, given, f"{where}: variants.{variant}")
        for variant, given in experiment.get("variants", {}).items()
    }
    return experiment | {"variants": variants, "without": []}


def limited(experiment, without, metrics, where):
    """The experiment but for the metrics and variants that a quick study leaves out.

    metrics: those of the study.
    """
    own = experiment.get("metrics", dict.fromkeys([*registry.names("metrics"), *metrics]))
    left_out = yaml_files.chosen(without, [*own, *experiment["variants"]], "metric", where)
    variants = {name: scorer for name, scorer in experiment["variants"].items() if name not in left_out}
    return experiment | {"without": left_out, "variants": variants}


def metrics(wanted, where="config: metrics"):
    """Names of the metrics that score samples of factors and their codes; others are refused.

    wanted: "all", a name or a list of names; where: the file and the key that give it.
    """
    chosen = yaml_files.chosen(wanted, registry.known_metrics(wanted), "metric", where)
    needs = {name: _needs(name, where) for name in chosen}
    if wanted == "all":
        chosen = [name for name in chosen if needs[name] == PAIRED]
    for name in chosen:
        if needs[name] != PAIRED:
            raise ConfigError(
                f"{where}: metric {name!r} needs a {needs[name]}: it runs on image data sets (image_metrics)"
            )
    _refuse_equal_scores(chosen, where)
    return chosen


def of_experiment(experiment, metrics):
    """Those of the study's `metrics` that score an experiment."""
    own = experiment.get("metrics", metrics)
    return [name for name in metrics if name in own and name not in experiment["without"]]


def _needs(metric, where):
    try:
        return registry.load("metrics", metric).METRIC.needs
    except ConfigError as reason:
        raise ConfigError(f"{where}: {reason}") from None


def _refuse_equal_scores(metrics, where):
    owners = {}
    for metric in metrics:
        for score in Scorer(metric).scores(metric):
            if owners.setdefault(score, metric) != metric:
                raise ConfigError(f"{where}: {owners[score]} and {metric} both have a score {score!r}")


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
    metrics([given["metric"]], f"{place}.metric")
    registry.check_values(given["metric"], given["parameters"], place)
    taken = [score for metric in registry.usable("metrics") for score in Scorer(metric).scores(metric)]
    if name in (*registry.names("metrics"), *taken):
        raise ConfigError(f"{place}: there is a metric or a score of this name")
    known = Scorer(given["metric"]).scores(given["metric"])
    score = given.get("score", next(iter(known)))
    yaml_files.chosen([score], known, f"score of {given['metric']}", f"{place}.score")
    return Scorer(given["metric"], score, given["parameters"])
