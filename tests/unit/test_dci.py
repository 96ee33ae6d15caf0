"""DCI: closed-form importance matrices, section F.2, probes, weights, classes, the published protocol."""

import numpy as np
import pytest
from scipy.stats import entropy

from custodes.errors import Undefined
from custodes.metrics import dci
from custodes.sources import CHECKOUT
from custodes.statistics.probes import PROBES
from custodes.study.yaml_files import read_yaml

PUBLISHED = read_yaml(CHECKOUT / "config" / "protocols" / "published.yaml")["metrics"]["dci"]


def score(z, z_hat, seed=0, **arguments):
    """The scores without the prefix dci_."""
    scores = dci.score(z, z_hat, np.random.default_rng(seed), **arguments)
    return {name.removeprefix("dci_"): value for name, value in scores.items()}


def normal(n, d, seed=1):
    return np.random.default_rng(seed).standard_normal((n, d))


DIAGONAL = np.diag([1.0, 2.0, 3.0, 4.0, 5.0])
CLOSED_FORMS = {
    "diagonal": (DIAGONAL, 1, 1),
    "uniform": (np.ones((4, 6)), 0, 0),
    "two codes per factor": (np.vstack([DIAGONAL, DIAGONAL]), 1, 1 - np.log(2) / np.log(10)),
    "two factors per code": (np.hstack([DIAGONAL, DIAGONAL]), 1 - np.log(2) / np.log(10), 1),
    "weights": (
        np.array([[3.0, 0.0], [0.5, 0.5]]),
        0.75,
        0.875 * (1 - entropy([6 / 7, 1 / 7], base=2)) + 0.125,
    ),
    "one code": (np.array([[0.2, 0.8]]), 1 - entropy([0.2, 0.8], base=2), 1),
    "one factor": (np.array([[0.2], [0.8]]), 1, 1 - entropy([0.2, 0.8], base=2)),
    "nothing": (np.zeros((3, 2)), 0, 0),
    "a dead code": (np.diag([1.0, 1.0, 0.0])[:, :2], 1, 1),
}


@pytest.mark.parametrize("case", CLOSED_FORMS)
def test_disentanglement_and_completeness_of_known_matrices(case):
    importances, disentanglement, completeness = CLOSED_FORMS[case]
    assert dci.concentration(importances) == pytest.approx(disentanglement, abs=1e-7)
    assert dci.concentration(importances.T) == pytest.approx(completeness, abs=1e-7)


@pytest.mark.parametrize("probe", PROBES)
def test_every_probe_finds_a_perfect_code_and_nothing_in_noise(probe):
    z = normal(150, 3)
    perfect = score(z, -2 * z[:, [2, 0, 1]], probe=probe)
    noise = score(z, normal(150, 3, seed=9), probe=probe)
    assert min(perfect.values()) > 0.85
    assert noise["informativeness"] < 0.05
    assert perfect["disentanglement_unweighted"] > noise["disentanglement_unweighted"] + 0.2


def test_lightgbm_agrees_with_scikit_learn():
    z = normal(1000, 2)
    z_hat = z @ np.array([[1.0, 0.4], [0.2, 1.0]])
    fast, slow = score(z, z_hat), score(z, z_hat, probe="gbt")
    assert 0.2 < slow["disentanglement"] < 0.9
    assert fast == pytest.approx(slow, abs=0.006)


@pytest.mark.parametrize("m", [5, 1])
def test_dropped_factors_do_not_lower_the_weighted_score(m):
    """Section F.2 on independent factors; the unweighted score is the paper's Fig. 3."""
    z = normal(500, 10)
    scores = score(z, z[:, :m])
    assert scores["disentanglement"] > 0.98
    assert scores["completeness"] > 0.98
    assert scores["disentanglement_unweighted"] < 0.5
    assert scores["informativeness"] == pytest.approx(m / 10, abs=0.01)


def test_functional_constraint_lowers_it_under_trees_and_not_under_a_lasso():
    """Section F.2: z_2 = z_1^3 is orthogonal to z_1 given z_1^3, for a linear probe on the codes."""
    z = normal(500, 3)
    z[:, 1] = z[:, 0] ** 3
    assert score(z, z)["disentanglement"] < 0.9
    assert score(z, z, probe="lasso", rank_transform=False)["disentanglement"] > 0.98


def test_copies_of_a_code_share_its_importance():
    z = normal(300, 2)
    scores = score(z, np.hstack([z, -np.exp(z)]))
    assert scores["disentanglement"] > 0.99
    assert scores["completeness"] == pytest.approx(1 - np.log(2) / np.log(4), abs=0.01)


def test_weights_are_the_switch():
    z = normal(200, 4)
    plain = score(z, z[:, :2], informativeness_weights=False)
    weighted = score(z, z[:, :2])
    for name in ("disentanglement", "completeness"):
        assert plain[name] == plain[f"{name}_unweighted"] == weighted[f"{name}_unweighted"]
        assert weighted[name] > plain[name] + 0.2


def test_a_negative_r2_counts_as_zero_or_in_the_mean():
    z = normal(200, 4)
    each = score(z, z[:, :2])["informativeness"]
    mean = score(z, z[:, :2], clip_each_factor=False)["informativeness"]
    assert each == pytest.approx(0.5, abs=0.01)
    assert mean < each - 0.02


def classes(n=300, seed=4):
    """A factor of 4 classes that only a nonlinear probe reads, and one of 3 rarely different from 0."""
    rng = np.random.default_rng(seed)
    z = np.stack([rng.integers(4, size=n), rng.choice(3, size=n, p=[0.9, 0.06, 0.04])], axis=1)
    return z, np.stack([np.array([2.0, 0.0, 3.0, 1.0])[z[:, 0]], rng.standard_normal(n)], axis=1)


@pytest.mark.parametrize("probe", ["lightgbm", "gbt", "random_forest"])
def test_discrete_factors_are_classified(probe):
    z, z_hat = classes(n=150)
    scores = score(z, z_hat, probe=probe)
    majority = (z[:, 1] == 0).mean()
    assert scores["informativeness"] == pytest.approx((1 + majority) / 2, abs=0.06)
    assert scores["disentanglement"] > 0.9
    assert scores["disentanglement"] > scores["disentanglement_unweighted"] + 0.05


def test_two_classes_and_a_lasso():
    z = (normal(200, 2) > 0).astype(int)
    scores = score(z, z[:, ::-1] + 0.1 * normal(200, 2, seed=5), probe="lasso")
    assert scores["informativeness"] > 0.98
    assert score(z, z[:, ::-1] * 2.0) == pytest.approx(dict.fromkeys(scores, 1), abs=1e-6)


def test_which_factors_are_discrete():
    z, z_hat = classes()
    as_classes = score(z, z_hat)
    assert score(z / 7, z_hat) == as_classes  # few values, integers or not
    assert score(z / 7, z_hat, classes="integers") != as_classes
    many = np.floor(100 * normal(300, 1))  # integers, but more than 20 values
    assert score(many, many)["informativeness"] > 0.98
    few_rows = np.arange(12.0)[:, None]  # fewer than two rows per value; as classes none is learnt
    assert score(few_rows, few_rows)["informativeness"] > 0.3
    assert score(few_rows, few_rows, classes="integers")["informativeness"] == 0


def test_constant_factors_are_left_out():
    z, z_hat = normal(100, 2), normal(100, 3, seed=2) + 0
    z_hat[:, :2] += 2 * z
    with_constant = np.hstack([z[:, :1], np.full((100, 1), 0.1), z[:, 1:]])
    assert score(with_constant, z_hat) == score(z, z_hat)
    with pytest.raises(Undefined, match="no factor varies"):
        score(np.full((100, 1), 0.1), z_hat)


@pytest.mark.parametrize("n", [10, 75])
@pytest.mark.parametrize("probe", PROBES)
def test_few_rows(probe, n):
    scores = score(normal(n, 3), normal(n, 4, seed=2), probe=probe)
    assert all(0 <= value <= 1 for value in scores.values())


@pytest.mark.parametrize("probe", PROBES)
@pytest.mark.parametrize("discrete", [False, True])
def test_importances_sum_to_one_or_to_zero(probe, discrete):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((75, 3))
    z = x[:, :2] + 0.3 * rng.standard_normal((75, 2))
    if discrete:
        z = np.round(z)
    z[:, 1] = 2.0
    importances, predicted = PROBES[probe](x, z, x[:5], np.full(2, discrete), rng)
    assert importances.shape == (3, 2)
    assert (importances >= 0).all()
    assert importances.sum(axis=0) == pytest.approx([1, 0])
    assert predicted[:, 1] == pytest.approx(2)
    dead, predicted = PROBES[probe](np.ones((75, 3)), z, x[:5], np.full(2, discrete), rng)
    assert not dead.any()
    assert np.ptp(predicted, axis=0) == pytest.approx(0)


def test_published_protocol_is_scikit_learn_on_the_test_rows_in_order():
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
    from sklearn.metrics import accuracy_score, r2_score

    z = normal(100, 3)
    z_hat = z @ np.array([[1.0, 0.5, 0.0, 2.0], [0.0, 1.0, 0.0, 1.0], [0.3, 0.0, 1.0, 0.0]])
    z[:, 2] = np.sign(z[:, 2])
    train, test = np.arange(40), np.arange(40, 100)
    z[train] = 0
    fit, held = test[:48], test[48:]
    seeds = np.random.default_rng(0)
    columns, quality = [], []
    for j, (model, skill) in enumerate(
        [(GradientBoostingRegressor, r2_score)] * 2 + [(GradientBoostingClassifier, accuracy_score)]
    ):
        fitted = model(random_state=int(seeds.integers(2**31))).fit(z_hat[fit], z[fit, j])
        columns.append(fitted.feature_importances_)
        quality.append(skill(z[held, j], fitted.predict(z_hat[held])))
    importances = np.stack(columns, axis=1)
    rows = importances.sum(axis=1) / importances.sum()
    disentanglement = rows @ (1 - entropy(importances, base=3, axis=1))
    completeness = np.mean(1 - entropy(importances, base=4, axis=0))
    scores = score(z, z_hat, split=(train, test), **PUBLISHED)
    assert scores["disentanglement"] == pytest.approx(disentanglement, abs=1e-7)
    assert scores["completeness"] == pytest.approx(completeness, abs=1e-7)
    assert scores["informativeness"] == pytest.approx(np.mean(quality))


def test_published_protocol_refuses_what_the_trees_refuse():
    z = normal(100, 2)
    split = np.arange(40), np.arange(40, 100)
    z_hat = z.copy()
    z_hat[99, 0] = 1e39
    with pytest.raises(Undefined, match="beyond float32"):
        score(z, z_hat, split=split, **PUBLISHED)
    assert score(z, z_hat)["disentanglement"] > 0.95


def test_rows_needed():
    z = normal(50, 2)
    with pytest.raises(Undefined, match="needs 10 scored rows, got 9"):
        score(z[:9], z[:9])
    with pytest.raises(Undefined, match="needs 10 scored rows, got 8"):
        score(z, z, split=(np.arange(42), np.arange(42, 50)), **PUBLISHED)
    with pytest.raises(Undefined, match="needs 60 scored rows, got 50"):
        score(z, z, min_rows=60)


@pytest.mark.parametrize("option", ["probe", "classes"])
def test_unknown_options_are_named(option):
    with pytest.raises(ValueError, match=f"{option} = 'nonsense': must be"):
        score(normal(20, 2), normal(20, 2), **{option: "nonsense"})


def test_nothing_is_printed(capfd):
    score(normal(30, 2), np.ones((30, 2)))
    score(*classes(n=60))
    assert capfd.readouterr() == ("", "")
