"""beta-VAE score: can a linear classifier tell which factor was held fixed.

Paper: Higgins et al., "beta-VAE: learning basic visual concepts with a constrained variational framework",
2017, section 3. One point: 64 pairs of rows that share the class of one factor; its features (m,) are
the means over the pairs of |difference| of each code. A logistic regression learns from 10,000 points
which factor that was, each as often; the score is its accuracy on 5,000 other points. Range [0, 1], chance
1/K for the K factors that vary (`chance` is for three); codes that are constant give exactly that.
The two rows of a pair differ; classes of one row are left out.

A code that determines its factor has difference 0 where that is fixed, so that a perfect code scores
1; so does one that mixes all factors but one, as Kim and Mnih (2018) note.
Factors that do not vary are left out; with one left there is nothing to tell and the score is Undefined.

Departures from the reference code (reached by rank_transform=False, on codes of many rows): codes as
ranks, in units of their spread, so that neither units nor heavy tails matter; factors fixed in turn and not
at random; rows drawn from the data set that is given, those of test points apart from those of
training points. With replacement and from the same rows, independent codes beat chance: a pair that is
one row twice, and the few rows of a class, give the factor away.
"""

import warnings

import numpy as np

from custodes.checks import count, flag
from custodes.contracts import AFFINE_CODES, GRID, Metric
from custodes.errors import Undefined
from custodes.metrics._fixed_factor import for_fixing, pairs_of_one_class, shares
from custodes.statistics.columns import ranks, standardised
from custodes.statistics.threads import one_thread
from custodes.streams import generator

METRIC = Metric(
    scores={"beta_vae_score": (0.0, 1.0)},
    needs=GRID,
    invariant_to=(*AFFINE_CODES, "code_monotone", "factor_scale", "factor_shift", "factor_monotone"),
    options={"rank_transform": flag, "pairs": count(1), "train_points": count(1), "test_points": count(1)},
    chance={"beta_vae_score": 1 / 3},
    dead={"beta_vae_score": 1 / 3},
)
check = METRIC.check

ITERATIONS = 1000


def score(
    z,
    z_hat,
    rng=None,
    *,
    split=None,
    rank_transform=True,
    pairs=64,
    train_points=10_000,
    test_points=5_000,
):
    """beta-VAE score of discrete factors z (n, d) and codes z_hat (n, m); see the module.

    split: (train, test) row indices, of which the points are drawn; None: a random third for testing.
    Raises Undefined where fewer than two factors vary, where one has less than two rows per value in
    either part, and where differences of unranked codes overflow.
    """
    check(rank_transform=rank_transform, pairs=pairs, train_points=train_points, test_points=test_points)
    rng = generator(rng)
    labels, codes, parts = for_fixing(z, z_hat, rng, split, "beta_vae_score")
    if rank_transform:
        codes = standardised(ranks(codes))
    train, test = (
        _points(labels[rows], codes[rows], points, pairs, rng)
        for rows, points in zip(parts, (train_points, test_points), strict=True)
    )
    return {"beta_vae_score": _accuracy(*train, *test)}


def _points(labels, codes, points, pairs, rng):
    """Features (points, m), and the factor (points,) that was fixed."""
    counts = shares(points, labels.shape[1])
    features = [
        _mean_differences(codes, *pairs_of_one_class(column, (own, pairs), rng))
        for column, own in zip(labels.T, counts, strict=True)
    ]
    return np.vstack(features), np.repeat(np.arange(len(counts)), counts)


def _mean_differences(codes, one, other):
    with np.errstate(over="ignore"):  # refused below
        columns = [np.abs(code[one] - code[other]).mean(axis=1) for code in np.ascontiguousarray(codes.T)]
    return np.stack(columns, axis=1)


def _accuracy(x_train, y_train, x_test, y_test):
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    if not (np.isfinite(x_train).all() and np.isfinite(x_test).all()):
        raise Undefined("beta_vae_score: differences of the codes overflow")
    with warnings.catch_warnings(), one_thread():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of unranked codes in odd units
        model = LogisticRegression(max_iter=ITERATIONS).fit(x_train, y_train)
        return float(np.mean(model.predict(x_test) == y_test))
