"""Table of every experiment.

Input: its scores. Output: tables/{experiment}.parquet, one row per cell and score.
"""


rule aggregate_scores:
    input:
        scores=lambda w: expand(
            rules.compute_metric.output.scores,
            dgp=STUDY.dgps(w.protocol, w.experiment),
            metric=STUDY.metrics_of(w.experiment),
            allow_missing=True,
        ),
        code=lambda w: code(
            "aggregate_scores", *(f"metrics.{name}" for name in STUDY.metrics_of(w.experiment))
        ),
    output:
        table=RESULTS / "{protocol}/tables/{experiment}.parquet",
    log:
        RESULTS / "logs/{protocol}/tables/{experiment}.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/tables/{experiment}.tsv"
    conda:
        ENVIRONMENT
    params:
        metrics=lambda w: STUDY.metrics_of(w.experiment),
        cells=lambda w: STUDY.cells(w.protocol, w.experiment),
        seeds=lambda w: STUDY.seeds(w.experiment),
    message:
        "Aggregate the scores of {wildcards.experiment} ({wildcards.protocol})"
    script:
        "../../scripts/aggregate_scores.py"


rule tables:
    input:
        tables(),
