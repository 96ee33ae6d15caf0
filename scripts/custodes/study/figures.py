"""The figures of the experiment files, checked, and those that a study can draw."""

import inspect

from custodes import registry
from custodes.drawing import style
from custodes.errors import ConfigError
from custodes.registry import configured
from custodes.study import experiments, yaml_files


def chosen(wanted, files, names, tabled, protocols, metrics, added):
    """The figures that `wanted` ("all", a name or a list) selects, and what "all" leaves out.

    files: all experiment files by name; of them `names` are chosen, and `tabled` have tables in this
    study, as it has `protocols` and `metrics`, of which some are `added`. "all" leaves out what the study
    cannot draw; a figure that is named and cannot be drawn is a ConfigError, as is a bad specification.
    Returns ({figure: specification}, lines that say which figures are left out and why).
    """
    found = _declared(files, tabled)
    asked = yaml_files.chosen(wanted, found, "figure", "config: figures")
    missing = {figure: _missing(found[figure], {*tabled, *protocols}, metrics) for figure in asked}
    if wanted == "all":
        asked = [figure for figure in asked if found[figure]["experiment"] in names]
    lacking = {}
    for figure in asked:
        if missing[figure]:
            lacking.setdefault(", ".join(missing[figure]), []).append(figure)
    lines = [f"figure {', '.join(those)} needs what is not chosen: {what}" for what, those in lacking.items()]
    if wanted != "all" and lines:
        raise ConfigError(f"config: figures: {lines[0]}")
    drawn = {figure: found[figure] for figure in asked if not missing[figure]}
    shown = [metric for metric in metrics if metric in added or _is_unlisted(metric)]
    return {figure: _with_scores(spec, files, shown) for figure, spec in drawn.items()}, lines


def _is_unlisted(metric):
    return set(registry.load("metrics", metric).METRIC.scores).isdisjoint(style.SCORES)


def _with_scores(spec, files, metrics):
    """A figure that shows the first score of each of `metrics` that its tables have with the main scores."""
    tables = [files[table] for table in spec["tables"] if table in files]
    own = {metric for table in tables for metric in experiments.of_experiment(table, metrics)}
    firsts = [
        next(iter(registry.load("metrics", metric).METRIC.scores)) for metric in metrics if metric in own
    ]
    scores = [score for score in firsts if score not in style.MAIN]
    return spec | {"options": _extended(spec, scores)["options"]} if scores else spec


def _extended(spec, scores):
    """A figure, or a panel of one, with `scores` where it shows the main ones, given or by default."""
    options = dict(spec.get("options", {}))
    parameters = inspect.signature(registry.load("plots", spec["kind"]).draw).parameters
    if "scores" in parameters and options.get("scores", parameters["scores"].default) == "main":
        options["scores"] = [*style.MAIN, *scores]
    if "panels" in options:
        options["panels"] = [_extended(panel, scores) for panel in options["panels"]]
    return spec | {"options": options}


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
            yaml_files.chosen(tables, files, "experiment", f"{where}.tables")
            yaml_files.chosen(
                spec.get("protocols", []),
                configured("protocols"),
                "protocol",
                f"{where}.protocols",
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
        for name in registry.usable("metrics")
        if set(registry.load("metrics", name).METRIC.scores) & set(style.MAIN)
    ]
