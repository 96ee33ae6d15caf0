"""Codes z_hat of every (experiment, factor distribution, encoder).

Input: the factors. Output: codes/{experiment}/{dgp}/{encoder}.parquet, one row per cell and seed.
"""


rule encode_factors:
    input:
        factors=rules.sample_factors.output.factors,
        code=lambda w: code("synthetic/encode_factors", f"encoders.{w.encoder}"),
    output:
        codes=RESULTS / "{protocol}/codes/{experiment}/{dgp}/{encoder}.parquet",
    log:
        RESULTS / "logs/{protocol}/codes/{experiment}/{dgp}/{encoder}.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/codes/{experiment}/{dgp}/{encoder}.tsv"
    priority: 100
    conda:
        ENVIRONMENT
    params:
        cells=lambda w: STUDY.block(w.protocol, w.experiment, w.dgp, w.encoder),
        seeds=lambda w: STUDY.seeds(w.experiment),
        seed_offset=lambda w: STUDY.settings(w.protocol, w.experiment)["encoder_seed_offset"],
    message:
        "Encode {wildcards.experiment}, {wildcards.dgp} with {wildcards.encoder} ({wildcards.protocol})"
    script:
        "../../../scripts/synthetic/encode_factors.py"
