"""Labels of factors, and draws of rows that share a class."""

import numpy as np
import pytest

from custodes import metrics
from custodes.errors import Undefined
from custodes.metrics._fixed_factor import for_fixing, pairs_of_one_class, rows_of_one_class, shares
from custodes.statistics import discrete
from tests.unit.grid_factors import drawn, noisy

LABELS = np.array([2, 0, 1, 0, 2, 0, 3])  # classes 1 and 3 have one row each


def test_labels_are_places_among_the_values():
    z = np.array([[0.5, 7], [0.25, 7], [0.5, 8], [0.25, 8]])
    assert discrete.class_labels(z, [1, 0], "r2").tolist() == [[0, 1], [0, 0], [1, 1], [1, 0]]
    assert discrete.class_labels(z, [], "r2").shape == (4, 0)


def test_labels_of_a_continuous_factor_are_undefined():
    z = np.stack([np.arange(7) % 2, np.arange(7), np.arange(7) // 2], axis=1)
    assert discrete.class_labels(z, [0], "r2").max() == 1
    with pytest.raises(Undefined, match=r"^r2: factor 2 has 4 values on 7 rows"):
        discrete.class_labels(z, [0, 2], "r2")


def test_pairs_are_two_rows_of_one_class():
    one, other = pairs_of_one_class(LABELS, (500, 8), np.random.default_rng(0))
    assert one.shape == other.shape == (500, 8)
    assert (one != other).all()
    assert (LABELS[one] == LABELS[other]).all()


def test_all_pairs_are_as_likely_as_their_first_row():
    one, other = pairs_of_one_class(LABELS, 30_000, np.random.default_rng(0))
    found = np.zeros((7, 7))
    np.add.at(found, (one, other), 1 / 30_000)
    # Five rows have a partner; those of class 0 have two each.
    expected = (LABELS[:, None] == LABELS) * ~np.eye(7, dtype=bool) / 5
    expected[LABELS == 0] /= 2
    assert found == pytest.approx(expected, abs=0.01)


def test_rows_of_a_class_come_with_replacement():
    rows = rows_of_one_class(LABELS, 20_000, 4, np.random.default_rng(0))
    assert rows.shape == (20_000, 4)
    assert (LABELS[rows] == LABELS[rows[:, :1]]).all()
    shares = np.bincount(rows.ravel(), minlength=7) / rows.size
    assert shares == pytest.approx((LABELS != 1) * (LABELS != 3) / 5, abs=0.01)
    repeated = np.mean(rows[:, 0] == rows[:, 1])
    assert repeated == pytest.approx(3 / 5 / 3 + 2 / 5 / 2, abs=0.02)


def test_names_of_classes_do_not_matter():
    draws = [
        function(labels, 50, *size, np.random.default_rng(3))
        for labels in (LABELS, -7 * LABELS)
        for function, size in ((pairs_of_one_class, ()), (rows_of_one_class, (6,)))
    ]
    assert np.array_equal(draws[0], draws[2])
    assert np.array_equal(draws[1], draws[3])


def test_shares_add_up():
    assert shares(10, 4).tolist() == [3, 3, 2, 2]
    assert shares(2, 3).tolist() == [1, 1, 0]


def test_rows_for_testing_are_a_third_and_apart():
    z = drawn((2, 3), n=300)
    labels, codes, (train, test) = for_fixing(z, noisy(z), np.random.default_rng(0), None, "r2")
    assert labels.shape == codes.shape == (300, 2)
    assert len(test) == 100
    assert sorted([*train, *test]) == list(range(300))


def test_classes_are_needed_in_both_parts():
    z = drawn((2, 30), n=300)
    with pytest.raises(Undefined, match=r"^r2: factor 1 has \d+ values on 50 rows"):
        for_fixing(z, z, None, (np.arange(250), np.arange(250, 300)), "r2")
    with pytest.raises(Undefined, match=r"^r2 needs two factors that vary, got 1"):
        for_fixing(z[:, :1], z, np.random.default_rng(0), None, "r2")


EACH = pytest.mark.parametrize(
    "name", ["sap", "irs", "modularity_explicitness", "beta_vae_score", "factor_vae_score"]
)


@EACH
def test_classes_of_one_row_are_not_held_against_a_code(name):
    z = drawn((4, 3), n=200)
    expected = getattr(metrics, name).score(z, z)
    z[:2, 1] = 7, 8
    assert getattr(metrics, name).score(z, z) == pytest.approx(expected, abs=0.03)


@EACH
def test_one_class_beside_classes_of_one_row_is_no_factor(name):
    z = drawn((4, 3), n=200)
    z[:, 1] = 0
    z[:2, 1] = 7, 8
    with pytest.raises(Undefined, match="all values of factor 1 but one have one row each"):
        getattr(metrics, name).score(z, z)


def test_classes_that_can_be_judged():
    parts = [(np.arange(6), np.array([6]))]
    assert discrete.judged_classes(LABELS, parts).tolist() == [True, False, True, False]


def test_test_rows_with_one_class_that_can_be_judged_have_no_sap():
    z = np.repeat([[0.0], [1.0]], 20, axis=0)
    split = np.arange(2, 19), np.array([0, 1, 19, 39])
    with pytest.raises(Undefined, match="but one class on the test rows that can be judged"):
        metrics.sap.score(z, z, split=split, min_rows=4)
