"""The properties by which scores are judged (config/verdicts.yaml), checked."""

import inspect

from custodes import registry
from custodes.drawing import options
from custodes.errors import ConfigError
from custodes.judging import verdicts
from custodes.sources import CHECKOUT
from custodes.study import grid, yaml_files
from custodes.tables.columns import LABELS

WHERE = "config/verdicts.yaml"


def load(experiments):
    """The rule of config/verdicts.yaml, every property with thresholds, options and conditions.

    experiments: names of all experiments. Raises ConfigError naming the key that cannot be.
    """
    rule = yaml_files.read_validated(CHECKOUT / WHERE, "verdicts")
    _check_thresholds(rule["thresholds"], f"{WHERE}: thresholds")
    columns = _columns()
    properties = {}
    for name, given in rule["properties"].items():
        place = f"{WHERE}: properties.{name}"
        entry = {"thresholds": rule["thresholds"], "options": {}} | given
        entry["cells"] = [{"where": {}} | source for source in given["cells"]]
        _check_thresholds(entry["thresholds"], f"{place}.thresholds")
        _check_options(entry["statistic"], entry["options"], columns, f"{place}.options")
        yaml_files.chosen([entry["parts"]], columns, "column", f"{place}.parts")
        for index, source in enumerate(entry["cells"]):
            inside = f"{place}.cells[{index}]"
            yaml_files.chosen([source["experiment"]], experiments, "experiment", f"{inside}.experiment")
            _check_condition(source["where"], columns, f"{inside}.where")
        properties[name] = entry
    return rule | {"properties": properties}


def within(rule, experiment, conditions):
    """The rule for the cells of one experiment, of the properties that it names.

    rule: of `load`. conditions: property -> list of conditions, of which a cell has to satisfy one.
    """
    place, columns = f"config/experiments/{experiment}.yaml: properties", _columns()
    yaml_files.chosen(list(conditions), rule["properties"], f"property of {WHERE}", place)
    for name, sources in conditions.items():
        for index, where in enumerate(sources):
            _check_condition(where, columns, f"{place}.{name}[{index}]")
    properties = {
        name: rule["properties"][name]
        | {"cells": [{"experiment": experiment, "where": where} for where in sources]}
        for name, sources in conditions.items()
    }
    return rule | {"properties": properties}


def _columns():
    """Columns that a condition may name: all labels of a cell."""
    own = [
        f"{kind.removesuffix('s')}_{parameter}"
        for kind in ("dgps", "encoders")
        for name in registry.usable(kind)
        for parameter in registry.parameters(kind, name)
    ]
    return list(dict.fromkeys([*LABELS, *own]))


def _check_condition(where, columns, place):
    """Refuse columns that there are not, and values that they cannot have."""
    yaml_files.chosen(list(where), columns, "column", place)
    for column, wanted in where.items():
        for value in wanted if isinstance(wanted, list) else [wanted]:
            grid.check_size(column, value, place)
            try:
                options.check_where(place, {column: value})
            except ValueError as reason:
                raise ConfigError(str(reason)) from None


def _check_thresholds(thresholds, place):
    if thresholds["ok"] >= thresholds["partly"]:
        raise ConfigError(f"{place}: ok ({thresholds['ok']}) must be below partly ({thresholds['partly']})")


def _check_options(statistic, given, columns, place):
    try:
        inspect.signature(verdicts.STATISTICS[statistic]).bind(None, **given)
    except TypeError as reason:
        raise ConfigError(f"{place}: statistic {statistic}: {reason}") from None
    if "over" in given:
        yaml_files.chosen([given["over"]], columns, "column", f"{place}.over")
    for encoder, twin in given.get("matched", {}).items():
        yaml_files.chosen(sorted({encoder, twin}), registry.names("encoders"), "encoder", f"{place}.matched")
