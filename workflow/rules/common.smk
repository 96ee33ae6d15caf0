"""Reads and checks configuration, protocols and experiments once; names and paths that all rules share."""

import os
import platform
import sys
from functools import cache
from pathlib import Path

from snakemake.logging import logger

# The package of this checkout, here and in all jobs, whatever else of its name is installed.
SCRIPTS = str(Path(workflow.basedir) / "scripts")
sys.path.insert(0, SCRIPTS)
os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, [SCRIPTS, os.environ.get("PYTHONPATH")])))

from custodes import registry
from custodes.errors import ConfigError
from custodes.sources import CHECKOUT, sources
from custodes.study import study
from custodes.study.yaml_files import overrides, read_yaml

# Of the configuration, Snakemake's own `config` has what --configfile and --config give merged deep down: models of a
# file would be trained beside those of --config. The parts are in workflow.config_settings alone, which is not
# documented; the class of that object is (snakemake.settings.types.ConfigSettings, of Snakemake's Python interface).
# The bound on Snakemake's version in Snakefile is for this.
try:
    STUDY = study.load(*overrides(workflow.config_settings.configfiles, workflow.config_settings.config))
except ConfigError as error:
    raise WorkflowError(str(error)) from None

if workflow.is_main_process:
    for line in STUDY.left_out:
        logger.info(f"Left out: {line}")

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
