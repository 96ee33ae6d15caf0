"""Files and arguments of a configuration: one dialect, and one line for what cannot be read."""

import pytest

from custodes.errors import ConfigError
from custodes.images.own_codes import check_head
from custodes.study import study
from custodes.study.yaml_files import meant, overrides, read_yaml


def written(folder, content):
    path = folder / "mine.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("title: été".encode("latin-1"), "line 1: is no text in UTF-8"),
        ("seeds: 1\nseeds: 2", 'line 2: found duplicate key "seeds"'),
        ("seeds: [1", "line 2: did not find expected ',' or ']'"),
        ("results: @out", "line 1: found character that cannot start any token"),
        ("seeds: \x00", "unacceptable character #x0000: control characters"),
        ("seeds: 2001-99-99", "month must be in 1..12"),
        ("threads: {7: 1}", 'threads: key 7 is no text: write "7"'),
        ("a: &a [*a]", "has a list or mapping within itself"),
        ("- seeds", r"must have lines of the form key: value, got \['seeds'\]"),
        ("", "must have lines of the form key: value, got None"),
    ],
)
def test_what_is_no_configuration_is_refused_in_one_line(tmp_path, content, message):
    with pytest.raises(ConfigError, match=f"mine.yaml: {message}") as refusal:
        overrides([written(tmp_path, content)], {})
    assert "\n" not in str(refusal.value)


def test_a_folder_and_a_missing_file_are_said(tmp_path):
    (tmp_path / "mine.yaml").mkdir()
    with pytest.raises(ConfigError, match=r"mine\.yaml: cannot be read: Is a directory"):
        read_yaml(tmp_path / "mine.yaml")
    with pytest.raises(ConfigError, match=r"no\.yaml: there is no such file"):
        read_yaml(tmp_path / "no.yaml")


def test_texts_of_files_stay_as_they_are(tmp_path):
    given = "seeds: 010\nresults: 'run #2'\nown_codes: {dsprites: {mine: ['run #2.npy', '010']}}"
    values, origins = overrides([written(tmp_path, given)], {})
    assert values["seeds"] == 10  # as in config.yaml; an older YAML has 8
    assert values["results"] == "run #2"
    assert values["own_codes"]["dsprites"]["mine"] == ["run #2.npy", "010"]
    assert set(origins.values()) == {str(tmp_path / "mine.yaml")}


def test_numbers_of_arguments_are_numbers_where_the_key_takes_numbers(tmp_path):
    given = {
        "results": "@out",
        "threads": {"r2": "2"},
        "own_codes": {"dsprites": {"mine": ["run #2.npy", "010"]}},
        "models": {"beta_vae": [{"beta": "4"}]},
        "seeds": ["1", "2"],
    }
    values, origins = overrides([written(tmp_path, "seeds: 3\nthreads: {dci: 4}")], given)
    assert values["results"] == "@out"
    assert values["threads"] == {"r2": 2}
    assert values["own_codes"] == given["own_codes"]
    assert values["models"] == {"beta_vae": [{"beta": 4}]}
    assert values["seeds"] == [1, 2]
    assert set(origins.values()) == {"--config"}


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"figures": "fig5"}, "config: figures: unknown figure 'fig5'; known: .*; did you mean fig05?"),
        ({"experiments": "null_colapse"}, "config: experiments: .*; did you mean null_collapse?"),
        ({"metrics": "mcc_pearsn"}, "config: metrics: .*; did you mean mcc_pearson?"),
        (
            {"experiments": "null_collapse", "metrics": "r2"},
            "null_collapse.yaml: metrics: none of its metrics",
        ),
        ({"first_seed": 2**32 - 1}, "config: first_seed: 4294967295 is not allowed; at most "),
        ({"seeds": 10**9}, "config: seeds: 1000000000 is greater than the maximum of 100000"),
        ({"results": "{a}"}, "config: results: '{a}' does not match"),
        ({"results": "README.md"}, "config: results: README.md is no folder"),
    ],
)
def test_near_names_and_large_numbers(override, message, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").touch()
    with pytest.raises(ConfigError, match=message):
        study.load(override)


def test_an_added_metric_joins_those_that_are_configured_and_the_main_figures():
    chosen = study.load({"metrics": ["r2", "mcc_pearson"], "add_metrics": "sap", "figures": "fig01"})
    assert chosen.metrics == ("r2", "mcc_pearson", "sap")
    panels = chosen.figures["fig01"]["options"]["panels"]
    assert [panel["options"].get("scores", [""])[-1] for panel in panels] == ["focus", "sap", "sap", "sap"]


def test_experiments_and_figures_that_are_left_out_are_said():
    lines = study.load({"metrics": ["r2"]}).left_out
    assert any(
        line.startswith("config/experiments/null_collapse.yaml: metrics: none of its") for line in lines
    )
    assert any(line.startswith("figure fig14, fig31") for line in lines)


def test_the_folder_of_results_may_be_at_home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert study.load({"results": "~/out"}).config["results"] == str(tmp_path / "out")


@pytest.mark.parametrize("ending", [".npy", ".npz", ".parquet"])
def test_rows_of_own_codes_are_counted_by_the_head_of_the_file(tmp_path, ending):
    import numpy as np
    import pandas as pd

    path, codes = tmp_path / f"codes{ending}", np.zeros((9, 2))
    if ending == ".npy":
        np.save(path, codes)
    elif ending == ".npz":
        np.savez(path, codes=codes)
    else:
        pd.DataFrame(codes, columns=["a", "b"]).to_parquet(path)
    check_head(path, 9, 4)
    with pytest.raises(ValueError, match=r"codes have shape \(9, 2\) for 10 images: give `rows`"):
        check_head(path, 10, 4)
    if ending == ".npz":
        np.savez(path, codes=codes, rows=np.arange(9))
        check_head(path, 10, 4)
        with pytest.raises(
            ValueError, match="has codes of 9 images; there are 20, and 10 of them are encoded"
        ):
            check_head(path, 20, 10)


def test_the_nearest_name():
    assert meant("fig5", ["fig35", "fig05", "fig15"]) == "; did you mean fig05?"
    assert meant("nothing", ["fig35"]) == ""
