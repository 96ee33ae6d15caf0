"""Focus: closed forms, the four properties in small, parts, ablations, inputs that break other scores."""

import numpy as np
import pytest

from custodes import streams
from custodes.dgps import circuit, correlated, independent, multi_constraint, single_constraint
from custodes.encoders import (
    distributed,
    elementwise_linear,
    elementwise_nonlinear,
    linearly_entangled,
    null_gaussian,
    overcomplete_entangled,
    overcomplete_linear,
    overcomplete_multicode,
    shuffled_rows,
    undercomplete,
)
from custodes.errors import Undefined
from custodes.metrics import focus


def score(z, z_hat, **arguments):
    return focus.score(z, z_hat, None, **arguments)["focus"]


def draw(dgp=independent, encoder=elementwise_linear, seed=42, n=1000, d=5, m=None, rho=None, **parameters):
    z = dgp.sample(streams.factors(seed), n, d, **({} if rho is None else {"rho": rho}))
    if encoder is undercomplete:
        parameters["redundant"] = dgp.redundant_factors(d)
    m = m or encoder.default_m(d, **{k: v for k, v in parameters.items() if k == "codes_per_factor"})
    return z, encoder.encode(z, streams.codes(seed), m, **parameters)


def normal(n=1000, d=5, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def rank_share(r):
    """Squared correlation of the ranks of two normal variables of correlation r."""
    return (6 / np.pi * np.arcsin(r / 2)) ** 2


# Closed forms


def test_half_of_the_factors_score_half():
    z = normal(d=6)
    found = focus.parts(z, z[:, 3:] * [-1, 2, 0.1])
    assert found.purity == pytest.approx([0, 0, 0, 1, 1, 1])
    assert found.shares == pytest.approx(np.eye(6)[3:])
    assert score(z, z[:, 3:]) == pytest.approx(0.5)


def test_a_rotation_by_45_degrees():
    z = normal(n=5000, d=2)
    share = rank_share(np.sqrt(0.5))
    found = focus.parts(z, z @ [[1, 1], [1, -1]])
    assert found.shares == pytest.approx(share, abs=0.02)
    assert found.purity == pytest.approx(share, abs=0.02)
    assert score(z, z @ [[1, 1], [1, -1]]) == pytest.approx(share, abs=0.02)
    assert score(z, z @ [[1, 1], [1, -1]], target="affine") == pytest.approx(1)
    assert score(z, z @ [[1, 1], [1, -1]], without="ranks") == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("e", [0.2, 0.5])
def test_mixtures_of_neighbours(e):
    """z_i + e z_(i+1): the purities are those of their two Sobol shares."""
    z = normal(n=5000)
    codes = z + e * np.roll(z, -1, axis=1)
    length = np.sqrt(1 + e**2)
    shares = rank_share(np.array([1, e]) / length)
    assert score(z, codes) == pytest.approx((shares**2).sum() / shares.sum(), abs=0.02)
    shares = np.array([1, e**2]) / length**2
    assert score(z, codes, without="ranks") == pytest.approx((shares**2).sum(), abs=0.02)


def test_decreases_with_entanglement():
    z = normal()
    scores = [score(z, z + e * np.roll(z, -1, axis=1)) for e in (0, 0.05, 0.1, 0.2, 0.4, 0.7, 1)]
    assert np.diff(scores).max() < -0.003
    assert scores[0] == pytest.approx(1)
    assert scores[-1] < 0.5


# The four properties, in small


@pytest.mark.parametrize(
    ("encoder", "parameters"),
    [
        (elementwise_linear, {}),
        (elementwise_nonlinear, {}),
        (linearly_entangled, {"kappa": 2.0}),
        (linearly_entangled, {"kappa": 10.0}),
        (undercomplete, {"m": 2}),
    ],
)
def test_correlation_of_the_factors_changes_nothing(encoder, parameters):
    for target in focus.PIECES:
        scores = [
            score(*draw(correlated, encoder, rho=rho, **parameters), target=target) for rho in (0, 0.7, 0.99)
        ]
        nonlinear_units = target == "affine" and encoder is elementwise_nonlinear
        assert np.ptp(scores) < (0.1 if nonlinear_units else 0.03)


@pytest.mark.parametrize("rho", [0.0, 0.9])
def test_one_sum_of_all_factors_is_no_factor(rho):
    z, _ = draw(correlated, rho=rho)
    for target in focus.PIECES:
        assert score(z, z.sum(axis=1, keepdims=True), target=target) == pytest.approx(0.2, abs=0.03)


@pytest.mark.parametrize(
    ("dgp", "m", "expected"),
    [
        (single_constraint, 9, 1.0),
        (multi_constraint, 9, 1.0),
        (independent, 9, 0.9),
        (single_constraint, 8, 0.8),
        (multi_constraint, 8, 0.8),
    ],
)
def test_redundant_factors_may_be_dropped_and_others_may_not(dgp, m, expected):
    assert score(*draw(dgp, undercomplete, d=10, m=m)) == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize(
    ("kept", "expected"), [([0, 2], 1.0), ([1, 3], 1.0), ([0], 0.5), ([0, 1, 2, 3], 1.0)]
)
def test_the_circuit(kept, expected):
    z = circuit.sample(streams.factors(42), 1000, 4)
    assert score(z, z[:, kept]) == pytest.approx(expected, abs=0.001)


def test_a_twisted_code_does_not_pass_for_a_law():
    """z_1 is a function of the codes z_1 sign(z_2) and z_2, and no function of the other factors."""
    z = normal()
    codes = z.copy()
    codes[:, 0] *= np.sign(z[:, 1])
    assert score(z, codes) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("m", [8, 50])
def test_more_codes_change_nothing(m):
    assert score(*draw(encoder=overcomplete_linear, m=m)) == pytest.approx(1)
    assert score(*draw(encoder=overcomplete_multicode, m=m)) == pytest.approx(1)
    entangled, more = (
        np.mean([score(*draw(encoder=encoder, m=codes, seed=seed)) for seed in range(20)])
        for encoder, codes in ((linearly_entangled, 5), (overcomplete_entangled, m))
    )
    assert more == pytest.approx(entangled, abs=0.1)


@pytest.mark.parametrize("k", [2, 3, 10])
def test_distributed_codes_are_as_good(k):
    assert score(*draw(encoder=distributed, codes_per_factor=k)) > 0.95


@pytest.mark.parametrize(
    ("n", "d", "m"), [(1000, 5, 50), (50, 25, 50), (50, 100, 50), (50, 5, 250), (20, 5, 50)]
)
def test_noise_scores_nothing(n, d, m):
    scores = [score(*draw(encoder=null_gaussian, n=n, d=d, m=m, seed=seed)) for seed in range(10)]
    assert np.mean(scores) < 0.05


@pytest.mark.parametrize("n", [50, 5000])
def test_sample_size_changes_little(n):
    assert score(*draw(n=n)) == pytest.approx(1)
    few, usual = (
        np.mean([score(*draw(encoder=linearly_entangled, n=rows, seed=seed)) for seed in range(10)])
        for rows in (n, 1000)
    )
    assert few == pytest.approx(usual, abs=0.05)


# Controls


def test_controls():
    z = normal()
    assert score(z, shuffled_rows.encode(z, streams.codes(1), 5)) < 0.01
    assert score(z, np.abs(z)) < 0.01
    assert score(z, np.hstack([np.abs(z), np.sign(z)])) > 0.99
    assert score(z, np.hstack([z, normal(d=20, seed=1)])) > 0.98
    assert score(z, np.hstack([z, z[:, :2] * z[:, 2:4]])) > 0.99


def test_more_factors_than_rows():
    z = normal(n=50, d=100)
    assert score(z, -z) > 0.99
    assert score(z, z[:, :50]) == pytest.approx(0.5, abs=0.01)


def test_discrete_factors():
    z = np.random.default_rng(0).integers(0, 3, (500, 4))
    assert score(z, z[:, ::-1] ** 3) == pytest.approx(1)
    assert score(z, normal(n=500, d=4)) < 0.01
    with pytest.raises(Undefined, match="20 scored rows that differ, got 8"):
        score(z[:, :3] > 0, z[:, :1] > 0)


def bits(n, shares, seed=0):
    return 1.0 * (np.random.default_rng(seed).random((n, len(shares))) < shares)


def test_equal_rows_do_not_tell_of_each_other_by_their_order():
    scores = []
    for seed in range(20):
        z, codes = bits(1000, [0.2], seed), np.hstack([bits(1000, [0.02], seed + 99), normal(d=1, seed=seed)])
        scores.append(score(z, codes))
        assert score(-z, codes) == pytest.approx(scores[-1], abs=1e-9)
    assert np.mean(scores) < 0.02


@pytest.mark.parametrize("n", [1000, 20_000])
def test_independent_factors_of_two_values_are_no_law(n):
    z = bits(n, [0.5, 0.2, 0.1, 0.4])
    assert score(z, np.hstack([z[:, :1], normal(n=n, d=1)])) == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("n", [300, 10_000])
def test_few_wrong_values_among_discrete_codes(n):
    rng = np.random.default_rng(0)
    z = rng.integers(0, 3, (n, 3))
    codes = np.where(rng.random(z.shape) < 0.01, rng.integers(0, 3, z.shape), z)
    assert 0.95 < score(z, codes) < 1


def test_two_views_of_every_sample():
    """Factors repeat and codes nearly do: they are no evidence on each other."""
    z, mixed = draw(encoder=linearly_entangled, n=500)
    rows = np.repeat(np.arange(500), 2)
    noise = 0.1 * normal(n=1000, seed=3)
    once = score(z, mixed + noise[::2])
    assert score(z[rows], mixed[rows] + noise) == pytest.approx(once, abs=0.03)
    assert abs(score(z[rows], mixed[rows] + noise, without="left-out repeats") - once) > 0.1
    assert score(z[rows], z[rows][:, :3] + noise[:, :3]) == pytest.approx(3 / 5, abs=0.02)
    null = normal(n=500, seed=4)[rows] + noise
    assert score(z[rows], null) < 0.02


def test_rows_that_all_repeat_as_often_leave_the_shares_as_they_are():
    z, codes = normal(n=100), normal(n=100, seed=1) + normal(n=100)
    rows = np.random.default_rng(2).permutation(np.repeat(np.arange(100), 3))
    assert focus.parts(z[rows], codes[rows]).shares == pytest.approx(focus.parts(z, codes).shares, abs=1e-6)


def test_copies_of_factors_are_one():
    z = normal(d=3)
    copies = np.hstack([z, -(z[:, :1] ** 3)])
    found = focus.parts(copies, z)
    assert found.purity == pytest.approx(1)
    assert np.array_equal(found.shares[:, 0], found.shares[:, 3])
    codes = z @ linearly_entangled.mixing_matrix(streams.codes(1), 3, 10.0)
    assert focus.parts(copies, codes).purity[:3] == pytest.approx(focus.parts(z, codes).purity)


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [1, 0, 2, 3], [3, 1, 2, 0]])
def test_a_law_may_be_written_in_any_copy(order):
    """x y is a polynomial in x and y, and none in x^3 and y."""
    z = normal(d=2)
    factors = np.column_stack([z[:, 0], z[:, 0] ** 3, z[:, 1], z[:, 0] * z[:, 1]])
    assert score(factors[:, order], z) == pytest.approx(1)


def test_laws_do_not_outlive_another_reading_of_the_values():
    """What factor_monotone leaves out."""
    z, codes = draw(multi_constraint, undercomplete)
    read = np.hstack([z[:, :2], np.exp(2 * z[:, 2:3]), z[:, 3:]])
    assert score(z, codes) == pytest.approx(1)
    assert score(read, codes) == pytest.approx(0.8, abs=0.01)


# Parts


def test_parts_are_those_of_the_score():
    z, codes = draw(encoder=linearly_entangled)
    for target in focus.PIECES:
        scores = focus.score(z, codes, None, target=target)
        found = focus.parts(z, codes, target=target)
        assert scores["focus"] == pytest.approx(np.minimum(found.purity, found.recovery).mean())
        assert scores["focus_purity"] == pytest.approx(found.purity.mean())
        assert scores["focus_recovery"] == pytest.approx(found.recovery.mean())
        assert found.shares.shape == (5, 5)
    assert (found.shares.sum(axis=1) <= 1 + 1e-9).all()


def test_parts_leave_out_what_does_not_vary():
    z, codes = normal(d=3), normal(d=2, seed=1)
    z[:, 1] = 7.0
    codes = np.hstack([codes, z[:, :1]])
    codes[:, 0] = 0.1
    found = focus.parts(z, codes)
    assert found.factors.tolist() == [0, 2]
    assert found.shares[0] == pytest.approx([0, 0])
    assert found.shares[2] == pytest.approx([1, 0])
    assert [len(found.purity), len(found.recovery)] == [2, 2]


def test_affine_target():
    z, codes = draw(encoder=linearly_entangled)
    assert score(z, codes, target="affine") == pytest.approx(1)
    assert score(z, codes[:, :2], target="affine") < 0.45
    assert score(*draw(encoder=elementwise_nonlinear), target="affine") < 0.7
    assert score(z, normal(seed=1), target="affine") < 0.01
    assert score(*draw(multi_constraint, undercomplete), target="affine") == pytest.approx(0.8, abs=0.01)
    resistance = circuit.sample(streams.factors(42), 1000, 4)[:, :2]
    assert score(resistance, resistance[:, :1], target="affine") == pytest.approx(1)


# Ablations: what is left out changes what it is for

ABLATIONS = {
    "left-out repeats": (lambda: (normal(n=200).repeat(5, 0), normal(n=200, seed=1).repeat(5, 0)), 0.1),
    "left-out rows": (lambda: draw(encoder=null_gaussian, n=50, d=50, m=50), 0.03),
    "copies": (lambda: draw(single_constraint, undercomplete), -0.15),
    "laws": (lambda: draw(multi_constraint, undercomplete), -0.15),
    "purity": (lambda: draw(encoder=linearly_entangled), 0.4),
    "recovery": (lambda: (normal(), np.abs(normal())), 0.9),
    "minimum": (lambda: draw(encoder=linearly_entangled, n=50), -0.01),
    "ranks": (lambda: draw(encoder=elementwise_nonlinear), -0.1),
    "all factors": (lambda: draw(correlated, linearly_entangled, rho=0.9), 0.1),
    "factor lines": (lambda: noisy(rho=0.99), -0.05),
    "factor neighbours": (lambda: draw(encoder=distributed, codes_per_factor=5), -0.3),
    "unexplained share": (lambda: even_mixture(), 0.05),
    "code neighbours": (lambda: (normal(n=50, d=60), normal(n=50, d=60)), -0.15),
}


def noisy(rho):
    z, codes = draw(correlated, d=10, rho=rho)
    return z, codes + 0.3 * codes.std(axis=0) * normal(d=10, seed=7)


def even_mixture():
    """z_1 + z_2^2 and z_1 - z_2^2 are half about z_2, which no line sees."""
    z = normal()
    return z, np.column_stack([z[:, 0] + z[:, 1] ** 2, z[:, 0] - z[:, 1] ** 2, z[:, 1:]])


def test_every_piece_has_an_ablation():
    assert set(ABLATIONS) == {piece for pieces in focus.PIECES.values() for piece in pieces}


@pytest.mark.parametrize("piece", ABLATIONS)
def test_without_a_piece(piece):
    make, change = ABLATIONS[piece]
    z, codes = make()
    difference = score(z, codes, without=piece) - score(z, codes)
    assert difference * np.sign(change) > abs(change)


# Input


def test_only_test_rows_are_seen():
    z = normal(n=200)
    codes = z.copy()
    codes[:100] = normal(n=100, seed=1)
    split = np.arange(100), np.arange(100, 200)
    assert score(z, codes, split=split) == score(z[100:], codes[100:]) == pytest.approx(1)
    assert score(z, codes) < 0.9


def test_too_few_rows_and_no_factor_are_undefined():
    z = normal(n=20)
    assert score(z, z) == pytest.approx(1)
    with pytest.raises(Undefined, match="20 scored rows that differ, got 19"):
        score(z[:19], z[:19])
    with pytest.raises(Undefined, match="20 scored rows that differ, got 10"):
        score(z, z, split=(np.arange(10), np.arange(10, 20)))
    with pytest.raises(Undefined, match="no factor varies"):
        score(np.ones((20, 2)), z)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "linear"}, "target = 'linear': must be one of 'elementwise', 'affine'"),
        ({"without": "luck"}, "without = 'luck': must be one of None, 'left-out rows'"),
        ({"target": "affine", "without": "ranks"}, "without = 'ranks': must be one of"),
    ],
)
def test_other_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        score(normal(), normal(), **arguments)


def test_codes_of_any_range():
    z = normal()
    with np.errstate(over="ignore"):
        codes = np.clip(np.sinh(2 * z**3 + 0.1), -1e308, 1e308)
    assert score(z, codes) == pytest.approx(score(z, z), abs=1e-6)
    assert score(z, 1e300 * z, target="affine") == pytest.approx(1)
    assert 0 <= score(z, codes, target="affine") < 0.9
