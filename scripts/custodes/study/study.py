"""What a configuration asks for, checked: protocols, experiments, cells, metrics and figures."""

from dataclasses import dataclass

from custodes import registry
from custodes.errors import ConfigError
from custodes.registry import configured
from custodes.sources import CHECKOUT
from custodes.study import (
    experiments,
    figures,
    grid,
    image_study,
    images,
    properties,
    protocol_files,
    yaml_files,
)
from custodes.tables.columns import factor_labels


@dataclass(frozen=True)
class Study:
    """The checked study, which the rules ask for names and parameters."""

    config: dict
    protocols: dict
    experiments: dict
    metrics: tuple
    figures: dict
    judging: dict
    judging_of: dict
    images: image_study.ImageStudy
    _cells: dict
    _blocks: dict

    def experiments_of(self, protocol):
        """Experiments that have cells under a protocol."""
        return [name for name in self.experiments if self.cells(protocol, name)]

    def cells(self, protocol, experiment):
        """All cells of an experiment, infeasible ones included; [] where none is for the protocol."""
        return self._cells[protocol, experiment]

    def dgps(self, protocol, experiment):
        """Factor distributions with at least one feasible cell, in order."""
        return list(self._blocks[protocol, experiment])

    def block(self, protocol, experiment, dgp, encoder=None):
        """Feasible cells of one factor distribution, or of one encoder applied to it."""
        cells = self._blocks[protocol, experiment][dgp]
        return cells if encoder is None else [cell for cell in cells if cell["encoder"] == encoder]

    def encoders(self, protocol, experiment, dgp):
        """Encoders applied to a factor distribution, in order."""
        return list(dict.fromkeys(cell["encoder"] for cell in self.block(protocol, experiment, dgp)))

    def factors(self, protocol, experiment, dgp):
        """Distinct points of a factor distribution: its cells without the encoder's part."""
        points = [factor_labels(cell) for cell in self.block(protocol, experiment, dgp)]
        return [dict(point) for point in dict.fromkeys(tuple(point.items()) for point in points)]

    def seeds(self, experiment):
        """Seeds of an experiment's draws."""
        count = self.config["seeds"] * self.experiments[experiment].get("seed_multiple", 1)
        return list(range(self.config["first_seed"], self.config["first_seed"] + count))

    def metrics_of(self, experiment):
        """Metrics that score an experiment: those of the configuration, unless it names some of its own."""
        own = self.experiments[experiment].get("metrics", self.metrics)
        return [metric for metric in self.metrics if metric in own]

    def scorers(self, experiment):
        """{name: Scorer} of what scores an experiment: its metrics, then the variants of chosen metrics."""
        own = {metric: experiments.Scorer(metric) for metric in self.metrics_of(experiment)}
        variants = self.experiments[experiment]["variants"].items()
        return own | {name: scorer for name, scorer in variants if scorer.metric in self.metrics}

    def parameters(self, protocol, experiment, name):
        """Parameters of a metric or a variant: those of the protocol, overridden by those of the variant."""
        scorer = self.scorers(experiment)[name]
        given = self.settings(protocol, experiment).get("metrics", {})
        return given.get(scorer.metric, {}) | (scorer.parameters or {})

    def scores_of(self, experiment):
        """{score: metric or variant} of an experiment, those of the variants last."""
        named = self.scorers(experiment).items()
        return {score: name for name, scorer in named for score in scorer.scores(name)}

    def judged(self):
        """Experiments by which scores are judged."""
        properties = self.judging["properties"].values()
        named = {source["experiment"] for given in properties for source in given["cells"]}
        return [name for name in self.experiments if name in named]

    def judged_scores(self, experiment=None):
        """{score: metric or variant} of the scores that are judged, those whose best value is 1.

        By the cells of one experiment, or by those of config/verdicts.yaml, where variants are not judged.
        """
        if experiment is None:
            judging = [self.metrics_of(name) for name in self.judged()]
            named = {
                name: experiments.Scorer(name) for name in self.metrics if any(name in one for one in judging)
            }
        else:
            named = self.scorers(experiment)
        return {
            score: name
            for name, scorer in named.items()
            for score, (_, best) in scorer.scores(name).items()
            if best == 1
        }

    def settings(self, protocol, experiment):
        """The protocol with its overrides for one experiment."""
        return protocol_files.merged(self.protocols[protocol], experiment)

    def threads(self, protocol, experiment, dgp, metric):
        """Threads that a block of scores is worth: one for 5 million of n d m, up to the limit."""
        limit = self.config["threads"].get(self.scorers(experiment)[metric].metric, 1)
        if limit == 1:
            return 1
        return min(limit, 1 + self.work(protocol, experiment, dgp) // 5_000_000)

    def work(self, protocol, experiment, dgp):
        """Size of a block of scores: n d m, summed over its cells and seeds."""
        return len(self.seeds(experiment)) * sum(map(grid.work, self.block(protocol, experiment, dgp)))

    def figures_of(self, protocol):
        """Names of the figures that are drawn for a protocol, which has all their tables."""
        present = set(self.experiments_of(protocol))
        each = self.selected_figures(protocols=None)
        return [name for name in each if present.issuperset(self.figures[name]["tables"])]

    def selected_figures(self, **properties):
        """Names of the figures whose specification has these values, such as placement="main"."""
        wanted = properties.items()
        return [
            name
            for name, spec in self.figures.items()
            if all(spec.get(key) == value for key, value in wanted)
        ]


def load(overrides):
    """Check config/config.yaml under `overrides` (whole keys) and all that it names, else ConfigError."""
    config = yaml_files.read_yaml(CHECKOUT / "config" / "config.yaml")
    config = yaml_files.validated(config | yaml_files.typed(dict(overrides)), "config", "config")
    protocols = {
        name: protocol_files.read(name)
        for name in yaml_files.chosen(config["protocols"], configured("protocols"), "protocol")
    }
    files = {name: experiments.read(name) for name in configured("experiments")}
    names = yaml_files.chosen(config["experiments"], files, "experiment")
    limits = (config["thin"] or {}).get("experiments", {})
    for name in yaml_files.chosen(list(limits), files, "experiment in thin.experiments"):
        left_out = limits[name].get("without", [])
        files[name] = experiments.limited(files[name], left_out, f"thin.experiments.{name}")
    metrics = experiments.metrics(config["metrics"])
    for key in ("threads", "permutations"):
        yaml_files.chosen(list(config[key]), registry.known_metrics(config[key]), f"metric in {key}")
    with_metrics = {
        name: files[name]
        for name in names
        if "grids" in files[name] and set(files[name].get("metrics", metrics)) & set(metrics)
    }
    cells = {
        (protocol, name): experiments.cells(
            name,
            experiment,
            protocol,
            protocol_files.merged(protocols[protocol], name),
            _limits(config, name),
        )
        for name, experiment in with_metrics.items()
        for protocol in protocols
    }
    tabled = {
        name: experiment
        for name, experiment in with_metrics.items()
        if any(cells[protocol, name] for protocol in protocols)
    }
    if config["experiments"] != "all" and len(tabled) < len(with_metrics):
        (first, *_) = (name for name in with_metrics if name not in tabled)
        raise ConfigError(f"config/experiments/{first}.yaml: no grid is for {', '.join(protocols)}")
    judging = properties.load(files)
    return Study(
        config=config,
        protocols=protocols,
        experiments=tabled,
        metrics=tuple(metrics),
        figures=figures.chosen(config["figures"], files, names, tabled, protocols, metrics),
        judging=judging,
        judging_of={
            name: properties.within(judging, name, experiment["properties"])
            for name, experiment in tabled.items()
            if "properties" in experiment
        },
        images=images.load(config),
        _cells=cells,
        _blocks={key: _by_dgp(found) for key, found in cells.items()},
    )


def _limits(config, experiment):
    """The limits of a quick study for one experiment, or None."""
    thin = config["thin"]
    return thin and thin | thin.get("experiments", {}).get(experiment, {})


def _by_dgp(cells):
    blocks = {}
    for cell in cells:
        if "infeasible" not in cell:
            blocks.setdefault(cell["dgp"], []).append(cell)
    return blocks
