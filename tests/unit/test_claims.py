"""The paper's claims: every reduction, the verdicts, what is refused, and the file of claims itself."""

import math
import re

import pandas as pd
import pytest
from ruamel.yaml import YAML

from custodes.drawing import style
from custodes.errors import ConfigError
from custodes.reproduction import claim_rows, claims
from custodes.reproduction.full_grid import full_grid
from custodes.reproduction.measures import measured
from custodes.sources import CHECKOUT
from custodes.study import study
from custodes.synthetic import closed_forms
from custodes.tables.columns import LABELS

RESOURCES = CHECKOUT / "workflow" / "resources"
CELL = {
    "experiment": "toy",
    "dgp": "independent",
    "encoder": "E",
    "score": "r2",
    "d": 2,
    "m": 2,
    "n": 100,
    "seeds": 4,
    "undefined": 0,
    "status": "ok",
    "mean": 0.5,
    "std": 0.1,
}
BASE = {"experiment": "toy", "where": {}, "score": "r2"}


def frame(*changes):
    return pd.DataFrame([CELL | change for change in changes])


@pytest.fixture
def sweep():
    """r2 over m = 1 .. 4 of d = 4, rows out of order, and mcc at m = 1 and 2."""
    rows = [{"m": m, "d": 4, "mean": mean} for m, mean in ((3, 0.8), (1, 0.2), (4, 0.9), (2, 0.7))]
    return frame(*rows, *({"m": m, "d": 4, "score": "mcc", "mean": 1.0} for m in (1, 2)))


def value(table, **keys):
    number = measured(BASE | keys, table)
    assert number.missing == ""
    return number.value


@pytest.mark.parametrize(
    ("reduce", "expected"),
    [
        ("min", 0.2),
        ("max", 0.9),
        ("mean", 0.65),
        ("range", 0.7),
        ("largest", 0.9),
        ("rise", 0.7),
        ("smallest_step", 0.1),
        ("largest_step", 0.5),
    ],
)
def test_reductions(sweep, reduce, expected):
    assert value(sweep, reduce=reduce, along="m") == pytest.approx(expected)


def test_every_reduction_of_the_schema_exists():
    schema = YAML(typ="safe").load(CHECKOUT / "workflow" / "schemas" / "claims.schema.yaml")
    for reduce in schema["$defs"]["reduction"]["enum"]:
        assert value(frame({"mean": 0.1}, {"mean": 0.4, "m": 3}), reduce=reduce, along="m") is not None


def test_one_row_needs_no_reduction(sweep):
    assert value(sweep, where={"m": 3}) == pytest.approx(0.8)


def test_a_column_may_be_subtracted(sweep):
    assert value(sweep, minus="m_over_d", reduce="largest") == pytest.approx(0.2)
    assert value(sweep, minus="m_over_d", reduce="min") == pytest.approx(-0.1)


def test_reductions_within_groups():
    table = frame(*({"n": n, "d": d, "mean": n * d / 1000} for n in (1, 3) for d in (1, 5)))
    assert value(table, reduce="range", within=["d"], then="max") == pytest.approx(0.010)
    assert value(table, reduce="range", within=["d"], then="min") == pytest.approx(0.002)
    assert value(table.iloc[:3], reduce="range", within=["d"], then="min") == pytest.approx(0.002)


@pytest.mark.parametrize("reduce", ["range", "rise", "smallest_step", "largest_step"])
def test_cells_cannot_be_compared_with_nothing(reduce):
    table = frame({"n": 1}, {"n": 3, "d": 5})
    for keys in ({"where": {"n": 1}}, {"within": ["n", "d"], "then": "max"}):
        number = measured(BASE | {"along": "m", "reduce": reduce} | keys, table)
        assert number.missing == f"one cell, where {reduce} compares several"


def test_difference_changes_only_the_keys_it_names(sweep):
    assert value(sweep, where={"m": 4, "d": 4}, less={"where": {"m": 1}}) == pytest.approx(0.7)
    assert value(sweep, where={"m": 2}, less={"score": "mcc"}) == pytest.approx(-0.3)
    assert value(sweep, reduce="max", less={"reduce": "min"}) == pytest.approx(0.7)


def test_other_columns_and_ranges_of_values(sweep):
    assert value(sweep, column="std", where={"m": 1}) == pytest.approx(0.1)
    assert value(sweep, column="d", reduce="max") == 4
    assert value(sweep, where={"m": {"from": 2, "to": 3}}, reduce="max") == pytest.approx(0.8)
    assert value(sweep, where={"m": {"from": 4}}) == pytest.approx(0.9)
    assert value(sweep, where={"m_over_d": 0.25}) == pytest.approx(0.2)
    assert value(sweep, where={"m": [1, 2]}, score=["r2", "mcc"], reduce="mean") == pytest.approx(0.725)


def test_undefined_rows_leave_a_number_open_and_are_counted():
    table = frame({"undefined": 4, "mean": None}, {"m": 3, "undefined": 1})
    number = measured(BASE | {"reduce": "max"}, table)
    assert (number.low, number.high, number.cells, number.undefined) == (0.5, math.inf, 2, 1)
    assert value(table, column="undefined_share", reduce="mean") == pytest.approx(5 / 8)
    assert measured(BASE | {"where": {"m": 2}}, table).is_undefined
    assert not number.is_undefined


GRID = {"toy": pd.DataFrame([{"d": 4, "m": m, "n": 100} for m in (1, 2, 3, 4)])}


@pytest.mark.parametrize(
    ("reduce", "low", "high"),
    [
        ("min", -math.inf, 0.2),
        ("max", 0.8, math.inf),
        ("mean", -math.inf, math.inf),
        ("range", 0.6, math.inf),
        ("largest", 0.8, math.inf),
        ("rise", -math.inf, math.inf),
        ("smallest_step", -math.inf, 0.1),
        ("largest_step", 0.5, math.inf),
    ],
)
def test_cells_that_were_not_computed_leave_a_number_open(sweep, reduce, low, high):
    """m = 4 is missing, so that the rise from 1 to 4 is not that from 1 to 3."""
    thinned = sweep[sweep["m"] < 4]
    number = measured(BASE | {"reduce": reduce, "along": "m"}, thinned, GRID)
    assert (number.low, number.high) == pytest.approx((low, high))
    assert (number.cells, number.absent, number.value) == (4, 1, None)
    complete = measured(BASE | {"reduce": reduce, "along": "m"}, sweep, GRID)
    assert (complete.value, complete.absent) == (value(sweep, reduce=reduce, along="m"), 0)


def test_a_rise_needs_its_ends_only(sweep):
    number = measured(BASE | {"reduce": "rise", "along": "m"}, sweep[sweep["m"] != 2], GRID)
    assert (number.value, number.absent) == (pytest.approx(0.7), 1)
    conditioned = BASE | {"reduce": "rise", "along": "m", "where": {"m": {"to": 3}}}
    assert measured(conditioned, sweep[sweep["m"] < 4], GRID).value == pytest.approx(0.6)


def test_an_undefined_end_leaves_a_rise_open(sweep):
    sweep.loc[sweep["m"] == 4, "mean"] = math.nan
    number = measured(BASE | {"reduce": "rise", "along": "m"}, sweep, GRID)
    assert (number.value, number.undefined, number.absent) == (None, 1, 0)


def test_labels_are_known_of_cells_that_were_not_computed(sweep):
    number = measured(BASE | {"column": "m", "reduce": "max"}, sweep[sweep["m"] < 3], GRID)
    assert (number.value, number.absent) == (4, 0)


def test_groups_and_scores_that_were_not_computed_leave_a_number_open(sweep):
    measure = BASE | {"score": ["r2", "mcc"], "reduce": "range", "within": ["score"], "then": "max"}
    number = measured(measure, sweep, GRID)  # mcc has no m = 3 and 4
    assert (number.low, number.high, number.cells, number.absent) == (pytest.approx(0.7), math.inf, 8, 2)
    difference = BASE | {"reduce": "mean", "less": {"score": "mcc"}}
    assert measured(difference, sweep, GRID).low == -math.inf


def test_fewer_samples_are_said_and_a_sweep_of_them_is_not_covered_by_one():
    table = frame({"n": 50})
    grid = pd.DataFrame([{"d": 2, "m": 2, "n": 100}])
    assert measured(BASE, table, {"toy": grid}) == (0.5, 0.5, "", 1, 0, 0, False, (50,))
    swept = {"toy": pd.concat([grid, grid.assign(n=50)])}
    number = measured(BASE | {"reduce": "max"}, table, swept)
    assert (number.low, number.high, number.absent, number.samples) == (0.5, math.inf, 1, ())


def test_infeasible_rows_do_not_count():
    table = frame({"status": "infeasible", "mean": None}, {"d": 3})
    number = measured(BASE | {"reduce": "max"}, table)
    assert (number.value, number.cells, number.undefined) == (0.5, 1, 0)
    assert measured(BASE | {"where": {"d": 2}}, table).missing == "infeasible"


@pytest.mark.parametrize(
    ("keys", "missing"),
    [
        ({"experiment": "other"}, "no experiment = other"),
        ({"score": ["r2", "mig"], "reduce": "max"}, "no score = mig"),
        ({"where": {"d": 4, "m": [1, 9]}, "reduce": "max"}, "no m = 9"),
        ({"where": {"m": {"from": 9}}, "reduce": "max"}, "no m from 9"),
        ({"where": {"colour": 1}}, "no column colour"),
        ({}, "4 cells instead of one"),
        ({"score": ["r2", "mcc"], "reduce": "rise", "along": "m"}, "several cells at one m"),
        ({"where": {"m": 1}, "less": {"where": {"m": 9}}}, "no m = 9"),
    ],
)
def test_what_the_tables_lack_is_said(sweep, keys, missing):
    number = measured(BASE | keys, sweep)
    assert (number.value, number.missing) == (None, missing)


def test_closed_forms_need_no_table():
    measure = {"closed_form": "null_floor", "arguments": {"n": 50, "m": 10}}
    assert measured(measure, None).value == pytest.approx(0.3035, abs=1e-4)
    smaller = measure | {"less": {"arguments": {"n": 200}}}
    assert measured(smaller, None).value == pytest.approx(0.3035 / 2, abs=1e-4)


@pytest.mark.parametrize(
    ("expectation", "inside", "outside"),
    [
        ({"about": 0.5, "within": 0.05}, (0.45, 0.55), (0.44, 0.56)),
        ({"at_least": 0.5}, (0.5, 2), (0.49,)),
        ({"at_most": 0}, (0, -1), (0.01,)),
        ({"at_least": 0.1, "at_most": 0.2}, (0.1, 0.2), (0.05, 0.25)),
    ],
)
def test_expectations(expectation, inside, outside):
    for number in inside:
        assert claims.holds(expectation, number, number)
        assert not claims.fails(expectation, number, number)
    for number in outside:
        assert claims.fails(expectation, number, number)
        assert not claims.holds(expectation, number, number)
    # From one inside to one outside: neither. What is not a number is never as expected.
    bounds = sorted((inside[0], outside[0]))
    assert not claims.holds(expectation, *bounds)
    assert not claims.fails(expectation, *bounds)
    assert not claims.holds(expectation, math.nan, math.nan)


CLAIM = {
    "id": "claim",
    "section": "one",
    "claim": "R2 is high.",
    "where": "Sec. 1",
    "paper": "0.9",
    "figure": "fig02",
    "note": "A note.",
    "explanation": {"corrected": "A reason."},
    "measures": [
        BASE | {"label": "number", "expect": {"at_least": 0.9}, "instead": {"corrected": {"at_most": 0.3}}}
    ],
}


def assessed(claim=CLAIM, **means):
    """The row of a claim when r2 has these means by protocol (None: no such experiment)."""
    frames = {
        name: frame({"mean": mean} if mean is not None else {"experiment": "other"})
        for name, mean in means.items()
    }
    (row,) = claim_rows.assessed({"claims": [claim]}, frames, dict.fromkeys(frames), frame({"mean": 0.95}))
    return row


@pytest.mark.parametrize(
    ("published", "corrected", "verdicts", "verdict"),
    [
        (0.95, 0.95, ("agrees", "agrees"), "agrees"),
        (0.95, 0.2, ("agrees", "explained"), "explained"),
        (0.95, 0.5, ("agrees", "differs"), "differs"),
        (0.2, 0.2, ("differs", "explained"), "differs"),
        (None, 0.2, ("not computed", "explained"), "explained"),
        (None, None, ("not computed", "not computed"), "not computed"),
    ],
)
def test_verdicts(published, corrected, verdicts, verdict):
    row = assessed(published=published, corrected=corrected)
    assert tuple(row["verdicts"].values()) == verdicts
    assert row["verdict"] == verdict
    explained = "explained" in verdicts
    assert row["reasons"] == ([(["corrected"], "A reason.")] if explained else [])


def test_of_several_measures_one_that_differs_is_enough_and_all_must_be_computed():
    measures = [
        BASE | {"label": "a", "expect": {"at_least": 0.9}},
        BASE | {"label": "b", "expect": {"at_least": 0.1}},
        BASE | {"label": "c", "expect": {"at_least": 0.9}, "score": "mig"},
    ]
    claim = CLAIM | {"explanation": {}, "measures": measures}
    assert assessed(claim, published=0.5)["verdict"] == "differs"
    row = assessed(claim, published=0.95)
    assert row["verdict"] == "in part"
    assert claim_rows.flat(row)["published"] == "a: 0.950; b: 0.950; c: not computed (no score = mig)"
    assert assessed(claim | {"measures": measures[:2]}, published=0.95)["verdict"] == "agrees"


def test_a_claim_without_measures_is_not_computed():
    claim = {key: CLAIM[key] for key in ("id", "section", "claim", "where", "paper")}
    row = assessed(claim | {"not_measured": "Arithmetic."}, published=0.5)
    assert (row["verdict"], row["measures"]) == ("not computed", [])
    assert claim_rows.flat(row)["published"] == ""


THINNED = frame(*({"m": m, "d": 4, "mean": mean} for m, mean in ((1, 0.2), (2, 0.7), (3, 0.8))))


@pytest.mark.parametrize(
    ("keys", "expect", "text", "verdict"),
    [
        ({"reduce": "rise", "along": "m"}, {"at_least": 0.05}, "not computed", "not computed"),
        ({"reduce": "max"}, {"at_most": 0.9}, "at least 0.800", "not computed"),
        ({"reduce": "max"}, {"at_most": 0.5}, "at least 0.800", "differs"),
        ({"reduce": "max"}, {"at_least": 0.5}, "at least 0.800", "agrees"),
        ({"reduce": "min"}, {"at_least": 0.1}, "at most 0.200", "not computed"),
        ({"reduce": "min"}, {"at_least": 0.5}, "at most 0.200", "differs"),
        ({"reduce": "range"}, {"at_most": 0.5}, "at least 0.600", "differs"),
        ({"reduce": "mean"}, {"about": 0.5, "within": 0.3}, "not computed", "not computed"),
        ({"where": {"m": 4}}, {"at_least": 0.1}, "not computed", "not computed"),
        ({"column": "m", "reduce": "max"}, {"at_least": 4}, "4", "agrees"),
    ],
)
def test_what_a_thinned_table_lacks_is_not_judged(keys, expect, text, verdict):
    claim = CLAIM | {"explanation": {}, "measures": [BASE | {"label": "x", "expect": expect} | keys]}
    (row,) = claim_rows.assessed({"claims": [claim]}, {"corrected": THINNED}, {"corrected": GRID}, THINNED)
    assert row["measures"][0]["numbers"]["corrected"].split(" (")[0] == text
    assert row["verdict"] == verdict


@pytest.mark.parametrize(
    ("predicted", "verdict"),
    [({"at_least": 0.7}, "explained"), ({"at_most": 0.7}, "differs"), ({"at_most": 0.9}, "not computed")],
)
def test_an_explanation_of_what_is_known_in_part_is_tested_too(predicted, verdict):
    measure = BASE | {"label": "x", "reduce": "max", "expect": {"at_most": 0.5}, "instead": {"p": predicted}}
    claim = CLAIM | {"explanation": {"p": "Why."}, "measures": [measure]}
    (row,) = claim_rows.assessed({"claims": [claim]}, {"p": THINNED}, {"p": GRID}, THINNED)
    assert row["verdict"] == verdict


def test_a_theorem_does_not_differ_for_want_of_a_cell(content):
    """Of the correlations at d = 10 a thinned grid may keep 0 and .99 alone."""
    (claim,) = [claim for claim in content["claims"] if claim["id"] == "feasible_correlations"]
    grid = claim_rows.grid_tables(full_grid("corrected"), [])
    cells = grid["correlation"]
    rows = cells[cells["dgp_rho"].isin([0, 0.99])]
    rows = rows.assign(experiment="correlation", score="r2", status="ok", mean=1.0)
    (outcome,) = claims.assess(claim, {"corrected": rows}, {"corrected": grid})
    assert outcome["corrected"][1] == "agrees"


@pytest.mark.parametrize("id_", ["mcc_inflates_for_overcomplete_entangled_codes", "null_all_metrics_inflate"])
def test_a_rise_over_cells_that_end_early_is_not_computed(content, full, id_):
    (claim,) = [claim for claim in content["claims"] if claim["id"] == id_]
    table = full_table(full, "corrected")
    kept = table[(table["m"] < 50) | (table["n"] < 5000) & (table["experiment"] == "null_phase_diagram")]
    grid = claim_rows.grid_tables(full_grid("corrected"), [])
    for outcome in claims.assess(claim, {"corrected": kept}, {"corrected": grid}):
        assert outcome["corrected"][1] == "not computed"


def test_nothing_that_is_no_number_agrees(content, full):
    table = full_table(full, "corrected")
    grid = claim_rows.grid_tables(full_grid("corrected"), [])
    nothing = dict.fromkeys(("mean", "std", "undefined", "same_verdict", "satisfied"), math.nan)
    empty = dict(list(table.assign(**nothing).groupby("experiment")))
    labels = ("n", "m", "d", "d_eff", "dgp_rho", "encoder_kappa")
    for _, measure in measures_of(content):
        if "closed_form" in measure or measure.get("column") in labels:
            continue
        number = measured(measure, empty[measure["experiment"]], grid)
        assert claims.verdict(measure, "corrected", number) in ("differs", "not computed")


def test_flat_rows_and_counts():
    rows = [assessed(published=0.95, corrected=0.2)]
    flat = claim_rows.flat(rows[0])
    assert flat == flat | {
        "id": "claim",
        "paper": "0.9",
        "expected": "number: at least 0.9",
        "published": "number: 0.950",
        "corrected": "number: 0.200",
        "stored_with_the_paper": "number: 0.950",
        "verdict": "explained",
        "verdict_published": "agrees",
        "verdict_corrected": "explained",
        "figure": "fig02",
        "explanation": "corrected: A reason.",
    }
    counts = claim_rows.counts(rows, ["published", "corrected"])
    assert counts["explained"] == {"claims": 1, "published": 0, "corrected": 1}


@pytest.mark.parametrize(
    ("expectation", "text"),
    [
        ({"about": 0.97, "within": 0.05}, "0.97 ± 0.05"),
        ({"at_least": -0.11, "at_most": -0.05}, "-0.11 to -0.05"),
        ({"at_most": 0}, "at most 0"),
    ],
)
def test_expectations_in_words(expectation, text):
    claim = CLAIM | {"explanation": {}, "measures": [BASE | {"label": "number", "expect": expectation}]}
    assert assessed(claim, published=0.5)["measures"][0]["expected"] == text


def test_undefined_scores_are_said_to_be_undefined():
    row = assessed(published=float("nan"))
    assert row["measures"][0]["numbers"] == {"published": "undefined"}
    assert row["verdict"] == "differs"


def test_verdicts_as_a_table():
    judged = pd.DataFrame(
        {
            "protocol": "corrected",
            "score": ["r2", "r2", "r2", "mig", "sap", "tmex"],
            "property": ["P1", "P2", "P3", "P1", "P1", "P1"],
            "verdict": ["ok", "partly", "not judged", "violated", "ok", "undecided"],
            "paper": ["ok", "violated", "ok", "violated", None, "ok"],
        }
    )
    table, grid = claim_rows.verdict_table(judged), claim_rows.grid_tables({}, [judged])
    same = {"experiment": "verdicts", "where": {}, "column": "same_verdict", "reduce": "min"}
    number = measured(same | {"score": "r2"}, table, grid)
    assert (number.low, number.high, number.cells, number.absent) == (-math.inf, 0, 3, 1)
    number = measured(same | {"score": "mig"}, table, grid)
    assert (number.low, number.high, number.cells, number.absent) == (-math.inf, 1, 3, 2)
    assert measured(same | {"score": "mig"}, table).value == 1
    # Undecided: neither the paper's verdict nor another.
    assert measured(same | {"score": "tmex"}, table, grid).missing == "no score = tmex"
    assert measured(same | {"score": "sap"}, table, grid).missing == "no score = sap"
    all_four = {"column": "satisfied", "reduce": "min", "within": ["score"], "then": "max"}
    number = measured(same | all_four | {"score": ["r2", "mig"]}, table, grid)
    assert number.high == 0


def test_published_means_as_a_table():
    published = pd.read_csv(RESOURCES / "published_cell_means.csv")
    table = claim_rows.as_table(published)
    spread = {"experiment": "sample_size", "where": {"encoder": "elementwise_nonlinear", "n": 50}}
    spread |= {"score": "r2", "column": "std", "reduce": "max"}
    assert measured(spread, table).value == pytest.approx(0.376, abs=0.001)
    at_two = {"experiment": "correlation", "where": {"d": 2}, "score": "mig"}
    assert measured(at_two | {"column": "undefined_share", "reduce": "min"}, table).value == 1
    infeasible = {"experiment": "correlation_entanglement", "where": {"d": 5, "dgp_rho": -0.9}}
    number = measured(infeasible | {"score": "r2", "reduce": "max"}, table)
    assert number.missing == "infeasible"


# What a file of claims must not say: a change of the good one below, and the message.
GOOD = {"conventions": ["Near is near."], "sections": {"one": "One"}, "claims": [CLAIM]}
REFUSED = [
    ({"claims": [CLAIM, CLAIM]}, "claim 'claim' stands twice"),
    ({"claims": [CLAIM | {"section": "two"}]}, "claim claim: unknown section 'two'; known: one"),
    ({"claims": [CLAIM | {"explanation": {"published": "Why."}}]}, "name different protocols"),
    ({"claims": [CLAIM | {"verdict": "agrees"}]}, "unknown key 'verdict'"),
    ({"claims": [CLAIM | {"not_measured": "Why."}]}, "valid under each of"),
    ({"claims": [CLAIM | {"id": "Not a name"}]}, "does not match"),
    (
        {
            "claims": [
                {key: CLAIM[key] for key in CLAIM if key not in ("note", "explanation")}
                | {"conflict": ["code"]}
            ]
        },
        "conflict",
    ),
    ({"claims": []}, "claims"),
    ({"conventions": []}, "conventions"),
]
MEASURES_REFUSED = [
    ([{"expect": {"about": 1}}], r"within.* is a dependency of .about"),
    ([{"expect": {}}], "expect"),
    ([{"expect": {"at_least": "high"}}], "at_least"),
    ([{"reduce": "median"}], "median"),
    ([{"then": "max"}], "dependency"),
    ([{"within": ["d"], "reduce": "max"}], "dependency"),
    ([{"colour": "red"}], "unknown key 'colour'"),
    ([{"closed_form": "null_floor", "arguments": {}}], "valid under each of"),
    ([{}, {}], "label 'number' stands twice"),
    ([{"label": 3}], "label"),
]
MEASURE = CLAIM["measures"][0]


def write(path, content):
    with path.open("w", encoding="utf-8") as file:
        YAML(typ="safe", pure=True).dump(content, file)
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    REFUSED
    + [
        ({"claims": [CLAIM | {"measures": [MEASURE | part for part in parts]}]}, message)
        for parts, message in MEASURES_REFUSED
    ],
)
def test_refusals(tmp_path, change, message):
    path = write(tmp_path / "claims.yaml", GOOD | change)
    with pytest.raises(ConfigError, match=message) as refusal:
        claims.read(path)
    assert "claims.yaml" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_good_file_is_read(tmp_path):
    assert claims.read(write(tmp_path / "claims.yaml", GOOD)) == GOOD


@pytest.fixture(scope="module")
def content():
    return claims.read(RESOURCES / "claims.yaml")


def measures_of(content):
    return [(claim["id"], measure) for claim in content["claims"] for measure in claim.get("measures", [])]


@pytest.fixture(scope="module")
def full():
    return study.load(dict.fromkeys(("protocols", "experiments", "figures"), "all") | {"metrics": "r2"})


def full_table(full, protocol):
    """Every cell of the full study with every score that a claim may name, all of them 0.5, and verdicts."""
    rows = [
        {column: cell.get(column) for column in LABELS}
        | {"experiment": experiment, "score": score, "mean": 0.5, "std": 0.1, "seeds": 5, "undefined": 0}
        | {"status": "infeasible" if "infeasible" in cell else "ok"}
        for experiment in full.experiments
        for cell in full.cells(protocol, experiment)
        for score in (*style.FULL, "r2_nonlinear")
    ]
    judged = pd.DataFrame({"score": style.FULL, "property": "P1", "verdict": "ok", "paper": "ok"})
    verdicts = claim_rows.verdict_table(judged.assign(protocol=protocol))
    return pd.concat([pd.DataFrame(rows), verdicts], ignore_index=True)


@pytest.mark.parametrize("protocol", ["published", "corrected"])
def test_every_measure_finds_its_cells_in_the_full_study(content, full, protocol):
    table = full_table(full, protocol)
    judged = pd.DataFrame({"property": ["P1"]})
    grid = claim_rows.grid_tables(full_grid(protocol), [judged])
    found = {
        (name, measure["label"]): measured(measure, table, grid) for name, measure in measures_of(content)
    }
    missing = {key: number.missing for key, number in found.items() if number.missing}
    assert {key for key, number in found.items() if number.absent or number.samples} == set()
    # The published grid has no m/n = 0.2.
    expected = {("null_mcc", "m/n = 0.2"): "no n = 250"} if protocol == "published" else {}
    assert missing == expected


def test_names_in_the_file_exist(content):
    known = study.load(dict.fromkeys(("protocols", "experiments", "figures", "metrics"), "all"))
    for claim in content["claims"]:
        figures = claim.get("figure", [])
        for figure in [figures] if isinstance(figures, str) else figures:
            of_the_paper = re.fullmatch(r"fig(0[1-9]|[12][0-9]|3[0-7])", figure)
            assert of_the_paper or figure in known.figures, (claim["id"], figure)
        assert set(claim.get("explanation", {})) <= set(known.protocols), claim["id"]
    for name, measure in measures_of(content):
        for part in (measure, measure.get("less", {})):
            assert part.get("experiment", "verdicts") in [*known.experiments, "verdicts"], name
            assert hasattr(closed_forms, part.get("closed_form", "null_floor")), name
            scores = part.get("score", [])
            assert {scores} if isinstance(scores, str) else set(scores) <= set(style.SCORES), name


def test_every_section_has_claims(content):
    assert {claim["section"] for claim in content["claims"]} == set(content["sections"])
