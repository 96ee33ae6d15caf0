"""Which figures a configuration of the image branch allows, and of which representations."""

import pytest

from custodes.study import image_figures
from custodes.study.image_study import ImageStudy

ALL = list(image_figures.RANKINGS)
OF_UDR = ["udr_against_scores", "effect_of_partners", "best_and_worst"]


def study(settings=2, restarts=3, metrics=("irs", "udr", "mig"), encoded=1000, own=None, models="beta_vae"):
    return ImageStudy(
        config={"restarts": restarts, "representations": {"count": encoded}, "images": "all"},
        sources={"dsprites": {"source": "rendered"}},
        settings={models: [{"beta": float(place)} for place in range(settings)]} if models else {},
        own_codes={"dsprites": own or {}},
        metrics={name: {} for name in metrics},
    )


def own_files(count):
    return {"models": None, "own": {"mine": [f"{place}.npy" for place in range(count)]}}


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, []),
        ({"encoded": "all"}, []),
        ({"restarts": 2}, ["effect_of_partners"]),
        ({"restarts": 2, "settings": 1}, ["udr_against_scores", "effect_of_partners"]),
        ({"restarts": 1, "settings": 5}, OF_UDR),
        ({"metrics": ("irs", "mig")}, OF_UDR),
        ({"metrics": ("udr",)}, ["udr_against_scores", "effect_of_partners"]),
        ({"metrics": ("tmex",)}, [*OF_UDR, "score_profiles"]),
        ({"encoded": 79}, [*OF_UDR, "mi_against_irs"]),
        (own_files(3), ["best_and_worst", "training_curves"]),
        (own_files(1), [*OF_UDR, "training_curves"]),
    ],
)
def test_figures_that_lack_what_they_need_are_not_asked_for(given, missing):
    assert image_figures.rankings(study(**given), "dsprites") == [name for name in ALL if name not in missing]


def test_each_first_restart_is_drawn():
    own = {"mine": ["1.npy", "2.npy"]}
    runs = [("beta_vae", "h1", "s1"), ("beta_vae", "h2", "s1"), ("mine", "h1", "s1")]
    assert image_figures.drawn(study(own=own), "dsprites") == runs


def test_too_few_images_for_two_of_each_class_are_not_drawn():
    assert image_figures.drawn(study(encoded=80), "dsprites")
    assert image_figures.drawn(study(encoded=79), "dsprites") == []
