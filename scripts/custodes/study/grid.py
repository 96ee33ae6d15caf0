"""From the grids of an experiment file to its cells: plain dictionaries with one value per column.

A cell holds every label of its rows (`tables.LABELS` and further parameters), all defaults
resolved, and besides them `redundant` (columns of z that are functions of others) and, where the
experiment keeps points that cannot exist, `infeasible` (why). Values are plain Python numbers,
strings and booleans, since Snakemake records parameters by their `repr`.
"""

from collections import Counter
from itertools import product

import numpy as np

from custodes import registry
from custodes.checks import require_count
from custodes.errors import ConfigError, Infeasible
from custodes.study.yaml_files import meant
from custodes.tables.columns import cell_labels, prefixed

LARGEST_NUMBER = 1e300
DEFAULTS = {"d": 5, "n": 1000}
KEYS = ("dgp", "encoder", "d", "n", "m")
LARGEST = {"d": 10_000, "m": 100_000, "n": 10_000_000}  # beyond them a draw does not fit into memory


def expand(grids, protocol, *, name, where, infeasible="refuse", thin=None):
    """All distinct cells of `grids` under `protocol`, in the order in which the grids name them.

    grids: list of mappings from keys (`dgp`, `encoder`, `d`, `n`, `m`, `dgp_*`, `encoder_*`, or
    joint keys such as "d, n") to a value or a list of values. protocol: merged protocol file.
    name: the protocol's name (blocks may be limited to some protocols). where: file name for
    errors. infeasible: "keep" or "refuse". thin: None, or the limits of a quick study (`points`,
    `dgps`, `n`, `work`, and perhaps `grids`).
    """
    cells = {}
    for index, block in enumerate(grids[: (thin or {}).get("grids")]):
        if name not in block.get("protocols", [name]):
            continue
        place = f"{where}: grids[{index}]"
        for point in _points(block, thin, place):
            cell = _cell(point, protocol | {"name": name}, infeasible, place)
            if thin is not None and work(cell) > thin["work"]:
                continue
            cells.setdefault(tuple(sorted(cell_labels(cell).items())), cell)
    return list(cells.values())


def work(cell):
    """Size n d m of a cell, to which the time of its scores is roughly proportional."""
    return cell["n"] * cell["d"] * cell["m"]


def by_dgp(cells):
    """{factor distribution: its feasible cells}."""
    blocks = {}
    for cell in cells:
        if "infeasible" not in cell:
            blocks.setdefault(cell["dgp"], []).append(cell)
    return blocks


def _points(block, thin, place):
    block = {key: value for key, value in block.items() if key != "protocols"}
    given = Counter(part.strip() for key in block for part in key.split(","))
    for key, count in given.items():
        if key not in KEYS and not key.startswith(("dgp_", "encoder_")):
            allowed = f"{', '.join(KEYS)}, dgp_*, encoder_*"
            raise ConfigError(f"{place}: unknown key {key!r}; known: {allowed}{meant(key, KEYS)}")
        if count > 1:
            within = ", ".join(repr(name) for name in block if key in map(str.strip, name.split(",")))
            raise ConfigError(f"{place}: {key} is given {count} times: by {within}")
    defaults = {key: value for key, value in DEFAULTS.items() if key not in given}
    axes = []
    for key, value in (block | defaults).items():
        keys = [part.strip() for part in key.split(",")]
        values = value if isinstance(value, list) else [value]
        rows = values if len(keys) > 1 else [[entry] for entry in values]
        for row in rows:
            if not isinstance(row, list) or len(row) != len(keys):
                raise ConfigError(f"{place}: {key!r} needs {len(keys)} values, got {row!r}")
            for name, entry in zip(keys, row, strict=True):
                check_size(name, entry, place)
        axes.append([dict(zip(keys, row, strict=True)) for row in _thinned(rows, keys, thin)])
    for combination in product(*axes):
        yield {key: value for part in combination for key, value in part.items()}


def check_size(key, value, place):
    """Refuse a value of d, m or n that no draw can have; other keys pass."""
    try:
        if key in LARGEST:
            require_count(key, value, 1, LARGEST[key])
    except ValueError as reason:
        raise ConfigError(f"{place}: {reason}") from None


def _thinned(rows, keys, thin):
    if thin is None or keys == ["encoder"]:
        return rows
    if keys == ["dgp"]:
        return rows[: thin["dgps"]]
    if "n" in keys:
        place = keys.index("n")
        capped = [*rows[0][:place], thin["n"], *rows[0][place + 1 :]]
        rows = [row for row in rows if row[place] <= thin["n"]] or [capped]
    if len(rows) <= thin["points"]:
        return rows
    return [rows[round(position)] for position in np.linspace(0, len(rows) - 1, thin["points"])]


def _cell(point, protocol, infeasible, place):
    for key in ("dgp", "encoder"):
        if key not in point:
            raise ConfigError(f"{place}: the grid names no {key}")
    dgp = _resolve("dgps", point["dgp"], point, protocol, place)
    cell = {"dgp": point["dgp"], "d": point["d"], "d_eff": point["d"], "n": point["n"]}
    cell |= {f"dgp_{key}": value for key, value in dgp.items()}
    module = registry.load("dgps", point["dgp"])
    try:
        module.check(point["d"], **dgp)
        cell["redundant"] = module.redundant_factors(point["d"], **dgp)
        cell["d_eff"] -= len(cell["redundant"])
    except Infeasible as reason:
        if infeasible != "keep":
            raise ConfigError(
                f"{place}: {reason} (or keep such points as rows: 'infeasible: keep')"
            ) from None
        cell["infeasible"] = str(reason)
    except ValueError as reason:
        given = _given("dgps", point["dgp"], protocol, reason)
        raise ConfigError(f"{place}: dgp {point['dgp']}: {reason}{given}") from None
    return cell | _encoder_labels(point, protocol, place)


def _encoder_labels(point, protocol, place):
    name = point["encoder"]
    encoder = _resolve("encoders", name, point, protocol, place)
    module = registry.load("encoders", name)
    try:
        m = point["m"] if "m" in point else module.default_m(point["d"], **encoder)
        require_count("m", m, 1, LARGEST["m"])
        module.check(point["d"], m, **encoder)
    except ValueError as reason:
        given = _given("encoders", name, protocol, reason)
        raise ConfigError(f"{place}: encoder {name}: {reason}{given}") from None
    return {"encoder": name, "m": m} | {f"encoder_{key}": value for key, value in encoder.items()}


def _given(kind, name, protocol, reason):
    """The end of a message about a parameter: that the protocol gives it, where it does."""
    parameter = str(reason).partition(" = ")[0]
    if parameter not in protocol.get(kind, {}).get(name, {}):
        return ""
    return f" (config/protocols/{protocol['name']}.yaml: {kind}.{name} gives one)"


def _resolve(kind, name, point, protocol, place):
    """Parameters of one entry: the grid's value, the protocol's or the default."""
    prefix = {"dgps": "dgp_", "encoders": "encoder_"}[kind]
    try:
        defaults = registry.parameters(kind, name)
    except ConfigError as reason:
        raise ConfigError(f"{place}: {reason}") from None
    given = protocol.get(kind, {}).get(name, {}) | prefixed(point, prefix)
    unknown = sorted(set(given) - set(defaults))
    if unknown:
        known = ", ".join(prefix + key for key in defaults) or "none"
        nearest = meant(unknown[0], defaults)
        raise ConfigError(
            f"{place}: {name} has no parameter {prefix}{unknown[0]}; its parameters: {known}{nearest}"
        )
    values = {
        key: typed(given.get(key, default), default, f"{place}: {prefix}{key}")
        for key, default in defaults.items()
    }
    return {key: value for key, value in values.items() if value is not None}


def typed(value, default, place):
    """The value in the type of its default (0 becomes 0.0 where the default is 0.5)."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and not abs(value) <= LARGEST_NUMBER:
        raise ConfigError(f"{place}: {value!r} is no number from -{LARGEST_NUMBER:g} to {LARGEST_NUMBER:g}")
    if number and (default is None or isinstance(default, float)):
        return float(value)
    if default is None or type(value) is type(default):
        return value
    raise ConfigError(f"{place}: needs a value of type {type(default).__name__}, got {value!r}")
