"""Codes of image data sets: images, trained models, and what they or encoders of one's own make of the images.

Input: a data set (drawn here, or the official files). Output: images/{dataset}/factors.parquet, one row per image,
and images/{dataset}/{model}/{setting}/{restart}/, with the codes of one model, one row, and what its training left.
"""

IMAGES = RESULTS / "images"
RUN = "{dataset}/{model}/{setting}/{restart}"


wildcard_constraints:
    dataset="|".join(registry.names("datasets")),
    setting=r"h\d+",
    restart=r"s\d+",


rule prepare_dataset:
    input:
        official=lambda w: STUDY.images.files(w.dataset),
        code=lambda w: code("images/prepare_dataset", f"datasets.{w.dataset}"),
    output:
        images=IMAGES / "{dataset}/images.npy",
        factors=IMAGES / "{dataset}/factors.parquet",
        description=IMAGES / "{dataset}/dataset.json",
    log:
        RESULTS / "logs/images/{dataset}/prepare_dataset.log",
    benchmark:
        RESULTS / "benchmarks/images/{dataset}/prepare_dataset.tsv"
    priority: 100
    conda:
        ENVIRONMENT
    resources:
        mem_mb=lambda w, attempt: 8000 * attempt,
        runtime=lambda w, attempt: 30 * attempt,
    params:
        source=lambda w: STUDY.images.sources[w.dataset]["source"],
        options=lambda w: STUDY.images.source_options(w.dataset),
        images=STUDY.images.prepared,
        seed=0,
    message:
        "Prepare {wildcards.dataset}"
    script:
        "../../../scripts/images/prepare_dataset.py"


rule train_vae:
    input:
        images=rules.prepare_dataset.output.images,
        code=lambda w: code("images/train_vae", f"models.{w.model}"),
    output:
        weights=IMAGES / RUN / "weights.pt",
        curves=IMAGES / RUN / "curves.parquet",
        pictures=IMAGES / RUN / "pictures.npz",
    log:
        RESULTS / "logs/images" / f"{RUN}/train_vae.log",
    benchmark:
        RESULTS / "benchmarks/images" / f"{RUN}/train_vae.tsv"
    wildcard_constraints:
        model="|".join(STUDY.images.settings) or "none",
    priority: 100
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        # The mapped images count as memory of the job: 3D Shapes has 6 GB of them.
        mem_mb=lambda w, attempt: 8000 * attempt,
        # Too little loses nothing: the next attempt goes on from the checkpoint.
        runtime=lambda w, attempt: (30 + STUDY.config["training"]["steps"] // 1000) * attempt,
    params:
        white=lambda w: registry.load("datasets", w.dataset).DESCRIPTION.white,
        plan=lambda w: STUDY.images.plan(w.model, w.setting, w.restart),
        labels=lambda w: STUDY.images.labels(*w),
        # Not an output: Snakemake removes these before it runs a job again.
        checkpoint=lambda w: str(IMAGES / RUN / "checkpoint.pt").format(**w),
    message:
        "Train {wildcards.model} {wildcards.setting} {wildcards.restart} on {wildcards.dataset}"
    script:
        "../../../scripts/images/train_vae.py"


rule encode_images:
    input:
        images=rules.prepare_dataset.output.images,
        weights=rules.train_vae.output.weights,
        code=code("images/encode_images"),
    output:
        codes=IMAGES / RUN / "codes.parquet",
    log:
        RESULTS / "logs/images" / f"{RUN}/encode_images.log",
    benchmark:
        RESULTS / "benchmarks/images" / f"{RUN}/encode_images.tsv"
    wildcard_constraints:
        model="|".join(STUDY.images.settings) or "none",
    priority: 100
    conda:
        ENVIRONMENT
    resources:
        mem_mb=lambda w, attempt: 2000 * attempt,
        runtime=lambda w, attempt: 10 * attempt,
    params:
        white=lambda w: registry.load("datasets", w.dataset).DESCRIPTION.white,
        image_count=STUDY.images.encoded,
        seed=STUDY.config["representations"]["seed"],
        sample=STUDY.config["representations"]["sample"],
        labels=lambda w: STUDY.images.labels(*w),
    message:
        "Encode {wildcards.dataset} with {wildcards.model} {wildcards.setting} {wildcards.restart}"
    script:
        "../../../scripts/images/encode_images.py"


rule import_codes:
    input:
        images=rules.prepare_dataset.output.images,
        user_codes=lambda w: STUDY.images.own_file(w.dataset, w.model, w.restart),
        code=code("images/import_codes"),
    output:
        codes=IMAGES / RUN / "codes.parquet",
    log:
        RESULTS / "logs/images" / f"{RUN}/import_codes.log",
    benchmark:
        RESULTS / "benchmarks/images" / f"{RUN}/import_codes.tsv"
    wildcard_constraints:
        model="|".join(name for own in STUDY.images.own_codes.values() for name in own) or "none",
    conda:
        ENVIRONMENT
    params:
        image_count=STUDY.images.encoded,
        seed=STUDY.config["representations"]["seed"],
        labels=lambda w: STUDY.images.labels(*w),
    message:
        "Import codes of {wildcards.model} {wildcards.restart} for {wildcards.dataset}"
    script:
        "../../../scripts/images/import_codes.py"
