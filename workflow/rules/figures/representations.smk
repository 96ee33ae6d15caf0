"""Figures of image data sets, and the target for all that the study makes of these.

Input: the prepared images, the codes, the tables, and what trainings left. Output: the pictures of every model,
images/figures/{dataset}_{model}_{setting}_{restart}_{name}, of one representation, and
images/figures/{dataset}_{ranking}, over all models of a data set; each as .pdf and .png.
"""

FIGURE = IMAGES / "figures/{{dataset}}_{{model}}_{{setting}}_{{restart}}_{name}.{ending}"
ENDINGS = ["pdf", "png"]


wildcard_constraints:
    ranking="|".join(image_figures.RANKINGS),


rule draw_pictures:
    input:
        pictures=rules.train_vae.output.pictures,
        code=code("figures/draw_pictures"),
    output:
        traversals=IMAGES / RUN / "traversals.png",
        reconstructions=IMAGES / RUN / "reconstructions.png",
    log:
        RESULTS / "logs/images" / f"{RUN}/draw_pictures.log",
    benchmark:
        RESULTS / "benchmarks/images" / f"{RUN}/draw_pictures.tsv"
    wildcard_constraints:
        model="|".join(STUDY.images.settings) or "none",
    conda:
        ENVIRONMENT
    params:
        labels=lambda w: STUDY.images.labels(*w),
    message:
        "Draw what {wildcards.model} {wildcards.setting} {wildcards.restart} learnt of {wildcards.dataset}"
    script:
        "../../../scripts/figures/draw_pictures.py"


rule draw_representation:
    input:
        prepared=rules.prepare_dataset.output,
        codes=IMAGES / RUN / "codes.parquet",
        code=code("figures/draw_representation"),
    output:
        irs_matrices=expand(FIGURE, name="irs_matrices", ending=ENDINGS),
        interventions=expand(FIGURE, name="interventions", ending=ENDINGS),
        violins=expand(FIGURE, name="violins", ending=ENDINGS),
    log:
        RESULTS / "logs/images" / f"{RUN}/draw_representation.log",
    benchmark:
        RESULTS / "benchmarks/images" / f"{RUN}/draw_representation.tsv"
    wildcard_constraints:
        model="|".join(model for name in STUDY.images.datasets for model, _, _ in STUDY.images.runs(name))
        or "none",
    conda:
        ENVIRONMENT
    params:
        informative_kl=STUDY.config["representations"]["informative_kl"],
        permutations=3,
        seed=STUDY.config["representations"]["seed"],
    message:
        "Draw {wildcards.model} {wildcards.setting} {wildcards.restart} on {wildcards.dataset}"
    script:
        "../../../scripts/figures/draw_representation.py"


rule draw_ranking:
    input:
        unpack(ranking_inputs),
        code=code("figures/draw_ranking"),
    output:
        pdf=IMAGES / "figures/{dataset}_{ranking}.pdf",
        png=IMAGES / "figures/{dataset}_{ranking}.png",
    log:
        RESULTS / "logs/images/figures/{dataset}_{ranking}.log",
    benchmark:
        RESULTS / "benchmarks/images/figures/{dataset}_{ranking}.tsv"
    conda:
        ENVIRONMENT
    params:
        trained=[STUDY.images.numbers(*run) for run in STUDY.images.trained()],
        informative_kl=STUDY.config["representations"]["informative_kl"],
        permutations=1,
        seed=STUDY.config["representations"]["seed"],
    message:
        "Draw {wildcards.ranking} of {wildcards.dataset}"
    script:
        "../../../scripts/figures/draw_ranking.py"


rule images:
    input:
        images(),
