"""Figures, and targets for subsets of them.

Input: the tables of the figure's experiments. Output: figures/{figure}.pdf and .png.
"""


rule draw_figure:
    input:
        tables=lambda w: expand(
            rules.aggregate_scores.output.table,
            experiment=STUDY.figures[w.figure]["tables"],
            allow_missing=True,
        ),
        code=lambda w: code("draw_figure", f"plots.{STUDY.figures[w.figure]['kind']}"),
    output:
        pdf=RESULTS / "{protocol}/figures/{figure}.pdf",
        png=RESULTS / "{protocol}/figures/{figure}.png",
    log:
        RESULTS / "logs/{protocol}/figures/{figure}.log",
    benchmark:
        RESULTS / "benchmarks/{protocol}/figures/{figure}.tsv"
    conda:
        ENVIRONMENT
    params:
        kind=lambda w: STUDY.figures[w.figure]["kind"],
        options=lambda w: STUDY.figures[w.figure].get("options", {}),
    message:
        "Draw {wildcards.figure} ({wildcards.protocol})"
    script:
        "../../scripts/draw_figure.py"


rule main_figures:
    input:
        figures(placement="main"),


rule appendix_figures:
    input:
        figures(placement="appendix"),


rule property_1:
    input:
        figures(property=1),


rule property_2:
    input:
        figures(property=2),


rule property_3:
    input:
        figures(property=3),


rule property_4:
    input:
        figures(property=4),
