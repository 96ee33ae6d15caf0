"""Write the reproduction report: every claim of the paper against the tables, as CSV and as one page."""

from custodes.reproduction.report import report_reproduction

if __name__ == "__main__":
    report_reproduction(
        path_to_claims=snakemake.input.claims,
        paths_to_tables=snakemake.input.tables,
        paths_to_verdicts=snakemake.input.verdicts,
        path_to_published=snakemake.input.published,
        paths_to_summary=snakemake.input.summary,
        paths_to_paper_tables=snakemake.input.paper_tables,
        figures=snakemake.params.figures,
        study=snakemake.params.study,
        path_to_template=snakemake.input.template,
        path_to_csv=snakemake.output.csv,
        path_to_page=snakemake.output.page,
    )
