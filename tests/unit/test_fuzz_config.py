"""Every key of every file of a configuration with wrong values: one line that names file and key, or fine.

Each case changes one place of one file: another kind of value, a misspelt, removed or doubled key.
"""

import math
import shutil
import sys
import time
from copy import deepcopy
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from custodes.errors import ConfigError
from custodes.sources import CHECKOUT
from custodes.study import study, yaml_files

TINY = CHECKOUT / "tests" / "workflow" / "tiny"
VALUES = (
    *(None, [], {}, -1, 10**30, math.nan, math.inf, "", "text", True, 0.5),
    *([None], ["text", "text"], {"text": 1}, {7: 1}),
)
MINE_NAME = "mine.yaml"
FILES = (
    MINE_NAME,
    "config/config.yaml",
    "config/experiments/correlation.yaml",
    "config/protocols/published.yaml",
    "config/verdicts.yaml",
)
MINE = {  # given with --configfile
    "figures": ["correlated"],
    "thin": {
        **{"points": 3, "dgps": 1, "n": 100, "work": 75_000, "grids": 1},
        "experiments": {"correlation": {"points": 2, "dgps": 1, "n": 50, "work": 5_000, "without": ["r2"]}},
    },
}
MORE = {  # keys that the tiny study does not give, beside those that it gives
    "config/config.yaml": {
        "datasets": ["dsprites"],
        "sources": {"dsprites": {"source": "rendered"}},
        "threads": {"r2": 2},
        "add_metrics": ["mcc_pearson"],
    },
    "config/experiments/correlation.yaml": {
        "note": "none",
        "seed_multiple": 2,
        "metrics": ["mcc_pearson", "r2"],
        "variants": {"plain": {"metric": "r2", "score": "r2", "parameters": {"intercept": False}}},
        "properties": {"P1": [{"encoder": ["elementwise_linear"], "d": 3}]},
    },
    "config/protocols/published.yaml": {
        "encoders": {"null_uniform": {"low": -1.0}},
        "experiments": {"sizes": {"split": "in_sample", "encoder_seed_offset": 0}},
    },
}
NULLABLE = {("thin",), ("figures", "correlated", "options", "style")}
OWN_NAMES = {("figures", "correlated"), ("variants", "plain")}
SECONDS = 3


def dumped(data):
    text = StringIO()
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.representer.ignore_aliases = lambda _: True
    yaml.dump(data, text)
    return text.getvalue()


def places(data, path=()):
    """Paths of all keys and of the first entry of every list."""
    entries = (
        data.items() if isinstance(data, dict) else enumerate(data[:1]) if isinstance(data, list) else ()
    )
    for key, value in entries:
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(data, path, change):
    """A copy of the data in which `change` was made of the mapping or list above the last part of a path."""
    data = deepcopy(data)
    above = data
    for part in path[:-1]:
        above = above[part]
    change(above, path[-1])
    return data


def misspell(above, key):
    above[f"{key}q"] = above.pop(key)


def cases(data):
    """(what was done, where, text of the file) of every change of a file; every third value at a place."""
    for index, path in enumerate(places(data)):
        for value in VALUES[index % 3 :: 3]:
            yield value, path, dumped(changed(data, path, partial(put, value)))
        if isinstance(path[-1], str):
            yield "misspelt", path, dumped(changed(data, path, misspell))
            yield "removed", path, dumped(changed(data, path, remove))
    lines = dumped(data).splitlines(keepends=True)
    for index, line in enumerate(lines):
        key, colon, value = line.strip().partition(": ")
        if colon and value and not key.startswith("-"):
            yield "doubled", (key,), "".join([*lines[: index + 1], line, *lines[index + 1 :]])


def put(value, above, key):
    above[key] = value


def remove(above, key):
    del above[key]


def kind(value):
    return bool if isinstance(value, bool) else float if isinstance(value, int | float) else type(value)


def may_be(done, path, data):
    """Whether a change may be accepted: a value of the same kind, or nothing where something was."""
    if done in ("removed", "misspelt"):
        return done == "removed" or path in OWN_NAMES
    before = data
    for part in path:
        before = before[part]
    listed = kind(before[0]) if isinstance(before, list) else None  # a value may stand for a list of it
    return kind(done) in (kind(before), listed) or (done is None and path in NULLABLE)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with the tiny study, in which nearly every key is given."""
    shutil.copytree(TINY, tmp_path / "config")
    (tmp_path / MINE_NAME).write_text(dumped(MINE))
    for path, more in MORE.items():
        (tmp_path / path).write_text(dumped(yaml_files.read_yaml(tmp_path / path) | more))
    for schema in ("config", "experiment", "protocol", "verdicts"):
        yaml_files._validator(schema)  # kept: there are no schemas in this checkout
    for module in list(sys.modules.values()):
        if module.__name__.startswith("custodes") and hasattr(module, "CHECKOUT"):
            monkeypatch.setattr(module, "CHECKOUT", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(*files):
    """The message with which the study is refused under configuration files, or None."""
    try:
        study.load(*yaml_files.overrides(files, {}))
    except ConfigError as error:
        return str(error)
    return None


def test_every_bad_value_is_refused_in_one_line_that_names_file_and_key(checkout):
    assert refusal() is refusal(checkout / MINE_NAME) is None
    refused = 0
    for path in FILES:
        file, name = checkout / path, Path(path).stem
        files = [file] if path == MINE_NAME else []
        original, data = file.read_text(), yaml_files.read_yaml(file)
        for done, where, text in cases(data):
            file.write_text(text)
            started = time.monotonic()
            message = refusal(*files)
            place = f"{path}: {'.'.join(map(str, where))}: {done!r}"
            assert time.monotonic() - started < SECONDS, place
            if message is None:
                assert may_be(done, where, data), f"{place} was accepted"
                continue
            refused += 1
            assert "\n" not in message, place
            assert name in message, f"{place}: {message}"
            keys = [str(part) for part in where if isinstance(part, str)][-2:]
            assert any(key in message for key in keys), f"{place}: {message}"
        file.write_text(original)
    print(f"{refused} bad inputs were refused")
    assert refused >= 500
