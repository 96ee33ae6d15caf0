"""Reads and checks configuration, protocols and experiments once; names and paths that all rules share.

The configuration is not read by `configfile:`, which would merge an override into a nested key.
"""

import os
import platform
import threading
from pathlib import Path

from snakemake.exceptions import WorkflowError

from scripts.core import registry, study
from scripts.core.errors import ConfigError

try:
    STUDY = study.load(config)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

# The SVD behind correlated normals, and so the sample of a seed, depends on the kernel that OpenBLAS
# picks for the processor. The published study's samples are those of this one; pinning it also makes
# results equal across processors.
if platform.machine() in ("x86_64", "AMD64"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

RESULTS = Path(STUDY.config["results"])
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
    return expand(rules.aggregate_scores.output, protocol=STUDY.protocols, experiment=STUDY.experiments)


def figures(**properties):
    """Figures with these properties (such as placement="main"), all of them by default."""
    names = STUDY.selected_figures(**properties)
    return expand(rules.draw_figure.output, protocol=STUDY.protocols, figure=names)


def comparison():
    """The check against the published means, where the published protocol is run on the published seeds."""
    published = "published" in STUDY.protocols and STUDY.config["first_seed"] == 42
    return rules.verify_published.output if published else []


def made():
    """What the study made and where, in one line."""
    protocols = ", ".join(STUDY.protocols)
    return (
        f"{len(STUDY.experiments)} tables and {len(STUDY.figures)} figures for each protocol ({protocols}): "
        f"{RESULTS}/<protocol>/tables and {RESULTS}/<protocol>/figures"
    )


def cancel_timers():
    """Let Snakemake exit at once: its scheduler leaves timers behind (see profiles/default)."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
