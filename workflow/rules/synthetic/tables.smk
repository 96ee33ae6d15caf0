"""Table of every experiment.

Input: its scores. Output: tables/{experiment}.parquet, one row per cell and score.
"""


rule aggregate_scores:
    input:
        scores=lambda w: scores_of(w.protocol, w.experiment),
        code=code("synthetic/aggregate_scores"),
    output:
        table=RESULTS / "{protocol}/tables/{experiment}.parquet",
    log:
        RESULTS / "logs/{protocol}/tables/{experiment}.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/tables/{experiment}.tsv"
    conda:
        ENVIRONMENT
    params:
        scores=lambda w: STUDY.scores_of(w.experiment),
        cells=lambda w: STUDY.cells(w.protocol, w.experiment),
        seeds=lambda w: STUDY.seeds(w.experiment),
        seed_offset=lambda w: STUDY.settings(w.protocol, w.experiment)["encoder_seed_offset"],
        split=lambda w: STUDY.settings(w.protocol, w.experiment)["split"],
    message:
        "Aggregate the scores of {wildcards.experiment} ({wildcards.protocol})"
    script:
        "../../../scripts/synthetic/aggregate_scores.py"


rule tables:
    input:
        tables(),
        lambda w: verdicts_of_experiments(),
