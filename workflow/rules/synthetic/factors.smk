"""Factors z of every (experiment, factor distribution).

Output: factors/{experiment}/{dgp}.parquet, one row per grid point and seed.
"""


rule sample_factors:
    input:
        code=lambda w: code("synthetic/sample_factors", f"dgps.{w.dgp}"),
    output:
        factors=RESULTS / "{protocol}/factors/{experiment}/{dgp}.parquet",
    log:
        RESULTS / "logs/{protocol}/factors/{experiment}/{dgp}.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/factors/{experiment}/{dgp}.tsv"
    priority: 100
    conda:
        ENVIRONMENT
    params:
        points=lambda w: STUDY.factors(w.protocol, w.experiment, w.dgp),
        seeds=lambda w: STUDY.seeds(w.experiment),
    message:
        "Sample factors of {wildcards.experiment}, {wildcards.dgp} ({wildcards.protocol})"
    script:
        "../../../scripts/synthetic/sample_factors.py"
