"""custodes: a stress test of the metrics that judge identifiability and disentanglement."""

from snakemake.utils import min_version

min_version("9.27")


include: "workflow/rules/common.smk"
include: "workflow/rules/targets.smk"
include: "workflow/rules/factors.smk"
include: "workflow/rules/codes.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/comparison.smk"
include: "workflow/rules/verdicts.smk"
include: "workflow/rules/images.smk"
include: "workflow/rules/representations.smk"
include: "workflow/rules/image_figures.smk"
include: "workflow/rules/report.smk"
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


onstart:
    begin()


onsuccess:
    finish("complete")
    print(f"Done: {made()}")


onerror:
    finish("failed")
