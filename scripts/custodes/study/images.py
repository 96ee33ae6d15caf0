"""The image branch of a configuration, checked: data sets, models, codes of one's own, metrics."""

import inspect
import math
import re
from os.path import expanduser
from pathlib import Path

from custodes import registry
from custodes.contracts import SET
from custodes.errors import ConfigError
from custodes.study import grid, yaml_files
from custodes.study.image_study import FILES, ImageStudy

NAME = "[a-z][a-z0-9_]*"  # of an encoder of one's own


def load(config):
    """Check the keys of the image branch in a configuration that satisfies its schema, else ConfigError."""
    datasets = yaml_files.chosen(
        config["datasets"], registry.names("datasets"), "dataset", "config: datasets"
    )
    for key in ("sources", "own_codes"):
        yaml_files.chosen(list(config[key]), registry.names("datasets"), "dataset", f"config: {key}")
    yaml_files.chosen(list(config["models"]), registry.names("models"), "model", "config: models")
    study = ImageStudy(
        config=config,
        sources={name: _source(name, config["sources"].get(name, "rendered")) for name in datasets},
        settings={model: _settings(model, given) for model, given in config["models"].items()},
        own_codes={name: _own_codes(name, config["own_codes"].get(name, {})) for name in datasets},
        metrics=_metrics(config),
    )
    _check_training(study)
    _check_counts(study)
    _check_own_rows(study)
    for dataset in datasets:
        if not study.runs(dataset):
            raise ConfigError(f"config: nothing encodes {dataset}: give models, or own_codes for it")
    return study


def _source(dataset, given):
    """{"source": name} of a data set, and the options of this source."""
    from custodes.images import sources

    where = f"config: sources.{dataset}"
    source = {"source": given} if isinstance(given, str) else given
    options = {key: expanduser(value) for key, value in source.items() if key != "source"}
    (name,) = yaml_files.chosen(source["source"], sources.SOURCES, "source", where)
    try:
        inspect.signature(sources.SOURCES[name]).bind(None, **options)
    except TypeError as reason:
        raise ConfigError(f"{where}: {name}: {reason}") from None
    for key in FILES:
        if key in options and not Path(options[key]).exists():
            raise ConfigError(f"{where}.{key}: {options[key]}: there is no such file or folder")
    endings = registry.load("datasets", dataset).DESCRIPTION.files
    if name == "file" and Path(options["path"]).suffix not in endings:
        raise ConfigError(f"{where}.path: {options['path']}: must end in {' or '.join(endings)}")
    return {"source": name} | options


def _settings(model, given):
    """All hyperparameters of each setting of a model, in the types of their defaults."""
    defaults = registry.parameters("models", model)
    module = registry.load("models", model)
    found = []
    for index, setting in enumerate(module.SETTINGS if given == "all" else given):
        where = f"config: models.{model}[{index}]"
        for name in setting:
            if name not in defaults:
                known = ", ".join(defaults) or "none"
                raise ConfigError(f"{where}: {model} has no parameter {name!r}; its parameters: {known}")
        resolved = {
            name: grid.typed(setting.get(name, default), default, f"{where}: {name}")
            for name, default in defaults.items()
        }
        try:
            module.check(**resolved)
        except ValueError as reason:
            raise ConfigError(f"{where}: {reason}") from None
        if resolved in found:
            raise ConfigError(f"{where}: is the setting [{found.index(resolved)}] again")
        found.append(resolved)
    return found


def _check_training(study):
    from custodes.vae.training import Plan

    if study.datasets and study.settings:
        try:
            Plan(**study.plan(*study.trained()[0]))
        except ValueError as reason:
            raise ConfigError(f"config: training: {reason}") from None


def _check_counts(study):
    if (study.encoded or 0) > (study.prepared or math.inf):
        raise ConfigError(
            f"config: representations.count: {study.encoded} is more than the {study.prepared} images"
        )
    for dataset in study.datasets:
        if "sha256" in study.sources[dataset]:
            continue  # a file of one's own has as many images as it has
        available = len(registry.load("datasets", dataset).DESCRIPTION.grid)
        for key, count in (("images", study.prepared), ("representations.count", study.encoded)):
            if (count or 0) > available:
                raise ConfigError(f"config: {key}: {count} is more than the {available} images of {dataset}")


def _own_codes(dataset, given):
    """{name: list of files} of a data set."""
    from custodes.images.own_codes import FORMATS

    found = {}
    for name, files in given.items():
        where = f"config: own_codes.{dataset}.{name}"
        if not re.fullmatch(NAME, name) or name in registry.names("models"):
            raise ConfigError(f"{where}: must be a name of its own of small letters, digits and underscores")
        given = [files] if isinstance(files, str) else files
        found[name] = [expanduser(file) for file in given]
        for file in found[name]:
            if Path(file).suffix not in FORMATS:
                raise ConfigError(f"{where}: {file}: must be a file that ends in {', '.join(FORMATS)}")
            if not Path(file).is_file():
                lack = "is no file" if Path(file).exists() else "there is no such file"
                raise ConfigError(f"{where}: {file}: {lack}")
        if len(set(found[name])) < len(found[name]):
            raise ConfigError(f"{where}: names a file twice: {', '.join(found[name])}")
    return found


def _check_own_rows(study):
    """Refuse files of codes that do not have as many rows as there are images, as far as their heads say."""
    from custodes.images.own_codes import check_head

    for dataset in study.datasets:
        if "sha256" in study.sources[dataset] and study.prepared is None:
            continue  # a file of one's own has as many images as it has
        images = study.prepared or len(registry.load("datasets", dataset).DESCRIPTION.grid)
        for name, files in study.own_codes.get(dataset, {}).items():
            for file in files:
                try:
                    check_head(file, images, study.encoded or images)
                except ValueError as reason:
                    raise ConfigError(f"config: own_codes.{dataset}.{name}: {reason}") from None


def _metrics(config):
    """{metric: parameters} of the metrics that score representations."""
    wanted, given = config["image_metrics"], config["image_parameters"]
    metrics = yaml_files.chosen(wanted, registry.known_metrics(wanted), "metric", "config: image_metrics")
    yaml_files.chosen(list(given), registry.known_metrics(given), "metric", "config: image_parameters")
    for metric, parameters in given.items():
        registry.check_values(metric, parameters, "config: image_parameters")
    for metric in config["permutations"]:
        if registry.load("metrics", metric).METRIC.needs == SET:
            raise ConfigError(f"config: permutations.{metric}: it compares representations and has no null")
    return {metric: given.get(metric, {}) for metric in metrics}
