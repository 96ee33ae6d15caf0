"""custodes: a stress test of the metrics that judge identifiability and disentanglement."""

from importlib.metadata import version

from packaging.specifiers import SpecifierSet
from snakemake_interface_common.exceptions import WorkflowError

SNAKEMAKE = ">=9.27,<10"  # what profiles, rerun rules, workflow/rules/run.smk and overrides() are tested with
if version("snakemake") not in SpecifierSet(SNAKEMAKE):
    raise WorkflowError(f"this workflow needs Snakemake {SNAKEMAKE}; this is {version('snakemake')}")


include: "workflow/rules/common.smk"
include: "workflow/rules/targets.smk"
include: "workflow/rules/synthetic/factors.smk"
include: "workflow/rules/synthetic/codes.smk"
include: "workflow/rules/synthetic/scores.smk"
include: "workflow/rules/synthetic/tables.smk"
include: "workflow/rules/figures/experiments.smk"
include: "workflow/rules/reproduction/comparison.smk"
include: "workflow/rules/reproduction/verdicts.smk"
include: "workflow/rules/images/codes.smk"
include: "workflow/rules/images/scores.smk"
include: "workflow/rules/figures/representations.smk"
include: "workflow/rules/reproduction/report.smk"
include: "workflow/rules/run.smk"


rule all:
    default_target: True
    input:
        tables(),
        verdicts_of_experiments(),
        figures(),
        comparison(),
        paper_tables(),
        images(),
        rules.report_reproduction.output,
    message:
        "Everything that the configuration asks for"


logger.addFilter(add_nearest)


onstart:
    begin()


onsuccess:
    finish("complete")


onerror:
    finish("failed")
