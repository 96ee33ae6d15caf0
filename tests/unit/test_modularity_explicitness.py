"""Modularity and explicitness: closed forms, scikit-learn, chance, the two classifiers."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import mutual_info_score, roc_auc_score
from sklearn.preprocessing import StandardScaler

from custodes.errors import Undefined
from custodes.metrics import modularity_explicitness
from custodes.statistics.information import modularities
from tests.unit.grid_factors import crossed, drawn, noise, noisy


def score(z, z_hat, seed=0, **arguments):
    return modularity_explicitness.score(z, z_hat, np.random.default_rng(seed), **arguments)


def modularity(z, z_hat, **arguments):
    return score(z, z_hat, **arguments)["modularity"]


def explicitness(z, z_hat, **arguments):
    return score(z, z_hat, **arguments)["explicitness"]


MATRICES = {
    "one factor a code": (np.diag([1.0, 2.0, 3.0]), 1),
    "two codes a factor": (np.vstack([np.eye(2), np.eye(2)]), 1),
    "all the same": (np.ones((4, 3)), 0),
    "two of three the same": (np.array([[2.0, 2.0, 0.0]]), 1 / 2),
    "squares": (np.array([[4.0, 2.0, 1.0]]), 1 - (1 / 4 + 1 / 16) / 2),
    "a mean, not weighted": (np.array([[9.0, 9.0], [0.1, 0.0]]), 1 / 2),
    "a dead code": (np.array([[1.0, 0.0], [0.0, 0.0]]), 1 / 2),
    "rounding": (np.array([[1.0, 0.0], [1e-16, 0.0]]), 1 / 2),
    "nothing": (np.zeros((3, 2)), 0),
    "one factor": (np.array([[0.3], [0.0]]), 1 / 2),
}


@pytest.mark.parametrize("case", MATRICES)
def test_modularity_of_known_matrices(case):
    information, expected = MATRICES[case]
    assert modularities(information).mean() == pytest.approx(expected, abs=1e-12)
    assert modularities(information[:, ::-1]).mean() == pytest.approx(expected, abs=1e-12)


CUBE = crossed(2, 2, 2, repeats=200)
A, B, C = CUBE.T
CLOSED_FORMS = {  # of A + B the area is 7/8: of 16 pairs of rows 12 are in order, and 4 tie
    "the factors": ([A, B, C], 1, 1),
    "permuted, reversed, other units": ([-7 * C, A + 3, 1e-9 * B], 1, 1),
    "two copies": ([A, -A, B, C], 1, 1),
    "a factor without a code": ([A, B], 1, (1 + 1 + 0.5) / 3),
    "a sum": ([A + B, C], (1 / 2 + 1) / 2, (7 / 8 + 7 / 8 + 1) / 3),
    "two digits": ([2 * A + B, C], (1 / 2 + 1) / 2, (1 + 3 / 4 + 1) / 3),
    "a dead code": ([A, B, C, 0 * C], 3 / 4, 1),
    "nothing": ([0 * A], 0, 0.5),
}


@pytest.mark.parametrize("case", CLOSED_FORMS)
def test_closed_forms(case):
    codes, modular, explicit = CLOSED_FORMS[case]
    scores = score(CUBE, np.stack(codes, axis=1))
    assert scores["modularity"] == pytest.approx(modular, abs=1e-9)
    assert scores["explicitness"] == pytest.approx(explicit, abs=0.02)


@pytest.mark.parametrize("spread", [0.3, 2.0])
@pytest.mark.parametrize("rank_transform", [False, True])
def test_modularity_is_that_of_scikit_learn(spread, rank_transform):
    z = drawn((3, 4, 30), n=500)
    z_hat = noisy(z, spread) @ np.array([[1, 0.2, 0], [0, 1, 0.2], [0, 0, 1]])
    seen = z_hat.argsort(axis=0).argsort(axis=0) if rank_transform else z_hat
    deviations = []
    for code in seen.T:
        bins = np.digitize(code, np.histogram(code, 20)[1][:-1])
        squares = np.sort([mutual_info_score(factor, bins) ** 2 for factor in z.T])
        deviations.append(squares[:-1].sum() / (2 * squares[-1]))
    expected = 1 - np.mean(deviations)
    assert expected < 0.99
    assert modularity(z, z_hat, rank_transform=rank_transform) == pytest.approx(expected, abs=2e-3)


def test_a_heavy_tail_does_not_take_up_the_bins():
    z = drawn((4, 4, 4))
    heavy = np.sinh(20 * noisy(z, 0.1) ** 2)
    assert modularity(z, heavy) > 0.99
    assert modularity(z, heavy, rank_transform=False) < 0.98


@pytest.mark.parametrize("sizes", [(2, 2), (3, 5, 8)])
def test_explicitness_is_that_of_scikit_learn(sizes):
    z = drawn(sizes, n=400)
    z_hat = np.hstack([noisy(z, 1.5), noise(z)])
    train, test = np.arange(250), np.arange(250, 400)
    scaler = StandardScaler().fit(z_hat[train])
    areas = []
    for factor in z.T:
        model = LogisticRegression(max_iter=1000).fit(scaler.transform(z_hat[train]), factor[train])
        evidence = model.predict_proba(scaler.transform(z_hat[test]))
        areas.append(
            roc_auc_score(factor[test], evidence[:, 1])
            if evidence.shape[1] == 2
            else roc_auc_score(factor[test], evidence, multi_class="ovr")
        )
    assert 0.6 < np.mean(areas) < 0.9
    found = explicitness(z, z_hat, split=(train, test))
    assert found == pytest.approx(np.mean(areas), abs=2e-3)
    assert explicitness(z, z_hat) == pytest.approx(found, abs=0.05)


@pytest.mark.parametrize(
    ("classes", "expected"), [(2, 1), (4, (1 + 2 / 3) / 2), (6, (1 + 4 / 5 + 3 / 5) / 3)]
)
def test_one_regression_per_class_cannot_tell_a_class_between_two_others(classes, expected):
    z = crossed(classes, classes, repeats=12)
    assert explicitness(z, z, classifier="one_vs_rest") == pytest.approx(expected, abs=0.01)
    assert explicitness(z, z) > 0.99


@pytest.mark.parametrize(("n", "area"), [(1200, 0.987), (4800, 0.997)])
def test_forty_classes_on_one_code(n, area):
    z = drawn((40,), n=n)
    assert explicitness(z, z) == pytest.approx(area, abs=0.005)


@pytest.mark.parametrize(("sizes", "level"), [((4, 4, 4), 0.34), ((10, 10, 10), 0.24), ((3, 6, 10), 0.82)])
def test_independent_codes_are_at_the_declared_levels(sizes, level):
    found, split = [], (np.arange(200), np.arange(200, 2200))
    for seed in range(12):
        z = drawn(sizes, n=2200, seed=seed)
        found.append(list(score(z, noise(z, seed=seed + 50), split=split).values()))
    assert np.mean(found, axis=0) == pytest.approx([level, 0.5], abs=0.05)
    if sizes == (4, 4, 4):
        assert level == modularity_explicitness.METRIC.chance["modularity"]


def test_regressions_of_two_parts_are_not_compared():
    """Pooled over the folds, the rare class of independent codes would look worse than chance."""
    found = []
    for seed in range(30):
        z = (drawn((10, 2), n=60, seed=seed) == 0).astype(int)
        found.append(explicitness(z[:, :1], noise(z, 1, seed=seed + 50)))
    assert np.mean(found) == pytest.approx(0.5, abs=0.05)


def test_one_factor():
    z = drawn((4,), n=400)
    scores = score(z, np.hstack([z, 0 * z]))
    assert scores == pytest.approx({"modularity": 0.5, "explicitness": 1}, abs=1e-6)


def test_a_split_without_some_classes():
    z = drawn((4, 4), n=200)
    train, test = np.flatnonzero(z[:, 0] != 3), np.flatnonzero(z[:, 1] != 0)
    scores = score(z, z, split=(train, test))
    # Class 3 of the first factor was not learnt and is taken for class 2; class 0 of the second is not seen.
    first = (1 + 1 + 2 / 3 + 0.5) / 4
    assert scores["explicitness"] == pytest.approx((first + 1) / 2, abs=0.03)
    assert scores["modularity"] > 0.9
    constant = score(z, z, split=(np.flatnonzero(z[:, 0] == 3), np.arange(200)))
    assert constant["explicitness"] == pytest.approx((0.5 + 1) / 2, abs=0.01)


def test_undefined():
    z = drawn((3, 3), n=40)
    with pytest.raises(Undefined, match="needs 10 scored rows, got 9"):
        score(z[:9], z[:9])
    with pytest.raises(Undefined, match="needs 10 scored rows, got 5"):
        score(z, z, split=(np.arange(35), np.arange(35, 40)))


def test_explicitness_alone_is_undefined_where_no_part_has_two_classes():
    z = np.array([0] * 8 + [1] * 2)[:, None]
    values, reasons = [], []
    for seed in range(15):
        try:
            values.append(score(z, z, seed)["explicitness"])
        except Undefined as reason:
            reasons.append((str(reason), list(reason.scores)))
    assert values == pytest.approx([1] * len(values))
    assert values
    reason = "explicitness: no held-out part has two classes of a factor"
    assert reasons == [(reason, ["modularity"])] * (15 - len(values))
    assert reasons


def test_unknown_classifiers_are_named():
    z = drawn()
    with pytest.raises(ValueError, match="classifier = 'nonsense': must be one of"):
        score(z, z, classifier="nonsense")


def test_many_classes_on_few_rows_raise_no_warning():
    """scikit-learn warns of more classes than half of the rows that it is fitted to; here 30 of 48."""
    z = np.stack([np.arange(60) % 30, np.arange(60) % 2], axis=1)
    assert 0 <= explicitness(z, z + noise(z, 2)) <= 1
