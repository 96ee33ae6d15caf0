"""InfoM, InfoC, InfoE: closed forms, what hides other codes, rare bins, the published protocol."""

import numpy as np
import pytest
from sklearn.feature_selection import mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler

from custodes import registry, streams
from custodes.errors import Undefined
from custodes.metrics import infomec
from custodes.statistics.information import class_counts, entropies, factor_classes

NEIGHBOURS_AS_PUBLISHED = {"rank_transform": False, "ties": "jitter"}
PUBLISHED = {**NEIGHBOURS_AS_PUBLISHED, "probe": "balanced", "min_rows": 50}


def score(z, z_hat, seed=0, **arguments):
    """The scores that exist without the prefix info: m, c, e."""
    try:
        scores = infomec.score(z, z_hat, np.random.default_rng(seed), **arguments)
    except Undefined as reason:
        if not reason.scores:
            raise
        scores = reason.scores
    return {name.removeprefix("info"): value for name, value in scores.items()}


def draw(encoder, seed, n=1000, d=5, m=5, **parameters):
    z = registry.load("dgps", "independent").sample(streams.factors(seed), n, d)
    return z, registry.load("encoders", encoder).encode(z, streams.codes(seed), m, **parameters)


CLOSED_FORMS = {
    "one factor each": (np.diag([0.9, 0.2, 0.5]), 1),
    "all factors alike": (np.full((4, 3), 0.3), 0),
    "a half": (np.array([[0.5, 0.25, 0.25]]), (0.5 - 1 / 3) / (1 - 1 / 3)),
    "rows without information": (np.array([[0.3, 0.0], [0.0, 0.0], [0.2, 0.2]]), 0.5),
    "no information": (np.zeros((3, 2)), 0),
    "one column": (np.array([[0.4], [0.0]]), 1),
    "no rows": (np.zeros((0, 2)), 0),
    "no columns": (np.zeros((2, 0)), 0),
}


@pytest.mark.parametrize("case", CLOSED_FORMS)
def test_exclusiveness_of_known_matrices(case):
    information, expected = CLOSED_FORMS[case]
    assert infomec.exclusiveness(information) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("encoder", "m"), [("elementwise_linear", 5), ("elementwise_nonlinear", 5), ("overcomplete_multicode", 6)]
)
def test_codes_of_one_factor_each_are_modular(encoder, m):
    z, z_hat = draw(encoder, 42)[0], draw(encoder, 42, m=m)[1]
    scores = score(z, z_hat)
    assert scores["m"] > 0.98
    assert m > 5 or scores["c"] > 0.98
    if encoder != "elementwise_linear":  # one code is active
        assert score(z, z_hat, **NEIGHBOURS_AS_PUBLISHED)["m"] < 0.5


def test_a_factor_in_two_codes_is_not_compact():
    z, _ = draw("elementwise_linear", 1, n=500, d=2, m=2)
    scores = score(z, np.hstack([z, -z]))
    assert scores["m"] > 0.97
    assert scores["c"] == pytest.approx((0.5 - 0.25) / 0.75, abs=0.02)


def test_declared_levels_of_independent_and_perfect_codes():
    noise = [score(*np.random.default_rng(seed).standard_normal((2, 1000, 3))) for seed in range(30)]
    for name, level in infomec.METRIC.chance.items():
        assert np.mean([scores[name.removeprefix("info")] for scores in noise]) == pytest.approx(
            level, abs=0.15
        )
    assert max(scores["e"] for scores in noise) == 0
    assert score(*draw("elementwise_linear", 1, d=2, m=2))["e"] == pytest.approx(
        infomec.METRIC.perfect["infoe"], abs=0.03
    )


@pytest.mark.parametrize("n", [50, 200, 1000])
def test_a_perfect_and_an_independent_code_by_rows(n):
    perfect, noise = score(*draw("elementwise_linear", 1, n=n)), score(*draw("null_gaussian", 1, n=n))
    assert perfect["m"] > max(noise["m"], 0.7) + 0.1
    assert noise["e"] == 0
    assert perfect["e"] > {50: -1, 200: 0.3, 1000: 0.8}[n]  # 20 bins cannot be told apart with 40 rows


@pytest.mark.parametrize("scale", [1e30, 1e300])
def test_a_huge_code_hides_the_others_in_the_published_score_only(scale):
    z, z_hat = draw("elementwise_linear", 1, n=300, d=3, m=3)
    expected = score(z, z_hat)
    other = z_hat * [1.0, scale, 1.0]
    assert score(z, other) == pytest.approx(expected, abs=1e-6)
    assert infomec.normalised_information(z, other, False, "jitter", np.random.default_rng(0)).shape == (1, 3)


def test_inactive_codes_are_left_out():
    z, z_hat = draw("elementwise_linear", 1, n=200, d=3, m=3)
    with_constant = np.hstack([z_hat, np.full((200, 1), 0.1)])
    assert score(z, with_constant) == pytest.approx(score(z, z_hat), abs=1e-6)
    rare = np.zeros((200, 1))
    rare[:3] = 1e4
    rng, both = np.random.default_rng(0), np.hstack([z_hat, rare])
    assert infomec.normalised_information(z, both, True, "counted", rng).shape == (4, 3)
    assert infomec.normalised_information(z, both, False, "jitter", rng).shape == (1, 3)


@pytest.mark.parametrize("ties", ["counted", "jitter"])
def test_information_never_exceeds_the_entropy(ties):
    z, z_hat = draw("distributed", 1, n=300, d=3, m=30, codes_per_factor=10)
    assert (z_hat == 0).mean() > 0.8
    rng = np.random.default_rng(0)
    information = infomec.normalised_information(np.round(z), z_hat, ties == "counted", ties, rng)
    assert 0 <= information.min() < information.max() <= 1


def test_a_rare_bin_does_not_break_the_log_loss():
    z, z_hat = draw("elementwise_linear", 1, n=60, d=3, m=3)
    assert class_counts(factor_classes(z, 20)).min() <= 1
    assert 0 < score(z, z_hat)["e"] < 1


def test_explicitness_does_not_depend_on_the_mixing_of_the_codes():
    z, z_hat = draw("elementwise_linear", 1, n=300, d=3, m=3)
    mixed = z_hat @ np.random.default_rng(0).standard_normal((3, 3))
    assert score(z, mixed)["e"] == pytest.approx(score(z, z_hat)["e"], abs=1e-4)
    assert score(z, mixed)["m"] < score(z, z_hat)["m"] - 0.2


def test_monotone_codes_are_as_modular_and_less_explicit():
    z, z_hat = draw("elementwise_linear", 1, n=300, d=3, m=3)
    straight, bent = score(z, z_hat), score(z, np.exp(3 * z_hat))
    assert (bent["m"], bent["c"]) == (straight["m"], straight["c"])
    assert bent["e"] < straight["e"] - 0.1


def test_classes_as_factors():
    rng = np.random.default_rng(0)
    z = rng.integers(4, size=(200, 2))
    scores = score(z, np.stack([z[:, 0] + 0.1 * rng.standard_normal(200), z[:, 1]], axis=1))
    assert min(scores.values()) > 0.97


def test_factors_that_do_not_vary_are_left_out():
    z, z_hat = draw("elementwise_linear", 1, n=100, d=2, m=2)
    assert score(np.hstack([z, np.full((100, 1), 0.1)]), z_hat) == score(z, z_hat)
    with pytest.raises(Undefined, match="no factor varies"):
        score(np.full((100, 2), 0.1), z_hat)


@pytest.mark.parametrize("parameters", [{}, PUBLISHED], ids=["corrected", "published"])
def test_constant_codes_say_nothing(parameters):
    z = np.random.default_rng(0).standard_normal((300, 1)) > 0
    split = streams.row_split(300, 1, 0.2)
    scores = score(z, np.full((300, 2), 0.1), split=split, **parameters)
    assert scores == pytest.approx({"m": 0, "c": 0, "e": 0}, abs=0.01)


def test_rows_needed():
    z, z_hat = draw("elementwise_linear", 1, n=60, d=2, m=2)
    with pytest.raises(Undefined, match="infomec needs 10 scored rows, got 9"):
        score(z[:9], z_hat[:9])
    with pytest.raises(Undefined, match="infomec needs 50 scored rows, got 49"):
        score(z, z_hat, split=(np.arange(11), np.arange(11, 60)), **PUBLISHED)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ties": "none"}, "ties = 'none'"),
        ({"probe": "forest"}, "probe = 'forest'.*'multinomial', 'balanced'"),
    ],
)
def test_unknown_choices_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        score(*draw("elementwise_linear", 1, n=50), **arguments)


def test_only_the_jitter_draws_for_the_information():
    z, z_hat = draw("elementwise_linear", 1, n=250, d=2, m=2)
    split = streams.row_split(250, 1, 0.2)
    assert score(z, z_hat, seed=1, split=split) == score(z, z_hat, seed=2, split=split)
    one, two = (score(z, z_hat, seed=seed, split=split, **PUBLISHED) for seed in (1, 2))
    again = score(z, z_hat, seed=1, split=split, **PUBLISHED)
    assert one["m"] == again["m"] != two["m"]


@pytest.mark.parametrize(("d", "m"), [(1, 1), (1, 3), (3, 1), (2, 4)])
def test_every_size_as_published(d, m):
    rng = np.random.default_rng(3)
    z = rng.standard_normal((300, d))
    z_hat = z @ rng.standard_normal((d, m)) + rng.standard_normal((300, m))
    scores = score(z, z_hat, split=streams.row_split(300, 1, 0.2), **PUBLISHED)
    assert all(0 <= value <= 1 for value in scores.values())
    assert d > 1 or scores["m"] == 1
    assert m > 1 or scores["c"] == 1


@pytest.mark.parametrize("parameters", [{}, PUBLISHED], ids=["corrected", "published"])
def test_the_largest_doubles_in_test_rows_only(parameters):
    z, z_hat = draw("elementwise_linear", 1, n=300, d=2, m=2)
    train, test = streams.row_split(300, 1, 0.2)
    z_hat[train] *= 1e-300
    z_hat[test[:2]] = [[1.7e308, 0.0], [-1.7e308, 1.7e308]]
    scores = score(z, z_hat, split=(train, test), **parameters)
    assert 0 <= scores["m"] <= 1


def published_by_scikit_learn(z, z_hat, train, test):
    """InfoM, and the explained shares of the factors that have a log loss, from scikit-learn alone."""
    codes = StandardScaler().fit_transform(z_hat[test])
    classes = factor_classes(z[test], 20)
    entropy = entropies(class_counts(classes))
    information = [mutual_info_classif(codes, labels, n_neighbors=10, random_state=0) for labels in classes.T]
    information = np.clip(np.array(information) / entropy[:, None], 0, 1)
    share = np.mean(information.max(axis=0) / information.sum(axis=0))
    scaler, fitted = StandardScaler().fit(z_hat[train]), factor_classes(z[train], 20)
    explained = []
    for j, labels in enumerate(classes.T):
        model = LogisticRegression(class_weight="balanced").fit(scaler.transform(z_hat[train]), fitted[:, j])
        try:
            loss = log_loss(labels, model.predict_proba(scaler.transform(z_hat[test])))
        except ValueError:
            continue
        explained.append((entropy[j] - loss) / entropy[j])
    return (share - 1 / z.shape[1]) / (1 - 1 / z.shape[1]), explained


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_published_protocol_agrees_with_scikit_learn():
    z, z_hat = draw("elementwise_linear", 43, n=500, d=4, m=4)
    split = streams.row_split(500, 43, 0.2)
    infom, explained = published_by_scikit_learn(z, z_hat, *split)
    scores = score(z, z_hat, split=split, **PUBLISHED)
    assert 0 < len(explained) < 4  # some factors are left out
    assert scores["e"] == pytest.approx(np.clip(explained, 0, 1).mean(), abs=1e-6)
    assert scores["m"] == pytest.approx(infom, abs=0.005)


def test_published_cell():
    """Ten factors, the last as the only code, n = 1000: means over seeds 42 to 51."""
    values = []
    for seed in range(42, 52):
        z, z_hat = draw("undercomplete", seed, d=10, m=1, keep="last")
        values.append(
            list(score(z, z_hat, seed, split=streams.row_split(1000, seed, 0.2), **PUBLISHED).values())
        )
    infom, infoc, infoe = np.mean(values, axis=0)
    assert infom == pytest.approx(0.949060, abs=0.005)
    assert infoc == 1
    assert infoe == pytest.approx(0.008735, abs=1e-5)


def test_where_no_factor_has_a_log_loss_explicitness_is_0_as_in_the_published_study():
    z = np.linspace(0, 1, 200)[:, None] ** 4
    split = np.arange(0, 200, 4), np.delete(np.arange(200), np.arange(0, 200, 4))
    z[split[0][::2]] = 0.0
    scores = score(z, z, split=split, **PUBLISHED)
    assert scores["e"] == 0
    assert scores["m"] > 0
