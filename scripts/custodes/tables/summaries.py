"""Statistics of one score over independent runs: the seeds of a cell, or the restarts of a setting."""

from collections import Counter

import numpy as np

from custodes.tables.columns import COVERAGE, OK, without_value


def summary(rows):
    """Columns from `undefined` to `null_permutations` of `STATISTICS`, as far as they are defined.

    rows: of `SCORES`, one for each run. Mean, standard deviation (ddof 1) and t interval are over the
    runs that have a value; null statistics are means over the runs, the p-value their median. Where one
    run or more has no value the status is "undefined", for the commonest of their reasons.
    """
    values = np.array([row["value"] for row in rows if "value" in row])
    reasons = Counter(row["reason"] for row in rows if "value" not in row)
    statistics = {
        "undefined": len(rows) - values.size,
        "null_permutations": min(row["null_permutations"] for row in rows),
    }
    statistics |= without_value(reasons.most_common(1)[0][0]) if reasons else {"status": OK}
    if values.size:
        statistics["mean"] = float(values.mean())
    if values.size > 1:
        statistics |= _spread(values)
    return statistics | _null_statistics(rows)


def t_factor(runs):
    """Half the width of the interval of a mean over `runs`, in units of std / sqrt(runs)."""
    from scipy.special import stdtrit

    return stdtrit(runs - 1, (1 + COVERAGE) / 2)


def _null_statistics(rows):
    reduce = {"null_mean": np.mean, "null_q95": np.mean, "p_value": np.median, "adjusted": np.mean}
    return {
        column: float(statistic([row[column] for row in rows if column in row]))
        for column, statistic in reduce.items()
        if any(column in row for row in rows)
    }


def _spread(values):
    std = float(values.std(ddof=1))
    half_width = float(t_factor(values.size)) * std / values.size**0.5
    mean = float(values.mean())
    return {"std": std, "ci_low": mean - half_width, "ci_high": mean + half_width}
