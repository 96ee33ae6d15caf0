"""What a configuration asks for, checked: protocols, experiments, cells, metrics and figures."""

from dataclasses import dataclass

from custodes.errors import ConfigError
from custodes.registry import configured
from custodes.study import (
    configuration,
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
    """The checked study, which the rules ask for names and parameters.

    left_out: what "all" of its experiments and figures leaves out, and why, in lines.
    """

    config: dict
    protocols: dict
    experiments: dict
    metrics: tuple
    figures: dict
    left_out: tuple
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
        return experiments.of_experiment(self.experiments[experiment], self.metrics)

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


def load(overrides, origins=None):
    """Check config/config.yaml under `overrides` (whole keys) and all that it names, else ConfigError.

    origins: {key: the file that gives it} of the overrides, for messages.
    """
    try:
        return _checked(configuration.read(overrides))
    except ConfigError as error:
        raise configuration.with_origin(error, overrides, origins or {}) from None


def _checked(config):
    wanted = config["protocols"]
    protocols = {
        name: protocol_files.read(name)
        for name in yaml_files.chosen(wanted, configured("protocols"), "protocol", "config: protocols")
    }
    files = {name: experiments.read(name) for name in configured("experiments")}
    names = yaml_files.chosen(config["experiments"], files, "experiment", "config: experiments")
    metrics, added = configuration.metrics(config)
    limits = (config["thin"] or {}).get("experiments", {})
    for name in yaml_files.chosen(list(limits), files, "experiment", "config: thin.experiments"):
        where = f"config: thin.experiments.{name}.without"
        files[name] = experiments.limited(files[name], limits[name].get("without", []), metrics, where)
    configuration.check_seeds(
        config,
        max(
            protocol_files.merged(protocol, experiment)["encoder_seed_offset"]
            for protocol in protocols.values()
            for experiment in (None, *files)
        ),
        max(experiment.get("seed_multiple", 1) for experiment in files.values()),
    )
    with_grids = [name for name in names if "grids" in files[name]]
    scored = [name for name in with_grids if experiments.of_experiment(files[name], metrics)]
    cells = {
        (protocol, name): experiments.cells(
            name,
            files[name],
            protocol,
            protocol_files.merged(protocols[protocol], name),
            _limits(config, name),
        )
        for name in scored
        for protocol in protocols
    }
    tabled = {name: files[name] for name in scored if any(cells[protocol, name] for protocol in protocols)}
    left_out = [configuration.unscored(name, files[name]) for name in with_grids if name not in scored]
    left_out += [
        f"config/experiments/{name}.yaml: no grid is for {', '.join(protocols)}"
        for name in scored
        if name not in tabled
    ]
    if config["experiments"] != "all" and left_out:
        raise ConfigError(left_out[0])
    drawn, undrawn = figures.chosen(config["figures"], files, names, tabled, protocols, metrics, added)
    judging = properties.load(files)
    return Study(
        config=config,
        protocols=protocols,
        experiments=tabled,
        metrics=tuple(metrics),
        figures=drawn,
        left_out=(*left_out, *undrawn, *configuration.unused_codes(config)),
        judging=judging,
        judging_of={
            name: properties.within(judging, name, experiment["properties"])
            for name, experiment in tabled.items()
            if "properties" in experiment
        },
        images=images.load(config),
        _cells=cells,
        _blocks={key: grid.by_dgp(found) for key, found in cells.items()},
    )


def _limits(config, experiment):
    """The limits of a quick study for one experiment, or None."""
    thin = config["thin"]
    return thin and thin | thin.get("experiments", {}).get(experiment, {})
