"""Columns of the tables of the image branch: of models, of pairs of them, and of their settings.

Scores and tables: one row per representation and score. Pairs: one row per representation, partner and
comparison. Settings: one row per setting and score. Rankings: one row per class of models (null: all of
them), comparison and two scores.
"""

from custodes.tables.columns import SCORES, STATISTICS, STATUS
from custodes.tables.representations import REPRESENTATION
from custodes.tables.trainings import CLASS, MODEL, RUN

# Which others a score of a set of representations compares each with; null for scores of one.
COMPARISON = {"comparison": "string"}
SAME_SETTING, ANY_SETTING = "same setting", "any setting"
REPRESENTATION_SCORES = REPRESENTATION | COMPARISON | SCORES
SETTING_STATISTICS = {
    "restarts" if column == "seeds" else column: kind
    for column, kind in (REPRESENTATION | COMPARISON | STATISTICS).items()
    if column != "restart"
}
PAIRS = (
    REPRESENTATION
    | {f"partner_{column}": MODEL[column] for column in RUN}
    | {"metric": "string"}
    | COMPARISON
)
RANKINGS = {column: MODEL[column] for column in CLASS} | COMPARISON
RANKINGS |= {
    "score": "string",
    "reference": "string",
    "correlation": "float64",
    "ci_low": "float64",
    "ci_high": "float64",
    "models": "int64",
}
RANKINGS |= STATUS


def within_setting(table):
    """Rows of a DataFrame but for the scores of a set that compare models of other settings."""
    return table[table["comparison"].isna() | (table["comparison"] == SAME_SETTING)]
