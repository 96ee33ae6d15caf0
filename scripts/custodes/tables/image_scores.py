"""Tables of the image branch: what is said of models, of pairs of them, and of their settings."""

import pyarrow as pa

from custodes.tables.columns import SCORES, STATISTICS
from custodes.tables.representations import REPRESENTATION

# Which others a score of a set of representations compares each with; null for scores of one.
COMPARISON = {"comparison": pa.string()}
REPRESENTATION_SCORES = REPRESENTATION | COMPARISON | SCORES
SETTING_STATISTICS = {
    "restarts" if column == "seeds" else column: kind
    for column, kind in (REPRESENTATION | COMPARISON | STATISTICS).items()
    if column != "restart"
}
PAIRS = REPRESENTATION | {
    "partner_model": pa.string(),
    "partner_setting": pa.int64(),
    "partner_restart": pa.int64(),
    "metric": pa.string(),
    "comparison": pa.string(),
}
RANKINGS = {
    "dataset": pa.string(),
    "source": pa.string(),
    "model": pa.string(),
    "comparison": pa.string(),
    "score": pa.string(),
    "reference": pa.string(),
    "correlation": pa.float64(),
    "ci_low": pa.float64(),
    "ci_high": pa.float64(),
    "models": pa.int64(),
    "status": pa.string(),
}
