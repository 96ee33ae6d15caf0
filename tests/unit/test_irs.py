"""IRS: closed forms, the definition written out row by row, the reference estimator, edges, the null."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from custodes.errors import Undefined
from custodes.metrics import irs
from custodes.scoring import null_calibration
from custodes.statistics import interventions
from custodes.statistics.combinations import observed_combinations
from custodes.statistics.information import equal_width_bins
from custodes.testing.extremes import BAD_INPUT
from custodes.testing.samples import PAIRED_TRANSFORMATIONS

REAL = Path(__file__).resolve().parents[1] / "data" / "dsprites_vae_codes.npz"
ESTIMATORS = ("backdoor", "percentile")


def score(z, z_hat, **arguments):
    return irs.score(z, z_hat, None, **arguments)["irs"]


def robustness(z, z_hat, *sets, **arguments):
    return interventions.robustness(observed_combinations(z, z_hat), *sets, **arguments)


def crossed(*sizes):
    """Every combination of factors of these sizes once (rows, factors)."""
    return np.indices(sizes).reshape(len(sizes), -1).T


def confounded(n=600, seed=0, sizes=(3, 4, 2)):
    """Factors that share a cause, with repeated and missing combinations, and noisy mixed codes."""
    rng = np.random.default_rng(seed)
    cause = rng.standard_normal((n, 1))
    uniform = 1 / (1 + np.exp(-1.5 * cause - rng.standard_normal((n, len(sizes)))))
    z = np.minimum(np.floor(uniform * sizes), np.array(sizes) - 1)
    z_hat = (
        z @ rng.standard_normal((len(sizes), 4)) + np.sin(z[:, :1] * z[:, 1:2]) + rng.standard_normal((n, 4))
    )
    return z, z_hat * [1.0, 10.0, 0.1, 3.0]


# The definition, row by row.


def rows_of(z, setting):
    """Boolean (n,): rows where each factor of {factor: value} has its value."""
    chosen = np.ones(len(z), dtype=bool)
    for factor, value in setting.items():
        chosen &= z[:, factor] == value
    return chosen


def slow_mean(z, z_hat, setting):
    """E[Z | do(setting)]: mean of the rows of the setting, weighted by p(g_rest) / p(g_rest | setting)."""
    chosen = rows_of(z, setting)
    rest = [factor for factor in range(z.shape[1]) if factor not in setting]
    weights = []
    for row in z[chosen]:
        alike = np.all(z[:, rest] == row[rest], axis=1)
        weights.append(alike.mean() / alike[chosen].mean())
    return np.average(z_hat[chosen], axis=0, weights=weights)


def settings(z, factors):
    return [dict(zip(factors, values, strict=True)) for values in sorted(set(map(tuple, z[:, factors])))]


def slow_disagreements(z, z_hat, codes, kept, shifted, order):
    """PIDA of every (g_I, g_J): a list for every g_I, and the share of rows of each g_I."""
    z_hat = z_hat[:, codes]
    distances, shares = [], []
    for fixed in settings(z, kept):
        rows = rows_of(z, fixed)
        mean = slow_mean(z, z_hat, fixed)
        moved = [slow_mean(z, z_hat, fixed | change) for change in settings(z[rows], shifted)]
        distances.append([np.linalg.norm(mean - other, order) for other in moved])
        shares.append(rows.mean())
    return distances, np.array(shares)


def slow_empida(*arguments):
    distances, shares = slow_disagreements(*arguments)
    return shares @ [max(one) for one in distances]


def slow_robustness(z, z_hat, codes, kept, shifted, order=2):
    most = slow_empida(z, z_hat, codes, [], list(range(z.shape[1])), order)
    return 1 - slow_empida(z, z_hat, codes, kept, shifted, order) / most


SETS = [
    ([0], [0], [1, 2]),
    ([2], [1], [0]),
    ([0, 3], [0], [2]),
    ([1, 0, 2], [2, 0], [1]),
    ([3], [], [1]),
    ([0, 1], [], [2, 0]),
    ([2], [], [0, 1, 2]),
]
ORDERS = {"euclidean": 2, "manhattan": 1, "largest": np.inf}


@pytest.mark.parametrize("distance", ORDERS)
@pytest.mark.parametrize("sets", SETS, ids=str)
@pytest.mark.parametrize("n", [40, 150])
def test_any_sets_equal_the_definition(n, sets, distance):
    z, z_hat = confounded(n)
    expected = slow_robustness(z, z_hat, *sets, ORDERS[distance])
    assert robustness(z, z_hat, *sets, distance=distance) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("sets", SETS, ids=str)
def test_disagreements_equal_the_definition(sets):
    z, z_hat = confounded(80)
    data = observed_combinations(z, z_hat)
    distances, shares = slow_disagreements(z, z_hat, *sets, 2)
    assert interventions.pida(data, *sets) == pytest.approx(np.concatenate(distances))
    assert interventions.mpida(data, *sets) == pytest.approx(list(map(max, distances)))
    assert interventions.empida(data, *sets) == pytest.approx(shares @ list(map(max, distances)))


@pytest.mark.parametrize("factors", [[0], [2, 0], [1, 2, 0], []], ids=str)
def test_expected_codes_equal_the_definition(factors):
    z, z_hat = confounded(80)
    values, codes = interventions.expected_codes(observed_combinations(z, z_hat + 7), factors)
    expected = settings(z, factors)
    assert values.T.tolist() == [list(setting.values()) for setting in expected]
    means = np.stack([slow_mean(z, z_hat + 7, setting) for setting in expected], axis=1)
    assert codes == pytest.approx(means)


MATRIX_DATA = {
    "missing combinations": confounded(60),
    "every combination, unequally often": confounded(3000, sizes=(2, 3, 2)),
    "crossed, once": (crossed(3, 4, 2), np.random.default_rng(1).standard_normal((24, 4))),
    "more combinations than a number can label": (
        np.random.default_rng(2).integers(10, size=(60, 30)),
        np.random.default_rng(3).standard_normal((60, 2)),
    ),
}


@pytest.mark.parametrize("case", MATRIX_DATA)
def test_matrix_is_the_robustness_of_every_pair(case):
    z, z_hat = MATRIX_DATA[case]
    result = irs.disentanglement(z, z_hat)
    factors = range(z.shape[1])
    for code, factor in itertools.product(range(z_hat.shape[1]), list(factors)[:3]):
        sets = [code], [factor], [other for other in factors if other != factor]
        assert result.matrix[code, factor] == pytest.approx(robustness(z, z_hat, *sets), abs=1e-12)
    code, factor = 1, 2
    sets = [code], [factor], [other for other in factors if other != factor]
    assert result.matrix[code, factor] == pytest.approx(slow_robustness(z, z_hat, *sets), abs=1e-12)
    assert result.scores.tolist() == [max(row) for row in result.matrix]
    assert result.factors.tolist() == [np.argmax(row) for row in result.matrix]
    assert score(z, z_hat) == pytest.approx(result.scores.mean())


def test_the_matrix_is_tested_on_full_and_on_sparse_grids():
    number = {case: len(observed_combinations(*data).counts) for case, data in MATRIX_DATA.items()}
    assert number["missing combinations"] < 24 == number["crossed, once"]
    assert number["every combination, unequally often"] == 12


# Closed forms.


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_perfect_code_scores_one(estimator):
    z = crossed(3, 4, 5)
    codes = np.stack([np.exp(z[:, 2]), -z[:, 0], z[:, 1] ** 2], axis=1)
    result = irs.disentanglement(z, codes, estimator)
    assert result.scores == pytest.approx(1, abs=1e-12)
    assert result.factors.tolist() == [2, 0, 1]
    assert score(z, codes, estimator=estimator) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("fraction", [0.0, 0.1, 0.5, 1.0])
def test_a_copy_with_a_fraction_of_another_factor(fraction):
    z = crossed(5, 3, 2)
    code = z[:, :1] + fraction * z[:, 1:2]
    result = irs.disentanglement(z, code)
    first = 4 / (4 + 2 * fraction)  # share of the factor's range in that of the code
    assert result.matrix == pytest.approx(np.array([[first, 1 - first, 0]]), abs=1e-12)


@pytest.mark.parametrize("degrees", [0, 10, 45, 70])
def test_a_rotated_pair(degrees):
    z = crossed(7, 7) - 3.0
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    rotated = z @ np.array([[cos, -sin], [sin, cos]])
    assert score(z, rotated) == pytest.approx(max(cos, sin) / (cos + sin))


CONFOUNDED = np.array([[0.4, 0.1], [0.1, 0.4]])
PAIR_ROBUSTNESS = 1 - 0.25 / 0.75  # code z_1 + z_2 / 2: E[code | do(z_1)] = z_1 + .25


def test_a_confounded_pair_needs_the_weights():
    rows = np.random.default_rng(0).choice(4, size=20_000, p=CONFOUNDED.ravel())
    z = np.stack([rows // 2, rows % 2], axis=1)
    code = z[:, :1] + z[:, 1:] / 2 + 0.1 * np.random.default_rng(1).standard_normal((20_000, 1))
    naive = np.mean([np.abs(np.array([0, 0.5]) - code[z[:, 0] == g].mean() + g).max() for g in (0, 1)]) / 0.75
    assert abs(1 - naive - PAIR_ROBUSTNESS) > 0.15
    assert irs.disentanglement(z, code).scores[0] == pytest.approx(PAIR_ROBUSTNESS, abs=0.01)


def test_confounding_that_is_not_seen_in_the_codes_changes_nothing():
    """Two causes of the same code, one row or many for each combination: weights undo the counts."""
    z = crossed(3, 3)
    code = z @ [[1.0], [0.3]]
    often = np.repeat(np.arange(9), [9, 1, 1, 1, 9, 1, 1, 1, 9])
    assert irs.disentanglement(z[often], code[often]).matrix == pytest.approx(
        irs.disentanglement(z, code).matrix
    )


def test_exclusive_or_has_no_robust_code():
    z = crossed(2, 2)
    assert score(z, z[:, :1] ^ z[:, 1:]) == 0


def test_deviations_given_a_factor_can_exceed_all_from_the_overall_mean():
    """Crossed factors; deviations given a row or column are 2/3, from the overall mean at most 5/9."""
    code = np.array([[1, 1, 0], [0, 0, 1], [0, 1, 1]]).reshape(-1, 1)
    assert score(crossed(3, 3), code) == pytest.approx(1 - (2 / 3) / (5 / 9))


def test_robustness_to_a_change_of_domain():
    z = crossed(4, 3, 2)  # the last factor is the domain
    code = z[:, :1] + 0.5 * z[:, 2:]
    assert robustness(z, code, [0], [], [2]) == pytest.approx(1 - 0.25 / 1.75)
    assert robustness(z, code, [0], [], [1]) == pytest.approx(1)
    assert robustness(z, code, [0], [], [0, 1, 2]) == pytest.approx(0)


def test_two_codes_for_one_factor():
    """An angle as cosine and sine is robust as a pair, and so is each; of two factors, neither."""
    z = crossed(8, 3)
    angle = 2 * np.pi * z[:, 0] / 8
    pair = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert robustness(z, pair, [0, 1], [0], [1]) == pytest.approx(1)
    assert robustness(z, pair, [0, 1], [1], [0]) == pytest.approx(0, abs=1e-12)
    assert robustness(z, np.hstack([pair, z[:, 1:]]), [0, 2], [0], [1]) < 0.8


@pytest.mark.parametrize(("distance", "moved"), [("euclidean", 2**0.5), ("manhattan", 2), ("largest", 1)])
def test_distances(distance, moved):
    z = crossed(3, 3)
    u, v = z[:, :1] - 1.0, z[:, 1:] - 1.0
    data = observed_combinations(z, np.hstack([u + v / 4, u - v / 4]))
    assert interventions.pida(data, [0, 1], [0], [1], distance).max() == pytest.approx(moved / 4)


def test_a_perfect_code_is_level_under_interventions_on_other_factors():
    z, _ = confounded(400)
    values, codes = interventions.expected_codes(observed_combinations(z, 2 * z[:, :1] + 1), [0, 2])
    assert codes[0] == pytest.approx(2 * values[0] + 1)


# The reference library's estimator.


def reference(z, z_hat):
    """The estimator "percentile" from its description, level by level."""
    z_hat = np.asarray(z_hat, dtype=float)
    most = np.abs(z_hat - z_hat.mean(axis=0)).max(axis=0)
    matrix = np.empty((z_hat.shape[1], z.shape[1]))
    for factor, column in enumerate(z.T):
        levels = [z_hat[column == value] for value in np.unique(column)]
        reach = [np.percentile(np.abs(level - level.mean(axis=0)), 99, axis=0) for level in levels]
        matrix[:, factor] = 1 - np.mean(reach, axis=0) / most
    return matrix, np.average(matrix.max(axis=1), weights=most)


@pytest.mark.parametrize("model", ["factor_vae", "btcvae"])
def test_percentile_agrees_on_codes_of_trained_models(model):
    with np.load(REAL) as data:
        z, z_hat = data["factor_classes"], data[model]
    matrix, value = reference(z, z_hat)
    result = irs.disentanglement(z, z_hat, "percentile")
    assert result.matrix == pytest.approx(matrix, abs=1e-9)
    assert score(z, z_hat, estimator="percentile") == pytest.approx(value, abs=1e-9)
    assert score(z, z_hat) != pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize("n", [13, 120, 1500])
def test_percentile_agrees_on_levels_of_all_sizes(n):
    z, z_hat = confounded(n)
    z_hat[:, 1] += 1e6
    matrix, value = reference(z, z_hat)
    assert irs.disentanglement(z, z_hat, "percentile").matrix == pytest.approx(matrix, abs=1e-9)
    assert score(z, z_hat, estimator="percentile") == pytest.approx(value, abs=1e-9)


def null_setting(seed, n=1000, d=3):
    """Gaussian factors in 20 bins of equal width, their classes standardised, one code of noise."""
    rng = np.random.default_rng(seed)
    z = equal_width_bins(rng.standard_normal((n, d)), 20)
    return z, (z - z.mean(axis=0)) / z.std(axis=0), rng.standard_normal((n, 1))


def test_units_move_the_percentile_estimator_and_not_the_other():
    means = {}
    for estimator, scale in itertools.product(ESTIMATORS, (1, 1000)):
        draws = [null_setting(seed) for seed in range(4)]
        found = [score(z, np.hstack([codes, scale * e]), estimator=estimator) for z, codes, e in draws]
        means[estimator, scale] = np.mean(found)
    assert means["percentile", 1] == pytest.approx(0.86, abs=0.01)
    assert means["percentile", 1000] == pytest.approx(0.45, abs=0.03)
    assert means["backdoor", 1] == pytest.approx(means["backdoor", 1000])


def test_a_code_of_noise_is_far_above_zero():
    noise = np.random.default_rng(1).standard_normal((1000, 5))
    assert score(null_setting(0, d=5)[0], noise, estimator="percentile") == pytest.approx(0.48, abs=0.03)
    dsprites = np.random.default_rng(0).integers([3, 6, 40, 32, 32], size=(1000, 5))
    assert score(dsprites, noise) == pytest.approx(0.35, abs=0.03)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_null_beside_it(estimator):
    z = np.random.default_rng(0).integers([3, 6, 10], size=(500, 3))
    noise = np.random.default_rng(1).standard_normal((500, 3))
    perfect, independent = (
        null_calibration.null_calibrate(irs, z, codes, permutations=39, estimator=estimator)["irs"]
        for codes in (z, noise)
    )
    assert perfect["p_value"] == 1 / 40
    assert perfect["adjusted"] == pytest.approx(1)
    assert independent["p_value"] > 0.05
    assert independent["null_mean"] == pytest.approx(independent["value"], abs=0.05)
    assert independent["null_mean"] > 0.15


# Edges.


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("value", [0.0, 0.1, -7.0, 1e300])
def test_constant_codes_have_no_weight(estimator, value):
    z, z_hat = confounded(100)
    dead = np.full((100, 1), value)
    dead[::2] *= 1 + np.finfo(float).eps  # rounding noise, not a signal
    result = irs.disentanglement(z, np.hstack([dead, z_hat]), estimator)
    assert result.matrix[0].tolist() == [0, 0, 0]
    assert result.weights[0] == 0
    assert score(z, np.hstack([dead, z_hat]), estimator=estimator) == pytest.approx(
        score(z, z_hat, estimator=estimator)
    )
    assert score(z, dead, estimator=estimator) == 0
    with pytest.raises(Undefined, match="do not vary"):
        robustness(z, dead, [0], [0], [1])
    assert robustness(z, np.hstack([dead, z_hat]), [0, 1], [0], [1]) == pytest.approx(
        robustness(z, z_hat, [0], [0], [1])
    )


def test_a_code_that_varies_only_within_combinations_does_not_vary_with_the_factors():
    z = np.repeat(crossed(3, 3), 2, axis=0)
    code = np.tile([0.1, 0.3], 9)[:, None]
    assert irs.disentanglement(z, code).weights == 0
    with pytest.raises(Undefined, match="do not vary"):
        robustness(z, code, [0], [0], [1])


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_factors_that_cannot_be_scored(estimator):
    rng = np.random.default_rng(0)
    z_hat = rng.standard_normal((40, 2))
    classes = rng.integers(3, size=(40, 2))
    with pytest.raises(Undefined, match="factor 1 has 40 values on 40 rows"):
        score(np.hstack([classes[:, :1], z_hat[:, :1]]), z_hat, estimator=estimator)
    for single in (classes[:, :1], np.hstack([classes[:, :1], np.full((40, 2), 0.1)])):
        with pytest.raises(Undefined, match="needs 2 factors that vary, got 1"):
            score(single, z_hat, estimator=estimator)
    for n in (1, 2, 3):
        with pytest.raises(Undefined, match=f"on {n} rows"):
            score(crossed(2, 2)[:n], z_hat[:n], estimator=estimator)


def test_a_constant_factor_explains_nothing():
    z, z_hat = confounded(100)
    noise = 0.1 * (1 + np.finfo(float).eps * (np.arange(100) % 2))
    matrix = irs.disentanglement(np.column_stack([z, noise]), z_hat).matrix
    assert matrix[:, 3] == pytest.approx(0, abs=1e-12)
    assert matrix[:, :3] == pytest.approx(irs.disentanglement(z, z_hat).matrix)


def test_values_that_differ_by_rounding_are_one():
    z, z_hat = confounded(100)
    noisy = z / 10 + np.tile([0, 4e-17, -4e-17, 0], 25)[:, None]
    assert len(np.unique(noisy[:, 0])) > 3
    assert score(noisy, z_hat) == pytest.approx(score(z, z_hat))
    values, _ = interventions.expected_codes(observed_combinations(noisy, z_hat), [0])
    assert values[0] == pytest.approx([0, 0.1, 0.2])


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("factor", [1e300, 1e-300, -1.0])
def test_ranges(estimator, factor):
    z, z_hat = confounded(200)
    expected = irs.disentanglement(z, z_hat, estimator)
    found = irs.disentanglement(z, z_hat * [1, factor, 1, 1], estimator)
    assert found.matrix == pytest.approx(expected.matrix, abs=1e-9)
    assert score(z, z_hat * factor, estimator=estimator) == pytest.approx(
        score(z, z_hat, estimator=estimator), abs=1e-9
    )
    assert robustness(z, z_hat * factor, *SETS[3]) == pytest.approx(robustness(z, z_hat, *SETS[3]), abs=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("name", PAIRED_TRANSFORMATIONS)
def test_invariances(estimator, name):
    z, z_hat = confounded(300)
    change = score(*PAIRED_TRANSFORMATIONS[name](z, z_hat / 10), estimator=estimator) - score(
        z, z_hat / 10, estimator=estimator
    )
    if name in irs.METRIC.invariant_to and (estimator, name) != ("percentile", "code_scale"):
        assert abs(change) < 1e-9
    else:
        assert abs(change) > 1e-3


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_what_does_not_matter(estimator):
    z, z_hat = confounded(300)
    expected = score(z, z_hat, estimator=estimator)
    order = np.random.default_rng(2).permutation(300)
    copies = z.copy(), z_hat.copy()
    z.flags.writeable = z_hat.flags.writeable = False
    assert score(z[order], z_hat[order], estimator=estimator) == pytest.approx(expected, abs=1e-12)
    assert score(np.repeat(z, 2, axis=0), np.repeat(z_hat, 2, axis=0)) == pytest.approx(score(z, z_hat))
    assert score(z.astype(np.int8), z_hat, estimator=estimator) == expected
    assert score(z, z_hat.astype(np.float32), estimator=estimator) == pytest.approx(expected, abs=1e-5)
    assert np.array_equal(z, copies[0])
    assert np.array_equal(z_hat, copies[1])


def test_a_split_scores_the_test_rows():
    z, z_hat = confounded(300)
    split = np.arange(100), np.arange(100, 300)
    assert score(z, z_hat, split=split) == score(z[100:], z_hat[100:]) != score(z, z_hat)


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_named(case):
    z, z_hat, message = BAD_INPUT[case]
    for estimator in ESTIMATORS:
        with pytest.raises(ValueError, match=re.escape(message)):
            score(z, z_hat, estimator=estimator)


def test_bad_arguments_are_named():
    z, z_hat = confounded(60)
    with pytest.raises(ValueError, match="estimator = 'mean': must be one of 'backdoor', 'percentile'"):
        score(z, z_hat, estimator="mean")
    for sets, message in {
        (4,): "codes = .4.: must be distinct and from 0 to 3",
        (0, 0): "codes = .0, 0.: must be distinct",
        (): "at least one code",
    }.items():
        with pytest.raises(ValueError, match=message):
            robustness(z, z_hat, sets, [0], [1])
    for kept, shifted, message in [
        ([0], [0, 1], r"factors \[0\] are both kept and shifted"),
        ([-1], [0], "kept factors = .-1.: must be"),
        ([0], [3], "shifted factors = .3.: must be"),
        ([0], [], "one shifted factor"),
    ]:
        with pytest.raises(ValueError, match=message):
            robustness(z, z_hat, [0], kept, shifted)
    with pytest.raises(ValueError, match="distance = 'cosine': must be one of"):
        robustness(z, z_hat, [0], [0], [1], distance="cosine")
