"""A protocol against the published cell means, and one protocol against another.

Input: the tables of a protocol that has `published_means`, and these (workflow/resources). Output: one row per
published cell and score, a summary by experiment and score, and a verdict that fails when a deterministic score
is off. Input: the tables of two protocols. Output: one row per experiment and score that changes.
"""

PUBLISHED_MEANS = "workflow/resources/published_cell_means.csv"


rule compare_published:
    input:
        tables=lambda w: tables_under(w.protocol),
        published=PUBLISHED_MEANS,
        tolerances="workflow/resources/tolerances.yaml",
        code=code("reproduction/compare_published"),
    output:
        comparison=RESULTS / "{protocol}/comparison/cells.csv",
        summary=RESULTS / "{protocol}/comparison/summary.csv",
    log:
        RESULTS / "logs/{protocol}/compare_published.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/compare_published.tsv"
    conda:
        ENVIRONMENT
    message:
        "Compare the {wildcards.protocol} protocol with the published means"
    script:
        "../../../scripts/reproduction/compare_published.py"


rule verify_published:
    input:
        comparison=rules.compare_published.output.comparison,
        summary=rules.compare_published.output.summary,
        code=code("reproduction/verify_published"),
    output:
        verdict=RESULTS / "{protocol}/comparison/verdict.txt",
    log:
        RESULTS / "logs/{protocol}/verify_published.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/verify_published.tsv"
    conda:
        ENVIRONMENT
    message:
        "Verify the deterministic scores against the published means ({wildcards.protocol})"
    script:
        "../../../scripts/reproduction/verify_published.py"


rule tabulate_changes:
    input:
        tables=lambda w: tables_of(w.figure),
        code=code("reproduction/tabulate_changes"),
    output:
        changes=RESULTS / "comparison/tables/{figure}.csv",
    log:
        RESULTS / "logs/comparison/tables/{figure}.log",
    benchmark:
        RESULTS / "benchmarks/comparison/tables/{figure}.tsv"
    wildcard_constraints:
        figure="|".join(STUDY.selected_figures(kind="protocols")) or "none",
    conda:
        ENVIRONMENT
    params:
        options=lambda w: {
            name: value
            for name, value in STUDY.figures[w.figure].get("options", {}).items()
            if name in ("scores", "where")
        },
    message:
        "Tabulate {wildcards.figure}"
    script:
        "../../../scripts/reproduction/tabulate_changes.py"
