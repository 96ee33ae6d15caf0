"""What metrics take as factors, codes, row numbers and generator, and what they refuse by name."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import torch

from custodes import registry, streams
from custodes.metrics import dci, focus, mcc_pearson, mcc_rdc, tmex, udr
from custodes.statistics.inputs import check_array, check_pair, check_split

Z = np.random.default_rng(0).standard_normal((40, 2)).round(3)
FORMS = {
    "lists": lambda x: x.tolist(),
    "tuples": lambda x: tuple(map(tuple, x)),
    "frame": pd.DataFrame,
    "frame of objects": lambda x: pd.DataFrame(x).astype(object),
    "frame of nullable numbers": lambda x: pd.DataFrame(x).astype("Float64"),
    "mixed frame": lambda x: pd.DataFrame({"a": x[:, 0], "b": pd.Series(x[:, 1], dtype=object)}),
    "tensor": torch.tensor,
    "tensor with gradients": lambda x: torch.tensor(x, requires_grad=True),
    "masked array without a mask": np.ma.masked_array,
    "Fortran order": np.asfortranarray,
}
REFUSED = {
    "text column": (pd.DataFrame({"a": [1.0], "b": ["x"]}), "z holds .* values in column b; numbers"),
    "categories": (pd.DataFrame({"c": pd.Categorical(["1", "2"])}), "z holds category values in column c"),
    "dates": (pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])}), "z holds datetime64.* in column t"),
    "missing in a frame": (pd.DataFrame({"a": [1.0, 2], "b": [1, np.nan]}), "value nan in column b, row 1"),
    "missing in a nullable column": (
        pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}),
        "value nan in column a, row 1",
    ),
    "no rows": (pd.DataFrame({"a": []}), "z is empty: its shape is \\(0, 1\\)"),
    "no columns": (pd.DataFrame(index=[1, 2]), "z is empty: its shape is \\(2, 0\\)"),
    "series": (pd.Series([1.0, 2.0]), r"z has shape \(2,\)"),
    "tensor of one dimension": (torch.ones(3), r"z has shape \(3,\)"),
    "sparse": (scipy.sparse.csr_array(np.eye(2)), r"z is sparse; give z.toarray\(\)"),
    "masked": (np.ma.masked_equal([[1.0, 2.0], [3.0, 9.0]], 9), r"z is masked at \(1, 1\)"),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_the_same_numbers(form):
    given = FORMS[form](Z)
    z, z_hat = check_pair(given, FORMS[form](2 * Z))
    assert np.array_equal(z, Z)
    assert np.array_equal(z_hat, 2 * Z)
    assert type(z) is np.ndarray
    assert z.dtype == np.float64
    assert mcc_pearson.score(given, given) == mcc_pearson.score(Z, Z)


def test_booleans_and_integers_of_a_frame():
    found = check_array(pd.DataFrame({"a": [True, False], "b": [3, 4]}), "z")
    assert np.array_equal(found, [[1.0, 3.0], [0.0, 4.0]])


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case):
    values, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        check_array(values, "z")


def test_a_tensor_keeps_its_gradients():
    given = torch.tensor(Z, requires_grad=True)
    mcc_pearson.score(given, given)
    assert given.requires_grad


def test_focus_names_the_factors_of_a_frame():
    frame = pd.DataFrame({"shape": Z[:, 0], "still": 1.0, "size": Z[:, 1]})
    assert focus.parts(frame, Z).factors.tolist() == ["shape", "size"]
    assert focus.parts(frame.to_numpy(), Z).factors.tolist() == [0, 2]
    assert focus.parts(frame, Z).purity == pytest.approx(focus.parts(frame.to_numpy(), Z).purity)


def test_row_numbers_of_every_form():
    train, test = check_split(([3, 1], pd.Series([0, 0])), 4)
    assert (train.tolist(), test.tolist()) == ([3, 1], [0, 0])
    assert check_split((range(2), torch.tensor([2])), 3)[1].tolist() == [2]


SPLITS = {
    "no pair": ([1, 2, 3], "split must be a pair"),
    "a number": (3, "split must be a pair"),
    "empty": (([], [1]), "split: train is empty"),
    "mask": (
        ([0], np.ones(40, dtype=bool)),
        "split: test has .*bool: must be row numbers; numpy.flatnonzero",
    ),
    "fractions": (([0], [1.0]), "split: test has .*float64: must be row numbers$"),
    "too large": (([0], [3, 40]), "split: test has the row 40: must be at least 0 and below 40"),
    "negative": (([-1], [0]), "split: train has the row -1"),
    "two dimensions": (([[0, 1]], [0]), r"split: train has shape \(1, 2\)"),
}


@pytest.mark.parametrize("case", SPLITS)
@pytest.mark.parametrize("name", [name for name in registry.names("metrics") if name != "udr"])
def test_a_bad_split_is_named(name, case):
    split, message = SPLITS[case]
    with pytest.raises(ValueError, match=message):
        registry.load("metrics", name).score(Z, Z, split=split)


def test_generators():
    given = np.random.default_rng(3)
    assert streams.generator(given) is given
    for rng, seed in [(None, 0), (0, 0), (7, 7), (np.int64(7), 7)]:
        assert streams.generator(rng).random() == np.random.default_rng(seed).random()
    for wrong in (True, -1, 1.0, "0", np.random.RandomState(0)):
        with pytest.raises(TypeError, match=r"rng = .*: must be a numpy Generator, a whole number of at"):
            streams.generator(wrong)


@pytest.mark.parametrize("metric", [dci, mcc_rdc, tmex, mcc_pearson])
def test_metrics_that_draw_take_a_seed_or_nothing(metric):
    codes = Z + np.random.default_rng(1).standard_normal(Z.shape)
    assert metric.score(Z, codes) == metric.score(Z, codes, np.random.default_rng(0))
    assert metric.score(Z, codes, 5) == metric.score(Z, codes, np.random.default_rng(5))
    with pytest.raises(TypeError, match="rng = 'five'"):
        metric.score(Z, codes, "five")


def test_sets_take_a_seed_or_nothing():
    rng = np.random.default_rng(2)
    given = [(Z + rng.standard_normal(Z.shape), np.ones(2, dtype=bool)) for _ in range(6)]
    seeded = udr.score_set(given, 4, partners=2)
    assert seeded == udr.score_set(given, np.random.default_rng(4), partners=2)
    assert udr.score_set(given, partners=2) == udr.score_set(given, 0, partners=2)
    pairs = udr.score_pairs(given)
    for place in (0, 7):
        one, other = pairs["representation"][place], pairs["partner"][place]
        codes, masks = zip(given[one], given[other], strict=True)
        for similarity in udr.SIMILARITIES:
            found = udr.udr_pair(*codes, *masks, similarity)
            assert found == pytest.approx(pairs[f"udr_{similarity}"][place], abs=1e-12)
