"""Bad input is refused while the workflow is parsed: one clear line, before any job."""

import resource
import subprocess
import sys

import pytest
from conftest import read_from

from custodes.errors import ConfigError
from custodes.study import study

CORRELATION = "config/experiments/correlation.yaml"
SIZES = "config/experiments/sizes.yaml"
ACROSS = "config/experiments/sizes_by_protocol.yaml"
PUBLISHED = "config/protocols/published.yaml"


def refusal(copy, monkeypatch, **override):
    """The message with which the study of a copy is refused."""
    read_from(copy, monkeypatch)
    with pytest.raises(ConfigError) as refused:
        study.load(override)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def edit(study, path, old, new):
    file = study.path / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"experiments": ["corelation"]}, "unknown experiment 'corelation'; known: correlation, sizes"),
        ({"metrics": ["dcii"]}, "unknown metric 'dcii'; known: "),
        ({"protocols": ["correct"]}, "unknown protocol 'correct'; known: corrected, published"),
        ({"figures": ["fig99"]}, "unknown figure 'fig99'; known: correlated, sizes"),
        (
            {"figures": ["sizes_by_protocol"], "protocols": "corrected"},
            "figure sizes_by_protocol needs what is not chosen: published",
        ),
        ({"figures": ["sizes"], "experiments": ["correlation"]}, "sizes needs what is not chosen: sizes"),
        ({"sedes": 3}, "config: top level: unknown key 'sedes'; known: protocols, "),
        ({"seeds": 0}, "config: seeds: 0 is less than the minimum of 1"),
        ({"seeds": [1, 2]}, "config: seeds: [1, 2] is not allowed; expected: Number of seeds"),
        ({"threads": {"mcc": 2}}, "config: threads: unknown metric 'mcc'"),
        (
            {"thin": {"points": 3, "dgps": 1, "n": 9, "work": 9, "experiments": {"size": {"n": 5}}}},
            "config: thin.experiments: unknown experiment 'size'; known: correlation, sizes",
        ),
    ],
)
def test_configuration(fresh, monkeypatch, override, message):
    assert message in refusal(fresh, monkeypatch, **override)


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        (CORRELATION, "dgp: correlated", "dgp: corelated", "grids[0]: unknown dgp 'corelated'; known: "),
        (SIZES, "encoder: elementwise_linear", "encoder: E1", "grids[0]: unknown encoder 'E1'; known: "),
        (CORRELATION, "dgp_rho:", "dgp_roh:", "has no parameter dgp_roh; its parameters: dgp_rho"),
        (CORRELATION, "infeasible: keep", "infeasible: refuse", "rho = -0.9"),
        (CORRELATION, "[-0.9, 0.0, 0.9]", "[]", "grids[0].dgp_rho: "),
        (SIZES, "n: [50, 100]", "n: [50, many]", "grids[0].n"),
        (SIZES, "d: 3", "d: [[3]]", "grids[0].d"),
        (SIZES, "d: 3", "d: 3\n    m: 4", "encoder elementwise_linear: m = 4"),
        (SIZES, "encoder: elementwise_linear", "encoder: undercomplete\n    m: 3", "m = 3"),
        (SIZES, "encoder: elementwise_linear", "encoder: overcomplete_linear\n    m: 2", "m = 2"),
        (
            SIZES,
            "[independent, single_constraint]",
            "single_constraint\n    dgp_constraints: 2",
            "constraints = 2",
        ),
        (SIZES, "d: 3", "dd: 3", "grids[0]: unknown key 'dd'; known: dgp, "),
        (SIZES, "grids:", "grids: [", "config/experiments/sizes.yaml: line "),
        (SIZES, "title: A", "title: x\ntitle: A", "config/experiments/sizes.yaml: line 2: "),
        (SIZES, "  sizes:", "  correlated:", "correlation.yaml has a figure of this name too"),
        (SIZES, "kind: lines", "kind: line", "figures.sizes: unknown plot 'line'; known: "),
        (SIZES, "{x: n,", "{x: n, colour: red,", "figures.sizes: "),
        (SIZES, "{x: n,", "{x: nn,", "figures.sizes: "),
        (SIZES, "placement: appendix", "placement: annex", "figures.sizes.placement: 'annex' is not one of"),
        (
            ACROSS,
            "[published, corrected]",
            "[published, correct]",
            "figures.sizes_by_protocol.protocols: unknown protocol",
        ),
        (ACROSS, "[published, corrected]", "[published]", "figures.sizes_by_protocol.protocols: "),
        (ACROSS, "    protocols: [published, corrected]\n", "", "a figure of kind protocols needs 2 of them"),
        ("config/config.yaml", "seeds: 2", "seeds: [2", "config/config.yaml: line "),
        ("config/config.yaml", "seeds: 2", "seed: 2", "config: top level: unknown key 'seed'"),
        (PUBLISHED, "standardise: false", "standardize: false", "metrics.r2 has no parameter 'standardize'"),
        (PUBLISHED, "test_fraction: 0.2", "test_fraction: 2", "config/protocols/published.yaml: split"),
        (PUBLISHED, "description:", "experiments: {size: {}}\ndescription:", "unknown experiment 'size'"),
    ],
)
def test_experiments_and_protocols(fresh, monkeypatch, path, old, new, message):
    edit(fresh, path, old, new)
    assert message in refusal(fresh, monkeypatch)


def test_a_grid_that_is_thinned_to_nothing(fresh, monkeypatch):
    thin = {"points": 3, "dgps": 1, "n": 10, "work": 9}
    message = "config/experiments/correlation.yaml: the grid is empty under protocol published"
    assert message in refusal(fresh, monkeypatch, thin=thin)


def test_two_figures_of_one_name_in_one_file(fresh, monkeypatch):
    file = fresh.path / SIZES
    text = file.read_text()
    file.write_text(text + text[text.index("  sizes:") :])
    assert "config/experiments/sizes.yaml: line " in refusal(fresh, monkeypatch)


SECONDS = 3  # in which a bad input is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--config", "experiments=[corelation]"],
            "unknown experiment 'corelation'; known: correlation, sizes",
        ),
        (["--config", "seeds=[1,2]"], "config: seeds: [1, 2] is not allowed; expected: Number of seeds"),
        (["--config", "thin={points: 3}"], "config: thin"),
        (["--config", "seeds="], "config: seeds: None is not allowed; expected: Number of seeds"),
        (["--config", "first_seed=5000000000"], "config: first_seed: 5000000000 is greater than the maximum"),
        (["--config", "results=a{b}"], "config: results: 'a{b}' does not match"),
        (["--config", "metrics=r2", "sedes=3"], "unknown key 'sedes'; known: protocols, "),
        (["--configfile", "keys.yaml"], "keys.yaml: threads: key 7 is no text"),
        (["--configfile", "mine.yaml"], "config: seeds: 0 is less than the minimum of 1 (given by "),
        (["--configfile", "broken.yaml"], "not valid JSON or YAML"),
        (["size"], "There is no target size; did you mean sizes? (snakemake --list names targets)"),
        (["tables/sizes.parquet"], "did you mean results/published/tables/sizes.parquet?"),
        (["results/corrected/figures/size.pdf"], "did you mean results/corrected/figures/sizes.pdf?"),
    ],
)
def test_snakemake_shows_the_line_and_runs_nothing(fresh, arguments, message):
    (fresh.path / "broken.yaml").write_text("seeds: [1\n")
    (fresh.path / "keys.yaml").write_text("threads: {7: 1}\n")
    (fresh.path / "mine.yaml").write_text("seeds: 0\n")
    printed = fresh.snakemake("--cores", "1", *arguments, check=False)
    assert message in printed
    assert "Traceback" not in printed
    assert not (fresh.path / "results").exists()


def test_infeasible_points_that_are_kept_become_rows_that_say_so(finished):
    import pandas as pd

    table = pd.read_parquet(finished.path / "results/corrected/tables/correlation.parquet")
    rows = table[table["dgp_rho"] == -0.9]
    assert len(rows) > 0
    assert rows["mean"].isna().all()
    assert (rows["status"] == "infeasible").all()
    assert rows["reason"].str.startswith("rho = -0.9").all()
    assert (rows["undefined"] == rows["seeds"]).all()
    assert (table[table["dgp_rho"] != -0.9]["status"] == "ok").all()


IMAGES = {"datasets": ["dsprites"]}
REPRESENTED = {"count": 100, "seed": 0, "sample": False, "informative_kl": 0.01}


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (IMAGES | {"images": 2e3}, "config: images: 2000.0 is not allowed; expected: How many images"),
        (IMAGES | {"images": 737_281}, "config: images: 737281 is more than the 737280 images of dsprites"),
        (
            IMAGES | {"images": "all", "representations": REPRESENTED | {"count": 737_281}},
            "config: representations.count: 737281 is more than the 737280 images of dsprites",
        ),
        (
            IMAGES | {"representations": REPRESENTED | {"informative_kl": float("nan")}},
            "config: representations.informative_kl: nan is not allowed",
        ),
        (
            IMAGES | {"models": {"beta_vae": {"beta": 1}}},
            "config: models.beta_vae: {'beta': 1} is not allowed",
        ),
        (IMAGES | {"sources": {"dsprites": 3}}, "sources.dsprites: 3 is not allowed; expected: The name of"),
        (IMAGES | {"own_codes": {"dsprites": "a.npy"}}, "own_codes.dsprites: 'a.npy' is not allowed"),
        (IMAGES | {"own_codes": {"dsprites": {"mine": "folder.npy"}}}, "folder.npy: is no file"),
        (
            IMAGES | {"own_codes": {"dsprites": {"mine": ["own.npy", "own.npy"]}}},
            "own_codes.dsprites.mine: names a file twice: own.npy, own.npy",
        ),
        (
            {"image_parameters": {"irs": {"estimator": "percentil"}}},
            "image_parameters: metrics.irs: estimator = 'percentil': must be one of 'backdoor', 'percentile'",
        ),
        (
            {"image_parameters": {"dci": {"rank_transform": "no"}}},
            "config: image_parameters: metrics.dci: rank_transform = 'no': must be one of True, False",
        ),
        (
            {"image_parameters": {"udr": {"partners": 0}}},
            "image_parameters: metrics.udr: partners = 0: must be",
        ),
        ({"permutations": {"udr": 9}}, "config: permutations.udr: it compares representations and has no"),
        ({"datasets": ["dsprite"]}, "unknown dataset 'dsprite'; known: dsprites, "),
        (
            {"metrics": ["irs"]},
            "metric 'irs' needs a factor grid: it runs on image data sets (image_metrics)",
        ),
        (
            {"metrics": ["r2", "udr"]},
            "metric 'udr' needs a set of representations: it runs on image data sets",
        ),
        (IMAGES | {"sources": {"dsprite": "file"}}, "config: sources: unknown dataset 'dsprite'"),
        (
            IMAGES | {"sources": {"dsprites": "fiel"}},
            "config: sources.dsprites: unknown source 'fiel'; known: ",
        ),
        (
            IMAGES | {"sources": {"dsprites": "file"}},
            "config: sources.dsprites: file: missing a required argument",
        ),
        (
            IMAGES | {"sources": {"dsprites": {"source": "rendered", "path": "x.npz"}}},
            "config: sources.dsprites: rendered: got an unexpected keyword argument 'path'",
        ),
        (
            IMAGES | {"sources": {"dsprites": {"source": "file", "path": "no.npz"}}},
            "config: sources.dsprites.path: no.npz: there is no such file",
        ),
        (
            IMAGES | {"sources": {"dsprites": {"source": "file", "path": "own.npy"}}},
            "config: sources.dsprites.path: own.npy: must end in .npz or .hdf5",
        ),
        (IMAGES | {"images": 0}, "config: images: 0"),
        (IMAGES | {"models": {"beta_vea": "all"}}, "unknown model 'beta_vea'; known: annealed_vae, "),
        (
            IMAGES | {"models": {"beta_vae": [{"beat": 4}]}},
            "models.beta_vae[0]: beta_vae has no parameter 'beat'",
        ),
        (
            IMAGES | {"models": {"beta_vae": [{"beta": "four"}]}},
            "models.beta_vae[0]: beta: needs a value of type",
        ),
        (IMAGES | {"models": {"beta_vae": [{}, {"beta": -1}]}}, "models.beta_vae[1]: beta = -1.0: must be"),
        (
            IMAGES | {"models": {"beta_vae": [{}, {"beta": 1}, {"beta": 4}]}},
            "config: models.beta_vae[2]: is the setting [0] again",
        ),
        (IMAGES | {"models": {}}, "config: nothing encodes dsprites: give models, or own_codes for it"),
        (IMAGES | {"restarts": 0}, "config: restarts: 0 is less than the minimum of 1"),
        (
            IMAGES | {"training": {"network": "mpl", "steps": 9}},
            "config: training: network = 'mpl': must be one of",
        ),
        (IMAGES | {"training": {"network": "mlp", "steps": 0}}, "config: training: steps = 0: must be"),
        (IMAGES | {"training": {"network": "mlp", "step": 9}}, "config: training: unknown key 'step'"),
        (
            IMAGES
            | {
                "images": 10,
                "representations": {"count": 11, "seed": 0, "sample": False, "informative_kl": 0},
            },
            "config: representations.count: 11 is more than the 10 images",
        ),
        (
            IMAGES | {"own_codes": {"dsprites": {"mine": "no.npy"}}},
            "own_codes.dsprites.mine: no.npy: there is no such file",
        ),
        (
            IMAGES | {"own_codes": {"dsprites": {"beta_vae": "no.npy"}}},
            "dsprites.beta_vae: must be a name of its own",
        ),
        (IMAGES | {"own_codes": {"dsprites": {"h/1": "no.npy"}}}, "dsprites.h/1: must be a name of its own"),
        (IMAGES | {"image_metrics": ["urd"]}, "config: image_metrics: unknown metric 'urd'; known: "),
        (
            IMAGES | {"image_parameters": {"udr": {"alfa": 1}}},
            "config: image_parameters: metrics.udr has no parameter 'alfa'; its parameters: partners, alpha",
        ),
    ],
)
def test_image_branch(fresh, monkeypatch, override, message):
    (fresh.path / "folder.npy").mkdir()
    (fresh.path / "own.npy").touch()
    monkeypatch.chdir(fresh.path)
    assert message in refusal(fresh, monkeypatch, **override)


def test_a_key_given_with_config_has_no_part_of_a_file(fresh):
    """Snakemake merges nested keys, so that models of the file would be trained too."""
    (fresh.path / "one.yaml").write_text("datasets: [dsprites]\nmodels: {beta_vae: [{beta: 2}]}\n")
    (fresh.path / "two.yaml").write_text("models: {dip_vae_i: all}\n")
    target = ("--", "results/images/tables/dsprites.parquet")
    models = {"models={vae: [{}]}": "vae", "restarts=2": "dip_vae_i"}
    for override, model in models.items():
        planned = fresh.planned("--configfile", "one.yaml", "two.yaml", "--config", override, *target)
        assert {line.split()[1] for line in planned if line.startswith("Train")} == {model}


def test_a_refusal_takes_seconds(fresh):
    """Of the processor, since tests wait for one another."""
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--config", "metrics=[r2, mgi]"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    refused = subprocess.run(command, cwd=fresh.path, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "config: metrics: unknown metric 'mgi'" in refused.stderr
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < SECONDS


def test_a_figure_is_a_target_by_its_name(fresh):
    assert "Draw sizes (corrected)" in fresh.planned("--", "sizes")


def test_what_all_leaves_out_is_said(fresh):
    printed = fresh.snakemake("--dry-run", "--config", "protocols=corrected")
    assert "Left out: figure sizes_by_protocol needs what is not chosen: published" in printed
