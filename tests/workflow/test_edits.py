"""What an edit of one module reruns: of the tiny study exactly the jobs that use it and what follows."""

import re
import shutil

import pytest
from conftest import Copy

PACKAGE = "scripts/custodes"
REPORTED = ("Report .*", "Everything .*")
# All that follows from the tables, and from the scores, besides the jobs of single experiments.
FROM_TABLES = ("Compare the published .*", "Verify .*", "Draw sizes_by_protocol .*", "Tabulate .*", *REPORTED)
FROM_SCORES = ("Judge .*", "Write Table 3.*", *FROM_TABLES)
SIZES = ("Aggregate the scores of sizes .*", "Draw sizes .*", *FROM_SCORES)
EVERY = ("Aggregate .*", "Draw .*", *FROM_SCORES)

EDITS = {
    "dgps/independent.py": ("(Sample|Encode|Score) .*sizes, independent .*", *SIZES),
    "synthetic/nonlinearities.py": ("(Sample|Encode|Score) .*sizes, single_constraint .*", *SIZES),
    # Lines of a figure may show a closed form, and one of these takes the matrix of this encoder.
    "encoders/linearly_entangled.py": (
        "Encode .* with linearly_entangled .*",
        "Score correlation, .*",
        "Aggregate the scores of correlation .*",
        "Draw .*",
        *FROM_SCORES,
    ),
    "statistics/matching.py": ("Score .* with mcc_pearson .*", "Write Table 2.*", *EVERY),
    "scoring/null_calibration.py": ("Score .*", *EVERY),
    "tables/summaries.py": ("Aggregate .*", "Draw .*", *FROM_TABLES),
    "judging/wording.py": ("Judge .*", "Write Table 3.*", *REPORTED),
    # Verdicts and changes have the names and the order of the figures.
    "drawing/style.py": ("Draw .*", "Judge .*", "Write Table 3.*", "Tabulate .*", *REPORTED),
    "plots/lines/sweep_axis.py": (r"Draw (correlated|sizes) \((published|corrected)\)", *REPORTED),
    "reproduction/published_means.py": ("Compare the published .*", "Verify .*", *REPORTED),
    "reproduction/claim_rows.py": REPORTED,
    "study/grid.py": REPORTED,  # which knows of the full grid; what jobs get of it are parameters
}
UNUSED = (
    "tables/representations.py",  # of images
    "tables/image_scores.py",
    "metrics/tmex/pcm.py",  # of a metric that the study does not have
    "plots/heatmap.py",
    "study/images.py",  # what it gives is in the parameters of jobs
    "analysis/associations.py",
    "image_plots/matrices.py",
    "images/sources.py",
    "run/summary.py",
    "vae/networks.py",
)


@pytest.fixture(scope="module")
def study(finished, tmp_path_factory):
    """A copy of the finished tiny study, whose edits are taken back, and the messages of all its jobs."""
    path = tmp_path_factory.mktemp("edits") / "study"
    shutil.copytree(finished.path, path)
    return Copy(path), finished.planned("--forceall")


@pytest.mark.parametrize("module", EDITS)
def test_an_edit_reruns_the_jobs_that_use_it_and_what_follows(study, module):
    copy, everything = study
    expected = {message for message in everything if any(re.fullmatch(one, message) for one in EDITS[module])}
    for pattern in EDITS[module]:
        assert any(re.fullmatch(pattern, message) for message in expected), pattern
    assert planned_after_edits_of(copy, module) == expected


def test_edits_of_what_a_study_does_not_use_rerun_nothing(study):
    assert planned_after_edits_of(study[0], *UNUSED) == set()


def planned_after_edits_of(copy, *modules):
    paths = [copy.path / PACKAGE / module for module in modules]
    before = [path.read_text() for path in paths]
    for path, text in zip(paths, before, strict=True):
        path.write_text(text + "# an edit\n")
    planned = copy.planned()
    for path, text in zip(paths, before, strict=True):
        path.write_text(text)
    return planned
