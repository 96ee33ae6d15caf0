"""The keys of config/config.yaml, overridden and checked by themselves: metrics, seeds, folder."""

import re
from os.path import expanduser
from pathlib import Path

from custodes import registry
from custodes.errors import ConfigError
from custodes.sources import CHECKOUT
from custodes.study import experiments, yaml_files

LAST_SEED = 2**32 - 1  # of numpy's legacy generator, which splits rows


def read(overrides):
    """config/config.yaml under `overrides` (whole keys), valid by its schema; its folder without `~`."""
    config = yaml_files.read_mapping(CHECKOUT / "config" / "config.yaml") | overrides
    config = yaml_files.validated(config, "config", "config")
    folder = expanduser(config["results"])
    if Path(folder).exists() and not Path(folder).is_dir():
        raise ConfigError(f"config: results: {folder} is no folder")
    for key in ("threads", "permutations"):
        known = registry.known_metrics(config[key])
        yaml_files.chosen(list(config[key]), known, "metric", f"config: {key}")
    return config | {"results": folder}


def with_origin(error, overrides, origins):
    """The error, with the file (of `overrides` by `origins`) that gives the key that it is about."""
    key = re.match(r"config: (?:top level: unknown key ')?(\w+)", str(error))
    origin = None
    if key is not None and key[1] != "top":
        origin = origins.get(key[1]) if key[1] in overrides else "config/config.yaml"
    return error if origin is None else ConfigError(f"{error} (given by {origin})")


def metrics(config):
    """The metrics of the configuration, then those that it adds to them; and the latter."""
    own = experiments.metrics(config["metrics"])
    added = experiments.metrics(config["add_metrics"], "config: add_metrics")
    together = [*own, *(name for name in added if name not in own)]
    return experiments.metrics(together, "config: add_metrics"), added


def unscored(name, experiment):
    """Why no metric scores an experiment, and what would."""
    own = experiment.get("metrics")
    reason = f"none of its metrics ({', '.join(own)}) is chosen" if own else "thin leaves all its metrics out"
    return f"config/experiments/{name}.yaml: metrics: {reason}; add_metrics adds metrics to those that are"


def unused_codes(config):
    """Codes of one's own that are not used, in lines."""
    unused = [name for name in config["own_codes"] if name not in config["datasets"]]
    return [f"config: own_codes.{name}: the data set is not chosen" for name in unused]


def check_seeds(config, offset, multiple):
    """Refuse seeds beyond those that all streams have.

    offset: the largest encoder_seed_offset of a protocol; multiple: the largest seed_multiple.
    """
    most = LAST_SEED + 1 - config["seeds"] * multiple - offset
    if config["first_seed"] > most:
        raise ConfigError(
            f"config: first_seed: {config['first_seed']} is not allowed; at most {most} with "
            f"{config['seeds']} seeds, {multiple} times as many in an experiment, and an offset of {offset}"
        )
