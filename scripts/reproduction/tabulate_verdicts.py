"""Tab. 3: the verdicts of this study beside the paper's."""

from custodes.reproduction.table_of_verdicts import tabulate_verdicts

if __name__ == "__main__":
    tabulate_verdicts(
        paths_to_verdicts=dict(zip(snakemake.params.protocols, snakemake.input.verdicts, strict=True)),
        rule=snakemake.params.rule,
        path_to_template=snakemake.input.template,
        path_to_csv=snakemake.output.csv,
        path_to_html=snakemake.output.html,
    )
