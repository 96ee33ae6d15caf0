"""FactorVAE score: does the code that varies least tell which factor was held fixed.

Paper: Kim and Mnih, "Disentangling by factorising", 2018, section 4. One point: 64 rows that share the class
of one factor; it votes for the code with the least variance relative to its variance over all rows (codes
that tie share the vote). 10,000 points, each factor fixed as often, say which factor each code stands
for: the one with most of its votes. The score is the share of 5,000 other votes that agree.
Range [0, 1], chance 1/K for the K factors that vary (`chance` is for three).

Codes whose standard deviation is below .05 have collapsed to the prior, whose standard deviation is 1,
and are left out, as are constant ones; with none left the score is 0. So the codes are to be posterior
means in units of the prior; for others set smallest_spread=0.
Factors that do not vary are left out; with one left there is nothing to tell and the score is Undefined.

Where images are few the score is low, since a class then has few different rows, which repeat in a point: for
noisy codes that mix five factors of 3 to 40 classes .71, .78, .80, .82 on 1,000, 3,000, 10,000, 50,000 rows
(means of five mixtures). Compare scores of the same number of rows only.

Departures from the reference code (reached by rank_transform=False, on codes of many rows): variances of
ranks, because in a heavy-tailed code all but a few rows have next to no variance, and it takes all
votes; factors fixed in turn and not at random; ties shared; rows drawn from the data set that is given,
with replacement within a class, those of test points apart from those of training points.
"""

import numpy as np

from custodes.checks import count, flag, real
from custodes.contracts import GRID, Metric
from custodes.metrics._fixed_factor import for_fixing, rows_of_one_class, shares
from custodes.statistics.columns import constant_columns, ranks, standardised, unit
from custodes.streams import generator

METRIC = Metric(
    scores={"factor_vae_score": (0.0, 1.0)},
    needs=GRID,
    invariant_to=("code_permutation", "code_shift", "factor_scale", "factor_shift", "factor_monotone"),
    options={
        "rank_transform": flag,
        "smallest_spread": real(0),
        "samples": count(2),
        "train_points": count(1),
        "test_points": count(1),
    },
    chance={"factor_vae_score": 1 / 3},
)
check = METRIC.check


def score(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    rank_transform=True,
    smallest_spread=0.05,
    samples=64,
    train_points=10_000,
    test_points=5_000,
):
    """FactorVAE score of discrete factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices, of which the points are drawn; None: a random third for testing.
    smallest_spread: standard deviation below which a code is left out, in the codes' units.
    Raises Undefined where fewer than two factors vary and where one has less than two rows per value
    in either part.
    """
    check(
        rank_transform=rank_transform,
        smallest_spread=smallest_spread,
        samples=samples,
        train_points=train_points,
        test_points=test_points,
    )
    rng = generator(rng)
    labels, codes, parts = for_fixing(z, z_hat, rng, split, "factor_vae_score")
    codes = codes[:, _active(codes, smallest_spread)]
    if codes.shape[1] == 0:
        return {"factor_vae_score": 0.0}
    codes = ranks(codes) if rank_transform else codes
    codes = standardised(codes)
    learned, judged = (
        _votes(labels[rows], codes[rows], points, samples, rng)
        for rows, points in zip(parts, (train_points, test_points), strict=True)
    )
    agreeing = judged[learned.argmax(axis=0), np.arange(judged.shape[1])]
    return {"factor_vae_score": float(np.clip(agreeing.sum() / judged.sum(), 0.0, 1.0))}


def _active(codes, smallest_spread):
    """Boolean (m,): which codes vary by at least `smallest_spread`."""
    scale = unit(codes)
    with np.errstate(over="ignore"):  # the bound of a tiny column, in its own units
        wide = (codes / scale).std(axis=0, ddof=1) >= smallest_spread / scale
    return wide & ~constant_columns(codes)


def _votes(labels, codes, points, samples, rng):
    """Votes (K, m) that each code gets while each factor is fixed."""
    columns = np.ascontiguousarray(codes.T)
    votes = []
    for column, own in zip(labels.T, shares(points, labels.shape[1]), strict=True):
        rows = rows_of_one_class(column, own, samples, rng)
        # From the first row of each point, so that equal rows have variance 0 exactly.
        variances = np.stack([(code[rows] - code[rows[:, :1]]).var(axis=1) for code in columns], axis=1)
        least = variances == variances.min(axis=1, keepdims=True)
        votes.append((least / least.sum(axis=1, keepdims=True)).sum(axis=0))
    return np.array(votes)
