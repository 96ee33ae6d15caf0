"""Thresholds on one number: exact optimum by brute force, known intervals, ties."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from custodes.metrics.sap import thresholds


def balanced(labels, predicted):
    return np.mean([np.mean(predicted[labels == k] == k) for k in np.unique(labels)])


def best_by_enumeration(x, labels):
    """The highest balanced accuracy of intervals in the order of the classes' mean ranks."""
    values = np.unique(x)
    rank = np.array([np.mean([np.sum(x < v), np.sum(x <= v) - 1]) for v in x])
    order = sorted(np.unique(labels), key=lambda k: rank[labels == k].mean())
    cuts = [-np.inf, *(values[1:] + values[:-1]) / 2, np.inf]
    return max(
        balanced(labels, np.array(order)[np.searchsorted(ends, x)])
        for ends in combinations_with_replacement(cuts, len(order) - 1)
    )


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("ties", [False, True])
def test_no_other_thresholds_are_better(seed, ties):
    rng = np.random.default_rng(seed)
    labels = rng.choice(4, size=14, p=[0.4, 0.3, 0.2, 0.1])
    x = labels + 1.5 * rng.standard_normal(14)
    if ties:
        x = np.round(x)
    found = balanced(labels, thresholds.predict(x, labels, x))
    assert found == pytest.approx(best_by_enumeration(x, labels), abs=1e-12)


def test_intervals_between_and_beyond_the_fitted_values():
    x, labels = np.array([1.0, 2, 4, 5, 8, 9]), np.array([7, 7, 3, 3, 5, 5])
    found = thresholds.predict(x, labels, np.array([-9, 2.9, 3.1, 6.4, 6.6, 99]))
    assert found.tolist() == [7, 7, 3, 3, 5, 5]


def test_a_rare_class_weighs_as_much_as_a_common_one():
    x = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1.0])
    labels = np.array([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    # Right in 9 of 10 rows if all were 0, but the balanced accuracy is higher with a threshold.
    assert thresholds.predict(x, labels, np.array([0.0, 1.0])).tolist() == [0, 1]


def test_without_a_choice():
    assert thresholds.predict(np.arange(3.0), np.full(3, 4), np.array([-1.0, 9])).tolist() == [4, 4]
    assert len(set(thresholds.predict(np.ones(4), np.array([0, 1, 0, 1]), np.ones(3)))) == 1
