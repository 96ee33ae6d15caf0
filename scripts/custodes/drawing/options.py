"""Checks of figure options, by option name; imports neither matplotlib nor pandas.

The kinds share these options:

where      {column: value or list of values}: the rows to draw; null for rows that lack the parameter
scores     "main", "full" (with the scores of metrics that `style` does not list) or a list of names
groups     {label: where}: makes the column `group`; rows that belong to no group are not drawn
"""

import inspect

from custodes import registry
from custodes.drawing import style
from custodes.drawing.closed_form_curves import CURVES
from custodes.registry import configured
from custodes.tables.columns import is_parameter

AXES = ("x", "y", "hue", "style", "rows", "columns")


def check(draw, given):
    """Check the options `given` for a kind's `draw`; ValueError names option, value and what is allowed."""
    known = {
        name: parameter.default
        for name, parameter in inspect.signature(draw).parameters.items()
        if name not in ("table", "figure")
    }
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"unknown option {name!r}; allowed: {', '.join(known)}")
        if value is not None or known[name] is inspect.Parameter.empty:
            _RULES[name](name, value)
    for name, default in known.items():
        if default is inspect.Parameter.empty and name not in given:
            raise ValueError(f"{name}: missing; needs a value")
    options = known | given
    used = {name: options[name] for name in AXES if options.get(name) is not None}
    for name, column in used.items():
        twin = next(other for other in used if used[other] == column)
        if twin != name:
            raise ValueError(f"{name}: {column!r} is the column of {twin} already")
    if "groups" in options and ("group" in used.values()) != bool(options["groups"]):
        raise ValueError(
            "groups: needs 'group' as a column of one of " + ", ".join(AXES) + ", and the reverse"
        )
    if "rows" in options and options.get("wrap") is not None and ("rows" in used or "columns" not in used):
        raise ValueError("wrap: only for figures with columns and without rows")


def check_number(option, column):
    """ValueError unless `column`, the value of an option, holds numbers."""
    if not style.is_number(column):
        numbers = ", ".join(filter(style.is_number, style.COLUMNS))
        raise ValueError(f"{option}: {column!r} does not hold numbers; allowed: {numbers}, parameters")


def known_columns():
    """Columns that options may name: listed in `style`, or parameters of registered entries."""
    parameters = [
        prefix + name
        for kind, prefix in (("dgps", "dgp_"), ("encoders", "encoder_"))
        for entry in registry.usable(kind)
        for name in registry.parameters(kind, entry)
    ]
    return list(dict.fromkeys([*style.COLUMNS, *parameters]))


def known_scores():
    """Scores that options may name: listed in `style`, or computed by a registered metric."""
    scores = [
        score for name in registry.usable("metrics") for score in registry.load("metrics", name).METRIC.scores
    ]
    return list(dict.fromkeys([*style.SCORES, *scores]))


def _column(option, value):
    _among(option, value, known_columns(), "a column")


def _among(option, value, known, what):
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{option}: {value!r} is not {what}; allowed: {', '.join(known)}")


def _one_of(*allowed):
    return lambda option, value: _among(option, value, allowed, "an allowed value")


def _positive(kind, limit):
    def rule(option, value):
        if isinstance(value, bool) or not isinstance(value, kind) or not 0 < value <= limit:
            raise ValueError(
                f"{option}: {value!r} is not allowed; needs a number above 0 and at most {limit}"
            )

    return rule


def _scores(option, value):
    if isinstance(value, str):
        _among(option, value, ("main", "full"), "an allowed value (or give a list of scores)")
        return
    if not isinstance(value, list) or not value:
        raise ValueError(f"{option}: {value!r} is not allowed; needs main, full or a list of scores")
    for score in value:
        _among(option, score, known_scores(), "a score")


def check_where(option, value):
    """ValueError unless `value` maps known columns to values that they may have, one or a list."""
    _mapping(option, value, "columns to a value or a list of values")
    for column, wanted in value.items():
        _column(option, column)
        for entry in wanted if isinstance(wanted, list) else [wanted]:
            if entry is None and is_parameter(column):
                continue
            number = isinstance(entry, int | float) and not isinstance(entry, bool)
            if column in style.COLUMNS and style.is_number(column) and not number:
                raise ValueError(f"{option}.{column}: {entry!r} is not allowed; needs a number")
            if not isinstance(entry, str | int | float):
                raise ValueError(f"{option}.{column}: {entry!r} is not allowed; needs a name or number")
            known = _known_names(column)
            if known is not None:
                _among(f"{option}.{column}", entry, known, f"a known {column}")


def _known_names(column):
    match column:
        case "dgp" | "encoder" | "metric":
            return registry.names(f"{column}s")
        case "protocol" | "experiment":
            return configured(f"{column}s")
        case "score":
            return known_scores()
    return None


def _groups(option, value):
    _mapping(option, value, "labels to filters")
    for label, where in value.items():
        check_where(f"{option}.{label}", where)


def _curves(option, value):
    if not isinstance(value, list) or not value:
        raise ValueError(f"{option}: {value!r} is not allowed; needs a list of: {', '.join(CURVES)}")
    for name in value:
        _among(option, name, CURVES, "a closed form")


def _panels(option, value):
    if not isinstance(value, list) or not value:
        raise ValueError(f"{option}: {value!r} is not allowed; needs a list of panels")


def _mapping(option, value, what):
    if not isinstance(value, dict) or not value:
        raise ValueError(f"{option}: {value!r} is not allowed; needs a mapping of {what}")


_RULES = dict.fromkeys(AXES, _column) | {
    "scores": _scores,
    "where": check_where,
    "groups": _groups,
    "baseline": check_where,
    "curves": _curves,
    "x_scale": _one_of("linear", "log", "symlog"),
    "value": _one_of(*style.STATISTICS),
    "legend": _one_of("each", "shared"),
    "width": _one_of(*style.WIDTHS),
    "panels": _panels,
    "wrap": _positive(int, 8),
}
