"""UDR: known values, a textbook version pair by pair, masks, sets of representations, bad input."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.linear_model import Lasso
from sklearn.preprocessing import StandardScaler

from custodes.errors import Undefined
from custodes.metrics import udr
from custodes.metrics.udr import informative_latents, score_pairs, score_set, similarity_matrix, udr_pair


def textbook_similarity(codes_i, codes_j, similarity):
    if similarity == "lasso":
        x, y = (StandardScaler().fit_transform(codes) for codes in (codes_i, codes_j))
        return np.abs(np.atleast_2d(Lasso(alpha=0.1, tol=1e-12, max_iter=10**6).fit(x, y).coef_)).T
    return np.abs([[spearmanr(a, b).statistic for b in codes_j.T] for a in codes_i.T])


def textbook_pair(codes_i, codes_j, informative_i, informative_j, similarity):
    """Eq. 2 term by term, from the samples."""
    strength = textbook_similarity(codes_i, codes_j, similarity)
    total = 0.0
    for b in np.flatnonzero(informative_j):
        if strength[:, b].sum() > 0:
            total += strength[:, b].max() ** 2 / strength[:, b].sum()
    for a in np.flatnonzero(informative_i):
        if strength[a].sum() > 0:
            total += strength[a].max() ** 2 / strength[a].sum()
    latents = informative_i.sum() + informative_j.sum()
    return total / latents if latents else 0.0


def uncorrelated(n, d, seed=0):
    """Standardised columns whose correlations are 0 to rounding."""
    normal = np.random.default_rng(seed).standard_normal((n, d))
    return np.sqrt(n) * np.linalg.qr(normal - normal.mean(axis=0))[0]


def rotated(codes, seed):
    size = codes.shape[1]
    return codes @ np.linalg.qr(np.random.default_rng(seed).standard_normal((size, size)))[0]


def entangled(latents, seed, n=200):
    """Noisy mixtures of the same three factors."""
    rng = np.random.default_rng(seed)
    return uncorrelated(n, 3) @ rng.standard_normal((3, latents)) + 0.5 * rng.standard_normal((n, latents))


def everything(codes):
    return np.ones(codes.shape[1], dtype=bool)


def pair(codes_i, codes_j, similarity="lasso", **arguments):
    return udr_pair(codes_i, codes_j, everything(codes_i), everything(codes_j), similarity, **arguments)


FACTORS = uncorrelated(10_000, 10)
PERFECT, OTHERS = FACTORS[:, :5], FACTORS[:, 5:]
KNOWN = {
    "equal": (PERFECT, 0.9, 0.98),
    "permuted": (PERFECT[:, [3, 0, 4, 1, 2]], 0.9, 0.98),
    "flipped": (PERFECT * [1, -1, -1, 1, -1], 0.9, 0.98),
    "subset": (PERFECT[:, [4, 1, 2]], 0.675, 0.735),
    "rotated": (rotated(PERFECT, 3), 0.39, 0.37),
    "unrelated": (OTHERS, 0, 0),
}


@pytest.mark.parametrize("case", KNOWN)
def test_known_values(case):
    codes, lasso, spearman = KNOWN[case]
    for found in (pair(PERFECT, codes), pair(codes, PERFECT)):
        assert found == pytest.approx(lasso, abs=1e-6 if case != "rotated" else 0.005)
    assert pair(PERFECT, codes, "spearman") == pytest.approx(spearman, abs=0.02)


@pytest.mark.parametrize("alpha", [0.01, 0.1, 0.5])
def test_a_perfect_pair_loses_what_the_penalty_shrinks(alpha):
    assert pair(PERFECT, PERFECT, alpha=alpha) == pytest.approx(1 - alpha)
    assert pair(PERFECT, PERFECT, "spearman", alpha=alpha) > 0.96


@pytest.mark.parametrize("similarity", udr.SIMILARITIES)
@pytest.mark.parametrize(("own", "other"), [(4, 4), (2, 6), (6, 2), (1, 1), (1, 3), (3, 1)])
def test_agrees_with_the_textbook(similarity, own, other):
    rng = np.random.default_rng(own)
    codes = entangled(own, 1), entangled(other, 2)
    for _ in range(3):
        masks = [rng.random(part.shape[1]) < 0.7 for part in codes]
        expected = textbook_pair(*codes, *masks, similarity)
        assert udr_pair(*codes, *masks, similarity) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("similarity", udr.SIMILARITIES)
def test_similarities_are_those_of_the_textbook(similarity):
    codes = entangled(4, 1), entangled(3, 2)
    found = similarity_matrix(*codes, similarity)
    assert found.shape == (4, 3)
    assert found == pytest.approx(textbook_similarity(*codes, similarity), abs=1e-9)


def test_lasso_is_not_symmetric_and_spearman_is():
    codes = entangled(4, 1), entangled(4, 2)
    assert np.abs(similarity_matrix(*codes) - similarity_matrix(*codes[::-1]).T).max() > 0.1
    assert abs(pair(*codes) - pair(*codes[::-1])) > 0.01
    assert pair(*codes, "spearman") == pytest.approx(pair(*codes[::-1], "spearman"))


def test_spearman_is_never_above_one():
    codes = np.random.default_rng(0).standard_normal((50, 1, 30, 1))
    found = [pair(*one, *one, "spearman") for one in codes]
    assert found == pytest.approx([1] * 50)
    assert max(found) <= 1


def test_correlated_codes_may_exceed_one():
    """Two codes with correlation .92 predict the sign of their difference: coefficients +-1.25."""
    mean, difference = uncorrelated(100, 2).T
    spread = np.sqrt(0.08 / 2)
    codes = np.stack(
        [np.sqrt(0.96) * mean + spread * difference, np.sqrt(0.96) * mean - spread * difference], 1
    )
    assert similarity_matrix(codes, difference[:, None]) == pytest.approx(1.25)
    assert pair(codes, difference[:, None]) == pytest.approx((1.25 / 2 + 2 * 1.25) / 3)


@pytest.mark.parametrize("similarity", udr.SIMILARITIES)
def test_what_is_not_informative_counts_in_the_sums_only(similarity):
    codes = np.hstack([PERFECT[:, :2], PERFECT[:, :1] + PERFECT[:, 1:2]])
    mask = np.array([True, True, False])
    strength = similarity_matrix(PERFECT[:, :2], codes, similarity)
    columns, rows = strength.max(0) ** 2 / strength.sum(0), strength.max(1) ** 2 / strength.sum(1)
    found = udr_pair(PERFECT[:, :2], codes, mask[:2], mask, similarity)
    assert found == pytest.approx((columns[:2].sum() + rows.sum()) / 4)
    assert found < pair(PERFECT[:, :2], PERFECT[:, :2], similarity) - 0.05


def test_masks_without_an_informative_latent():
    none, every = np.zeros(5, dtype=bool), np.ones(5, dtype=bool)
    assert udr_pair(PERFECT, PERFECT, none, none) == 0
    assert udr_pair(PERFECT, PERFECT, none, every) == pytest.approx(0.9)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e300])
@pytest.mark.parametrize("similarity", udr.SIMILARITIES)
def test_constant_codes_count_as_latents_without_a_partner(similarity, value):
    dead = np.full((200, 1), value)
    dead[::2] *= 1 + np.finfo(float).eps  # rounding noise, not a signal
    codes = entangled(3, 1), entangled(3, 2)
    alive, with_dead = pair(*codes, similarity), pair(np.hstack([dead, codes[0]]), codes[1], similarity)
    assert with_dead == pytest.approx(alive * 6 / 7, abs=1e-9)
    masks = np.array([False, True, True, True]), everything(codes[1])
    masked = udr_pair(np.hstack([dead, codes[0]]), codes[1], *masks, similarity)
    assert masked == pytest.approx(alive, abs=1e-9)
    assert (
        pair(dead, codes[1], similarity)
        == pair(codes[0], dead, similarity)
        == pair(dead, dead, similarity)
        == 0
    )


@pytest.mark.parametrize("similarity", udr.SIMILARITIES)
def test_equal_codes(similarity):
    codes = np.hstack([PERFECT[:, :1], PERFECT[:, :2]])
    expected = textbook_pair(codes, PERFECT[:, :2], everything(codes), np.ones(2, dtype=bool), similarity)
    assert pair(codes, PERFECT[:, :2], similarity) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("similarity", udr.SIMILARITIES)
def test_order_units_and_precision_do_not_matter(similarity):
    codes = entangled(4, 1), entangled(4, 2)
    expected = pair(*codes, similarity)
    for change in (
        lambda x: x[:, [2, 0, 3, 1]],
        lambda x: x * [1e-4, -1e6, 3.0, -0.5],
        lambda x: x * [1e300, 1.0, -1e-300, 1e30],
        lambda x: x + np.array([3.0, -7.0, 50.0, 1e4]),
        lambda x: x[::-1],
    ):
        assert pair(change(codes[0]), change(codes[1]), similarity) == pytest.approx(expected, abs=1e-6)
    single = [part.astype(np.float32) for part in codes]
    assert pair(*single, similarity) == pytest.approx(expected, abs=1e-5)
    monotone = pair(np.exp(codes[0]), codes[1], similarity)
    assert (abs(monotone - expected) < 1e-9) == (similarity == "spearman")


def test_the_threshold_is_honoured():
    mean_kl = np.array([0.0, 0.01, 0.0101, 3.0])
    assert informative_latents(mean_kl).tolist() == [False, False, True, True]
    assert informative_latents(mean_kl, threshold=0.0).tolist() == [False, True, True, True]
    assert informative_latents(mean_kl.astype(np.float32), threshold=1).tolist() == [
        False,
        False,
        False,
        True,
    ]
    for bad in ([0.1, np.nan], [[0.1]], 0.1):
        with pytest.raises(ValueError, match="mean_kl must hold one finite number per latent"):
            informative_latents(bad)


def representations(seed=0, sizes=(4, 3, 5, 4, 2, 4)):
    rng = np.random.default_rng(seed)
    return [(entangled(size, seed + k), rng.random(size) < 0.8) for k, size in enumerate(sizes)]


def rng(seed=0):
    return np.random.default_rng(seed)


def compared(pairs):
    return set(zip(pairs["representation"].tolist(), pairs["partner"].tolist(), strict=True))


@pytest.mark.parametrize("groups", [None, list("ababaa"), [(1, "x"), (2, "x")] * 3])
def test_a_set_is_all_its_pairs(groups):
    given = representations()
    pairs = score_pairs(given, rng(), groups=groups)
    labels = groups or [0] * 6
    everyone = {(i, j) for i in range(6) for j in range(6) if i != j and labels[i] == labels[j]}
    assert compared(pairs) == everyone
    assert len(pairs["partner"]) == len(everyone)
    for k, (i, j) in enumerate(zip(pairs["representation"], pairs["partner"], strict=True)):
        (codes_i, mask_i), (codes_j, mask_j) = given[i], given[j]
        for similarity in udr.SIMILARITIES:
            expected = textbook_pair(codes_i, codes_j, mask_i, mask_j, similarity)
            assert pairs[f"udr_{similarity}"][k] == pytest.approx(expected, abs=1e-6)


def test_a_score_is_the_median_over_the_partners():
    given = representations()
    pairs, scores = score_pairs(given, rng(), partners=3), score_set(given, rng(), partners=3)
    for k, found in enumerate(scores):
        assert list(found) == list(udr.METRIC.scores)
        for name, value in found.items():
            assert type(value) is float
            assert value == np.median(pairs[name][pairs["representation"] == k])


def test_partners_are_drawn_from_the_own_group():
    given, groups = representations(), list("aaaabb")
    pairs = score_pairs(given, rng(), groups=groups, partners=2)
    assert np.bincount(pairs["representation"]).tolist() == [2, 2, 2, 2, 1, 1]  # all where there are fewer
    assert len(compared(pairs)) == 10
    assert all(i != j and groups[i] == groups[j] for i, j in compared(pairs))
    assert compared(score_pairs(given, rng(), groups=groups, partners=2)) == compared(pairs)
    drawn = [compared(score_pairs(given, rng(s), partners=2, similarities=["lasso"])) for s in range(20)]
    assert set.union(*drawn) == {(i, j) for i in range(6) for j in range(6) if i != j}


def test_one_similarity_alone():
    given = representations()
    only, both = score_pairs(given, None, similarities=["spearman"]), score_pairs(given, None)
    assert list(only) == ["representation", "partner", "udr_spearman"]
    assert np.array_equal(only["udr_spearman"], both["udr_spearman"])


def test_one_alone_in_its_setting_has_no_score():
    given = representations()
    scores = score_set(given, rng(), groups=list("aabaaa"))
    assert scores[2] == {}
    assert [type(scores[k]["udr_lasso"]) for k in (0, 1, 3, 4, 5)] == [float] * 5
    assert score_set(given[:1], rng()) == [{}]


def test_agreeing_representations_rank_above_rotated_ones():
    noise = 0.3 * np.random.default_rng(4).standard_normal((10, 1000, 5))
    factors = PERFECT[:1000]
    aligned = [factors[:, rng(s).permutation(5)] * rng(s).choice([-1, 1], 5) + noise[s] for s in range(6)]
    mixed = [rotated(factors, s) + noise[s] for s in range(6, 10)]
    given = [(codes, everything(codes)) for codes in aligned + mixed]
    for groups in (None, [0] * 6 + [1] * 4):
        scores = score_set(given, rng(), groups=groups)
        for name in udr.METRIC.scores:
            assert min(found[name] for found in scores[:6]) > max(found[name] for found in scores[6:]) + 0.2


def test_input_is_left_alone():
    given = representations()
    copies = [codes.copy() for codes, _ in given]
    for codes, mask in given:
        codes.flags.writeable = mask.flags.writeable = False
    score_set(given, rng())
    assert all(np.array_equal(codes, copy) for (codes, _), copy in zip(given, copies, strict=True))


def broken(k, codes=None, mask=None):
    given = representations()
    given[k] = (given[k][0] if codes is None else codes, given[k][1] if mask is None else mask)
    return given


HOLE = entangled(4, 0)
HOLE[7, 2] = np.nan
BAD = {
    "rows": (
        broken(3, entangled(4, 0, n=199)),
        r"^representation 3 has 199 rows and representation 0 has 200",
    ),
    "NaN": (broken(3, HOLE), r"^representation 3 has the value nan in column 2, row 7"),
    "one dimension": (broken(3, HOLE[:, 0]), r"^representation 3 has shape \(200,\)"),
    "text": (broken(0, HOLE.astype(str)), r"^representation 0 holds <U"),
    "no codes": (broken(1, HOLE[:, :0]), r"^representation 1 is empty"),
    "length of a mask": (
        broken(5, mask=np.ones(3, dtype=bool)),
        r"^the mask of representation 5 has shape \(3,\) and type bool; 4 booleans are needed",
    ),
    "KL as a mask": (broken(5, mask=np.ones(4)), r"^the mask of representation 5 has .* type float64"),
    "indices as a mask": (broken(5, mask=[0, 1, 2, 3]), r"^the mask of representation 5 has .* type int64"),
    "nothing": ([], r"^there are no representations"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_representations_are_named(case):
    given, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        score_set(given, rng())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"groups": ["a", "b"]}, "groups has 2 labels for 6 representations"),
        ({"partners": 0}, "partners = 0: must be a whole number, at least 1, or None"),
        ({"partners": 2.5}, "partners = 2.5: must"),
        ({"alpha": 0}, "alpha = 0: must be a finite number in .0, inf."),
        ({"alpha": np.inf}, "alpha = inf: must be"),
        ({"alpha": np.nan}, "alpha = nan: must be"),
        ({"similarities": ["pearson"]}, "similarity = 'pearson': must be one of 'lasso', 'spearman'"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        score_pairs(representations(), rng(), **arguments)


def test_a_pair_is_checked_as_a_set_is():
    codes, mask = entangled(4, 1), np.ones(4, dtype=bool)
    with pytest.raises(ValueError, match="the mask of representation 1 has shape"):
        udr_pair(codes, codes, mask, mask[:3])
    with pytest.raises(ValueError, match="representation 1 has 100 rows"):
        udr_pair(codes, codes[:100], mask, mask)
    with pytest.raises(ValueError, match="similarity = 'Lasso'"):
        udr_pair(codes, codes, mask, mask, "Lasso")


@pytest.mark.parametrize("n", [1, 2, 3])
def test_too_few_rows_are_undefined(n):
    codes = entangled(4, 1)[:n]
    with pytest.raises(Undefined, match=f"udr needs 4 rows, got {n}"):
        pair(codes, codes)
    with pytest.raises(Undefined, match=f"udr needs 4 rows, got {n}"):
        score_set([(codes, everything(codes))] * 2, rng())


@pytest.mark.parametrize("similarity", ["spearman", "lasso"])
def test_zeroed_latents_are_as_if_they_were_not_there(similarity):
    rng = np.random.default_rng(0)
    one, other = rng.standard_normal((2, 200, 4))
    other[:, :2] += one[:, :2]
    masks = np.array([True, True, False, False]), np.array([True, False, True, False])
    zeroed = udr.udr_pair(one, other, *masks, similarity, uninformative="zeroed")
    alone = udr.udr_pair(one[:, masks[0]], other[:, masks[1]], masks[0][:2], masks[0][:2], similarity)
    assert zeroed == pytest.approx(alone)
    assert abs(zeroed - udr.udr_pair(one, other, *masks, similarity)) > 0.05
