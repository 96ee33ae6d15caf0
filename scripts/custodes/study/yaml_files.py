"""Reading YAML and checking it against its schema; errors of one line that name file and key."""

import math
import re
from functools import cache
from pathlib import Path

from custodes.errors import ConfigError
from custodes.sources import CHECKOUT


def read_yaml(path):
    """Read one YAML 1.2 file; syntax errors and repeated keys are refused with the line."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError

    name = _shown(path)
    try:
        return YAML(typ="safe").load(Path(path))
    except FileNotFoundError:
        raise ConfigError(f"{name}: there is no such file") from None
    except MarkedYAMLError as error:
        problem = " ".join(str(error.problem).split())
        raise ConfigError(f"{name}: line {error.problem_mark.line + 1}: {problem}") from None


def validated(data, schema, where):
    """Return `data` if it satisfies workflow/schemas/<schema>.schema.yaml, else ConfigError."""
    from jsonschema.exceptions import best_match

    error = best_match(_validator(schema).iter_errors(data))
    if error is None:
        return data
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    raise ConfigError(f"{where}: {key.removeprefix('.') or 'top level'}: {_message(error)}")


def read_validated(path, schema):
    """Read a YAML file that must satisfy a schema."""
    return validated(read_yaml(path), schema, _shown(path))


def typed(value):
    """`value` with its strings read as YAML: Snakemake leaves numbers inside --config lists as text."""
    from ruamel.yaml import YAML

    if isinstance(value, dict):
        return {key: typed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [typed(part) for part in value]
    return YAML(typ="safe").load(value) if isinstance(value, str) else value


def chosen(value, known, what):
    """The names that `value` ("all", a name or a list) selects among `known`, else ConfigError."""
    wanted = list(known) if value == "all" else [value] if isinstance(value, str) else list(value)
    for name in wanted:
        if name not in known:
            raise ConfigError(f"unknown {what} {name!r}; known: {', '.join(known)}")
    if len(set(wanted)) < len(wanted):
        raise ConfigError(f"{what} named twice: {', '.join(wanted)}")
    return wanted


def _message(error):
    if error.validator == "additionalProperties":
        properties = error.schema.get("properties", {})
        patterns = error.schema.get("patternProperties", {})
        unknown = [
            key
            for key in error.instance
            if key not in properties and not any(re.search(pattern, key) for pattern in patterns)
        ]
        known = ", ".join([*properties, *(part["title"] for part in patterns.values())])
        return f"unknown key {unknown[0]!r}; known: {known}"
    if error.validator in ("anyOf", "oneOf", "type") and "description" in error.schema:
        return f"{error.instance!r} is not allowed; expected: {error.schema['description']}"
    return error.message


@cache
def _validator(schema):
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    # To the standard 2.0 is an integer and NaN a number that no minimum excludes.
    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "integer": lambda _, value: type(value) is int,
            "number": lambda _, value: type(value) in (int, float) and math.isfinite(value),
        }
    )
    validator = extend(Draft202012Validator, type_checker=types)
    return validator(read_yaml(CHECKOUT / "workflow" / "schemas" / f"{schema}.schema.yaml"))


def _shown(path):
    path = Path(path).resolve()
    return str(path.relative_to(CHECKOUT)) if path.is_relative_to(CHECKOUT) else str(path)
