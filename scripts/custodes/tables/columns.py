"""Columns of the tables of the synthetic study, and what they identify."""

import pyarrow as pa

FACTOR_LABELS = {
    "dgp": pa.string(),
    "d": pa.int64(),
    "d_eff": pa.int64(),
    "n": pa.int64(),
    "dgp_rho": pa.float64(),
    "dgp_coupling": pa.float64(),
    "dgp_constraints": pa.int64(),
    "dgp_function": pa.string(),
}
CODE_LABELS = {
    "encoder": pa.string(),
    "m": pa.int64(),
    "encoder_alpha": pa.float64(),
    "encoder_kappa": pa.float64(),
    "encoder_codes_per_factor": pa.int64(),
    "encoder_keep": pa.string(),
    "encoder_functions": pa.string(),
    "encoder_cross_factor": pa.bool_(),
}
LABELS = FACTOR_LABELS | CODE_LABELS
SEED = {"seed": pa.int64()}
STUDY = {"protocol": pa.string(), "experiment": pa.string()}
SCORES = {
    "metric": pa.string(),
    "score": pa.string(),
    "value": pa.float64(),
    "status": pa.string(),
    "null_mean": pa.float64(),
    "null_q95": pa.float64(),
    "p_value": pa.float64(),
    "adjusted": pa.float64(),
    "null_permutations": pa.int64(),
}
FINGERPRINT = {"fingerprint": pa.string()}  # of all that a row of scores depends on
STATISTICS = {
    "metric": pa.string(),
    "score": pa.string(),
    "mean": pa.float64(),
    "std": pa.float64(),
    "ci_low": pa.float64(),
    "ci_high": pa.float64(),
    "seeds": pa.int64(),
    "undefined": pa.int64(),
    "status": pa.string(),
    "null_mean": pa.float64(),
    "null_q95": pa.float64(),
    "p_value": pa.float64(),
    "adjusted": pa.float64(),
    "null_permutations": pa.int64(),
}
OK = "ok"
NOT_LABELS = ("redundant", "infeasible")  # what a cell of the grid knows besides its labels


def is_parameter(column):
    """Whether a column is a parameter of a factor distribution or an encoder."""
    return column.startswith(("dgp_", "encoder_"))


def factor_key(labels):
    """What identifies the factors of a draw: the labels of the distribution and the seed."""
    own = {"dgp", "d", "n", "seed"}
    return frozenset((key, value) for key, value in labels.items() if key in own or key.startswith("dgp_"))


def factor_labels(cell):
    """The labels of the cell's factors: `dgp`, `d`, `d_eff`, `n` and the `dgp_` parameters."""
    own = ("dgp", "d", "d_eff", "n")
    return {key: value for key, value in cell.items() if key in own or key.startswith("dgp_")}


def cell_labels(cell):
    """The part of a cell of the grid that becomes columns."""
    return {key: value for key, value in cell.items() if key not in NOT_LABELS}


def prefixed(cell, prefix):
    """Parameters of the cell's `dgp_` or `encoder_`, without the prefix."""
    return {key.removeprefix(prefix): value for key, value in cell.items() if key.startswith(prefix)}
