"""Statistics of one score over independent runs: the seeds of a cell, or the restarts of a setting."""

from collections import Counter

import numpy as np

from custodes.tables.columns import OK


def summary(rows):
    """Columns from `undefined` to `null_permutations` of `STATISTICS`, as far as they are defined.

    rows: of `SCORES`, one for each run. Mean, standard deviation (ddof 1) and 95 % t interval are over
    the runs that have a value; null statistics are means over the runs, the p-value their median.
    """
    values = np.array([row["value"] for row in rows if "value" in row])
    reasons = Counter(row["status"] for row in rows if "value" not in row)
    statistics = {
        "undefined": len(rows) - values.size,
        "status": reasons.most_common(1)[0][0] if reasons else OK,
        "null_permutations": min(row["null_permutations"] for row in rows),
    }
    if values.size:
        statistics["mean"] = float(values.mean())
    if values.size > 1:
        statistics |= _spread(values)
    return statistics | _null_statistics(rows)


def _null_statistics(rows):
    reduce = {"null_mean": np.mean, "null_q95": np.mean, "p_value": np.median, "adjusted": np.mean}
    return {
        column: float(statistic([row[column] for row in rows if column in row]))
        for column, statistic in reduce.items()
        if any(column in row for row in rows)
    }


def _spread(values):
    from scipy.special import stdtrit

    std = float(values.std(ddof=1))
    half_width = float(stdtrit(values.size - 1, 0.975)) * std / values.size**0.5
    mean = float(values.mean())
    return {"std": std, "ci_low": mean - half_width, "ci_high": mean + half_width}
