"""Which figures a study draws: those of the full suite only where it has scores of the full suite."""

import pytest

from custodes import registry
from custodes.errors import ConfigError
from custodes.study import figures, study

MAIN = ["mcc_pearson", "mcc_spearman", "r2", "dci", "focus"]
MESSAGE = "fig08 needs what is not chosen: a metric besides dci, focus, mcc_pearson, mcc_spearman, r2, "


def drawn(**override):
    return set(study.load({"figures": "all"} | override).figures)


def test_figures_of_the_full_suite_are_drawn_with_any_metric_besides_the_main_ones():
    main, full = drawn(metrics=MAIN), drawn(metrics=[*MAIN, "mig"])
    assert {"fig02", "fig03", "fig05", "dimension_ratio"} <= main
    assert full - main == {
        *(f"fig{number:02}" for number in (8, 10, 12, 14, 15, 16, 21, 22, 23, 26, 27, 28, 29, 31)),
        *(f"fig{number}" for number in (34, 35, 36, 37)),
        "protocol_changes",
    }
    assert drawn(metrics="all") == full


def test_a_figure_of_the_full_suite_that_is_named_is_refused_without_it():
    with pytest.raises(ConfigError, match=MESSAGE) as refused:
        study.load({"figures": ["fig02", "fig08"], "metrics": MAIN})
    assert "\n" not in str(refused.value)
    assert set(study.load({"figures": ["fig08"], "metrics": ["r2", "tmex"]}).figures) == {"fig08"}


def test_metrics_behind_the_main_figures():
    assert sorted(MAIN) == figures._main_metrics()
    assert set(MAIN) < set(registry.names("metrics"))


@pytest.mark.parametrize(
    ("kind", "options", "full"),
    [
        ("lines", {"x": "n"}, False),
        ("lines", {"x": "n", "scores": ["mig"]}, False),
        ("lines", {"x": "n", "scores": "full"}, True),
        ("protocols", {}, True),
        ("protocols", {"scores": "main"}, False),
        ("overview", {"panels": [{"kind": "lines", "title": "a", "options": {"x": "n"}}]}, False),
        (
            "overview",
            {
                "panels": [
                    {"kind": "lines", "title": "a", "options": {"x": "n"}},
                    {"kind": "dots", "title": "b", "options": {"x": "dgp", "scores": "full"}},
                ]
            },
            True,
        ),
    ],
)
def test_the_full_suite_is_seen_in_options_defaults_and_panels(kind, options, full):
    assert figures._shows_full_suite({"kind": kind, "options": options}) is full
