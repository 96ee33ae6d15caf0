"""The figures of the experiment files, checked, and those that a study can draw."""

import inspect

from custodes import registry
from custodes.drawing import style
from custodes.errors import ConfigError
from custodes.registry import configured
from custodes.study import yaml_files


def chosen(wanted, files, names, tabled, protocols, metrics):
    """Specifications of the figures that `wanted` ("all", a name or a list) selects, by name.

    files: all experiment files by name; of them `names` are chosen, and `tabled` have tables in this
    study, as it has `protocols` and `metrics`. "all" leaves out what the study cannot draw; a figure
    that is named and cannot be drawn is a ConfigError, as is one that is specified badly.
    """
    found = _declared(files, tabled)
    asked = yaml_files.chosen(wanted, found, "figure")
    missing = {figure: _missing(found[figure], {*tabled, *protocols}, metrics) for figure in asked}
    if wanted == "all":
        asked = [figure for figure in asked if found[figure]["experiment"] in names and not missing[figure]]
    for figure in asked:
        if missing[figure]:
            raise ConfigError(f"figure {figure} needs what is not chosen: {', '.join(missing[figure])}")
    return {figure: found[figure] for figure in asked}


def _declared(files, tabled):
    """All figures of all experiment files, checked."""
    found = {}
    for name, experiment in files.items():
        for figure, spec in experiment.get("figures", {}).items():
            where = f"config/experiments/{name}.yaml: figures.{figure}"
            if figure in found:
                raise ConfigError(
                    f"{where}: {found[figure]['experiment']}.yaml has a figure of this name too"
                )
            tables = spec.get("tables", [name])
            if tables == "all":
                tables = list(tabled) or [name]  # its own does not exist, so that the figure lacks it
            yaml_files.chosen(tables, files, f"experiment in {where}.tables")
            yaml_files.chosen(
                spec.get("protocols", []),
                configured("protocols"),
                f"protocol in {where}.protocols",
            )
            _check_options(spec, where)
            of_verdicts = getattr(registry.load("plots", spec["kind"]), "OF_VERDICTS", False)
            if of_verdicts and not all("properties" in files[table] for table in tables):
                raise ConfigError(
                    f"{where}: a figure of kind {spec['kind']} needs experiments with properties"
                )
            found[figure] = spec | {"experiment": name, "tables": tables, "of_verdicts": of_verdicts}
    return found


def _check_options(spec, where):
    try:
        module = registry.load("plots", spec["kind"])
        inspect.signature(module.draw).bind(None, **spec.get("options", {}))
        module.check(**spec.get("options", {}))
    except (ConfigError, TypeError, ValueError) as reason:
        raise ConfigError(f"{where}: {reason}") from None
    needed = getattr(module, "PROTOCOLS", None)
    if needed not in (None, len(spec.get("protocols", []))):
        raise ConfigError(f"{where}.protocols: a figure of kind {spec['kind']} needs {needed} of them")


def _missing(spec, present, metrics):
    """What a figure needs and the study does not have, in words."""
    lacking = sorted({*spec["tables"], *spec.get("protocols", [])} - present)
    if _shows_full_suite(spec) and set(metrics) <= set(_main_metrics()):
        lacking.append(f"a metric besides {', '.join(_main_metrics())}, because it shows the full suite")
    return lacking


def _shows_full_suite(spec):
    """Whether a figure, or a panel of it, has the option `scores` at "full", given or by default."""
    arguments = inspect.signature(registry.load("plots", spec["kind"]).draw).bind(
        None, **spec.get("options", {})
    )
    arguments.apply_defaults()
    panels = arguments.arguments.get("panels", [])
    return arguments.arguments.get("scores") == "full" or any(map(_shows_full_suite, panels))


def _main_metrics():
    """Metrics behind the scores of the main figures."""
    return [
        name
        for name in registry.names("metrics")
        if set(registry.load("metrics", name).METRIC.scores) & set(style.MAIN)
    ]
