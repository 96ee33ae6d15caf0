"""Verdicts on a score: how far it departs from a property, with what margin, and what that is called.

A property (config/verdicts.yaml) is a list of differences that should be zero, each of them
offset + sign (score of one cell - score of another, or 0). The four kinds:

range    between any two cells that differ in one column only: the score should not depend on it
share    1 - score where m >= d_eff codes hold all free factors; score - m / d_eff where fewer cannot
change   between an encoder with more codes than factors and its like with as many, in either direction
level    the score itself, in either direction

Source: Who Guards the Guardians, Properties 1 to 4; the paper states no rule, this one is ours.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np

OK = "ok"
PARTLY = "partly"
VIOLATED = "violated"
NOT_JUDGED = "not judged"


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


class Judgement(NamedTuple):
    """A statistic (None where the score is defined nowhere), its margin, and the worst difference.

    ci_low, ci_high: None where fewer than two seeds measured it. worst: index of the difference.
    """

    statistic: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    worst: int | None = None


def differences(statistic, cells, **options):
    """Differences of the kind `statistic` between `cells` (DataFrame of labels, index 0, 1, 2, ...)."""
    rows = np.array(STATISTICS[statistic](cells, **options), dtype=float).reshape(-1, 4)
    return Differences(rows[:, 0].astype(int), rows[:, 1].astype(int), rows[:, 2], rows[:, 3])


def judge(found, resamples, coverage, seed):
    """Judgement on differences `found` (k, seeds).

    For each seed the difference that is largest on the mean of the other seeds is measured on this
    one; the statistic is the mean of these measurements, at least 0. Its margin holds `coverage` of
    its values when the measurements are drawn anew with replacement, `resamples` times. Where no two
    seeds have a value in common the statistic is the plain largest, and there is no margin.
    """
    defined = ~np.isnan(found)
    if not defined.any():
        return Judgement(None)
    total, count = np.where(defined, found, 0.0).sum(axis=1), defined.sum(axis=1)
    means = _means(total, count)
    picks, measured = _held_out(found, defined, total, count)
    if not measured:
        worst = int(means.argmax())
        return Judgement(max(0.0, float(means[worst])), worst=worst)
    # The commonest pick; of several as common, the largest on all seeds.
    worst = max(Counter(picks).items(), key=lambda pick: (pick[1], means[pick[0]]))[0]
    statistic = max(0.0, float(np.mean(measured)))
    if len(measured) < 2:
        return Judgement(statistic, worst=worst)
    drawn = np.random.default_rng(seed).choice(measured, (resamples, len(measured)))
    tails = (1 - coverage) / 2, (1 + coverage) / 2
    low, high = np.maximum(0.0, np.quantile(drawn.mean(axis=1), tails))
    return Judgement(statistic, float(low), float(high), worst)


def verdict(judgement, thresholds):
    """What the difference is shown to exceed: not even `ok`, that but not `partly`, or `partly`.

    Shown is the lower end of the margin; where there is none, the statistic has to do.
    """
    if judgement.statistic is None:
        return NOT_JUDGED
    return _word(judgement.statistic if judgement.ci_low is None else judgement.ci_low, thresholds)


def is_clear(judgement, thresholds):
    """Whether both ends of the margin have the same verdict; False without a margin."""
    if judgement.ci_low is None:
        return False
    return _word(judgement.ci_low, thresholds) == _word(judgement.ci_high, thresholds)


def _word(difference, thresholds):
    if difference <= thresholds["ok"]:
        return OK
    return PARTLY if difference <= thresholds["partly"] else VIOLATED


def _held_out(found, defined, total, count):
    """For each seed the index of the difference that the other seeds pick, and its value there."""
    picks, measured = [], []
    for seed in range(found.shape[1]):
        usable = defined[:, seed] & (count > 1)
        if usable.any():
            others = _means(total - found[:, seed], np.where(usable, count - 1, 0))
            picks.append(int(others.argmax()))
            measured.append(float(found[picks[-1], seed]))
    return picks, measured


def _means(total, count):
    """Total / count, and -inf where there is nothing."""
    return np.where(count > 0, total / np.maximum(count, 1), -np.inf)


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
