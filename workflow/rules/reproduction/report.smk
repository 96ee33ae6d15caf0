"""The reproduction report: every claim of the paper against the tables.

Input: the tables, verdicts and figures of all protocols, the paper's tables, the comparison with the published
means, and the claims (workflow/resources/claims.yaml). Output: one row per claim, and one page with everything in it.
"""

CLAIMS = "workflow/resources/claims.yaml"


rule report_reproduction:
    input:
        tables=tables(),
        verdicts=(
            expand(rules.judge_properties.output.verdicts, protocol=STUDY.protocols)
            if STUDY.judged()
            else []
        ),
        figures=[path for picture in pictures() for path in picture["paths"].values()],
        paper_tables=[path for path in paper_tables() if path.endswith(".html")],
        summary=expand(rules.compare_published.output.summary, protocol=list(reproducing())),
        published=PUBLISHED_MEANS,
        claims=CLAIMS,
        grids=[
            *expand("config/experiments/{name}.yaml", name=registry.configured("experiments")),
            *expand("config/protocols/{name}.yaml", name=STUDY.protocols),
        ],
        template="workflow/report/reproduction.html.j2",
        code=code("reproduction/report_reproduction"),
    output:
        page=RESULTS / "report/reproduction.html",
        csv=RESULTS / "report/reproduction.csv",
    log:
        RESULTS / "logs/report_reproduction.log",
    benchmark:
        RESULTS / "benchmarks/report_reproduction.tsv"
    conda:
        ENVIRONMENT
    params:
        figures=pictures(),
        study={key: STUDY.config[key] for key in ("seeds", "first_seed", "thin")}
        | {"protocols": list(STUDY.protocols)},
    message:
        "Report what reproduces, claim by claim"
    script:
        "../../../scripts/reproduction/report_reproduction.py"


rule report:
    input:
        rules.report_reproduction.output,
