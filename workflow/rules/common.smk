"""Reads and checks configuration, protocols and experiments once; names and paths that all rules share."""

import os
import platform
import sys
from functools import cache
from pathlib import Path

# The package of this checkout, here and in all jobs, whatever else of its name is installed.
SCRIPTS = str(Path(workflow.basedir) / "scripts")
sys.path.insert(0, SCRIPTS)
os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, [SCRIPTS, os.environ.get("PYTHONPATH")])))

from custodes import registry
from custodes.errors import ConfigError
from custodes.sources import CHECKOUT, sources
from custodes.study import study
from custodes.study.yaml_files import read_yaml


def overrides():
    """What --configfile and --config give; of several, the last that gives a key has the whole key.

    Snakemake's own `config` has them merged deep down: models of a file would be trained beside those of --config.
    The parts that it is merged from are in workflow.config_settings alone, which is not documented; the class of
    that object is (snakemake.settings.types.ConfigSettings, of Snakemake's Python interface). The bound on
    Snakemake's version in Snakefile is for this.
    """
    settings = workflow.config_settings
    parts = [*map(read_yaml, settings.configfiles), settings.config]
    return {key: value for part in parts for key, value in part.items()}


try:
    STUDY = study.load(overrides())
except ConfigError as error:
    raise WorkflowError(str(error)) from None

# The SVD behind correlated normals, and so the sample of a seed, depends on the kernel that OpenBLAS
# picks for the processor. The published study's samples are those of this one; pinning it also makes
# results equal across processors.
if platform.machine() in ("x86_64", "AMD64"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

# Figures drawn for each protocol, and figures drawn once from the tables of several.
EACH_PROTOCOL = STUDY.selected_figures(protocols=None)
ACROSS_PROTOCOLS = [name for name in STUDY.figures if name not in EACH_PROTOCOL]
RESULTS = Path(STUDY.config["results"])
ENVIRONMENT = "../../../envs/environment.yaml"
PAPER_TABLES = "workflow/resources/paper_tables.yaml"


wildcard_constraints:
    protocol="|".join(STUDY.protocols),
    experiment="|".join(STUDY.experiments) or "none",
    dgp="|".join(registry.names("dgps")),
    encoder="|".join(registry.names("encoders")),
    metric="|".join(dict.fromkeys(name for one in STUDY.experiments for name in STUDY.scorers(one))) or "none",
    figure="|".join(EACH_PROTOCOL) or "none",


@cache
def code(script, *entries):
    """Source files of a job's script and entries and of all they import: edits of these rerun the job.

    entries: of the registry, such as "metrics.dci".
    """
    modules = [registry.module_name(*entry.split(".", maxsplit=1)) for entry in entries]
    return sources(f"scripts/{script}.py", *modules)
