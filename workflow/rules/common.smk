"""Reads and checks configuration, protocols and experiments once; names and paths that all rules share.

The configuration is not read by `configfile:`, which would merge an override into a nested key. So would Snakemake
do with --configfile and --config together; here the later of them has the whole key.
"""

import os
import platform
import sys
from functools import cache
from pathlib import Path

from snakemake.common.configfile import load_configfile
from snakemake.exceptions import WorkflowError

# The package of this checkout, here and in all jobs, whatever else of its name is installed.
SCRIPTS = str(Path(workflow.basedir) / "scripts")
sys.path.insert(0, SCRIPTS)
os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, [SCRIPTS, os.environ.get("PYTHONPATH")])))

from custodes import registry
from custodes.errors import ConfigError
from custodes.sources import CHECKOUT, sources
from custodes.study import study

given = {}
for overrides in [*map(load_configfile, workflow.overwrite_configfiles), workflow.config_settings.config]:
    given |= overrides
try:
    STUDY = study.load(given)
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
