"""Protocol files, checked: parameters of factors, codes and metrics, and what experiments change."""

from custodes import registry
from custodes.registry import configured
from custodes.sources import CHECKOUT
from custodes.study import grid, yaml_files


def read(name):
    """The file of a protocol, its names and values checked, else ConfigError."""
    path = CHECKOUT / "config" / "protocols" / f"{name}.yaml"
    protocol = yaml_files.read_validated(path, "protocol")
    where = f"config/protocols/{name}.yaml"
    own = list(protocol.get("experiments", {}))
    yaml_files.chosen(own, configured("experiments"), "experiment", f"{where}: experiments")
    for settings in (protocol, *protocol.get("experiments", {}).values()):
        for kind in ("dgps", "encoders", "metrics"):
            for entry, given in settings.get(kind, {}).items():
                registry.check_parameters(kind, entry, given, where)
                _check_kinds(kind, entry, given, where)
    for experiment in (None, *protocol.get("experiments", {})):
        for metric, given in merged(protocol, experiment).get("metrics", {}).items():
            registry.check_values(metric, given, where)
    return protocol


def _check_kinds(kind, name, given, where):
    """Refuse values of another kind than the default's; with the cells the rest of them is checked."""
    for key, value in given.items() if kind != "metrics" else ():
        grid.typed(value, registry.parameters(kind, name)[key], f"{where}: {kind}.{name}.{key}")


def merged(protocol, experiment):
    """The settings of a protocol for one experiment."""
    settings = {key: value for key, value in protocol.items() if key != "experiments"}
    for key, value in protocol.get("experiments", {}).get(experiment, {}).items():
        if isinstance(value, dict) and isinstance(settings.get(key), dict) and key != "split":
            value = settings[key] | {name: settings[key].get(name, {}) | part for name, part in value.items()}
        settings[key] = value
    return settings
