"""Reads and checks configuration, protocols and experiments once; names and paths that all rules share."""

from pathlib import Path

from snakemake.exceptions import WorkflowError

from scripts.core import registry, study
from scripts.core.errors import ConfigError

try:
    STUDY = study.load(config)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

RESULTS = Path(config["results"])
ENVIRONMENT = "../../envs/environment.yaml"


wildcard_constraints:
    protocol="|".join(STUDY.protocols),
    experiment="|".join(STUDY.experiments) or "none",
    dgp="|".join(registry.names("dgps")),
    encoder="|".join(registry.names("encoders")),
    metric="|".join(STUDY.metrics),
    figure="|".join(STUDY.figures) or "none",


def code(*modules):
    """Source files of a job's modules and of all they import: edits of these rerun the job."""
    return registry.sources(*(f"scripts.{module}" for module in modules))


def tables():
    """All tables of the study."""
    return expand(
        rules.aggregate_scores.output, protocol=STUDY.protocols, experiment=STUDY.experiments
    )


def figures(**properties):
    """Figures with these properties (such as placement="main"), all of them by default."""
    names = STUDY.selected_figures(**properties)
    return expand(rules.draw_figure.output, protocol=STUDY.protocols, figure=names)


def comparison():
    """The check against the published means, where the published protocol is run."""
    return rules.verify_published.output if "published" in STUDY.protocols else []


def made():
    """What the study made and where, in one line."""
    protocols = ", ".join(STUDY.protocols)
    return (
        f"{len(STUDY.experiments)} tables and {len(STUDY.figures)} figures for each protocol ({protocols}): "
        f"{RESULTS}/<protocol>/tables and {RESULTS}/<protocol>/figures"
    )
