"""Scores of the representations of every image data set, and their tables.

Input: the factors of the images and the codes of all models. Output: images/scores/{dataset}/{metric}.parquet, one
row per model and score (metrics of a set of representations also leave their pairs), and
images/tables/{dataset}.parquet, the same with all metrics, beside it statistics over the restarts and how far
scores of a set rank models as the others do.
"""


rule score_representations:
    input:
        factors=rules.prepare_dataset.output.factors,
        description=rules.prepare_dataset.output.description,
        images=rules.prepare_dataset.output.images,
        codes=lambda w: representations(w.dataset),
        code=lambda w: code("images/score_representations", f"metrics.{w.metric}"),
    output:
        scores=update(IMAGES / "scores/{dataset}/{metric}.parquet"),  # see custodes/scoring/fingerprints.py
    log:
        RESULTS / "logs/images/scores/{dataset}/{metric}.log",
    benchmark:
        RESULTS / "benchmarks/images/scores/{dataset}/{metric}.tsv"
    wildcard_constraints:
        metric="|".join(STUDY.images.metrics_of(sets=False)) or "none",
    priority: lambda w: STUDY.images.threads(w.dataset, w.metric)
    conda:
        ENVIRONMENT
    threads: lambda w: STUDY.images.threads(w.dataset, w.metric)
    resources:
        mem_mb=lambda w, attempt: 4000 * attempt,
        runtime=lambda w, attempt: 60 * attempt,
    params:
        parameters=lambda w: STUDY.images.metrics[w.metric],
        permutations=lambda w: STUDY.config["permutations"].get(w.metric, 0),
        seed=STUDY.config["representations"]["seed"],
    message:
        "Score {wildcards.dataset} with {wildcards.metric}"
    script:
        "../../../scripts/images/score_representations.py"


rule compare_representations:
    input:
        codes=lambda w: representations(w.dataset),
        code=lambda w: code("images/compare_representations", f"metrics.{w.metric}"),
    output:
        scores=IMAGES / "scores/{dataset}/{metric}.parquet",
        pairs=IMAGES / "scores/{dataset}/{metric}_pairs.parquet",
    log:
        RESULTS / "logs/images/scores/{dataset}/{metric}.log",
    benchmark:
        RESULTS / "benchmarks/images/scores/{dataset}/{metric}.tsv"
    wildcard_constraints:
        metric="|".join(STUDY.images.metrics_of(sets=True)) or "none",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=lambda w, attempt: 4000 * attempt,
        runtime=lambda w, attempt: 60 * attempt,
    params:
        informative_kl=STUDY.config["representations"]["informative_kl"],
        parameters=lambda w: STUDY.images.metrics[w.metric],
        seed=STUDY.config["representations"]["seed"],
    message:
        "Compare the models of {wildcards.dataset} by {wildcards.metric}"
    script:
        "../../../scripts/images/compare_representations.py"


rule aggregate_images:
    input:
        scores=expand(IMAGES / "scores/{{dataset}}/{metric}.parquet", metric=STUDY.images.metrics),
        code=code("images/aggregate_images", *(f"metrics.{name}" for name in STUDY.images.metrics)),
    output:
        models=IMAGES / "tables/{dataset}.parquet",
        settings=IMAGES / "tables/{dataset}_settings.parquet",
        rankings=IMAGES / "tables/{dataset}_rankings.parquet",
    log:
        RESULTS / "logs/images/tables/{dataset}.log",
    benchmark:
        RESULTS / "benchmarks/images/tables/{dataset}.tsv"
    conda:
        ENVIRONMENT
    params:
        metrics=list(STUDY.images.metrics),
        labels=lambda w: [STUDY.images.labels(w.dataset, *run) for run in STUDY.images.runs(w.dataset)],
        seed=STUDY.config["representations"]["seed"],
    message:
        "Aggregate the scores of {wildcards.dataset}"
    script:
        "../../../scripts/images/aggregate_images.py"
