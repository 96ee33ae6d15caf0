"""SAP: closed forms for classes and numbers, scikit-learn's machine, chance, rare classes."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.svm import LinearSVC

from custodes.errors import Undefined
from custodes.metrics import sap
from tests.unit.grid_factors import crossed, drawn, noise, noisy

REFERENCE = {"classifier": "linear_svm", "adjust_for_chance": False, "classes": "integers"}


def score(z, z_hat, seed=0, **arguments):
    return sap.score(z, z_hat, np.random.default_rng(seed), **arguments)["sap"]


CUBE = crossed(2, 2, 2, repeats=200)
A, B, C = CUBE.T
CLOSED_FORMS = {
    "the factors": ([A, B, C], 1),
    "permuted, reversed, other units": ([-7 * C, A + 3, 1e-9 * B], 1),
    "two copies of a code": ([A, A, B, C], 2 / 3),
    "a copy reversed": ([A, -A, B, C], 2 / 3),
    "a factor without a code": ([A, B], 2 / 3),
    "a sum": ([A + B, C], (0.5 + 0.5 + 1) / 3),  # one threshold on 0, 1, 2 is right in 3 of 4 rows
    "two digits": ([2 * A + B, C], (1 + 0.5 + 1) / 3),
    "one code": ([A], 0),
    "a constant code": ([A, B, C, 0 * C], 1),
    "only constant codes": ([0 * A, 0 * A], 0),
}


@pytest.mark.parametrize("case", CLOSED_FORMS)
def test_closed_forms(case):
    codes, expected = CLOSED_FORMS[case]
    assert score(CUBE, np.stack(codes, axis=1)) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 3, 3), (2, 4, 10)])
def test_chance_is_taken_out_or_left_in(sizes):
    """A perfect code has the accuracies 1 and, of the other codes, 1/K on average."""
    z = drawn(sizes, n=3000)
    top = np.mean([1 - 1 / size for size in sizes])
    assert score(z, z) == pytest.approx(1, abs=0.03)
    assert score(z, z, adjust_for_chance=False) == pytest.approx(top, abs=0.03)


@pytest.mark.parametrize("sizes", [(4, 4, 4), (3, 6, 40), (2, 30)])
def test_independent_codes_are_at_zero(sizes):
    z = drawn(sizes, n=2000)
    assert score(z, noise(z), classes="integers") < 0.03


def test_a_common_class_is_no_merit():
    """Nine of ten rows are of one class, which accuracy alone would reward."""
    z = (drawn((10, 2), n=2000) == 0).astype(int)
    assert score(z, noise(z, 2)) < 0.03
    assert score(z, np.stack([z[:, 0], noise(z, 1)[:, 0]], axis=1)) == pytest.approx(1 / 2, abs=0.03)


def test_continuous_factors_have_squared_correlations():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((500, 2))
    z_hat = z @ np.array([[1.0, 0.5, -2.0], [0.3, 1.0, 0.0]]) + 0.1 * rng.standard_normal((500, 3))
    squares = np.sort(np.corrcoef(z.T, z_hat.T)[:2, 2:] ** 2, axis=1)
    expected = np.mean(squares[:, -1] - squares[:, -2])
    assert 0.05 < expected < 0.9
    assert score(z, z_hat) == pytest.approx(expected, abs=1e-12)
    half = np.arange(250), np.arange(250, 500)
    on_test_rows = np.sort(np.corrcoef(z[250:].T, z_hat[250:].T)[:2, 2:] ** 2, axis=1)
    expected = np.mean(on_test_rows[:, -1] - on_test_rows[:, -2])
    assert score(z, z_hat, split=half) == pytest.approx(expected, abs=1e-12)


def test_continuous_and_discrete_factors_together():
    z = np.hstack([drawn((3,), n=900), noise(drawn((3,), n=900), 1)])
    assert score(z, z) == pytest.approx(1, abs=0.03)
    assert score(z, z[:, [1, 1, 0]]) == pytest.approx(1 / 2, abs=0.03)


def test_many_values_are_numbers_unless_said_otherwise():
    z = drawn((40, 40), n=1200)
    wave = np.stack([(7 * z[:, 0]) % 40, z[:, 1]], axis=1)  # every class has a place, in no order
    assert score(z, wave) == pytest.approx(1 / 2, abs=0.05)
    assert score(z, wave, classes="integers") > 0.95


@pytest.mark.parametrize("noisiness", [0.2, 1.0])
def test_the_reference_code_is_scikit_learn(noisiness):
    z = np.hstack([crossed(3, 3, 3, repeats=20), np.full((540, 1), 7)])
    z_hat = noisy(z[:, :3], noisiness) @ np.array([[1, 0.2, 0], [0, 1, 0.2], [0, 0, 1]])
    order = np.random.default_rng(3).permutation(540)
    train, test = order[:360], order[360:]
    accuracies = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            machine = LinearSVC(C=0.01, class_weight="balanced").fit(z_hat[train][:, [i]], z[train, j])
            accuracies[i, j] = balanced_accuracy_score(z[test, j], machine.predict(z_hat[test][:, [i]]))
    second, largest = np.sort(accuracies, axis=0)[-2:]
    expected = np.mean(largest - second)
    assert 0.1 < expected < 0.7
    assert score(z, z_hat, split=(train, test), **REFERENCE) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("classes", "predicted"), [(3, 1), (10, 0.2), (20, 0.1)])
def test_a_linear_machine_does_not_predict_classes_between_others(classes, predicted):
    z = crossed(classes, classes, repeats=4000 // classes**2)
    z_hat = (z - z.mean(axis=0)) / z.std(axis=0)
    assert score(z, z_hat, **REFERENCE) == pytest.approx(predicted - 1 / classes, abs=0.03)
    assert score(z, z_hat) > 0.95


def test_a_machine_in_odd_units_still_answers():
    z = drawn((3, 3), n=100)
    for factor in (1e-300, 1e30):
        assert 0 <= score(z, factor * z, **REFERENCE) <= 1
    with pytest.raises(Undefined, match="beyond float32"):
        score(z, 1e100 * z, **REFERENCE)
    split = np.flatnonzero(z[:, 0] == 1), np.arange(100)  # one class to learn
    assert 0 <= score(z, z, split=split, **REFERENCE) <= 1


def test_what_is_fitted_is_judged_on_other_rows():
    z = drawn((2, 2), n=60)
    rows = np.arange(60)
    codes = [np.hstack([noise(z, 1, seed), np.zeros((60, 1))]) for seed in range(30)]
    assert np.mean([score(z, one) for one in codes]) < 0.08
    assert np.mean([score(z, one, split=(rows, rows)) for one in codes]) > 0.15


def test_a_class_that_is_rare_counts_as_much_as_others():
    z = drawn((2, 2), n=400)
    z[:3, 0] = 2
    z_hat = z.astype(float)
    assert score(z, z_hat) > 0.9
    z_hat[:3, 0] = z_hat[3, 0]
    assert score(z, z_hat) < 0.8


def test_undefined():
    z = drawn((3, 3), n=40)
    with pytest.raises(Undefined, match="needs 10 scored rows, got 9"):
        score(z[:9], z[:9])
    with pytest.raises(Undefined, match="needs 10 scored rows, got 5"):
        score(z, z, split=(np.arange(35), np.arange(35, 40)))
    with pytest.raises(Undefined, match="no factor varies"):
        score(np.ones((40, 2)), z)
    with pytest.raises(Undefined, match="factor 1 has 40 values on 40 rows"):
        score(np.stack([z[:, 0], np.arange(40)], axis=1), z, classes="integers")


@pytest.mark.parametrize("option", ["classifier", "classes"])
def test_unknown_options_are_named(option):
    z = drawn()
    with pytest.raises(ValueError, match=f"{option} = 'nonsense': must be one of"):
        score(z, z, **{option: "nonsense"})
