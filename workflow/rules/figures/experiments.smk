"""Figures, and targets for subsets of them.

Input: the tables of the figure's experiments, or their verdicts. Output: figures/{figure}.pdf and .png, in the
folder of the protocol or, for a figure that names its protocols, in comparison.
"""


rule draw_figure:
    input:
        tables=lambda w: drawn_from(w.figure),
        code=lambda w: code("figures/draw_figure", f"plots.{STUDY.figures[w.figure]['kind']}"),
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
        "../../../scripts/figures/draw_figure.py"


use rule draw_figure as draw_comparison with:
    input:
        tables=lambda w: tables_of(w.figure),
        code=lambda w: code("figures/draw_figure", f"plots.{STUDY.figures[w.figure]['kind']}"),
    output:
        pdf=RESULTS / "comparison/figures/{figure}.pdf",
        png=RESULTS / "comparison/figures/{figure}.png",
    log:
        RESULTS / "logs/comparison/figures/{figure}.log",
    benchmark:
        RESULTS / "benchmarks/comparison/figures/{figure}.tsv"
    wildcard_constraints:
        figure="|".join(ACROSS_PROTOCOLS) or "none",
    message:
        "Draw {wildcards.figure} (several protocols)"


for figure in STUDY.figures:

    rule:
        name:
            figure
        input:
            figures_named(figure),


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
