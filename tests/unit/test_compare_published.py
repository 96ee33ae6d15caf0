"""Comparison with the published means: every verdict, the summary, and the check that stops."""

import pandas as pd
import pyarrow as pa
import pytest

from custodes.reproduction import agreement, published_means
from custodes.sources import CHECKOUT
from custodes.study import yaml_files
from custodes.tables.columns import LABELS, STATISTICS
from custodes.tables.files import write_rows

RESOURCES = CHECKOUT / "workflow" / "resources"
TOLERANCES = {
    "scores": {
        "mig": {"tolerance": 0.1, "deterministic": True},
        "tmex": {"tolerance": 0.01, "null_tolerance": 0.2, "deterministic": False},
    },
    "null_encoders": ["null_uniform"],
    "explanations": [
        {
            "cell": {"encoder": "linearly_entangled", "n": 50},
            "scores": ["mig"],
            "reason": "overflow",
        }
    ],
}
CELL = {
    "experiment": "sample_size",
    "dgp": "correlated",
    "encoder": "linearly_entangled",
    "d": 5,
    "m": 5,
    "n": 1000,
    "dgp_rho": 0.5,
    "encoder_kappa": 10.0,
    "score": "mig",
    "seeds": 5,
}


def frame(*changes):
    """Rows of CELL, each with its own changes; columns that no row has are added as missing."""
    rows = pd.DataFrame([CELL | change for change in changes])
    rows = rows.reindex(columns=[*published_means.CELL, "score", "seeds", "mean"])
    return rows.astype({"mean": float})


def compare(ours, published):
    return published_means.compare(frame(*ours), frame(*published), TOLERANCES)


@pytest.mark.parametrize(
    ("ours", "published", "verdict"),
    [
        ({"mean": 0.55}, {"mean": 0.5}, "within"),
        ({"mean": 0.35}, {"mean": 0.5}, "outside"),
        ({"mean": None}, {"mean": None}, "undefined in both"),
        ({"mean": None}, {"mean": 0.5}, "undefined here only"),
        ({"mean": 0.5}, {"mean": None}, "undefined there only"),
        ({"mean": 0.5, "n": 500}, {"mean": 0.5}, "not in this study"),
        ({"mean": 0.5, "encoder_kappa": 2.0}, {"mean": 0.5}, "not in this study"),
        ({"mean": 0.5, "dgp_rho": None}, {"mean": 0.5}, "not in this study"),
        ({"mean": 0.5, "seeds": 2}, {"mean": 0.5}, "not in this study"),
        ({"mean": 0.5, "score": "tmex"}, {"mean": 0.5}, "not in this study"),
    ],
)
def test_verdict(ours, published, verdict):
    assert compare([ours], [published])["verdict"].item() == verdict


def test_an_explanation_covers_its_disagreeing_cells_only():
    changes = [
        {"mean": 0.9, "n": 50},
        {"mean": None, "n": 50, "dgp_rho": 0.1},
        {"mean": 0.5, "n": 50, "dgp_rho": 0.2},
        {"mean": 0.9, "n": 50, "score": "tmex"},
        {"mean": 0.9, "n": 100},
    ]
    comparison = compare(changes, [change | {"mean": 0.5} for change in changes])
    found = comparison[["verdict", "reason"]].fillna("").values.tolist()
    assert found[:2] == [["explained", "overflow"]] * 2
    assert found[2:] == [["within", ""], ["outside", ""], ["outside", ""]]


@pytest.mark.parametrize(
    ("encoder", "verdict"), [("null_uniform", "within"), ("linearly_entangled", "outside")]
)
def test_null_codes_have_their_own_tolerance(encoder, verdict):
    row = {"encoder": encoder, "score": "tmex"}
    comparison = compare([row | {"mean": 0.6}], [row | {"mean": 0.5}])
    assert comparison["verdict"].item() == verdict


def test_difference_is_ours_minus_published_and_missing_where_not_compared():
    ours = [{"mean": 0.55}, {"mean": 0.55, "n": 500, "seeds": 2}]
    comparison = compare(ours, [{"mean": 0.5}, {"mean": 0.5, "n": 500}])
    assert comparison["difference"].iloc[0] == pytest.approx(0.05)
    assert comparison[["ours", "difference"]].iloc[1].isna().all()


def test_several_rows_for_one_published_cell_are_refused():
    with pytest.raises(ValueError, match=r"several rows for mig \(experiment=sample_size"):
        compare([{"mean": 0.5}, {"mean": 0.6}], [{"mean": 0.5}])


def test_a_score_without_a_tolerance_is_refused():
    with pytest.raises(ValueError, match="no entry for the score sap"):
        compare([{"mean": 0.5}], [{"mean": 0.5, "score": "sap"}])


def test_summary_counts_every_verdict_and_sizes_the_differences():
    ours = [{"mean": mean, "d": d} for d, mean in enumerate([0.54, 0.49, 0.1, None], start=5)]
    comparison = compare(ours, [{"mean": 0.5, "d": d} for d in range(5, 10)])
    (row,) = published_means.summarise(comparison).to_dict("records")
    assert (row["experiment"], row["score"], row["cells"]) == ("sample_size", "mig", 5)
    counts = {verdict: row[verdict] for verdict in published_means.VERDICTS}
    assert {verdict: count for verdict, count in counts.items() if count} == {
        "within": 2,
        "outside": 1,
        "undefined here only": 1,
        "not in this study": 1,
    }
    assert row["largest"] == pytest.approx(0.4)
    assert row["median"] == pytest.approx(0.04)


@pytest.mark.parametrize("mean", [0.9, None])
def test_a_deterministic_score_that_disagrees_stops_the_check(mean):
    comparison = compare([{"mean": mean}], [{"mean": 0.5}])
    with pytest.raises(SystemExit, match=r"1 means.*\n.*mig \(.*dgp_rho=0.5.*published 0.5"):
        agreement.verdict(comparison)


def test_other_disagreements_are_reported_only():
    loose = {"score": "tmex"}
    comparison = compare([{"mean": 0.5}, loose | {"mean": 0.9}], [{"mean": 0.5}, loose | {"mean": 0.5}])
    assert agreement.verdict(comparison).startswith("1 of 2 published means")


def test_a_study_without_published_cells_says_that_nothing_was_compared():
    comparison = compare([{"mean": 0.5, "n": 7}], [{"mean": 0.5}])
    assert agreement.verdict(comparison).startswith("Nothing was compared")


def test_from_files_to_files(tmp_path, capsys):
    """Tables that lack most parameters, as the stages write them, against the real resource."""
    columns = {"experiment": pa.string()} | LABELS | STATISTICS
    row = {
        "experiment": "perfect_recovery",
        "dgp": "independent",
        "encoder": "elementwise_linear",
        "d": 5,
        "m": 5,
        "n": 1000,
        "score": "mcc_pearson",
        "mean": 1.0,
        "seeds": 5,
    }
    nonlinear = {
        "experiment": "nonlinearity",
        "encoder": "elementwise_nonlinear",
        "encoder_alpha": 0.0,
    }
    for name, rows in {"a": [row], "b": [row | nonlinear | {"mean": 0.5}]}.items():
        write_rows(tmp_path / f"{name}.parquet", rows, columns)
    comparison, summary, verdict = (tmp_path / name for name in ("c.csv", "s.csv", "v.txt"))
    published_means.compare_published(
        [tmp_path / "a.parquet", tmp_path / "b.parquet"],
        RESOURCES / "published_cell_means.csv",
        RESOURCES / "tolerances.yaml",
        comparison,
        summary,
    )
    found = pd.read_csv(comparison)
    assert len(found) == len(pd.read_csv(RESOURCES / "published_cell_means.csv"))
    compared = found[found["verdict"] != "not in this study"]
    assert compared["verdict"].tolist() == ["within", "outside"]
    with pytest.raises(SystemExit, match="nonlinearity"):
        agreement.verify_published(comparison, summary, verdict)
    assert not verdict.exists()

    found[found["verdict"] != "outside"].to_csv(comparison, index=False)
    agreement.verify_published(comparison, summary, verdict)
    assert verdict.read_text(encoding="utf-8").startswith("1 of 1 published means")
    assert "mcc_pearson" in capsys.readouterr().out


def test_the_resource_has_a_tolerance_for_every_score():
    scores = set(pd.read_csv(RESOURCES / "published_cell_means.csv")["score"])
    assert scores <= set(yaml_files.read_yaml(RESOURCES / "tolerances.yaml")["scores"])
