"""Expansion of grids: products, joint keys, defaults, thinning, and every refusal."""

import pytest

from custodes.errors import ConfigError
from custodes.study import grid
from custodes.tables.columns import cell_labels

PUBLISHED = {"dgps": {"single_constraint": {"function": "tanh_cube"}}, "encoders": {}}
E1 = {"dgp": "independent", "encoder": "elementwise_linear"}


def cells(*blocks, protocol=PUBLISHED, **options):
    return grid.expand(blocks, protocol, name="published", where="experiment.yaml", **options)


def values(found, *keys):
    return [tuple(cell[key] for key in keys) for cell in found]


def test_a_block_is_the_product_of_its_lists_with_defaults_resolved():
    found = cells({"dgp": ["independent", "correlated"], "encoder": "linearly_entangled", "d": [2, 3]})
    assert values(found, "dgp", "d", "m", "n", "encoder_kappa") == [
        ("independent", 2, 2, 1000, 10.0),
        ("independent", 3, 3, 1000, 10.0),
        ("correlated", 2, 2, 1000, 10.0),
        ("correlated", 3, 3, 1000, 10.0),
    ]
    assert [cell.get("dgp_rho") for cell in found] == [None, None, 0.5, 0.5]


def test_joint_keys_are_swept_together():
    found = cells(E1 | {"d, n": [[3, 150], [10, 50]]})
    assert values(found, "d", "n") == [(3, 150), (10, 50)]


def test_joint_keys_need_as_many_values():
    with pytest.raises(ConfigError, match=r"grids\[0\].*'d, n' needs 2 values, got \[3\]"):
        cells(E1 | {"d, n": [[3]]})


def test_equal_cells_of_two_blocks_are_merged():
    assert values(cells(E1 | {"d": [3, 5]}, E1 | {"n": [500, 1000]}), "d", "n") == [
        (3, 1000),
        (5, 1000),
        (5, 500),
    ]


def test_blocks_of_another_protocol_are_left_out():
    assert cells(E1 | {"protocols": ["corrected"]}) == []


def test_the_protocol_fills_in_what_the_grid_leaves_out():
    block = {"dgp": "single_constraint", "encoder": "elementwise_linear"}
    assert cells(block)[0]["dgp_function"] == "tanh_cube"
    assert cells(block | {"dgp_function": "cube"})[0]["dgp_function"] == "cube"
    assert cells(block, protocol={})[0]["dgp_function"] == "cube"


def test_numbers_take_the_type_of_the_default():
    kappa = cells({"dgp": "independent", "encoder": "linearly_entangled", "encoder_kappa": 3})[0]
    assert repr(kappa["encoder_kappa"]) == "3.0"


def test_redundant_factors_lower_the_effective_dimension_and_are_not_labels():
    block = {"dgp": "single_constraint", "encoder": "undercomplete", "d": 10, "dgp_constraints": 2}
    cell = cells(block)[0]
    assert (cell["d_eff"], cell["redundant"]) == (8, (1, 2))
    assert "redundant" not in cell_labels(cell)


def test_infeasible_points_are_refused_unless_kept():
    block = {"dgp": "correlated", "encoder": "elementwise_linear", "dgp_rho": [-0.5, 0.5]}
    with pytest.raises(ConfigError, match=r"experiment.yaml: grids\[0\]: rho = -0.5.*-0.25"):
        cells(block)
    kept = cells(block, infeasible="keep")
    assert ["infeasible" in cell for cell in kept] == [True, False]


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (E1 | {"dgp": "independant"}, "unknown dgp 'independant'; known: .*independent"),
        (E1 | {"encoder": "E1"}, "unknown encoder 'E1'; known: .*elementwise_linear"),
        (E1 | {"encoder_kapa": 3.0}, "no parameter encoder_kapa; its parameters: none"),
        (E1 | {"dgp": "correlated", "dgp_roh": 0.1}, "no parameter dgp_roh; its parameters: dgp_rho"),
        (E1 | {"dgp": "correlated", "dgp_rho": "high"}, "dgp_rho: needs a value of type float, got 'high'"),
        (E1 | {"encoder": "overcomplete_linear", "m": 4}, "m = 4"),
        (E1 | {"encoder": "undercomplete", "m": 5}, "m = 5"),
        (E1 | {"m": 4}, "m = 4"),
        (E1 | {"dgp": "single_constraint", "dgp_constraints": 3}, "constraints = 3"),
    ],
)
def test_what_cannot_be_run_is_refused_with_the_place(block, message):
    with pytest.raises(ConfigError, match=r"experiment.yaml: grids\[0\].*" + message):
        cells(block)


def test_thinning_keeps_both_ends_the_first_distributions_and_small_samples():
    thin = {"points": 3, "dgps": 1, "n": 1000, "work": 35000}
    block = {"dgp": ["independent", "correlated"], "encoder": ["elementwise_linear", "null_gaussian"]}
    found = cells(block | {"d": [2, 3, 4, 5, 6], "n": [100, 500, 1000, 5000]}, thin=thin)
    assert {cell["dgp"] for cell in found} == {"independent"}
    assert {cell["encoder"] for cell in found} == {"elementwise_linear", "null_gaussian"}
    assert sorted({cell["d"] for cell in found}) == [2, 4, 6]
    assert sorted({cell["n"] for cell in found}) == [100, 500, 1000]
    assert max(cell["n"] * cell["d"] * cell["m"] for cell in found) == 18000


def test_thinning_may_keep_the_first_blocks_only():
    thin = {"points": 3, "dgps": 1, "n": 1000, "work": 35000, "grids": 1}
    assert values(cells(E1 | {"d": 3}, E1 | {"d": 4}, thin=thin), "d") == [(3,)]


def test_a_block_of_larger_samples_only_is_thinned_to_the_largest_allowed():
    thin = {"points": 3, "dgps": 1, "n": 200, "work": 10_000}
    assert values(cells(E1 | {"n": 1600}, E1 | {"d, n": [[3, 500], [4, 300]]}, thin=thin), "d", "n") == [
        (5, 200),
        (3, 200),
    ]
