"""The image branch of a study: names, parameters and labels of all that the rules ask for."""

from dataclasses import dataclass

from custodes import registry
from custodes.contracts import SET

FILES = ("path", "manual_dir")  # options of sources that have to exist


@dataclass(frozen=True)
class ImageStudy:
    """The checked image branch, which the rules ask for names and parameters.

    sources: {data set: {"source": name, and its options}}. settings: {model: list of
    all its hyperparameters}. own_codes: {data set: {name: list of files}}. metrics: {metric: parameters}.
    """

    config: dict
    sources: dict
    settings: dict
    own_codes: dict
    metrics: dict

    @property
    def datasets(self):
        """Names of the data sets."""
        return list(self.sources)

    def source_options(self, dataset):
        """What the source of a data set needs besides its name."""
        return {key: value for key, value in self.sources[dataset].items() if key != "source"}

    def files(self, dataset):
        """Files and folders from which a data set is prepared."""
        return [value for key, value in self.sources[dataset].items() if key in FILES]

    def metrics_of(self, sets):
        """Names of the metrics that compare representations (sets=True) or score each by itself."""
        return [name for name in self.metrics if (registry.load("metrics", name).METRIC.needs == SET) == sets]

    def trained(self):
        """(model, setting, restart) of every model that is trained on each data set, as they are in paths."""
        return [
            (model, f"h{setting + 1}", f"s{restart + 1}")
            for model, settings in self.settings.items()
            for setting in range(len(settings))
            for restart in range(self.config["restarts"])
        ]

    def numbers(self, model, setting, restart):
        """(model, 2, 1) for (model, h2, s1), as they are in tables."""
        return model, _number(setting), _number(restart)

    def runs(self, dataset):
        """The same with the codes of one's own, each file a restart of setting h1."""
        own = self.own_codes.get(dataset, {})
        return self.trained() + [
            (name, "h1", f"s{place + 1}") for name, files in own.items() for place in range(len(files))
        ]

    def own_file(self, dataset, model, restart):
        """File of one's own codes."""
        return self.own_codes[dataset][model][_number(restart) - 1]

    def plan(self, model, setting, restart):
        """Arguments of `training.Plan`."""
        parameters = self.settings[model][_number(setting) - 1]
        return self.config["training"] | {
            "model": model,
            "parameters": parameters,
            "restart": _number(restart),
        }

    def labels(self, dataset, model, setting, restart):
        """Columns that say which representation this is."""
        parameters = self.settings[model][_number(setting) - 1] if model in self.settings else {}
        return {
            "dataset": dataset,
            "source": self.sources[dataset]["source"],
            "model": model,
            "setting": _number(setting),
            "restart": _number(restart),
        } | {f"model_{name}": value for name, value in parameters.items()}

    @property
    def prepared(self):
        """How many images of each data set are prepared, None for all."""
        return _count(self.config["images"])

    @property
    def encoded(self):
        """How many of the prepared images are encoded, None for all."""
        return _count(self.config["representations"]["count"])

    def threads(self, dataset, metric):
        """Threads of the job that scores a data set with a metric: at most one for each representation."""
        return min(self.config["threads"].get(metric, 1), len(self.runs(dataset)))


def _count(value):
    return None if value == "all" else value


def _number(name):
    """2 for h2 or s2."""
    return int(name[1:])
