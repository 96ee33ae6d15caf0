"""The cluster profiles cover the rules that exist, agree, and add to profiles/default."""

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
RULE = re.compile(r"^(?:rule (\w+)|use rule \w+ as (\w+) with):\n((?:    .*\n|\n)+)", flags=re.MULTILINE)
ALONE = {"prepare_dataset", "train_vae"}  # long enough for a Slurm job each


def profile(name):
    return YAML(typ="safe").load(ROOT / "profiles" / name / "config.yaml")


def rules_with_output():
    text = "".join(path.read_text() for path in sorted((ROOT / "workflow" / "rules").rglob("*.smk")))
    return {name or used for name, used, body in RULE.findall(text) if "    output:\n" in body}


@pytest.mark.parametrize("name", ["slurm", "generic"])
def test_every_rule_is_in_a_group_or_runs_alone(name):
    assert set(profile(name)["groups"]) == rules_with_output() - ALONE


@pytest.mark.parametrize("name", ["slurm", "generic"])
def test_no_key_is_one_of_the_default_profile_which_would_win(name):
    assert set(profile(name)) & set(profile("default")) == set()


@pytest.mark.parametrize("name", ["slurm", "generic"])
def test_sizes_are_those_of_groups(name):
    assert set(profile(name)["group-components"]) <= set(profile(name)["groups"].values())


def test_both_profiles_group_alike():
    slurm, generic = profile("slurm"), profile("generic")
    for key in ("groups", "group-components", "cores", "retries"):
        assert slurm[key] == generic[key], key
