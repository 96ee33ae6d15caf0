"""Scores of every (experiment, factor distribution, metric).

Input: the factors and the codes of all encoders. Output: scores/{experiment}/{dgp}/{metric}.parquet, one row
per draw and score. A variant that the experiment names stands for a metric.
"""


rule compute_metric:
    input:
        factors=rules.sample_factors.output.factors,
        codes=lambda w: expand(
            rules.encode_factors.output.codes,
            encoder=STUDY.encoders(w.protocol, w.experiment, w.dgp),
            allow_missing=True,
        ),
        code=lambda w: code(
            "synthetic/compute_metric", f"metrics.{STUDY.scorers(w.experiment)[w.metric].metric}"
        ),
    output:
        # Rows whose draws are still asked for stay; see custodes/scoring/fingerprints.py.
        scores=update(RESULTS / "{protocol}/scores/{experiment}/{dgp}/{metric}.parquet"),
    log:
        RESULTS / "logs/{protocol}/scores/{experiment}/{dgp}/{metric}.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/scores/{experiment}/{dgp}/{metric}.tsv"
    # The largest blocks first: one of them started last would run alone at the end.
    priority: lambda w: STUDY.threads(w.protocol, w.experiment, w.dgp, w.metric)
    conda:
        ENVIRONMENT
    threads: lambda w: STUDY.threads(w.protocol, w.experiment, w.dgp, w.metric)
    resources:
        mem_mb=lambda w, threads, attempt: (1000 + 500 * threads) * attempt,
        # Twice what the slowest metrics took.
        runtime=lambda w, threads, attempt: attempt
        * (3 + STUDY.work(w.protocol, w.experiment, w.dgp) // (5_000_000 * threads)),
    params:
        metric=lambda w: STUDY.scorers(w.experiment)[w.metric].metric,
        # Of a variant, the one score of its metric that it is.
        score=lambda w: STUDY.scorers(w.experiment)[w.metric].score,
        parameters=lambda w: STUDY.parameters(w.protocol, w.experiment, w.metric),
        split=lambda w: STUDY.settings(w.protocol, w.experiment)["split"],
        permutations=lambda w: STUDY.config["permutations"].get(w.metric, 0),
    message:
        "Score {wildcards.experiment}, {wildcards.dgp} with {wildcards.metric} ({wildcards.protocol})"
    script:
        "../../../scripts/synthetic/compute_metric.py"
