"""Tab. 2: the metrics, by what their modules say of themselves."""

from custodes.reproduction.table_of_metrics import tabulate_metrics

if __name__ == "__main__":
    tabulate_metrics(
        metrics=snakemake.params.metrics,
        path_to_template=snakemake.input.template,
        path_to_csv=snakemake.output.csv,
        path_to_html=snakemake.output.html,
    )
