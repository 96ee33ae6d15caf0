"""Published protocol against the published cell means.

Input: the tables of the published protocol and the published means (workflow/resources). Output: one row per
published cell and score, a summary by experiment and score, and a verdict that fails when a deterministic score
is off.
"""

PUBLISHED = RESULTS / "published/comparison"


rule compare_published:
    input:
        tables=expand(rules.aggregate_scores.output.table, protocol="published", experiment=STUDY.experiments),
        published="workflow/resources/published_cell_means.csv",
        tolerances="workflow/resources/tolerances.yaml",
        code=code("compare_published"),
    output:
        comparison=PUBLISHED / "cells.csv",
        summary=PUBLISHED / "summary.csv",
    log:
        RESULTS / "logs/published/compare_published.log",
    benchmark:
        RESULTS / "benchmarks/published/compare_published.tsv"
    conda:
        ENVIRONMENT
    message:
        "Compare the published protocol with the published means"
    script:
        "../../scripts/compare_published.py"


rule verify_published:
    input:
        comparison=rules.compare_published.output.comparison,
        summary=rules.compare_published.output.summary,
        code=code("verify_published"),
    output:
        verdict=PUBLISHED / "verdict.txt",
    log:
        RESULTS / "logs/published/verify_published.log",
    benchmark:
        RESULTS / "benchmarks/published/verify_published.tsv"
    conda:
        ENVIRONMENT
    message:
        "Verify the deterministic scores against the published means"
    script:
        "../../scripts/verify_published.py"
