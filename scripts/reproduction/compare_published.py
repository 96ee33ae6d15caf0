"""Compare the tables of the `published` protocol with the published means, cell by cell."""

from custodes.reproduction.published_means import compare_published

if __name__ == "__main__":
    compare_published(
        snakemake.input.tables,
        snakemake.input.published,
        snakemake.input.tolerances,
        snakemake.output.comparison,
        snakemake.output.summary,
    )
