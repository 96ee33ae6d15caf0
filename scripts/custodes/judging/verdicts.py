"""Verdicts on a score: how far it departs from a property, within what bounds, and what that is called.

A property (config/verdicts.yaml) is a list of differences that should be zero, each of them
offset + sign (score of one cell - score of another, or 0). The four kinds:

range    between any two cells that differ in one column only: the score should not depend on it
share    1 - score where m >= d_eff codes hold all free factors; score - m / d_eff where fewer cannot
change   between an encoder with more codes than factors and its like with as many, in either direction
level    the score itself, in either direction

Every difference gets bounds from its seeds, and of many the worst counts: statistic, lower and upper end
are the largest of the means, of the lower and of the upper bounds. A part is judged by the same bounds, so
that no total is better than one of its parts. The lower bounds hold together, for all differences; each
upper bound holds by itself, because all of them have to be low for the property to hold.

Source: Who Guards the Guardians, Properties 1 to 4; the paper states no rule, this one is ours.
"""

from typing import NamedTuple

import numpy as np

OK = "ok"
PARTLY = "partly"
VIOLATED = "violated"
UNDECIDED = "undecided"
NOT_JUDGED = "not judged"

# Scores have a range of 1, which no difference exceeds.
LARGEST = 1.0
# A standard deviation over seeds up to this is rounding: such a difference is the same on every seed.
CONSTANT = 1e-9


class Differences(NamedTuple):
    """Differences that should be zero: offset + sign (score[cell] - score[against]).

    cell, against: indices of cells (k,), against = -1 for none. offset, sign: floats (k,).
    """

    cell: np.ndarray
    against: np.ndarray
    offset: np.ndarray
    sign: np.ndarray

    def of(self, values):
        """The differences (k, seeds) of scores `values` (cells, seeds); NaN where one is undefined."""
        against = np.where((self.against >= 0)[:, None], values[self.against], 0.0)
        return self.offset[:, None] + self.sign[:, None] * (values[self.cell] - against)

    def involved(self):
        """Indices of all cells that take part, sorted."""
        both = np.concatenate([self.cell, self.against])
        return np.unique(both[both >= 0])


class Bounds(NamedTuple):
    """Mean over seeds of every difference, and its bounds: floats (k,).

    mean: -inf where no seed has a value. low, high: -inf and inf where fewer than two have one.
    """

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Judgement(NamedTuple):
    """The worst of some differences: its mean (None where all are undefined), and the ends of its margin.

    ci_low, ci_high: None where the seeds give no bound. worst: index of the difference.
    """

    statistic: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    worst: int | None = None


def differences(statistic, cells, **options):
    """Differences of the kind `statistic` between `cells` (DataFrame of labels, index 0, 1, 2, ...)."""
    rows = np.array(STATISTICS[statistic](cells, **options), dtype=float).reshape(-1, 4)
    return Differences(rows[:, 0].astype(int), rows[:, 1].astype(int), rows[:, 2], rows[:, 3])


def bounds(found, coverage):
    """Bounds of differences `found` (k, seeds), NaN where undefined.

    The upper bound is that of the t-interval (share `coverage`) of the difference itself. The lower one is
    that of the same interval or, if lower, the mean less z times the standard error. z is normal, adjusted
    for the number of differences (Bonferroni); the standard error is of the spread of this difference or
    of the typical one (root mean square over those that vary), whichever is larger, because of many spreads
    of few seeds some are small by chance. A difference that is the same on every seed is its own bounds.
    """
    from scipy.special import ndtri, stdtrit

    defined = ~np.isnan(found)
    count = defined.sum(axis=1)
    some, several = np.maximum(count, 1), np.maximum(count - 1, 1)
    mean = np.where(defined, found, 0.0).sum(axis=1) / some
    spread = np.sqrt((np.where(defined, found - mean[:, None], 0.0) ** 2).sum(axis=1) / several)
    varies = (count > 1) & (spread > CONSTANT)
    typical = np.sqrt(np.mean(spread[varies] ** 2)) if varies.any() else 0.0
    own = stdtrit(several, (1 + coverage) / 2) * spread
    joint = ndtri(1 - (1 - coverage) / 2 / max(1, (count > 0).sum())) * np.maximum(spread, typical)
    below, above = np.maximum(own, joint) / np.sqrt(some), own / np.sqrt(some)
    return Bounds(
        mean=np.where(count > 0, mean, -np.inf),
        low=np.where(count > 1, mean - np.where(varies, below, 0.0), -np.inf),
        high=np.select([count > 1, count > 0], [mean + np.where(varies, above, 0.0), np.inf], -np.inf),
    )


def judge(bounds, among=None):
    """Judgement on the differences with these Bounds; `among` (booleans, k): on some of them.

    Nothing departs by less than 0: a score that does not reach its bound departs by nothing. Nor, in truth,
    by more than `LARGEST`.
    """
    chosen = np.flatnonzero((bounds.mean > -np.inf) & (True if among is None else among))
    if not len(chosen):
        return Judgement(None)
    mean, low, high = (np.maximum(0.0, column[chosen]) for column in bounds)
    bounded = (bounds.low[chosen] > -np.inf).any()
    largest = max(LARGEST, float(mean.max()))
    return Judgement(
        statistic=float(mean.max()),
        ci_low=float(low.max()) if bounded else None,
        ci_high=min(float(high.max()), largest) if high.max() < np.inf else None,
        worst=int(chosen[bounds.mean[chosen].argmax()]),
    )


def verdict(judgement, thresholds):
    """`ok`, `partly` or `violated` where both ends of the margin say so, else undecided.

    What exceeds `partly` is violated however high its upper end is, known or not.
    """
    if judgement.statistic is None:
        return NOT_JUDGED
    low = -np.inf if judgement.ci_low is None else judgement.ci_low
    high = np.inf if judgement.ci_high is None else judgement.ci_high
    if low > thresholds["partly"]:
        return VIOLATED
    if high <= thresholds["ok"]:
        return OK
    return PARTLY if low > thresholds["ok"] and high <= thresholds["partly"] else UNDECIDED


def _range(cells, over):
    same = [column for column in cells if column not in (over, "experiment")]
    group = cells.groupby(same, dropna=False, sort=False).ngroup().to_numpy()
    has = cells[over].notna().to_numpy()
    high, low = np.nonzero((group[:, None] == group) & has[:, None] & has & ~np.eye(len(cells), dtype=bool))
    return [(a, b, 0.0, 1.0) for a, b in zip(high, low, strict=True)]


def _share(cells):
    shares = (cells["m"] / cells["d_eff"]).to_numpy()
    return [
        (index, -1, 1.0, -1.0) if share >= 1 else (index, -1, -share, 1.0)
        for index, share in enumerate(shares)
    ]


def _change(cells, matched):
    rows = []
    for index, cell in cells[cells["encoder"].isin(list(matched))].iterrows():
        twin = _twin(cell, cells, matched[cell["encoder"]])
        if twin is not None:
            rows += [(index, twin, 0.0, sign) for sign in (1.0, -1.0)]
    return rows


def _level(cells):
    return [(index, -1, 0.0, sign) for index in range(len(cells)) for sign in (1.0, -1.0)]


def _twin(cell, cells, encoder):
    """Index of the cell of `encoder` that is like `cell` in all that both have, but for m; None if none."""
    like = cells["encoder"] == encoder
    for column in cell.dropna().index.difference(["encoder", "m", "experiment"]):
        like &= cells[column].isna() | (cells[column] == cell[column])
    found = cells.index[like]
    if len(found) > 1:
        raise ValueError(
            f"{len(found)} cells of {encoder} are like {cell.dropna().to_dict()}; narrow with where"
        )
    return int(found[0]) if len(found) else None


STATISTICS = {"range": _range, "share": _share, "change": _change, "level": _level}
