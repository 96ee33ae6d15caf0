"""Closed forms as curves of a figure: which rows each speaks of, and its value along an axis."""

from typing import NamedTuple

import numpy as np

from custodes import streams
from custodes.synthetic import closed_forms
from custodes.tables.filters import infeasible

NULLS = ("null_gaussian", "null_uniform", "shuffled_rows")
_DENSE = 81
# Columns that closed forms depend on; between two points of a sweep they vary along a power law of x.
_BASE = ("m", "d", "n", "n_scored", "dgp_rho", "encoder_kappa")


class Curve(NamedTuple):
    """A closed form: its name in the legend, the rows it applies to, and its value.

    value: a function of arrays of columns along a line and of the seeds of its cells (a DataFrame).
    """

    label: str
    scores: tuple
    encoders: tuple
    dgps: tuple
    value: object


def _r2_dropped(columns, draws):
    rho = np.nan_to_num(columns["dgp_rho"])  # independent factors have no correlation column
    return closed_forms.r2_dropped(columns["m"], columns["d"], rho)


def _dci_dropped(columns, draws):
    return closed_forms.dci_dropped(columns["m"])


def _null_floor(columns, draws):
    return closed_forms.null_floor(columns["n_scored"], columns["m"])


def _null_maximum(columns, draws):
    return closed_forms.null_maximum(columns["n_scored"], np.maximum(columns["m"], columns["d"]))


def _population_mcc_pearson(columns, draws):
    from custodes.encoders import linearly_entangled

    d = columns["d"]
    if np.ptp(d) > 0:
        raise ValueError("curves: population_mcc_pearson needs a constant number of factors d along x")
    d = int(d[0])
    rho = np.nan_to_num(columns["dgp_rho"])
    seeds = _seeds(draws)
    values = np.empty((len(seeds), len(rho)))
    for row, seed in enumerate(seeds):
        for column, (r, kappa) in enumerate(zip(rho, columns["encoder_kappa"], strict=True)):
            mixing = linearly_entangled.mixing_matrix(streams.codes(*seed), d, kappa)
            sigma = closed_forms.equicorrelation(d, r)
            values[row, column] = closed_forms.population_mcc_pearson(mixing, sigma)
    return values.mean(axis=0)


CURVES = {
    "r2_dropped": Curve(
        "$R^2$ closed form",
        ("r2",),
        ("elementwise_linear", "undercomplete"),
        ("independent", "correlated"),
        _r2_dropped,
    ),
    "dci_dropped": Curve(
        "DCI-D closed form",
        ("dci_disentanglement",),
        ("elementwise_linear", "undercomplete"),
        ("independent",),
        _dci_dropped,
    ),
    "null_floor": Curve(
        r"$\sqrt{2\,\log m\,/\,n}$",
        ("mcc_pearson", "mcc_spearman"),
        NULLS,
        ("independent", "correlated"),
        _null_floor,
    ),
    "null_maximum": Curve(
        "exact mean of the largest correlation",
        ("mcc_pearson",),
        NULLS,
        ("independent", "correlated"),
        _null_maximum,
    ),
    "population_mcc_pearson": Curve(
        r"MCC-P closed form ($n \to \infty$)",
        ("mcc_pearson",),
        ("linearly_entangled",),
        ("independent", "correlated"),
        _population_mcc_pearson,
    ),
}


def trace(name, cells, x, log):
    """Points (x, y) of the closed form `name` along a line, or None where it does not apply.

    cells: rows of the line, which say of what draws they are; x: column of the axis; log: whether the axis
    is logarithmic.
    """
    curve = CURVES[name]
    cells = cells[
        cells["score"].isin(curve.scores)
        & cells["encoder"].isin(curve.encoders)
        & cells["dgp"].isin(curve.dgps)
        & ~infeasible(cells)
    ].sort_values(x)
    knots = cells[x].to_numpy(dtype=float)
    if len(knots) < 2:
        return None
    spaced = np.geomspace if log else np.linspace
    dense = np.unique(np.concatenate([spaced(knots[0], knots[-1], _DENSE), knots]))
    columns = {base: _between(dense, knots, cells[base].to_numpy(dtype=float)) for base in _BASE}
    return dense, curve.value(columns, cells[["first_seed", "seeds", "code_offset"]])


def _seeds(draws):
    """Seed and offset of the stream of the codes, for each of the draws of a line."""
    draws = draws.drop_duplicates()
    if len(draws) > 1:
        raise ValueError("curves: population_mcc_pearson needs the same seeds for all points along x")
    first, count, offset = map(int, draws.iloc[0])
    return [(seed, offset) for seed in range(first, first + count)]


def _between(dense, knots, values):
    if np.isnan(values).any():
        return np.full(len(dense), np.nan)
    if (knots > 0).all() and (values > 0).all():
        return np.exp(np.interp(np.log(dense), np.log(knots), np.log(values)))
    return np.interp(dense, knots, values)
