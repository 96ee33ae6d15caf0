"""Columns of the files of the synthetic study, and which of them identify factors and cells.

Files of factors have one row per draw (grid point of the factors and seed), those of codes one per cell and
seed: the labels, the seed and a sample (see draws.py). Scores: one row per cell, seed and score. Tables: one
row per cell and score. A parameter that a distribution or encoder does not have is null; parameters that
are not listed here follow as further columns.
"""

# What a score or a cell is: of rows without a value, `reason` says why in a sentence; else it is null.
OK, UNDEFINED, INFEASIBLE = "ok", "undefined", "infeasible"
STATUS = {"status": "string", "reason": "string"}
# Scores of permuted codes, see scoring/null_calibration.py.
NULL = {
    "null_mean": "float64",
    "null_q95": "float64",
    "p_value": "float64",
    "adjusted": "float64",
    "null_permutations": "int64",
}
COVERAGE = 0.95  # of every interval of a table

FACTOR_LABELS = {
    "dgp": "string",
    "d": "int64",
    "d_eff": "int64",
    "n": "int64",
    "dgp_rho": "float64",
    "dgp_coupling": "float64",
    "dgp_constraints": "int64",
    "dgp_function": "string",
}
CODE_LABELS = {
    "encoder": "string",
    "m": "int64",
    "encoder_alpha": "float64",
    "encoder_kappa": "float64",
    "encoder_codes_per_factor": "int64",
    "encoder_keep": "string",
    "encoder_functions": "string",
    "encoder_cross_factor": "bool",
}
LABELS = FACTOR_LABELS | CODE_LABELS
SEED = {"seed": "int64"}
STUDY = {"protocol": "string", "experiment": "string"}
SCORES = {"metric": "string", "score": "string", "value": "float64"} | STATUS | NULL
FINGERPRINT = {"fingerprint": "string"}  # of all that a row of scores depends on
STATISTICS = {
    "metric": "string",
    "score": "string",
    "mean": "float64",
    "std": "float64",
    "ci_low": "float64",
    "ci_high": "float64",
    "seeds": "int64",
    "undefined": "int64",
}
STATISTICS |= STATUS | NULL
# Of the draws of a cell, what closed forms depend on: the first of its seeds, what is added to a seed for the
# stream of its codes, and how many rows a score sees that fits nothing.
DRAWS = {"first_seed": "int64", "code_offset": "int64", "n_scored": "int64"}
TABLE = STUDY | LABELS | STATISTICS | DRAWS
# Quotients of sizes that figures, claims and the paper's symbols name like columns.
RATIOS = {"m_over_d": ("m", "d"), "m_over_n": ("m", "n"), "d_over_n": ("d", "n")}


def is_parameter(column):
    """Whether a column is a parameter of a factor distribution or an encoder."""
    return column.startswith(("dgp_", "encoder_"))


def is_label(column):
    """Whether a column is part of what identifies a cell."""
    return column in LABELS or is_parameter(column)


def cell_labels(row):
    """What identifies a cell, of a cell of the grid or of any row about one."""
    return {key: value for key, value in row.items() if is_label(key)}


def factor_labels(row):
    """The part of it that identifies the cell's factors: names, sizes and the `dgp_` parameters."""
    return {key: value for key, value in row.items() if key in FACTOR_LABELS or key.startswith("dgp_")}


def cell_key(row):
    """`cell_labels` as a key of a dictionary."""
    return frozenset(cell_labels(row).items())


def factor_key(row, seed):
    """`factor_labels` and the seed of a draw as a key of a dictionary."""
    return frozenset(factor_labels(row).items()), seed


def without_value(reason):
    """The columns `status` and `reason` of a score that has no value."""
    return {"status": UNDEFINED, "reason": str(reason)}


def prefixed(cell, prefix):
    """Parameters of the cell's `dgp_` or `encoder_`, without the prefix."""
    return {key.removeprefix(prefix): value for key, value in cell.items() if key.startswith(prefix)}
