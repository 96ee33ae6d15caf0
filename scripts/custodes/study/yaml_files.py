"""Reading YAML and checking it against its schema; errors of one line that name file and key."""

import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from custodes.errors import ConfigError
from custodes.sources import CHECKOUT

LONGEST = 120  # letters of a value that a message shows
LARGEST = 2**63  # of a number, either way


def read_yaml(path):
    """Read one YAML 1.2 file; no file, no YAML, a key given twice or a key that is no text: ConfigError."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    name = _shown(path)
    try:
        data = YAML(typ="safe").load(Path(path).read_text(encoding="utf-8"))
        _refuse_keys_but_text(data, name)
    except FileNotFoundError:
        raise ConfigError(f"{name}: there is no such file") from None
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{name}: line {line}: is no text in UTF-8") from None
    except YAMLError as error:
        raise ConfigError(f"{name}: {_syntax(error)}") from None
    except RecursionError:
        raise ConfigError(f"{name}: has a list or mapping within itself, or too many of them") from None
    except ConfigError:
        raise
    except ValueError as error:  # of what looks like a date or a number
        raise ConfigError(f"{name}: {error}") from None
    return data


def validated(data, schema, where):
    """Return `data` if it satisfies workflow/schemas/<schema>.schema.yaml, else ConfigError."""
    from jsonschema.exceptions import best_match

    error = best_match(_validator(schema).iter_errors(data))
    if error is None:
        return data
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    raise ConfigError(f"{where}: {key.removeprefix('.') or 'top level'}: {_message(error)}")


def read_mapping(path):
    """Read a YAML file that must have keys at its top level."""
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise ConfigError(f"{_shown(path)}: must have lines of the form key: value, got {_short(data)}")
    return data


def read_validated(path, schema):
    """Read a YAML file that must satisfy a schema."""
    return validated(read_yaml(path), schema, _shown(path))


def overrides(files, arguments):
    """What --configfile (`files`) and --config (`arguments`) give, and where each key was given.

    The last that gives a key has the whole key. Returns ({key: value}, {key: file, or "--config"}).
    """
    values, origins = {}, {}
    for path in files:
        given = read_mapping(path)
        values |= given
        origins |= dict.fromkeys(given, _shown(path))
    given = _from_command_line(arguments)
    return values | given, origins | dict.fromkeys(given, "--config")


def chosen(value, known, what, where):
    """The names that `value` ("all", a name or a list) selects among `known`, else ConfigError.

    what: a name stands for this; where: the file and the key that give `value`.
    """
    wanted = list(known) if value == "all" else [value] if isinstance(value, str) else list(value)
    for name in wanted:
        if name not in known:
            raise ConfigError(f"{where}: unknown {what} {name!r}; known: {listed(known)}{meant(name, known)}")
    if len(set(wanted)) < len(wanted):
        raise ConfigError(f"{where}: {what} named twice: {', '.join(wanted)}")
    return wanted


def listed(names):
    """Names in one line."""
    return ", ".join(map(str, names)) or "none"


def meant(name, known):
    """The end of a message about an unknown name: the known name that is nearest to it, if one is near."""

    def plain(name):
        return re.sub(r"(?<!\d)0+", "", str(name).lower())  # fig5 is nearest to fig05

    alike = {plain(candidate): str(candidate) for candidate in known}
    nearest = [alike[found] for found in get_close_matches(plain(name), alike, n=1)]
    return f"; did you mean {nearest[0]}?" if nearest else ""


def _from_command_line(arguments):
    """`arguments` with the numbers inside their lists and mappings, which Snakemake leaves as text.

    A text is kept where the key needs a text: "010" may be the name of a folder.
    """
    read = {key: _typed(value) for key, value in arguments.items()}
    for error in list(_validator("config").iter_errors(read)):
        place, given = read, arguments
        for part in list(error.absolute_path)[:-1]:
            place, given = place[part], given[part]
        for key in list(error.absolute_path)[-1:]:
            if _validator("config").evolve(schema=error.schema).is_valid(given[key]):
                place[key] = given[key]
    return read


def _typed(value):
    """`value` with its texts read as YAML where they are a number, true, false or null."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    if isinstance(value, dict):
        return {key: _typed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_typed(part) for part in value]
    if not isinstance(value, str) or not value:
        return value
    try:
        read = YAML(typ="safe").load(value)
    except (YAMLError, ValueError):
        return value
    return read if read is None or isinstance(read, bool | int | float) else value


def _refuse_keys_but_text(data, where, above=""):
    if isinstance(data, dict):
        for key, value in data.items():
            if not isinstance(key, str):
                raise ConfigError(f'{where}: {above or "top level"}: key {key!r} is no text: write "{key}"')
            _refuse_keys_but_text(value, where, f"{above}.{key}" if above else key)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            _refuse_keys_but_text(value, where, f"{above}[{index}]")


def _syntax(error):
    """What is wrong with a text that is no YAML, in one line."""
    mark = getattr(error, "problem_mark", None)
    problem = " ".join(str(getattr(error, "problem", None) or error).split())
    return f"line {mark.line + 1}: {problem}" if mark else problem


def _message(error):
    if error.validator == "additionalProperties":
        properties = error.schema.get("properties", {})
        patterns = error.schema.get("patternProperties", {})
        unknown = [
            key
            for key in error.instance
            if key not in properties and not any(re.search(pattern, key) for pattern in patterns)
        ]
        known = [*properties, *(part["title"] for part in patterns.values())]
        return f"unknown key {unknown[0]!r}; known: {listed(known)}{meant(unknown[0], known)}"
    if error.validator in ("anyOf", "oneOf", "type") and "description" in error.schema:
        return f"{_short(error.instance)} is not allowed; expected: {error.schema['description']}"
    return error.message.replace(repr(error.instance), _short(error.instance))


def _short(value):
    shown = repr(value)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."


@cache
def _validator(schema):
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    # To the standard 2.0 is an integer and NaN (not below anything) a number that no minimum excludes.
    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "integer": lambda _, value: type(value) is int and abs(value) < LARGEST,
            "number": lambda _, value: type(value) in (int, float) and abs(value) < LARGEST,
        }
    )
    validator = extend(Draft202012Validator, type_checker=types)
    return validator(read_yaml(CHECKOUT / "workflow" / "schemas" / f"{schema}.schema.yaml"))


def _shown(path):
    path = Path(path).resolve()
    return str(path.relative_to(CHECKOUT)) if path.is_relative_to(CHECKOUT) else str(path)
