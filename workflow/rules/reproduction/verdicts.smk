"""Verdicts of every score on the paper's properties, and the paper's Tables 1 to 3.

Input: the scores of the experiments that config/verdicts.yaml names. Output: tables/verdicts.csv of every
protocol, and the three tables over all protocols as CSV and HTML. Input: the scores of an experiment that names
cells of properties. Output: tables/{experiment}_verdicts.csv.
"""

TABLE_TEMPLATE = "workflow/report/table.html.j2"


rule judge_properties:
    input:
        scores=judged_scores,
        paper=PAPER_TABLES,
        code=code("reproduction/judge_properties"),
    output:
        verdicts=RESULTS / "{protocol}/tables/verdicts.csv",
    log:
        RESULTS / "logs/{protocol}/judge_properties.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/judge_properties.tsv"
    conda:
        ENVIRONMENT
    params:
        scores=STUDY.judged_scores(),
        rule=STUDY.judging,
        figures={name: STUDY.figures[name] for name in STUDY.figures if "property" in STUDY.figures[name]},
    message:
        "Judge all scores by the properties ({wildcards.protocol})"
    script:
        "../../../scripts/reproduction/judge_properties.py"


use rule judge_properties as judge_experiment with:
    input:
        scores=lambda w: scores_of(w.protocol, w.experiment),
        paper=PAPER_TABLES,
        code=code("reproduction/judge_properties"),
    output:
        verdicts=RESULTS / "{protocol}/tables/{experiment}_verdicts.csv",
    log:
        RESULTS / "logs/{protocol}/judge_experiment/{experiment}.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/judge_experiment/{experiment}.tsv"
    wildcard_constraints:
        experiment="|".join(STUDY.judging_of) or "none",
    params:
        scores=lambda w: STUDY.judged_scores(w.experiment),
        rule=lambda w: STUDY.judging_of[w.experiment],
        figures={},
    message:
        "Judge the scores of {wildcards.experiment} by the properties ({wildcards.protocol})"


rule tabulate_symbols:
    input:
        paper=PAPER_TABLES,
        template=TABLE_TEMPLATE,
        code=code("reproduction/tabulate_symbols"),
    output:
        csv=RESULTS / "tables/table_1.csv",
        html=RESULTS / "tables/table_1.html",
    log:
        RESULTS / "logs/tabulate_symbols.log",
    benchmark:
        RESULTS / "benchmarks/tabulate_symbols.tsv"
    conda:
        ENVIRONMENT
    params:
        ranges=lambda w: swept_ranges(),
    message:
        "Write Table 1, symbols and ranges"
    script:
        "../../../scripts/reproduction/tabulate_symbols.py"


rule tabulate_metrics:
    input:
        template=TABLE_TEMPLATE,
        code=code("reproduction/tabulate_metrics", *(f"metrics.{name}" for name in STUDY.metrics)),
    output:
        csv=RESULTS / "tables/table_2.csv",
        html=RESULTS / "tables/table_2.html",
    log:
        RESULTS / "logs/tabulate_metrics.log",
    benchmark:
        RESULTS / "benchmarks/tabulate_metrics.tsv"
    conda:
        ENVIRONMENT
    params:
        metrics=list(STUDY.metrics),
    message:
        "Write Table 2, metrics"
    script:
        "../../../scripts/reproduction/tabulate_metrics.py"


rule tabulate_verdicts:
    input:
        verdicts=expand(rules.judge_properties.output.verdicts, protocol=STUDY.protocols),
        template=TABLE_TEMPLATE,
        code=code("reproduction/tabulate_verdicts"),
    output:
        csv=RESULTS / "tables/table_3.csv",
        html=RESULTS / "tables/table_3.html",
    log:
        RESULTS / "logs/tabulate_verdicts.log",
    benchmark:
        RESULTS / "benchmarks/tabulate_verdicts.tsv"
    conda:
        ENVIRONMENT
    params:
        protocols=list(STUDY.protocols),
        rule=STUDY.judging,
    message:
        "Write Table 3, verdicts"
    script:
        "../../../scripts/reproduction/tabulate_verdicts.py"


rule table_1:
    input:
        rules.tabulate_symbols.output,


rule table_2:
    input:
        rules.tabulate_metrics.output,


rule table_3:
    input:
        rules.tabulate_verdicts.output,
