"""Write what changes from one protocol to another, by experiment and score, from the largest change down."""

from custodes.reproduction.table_of_changes import tabulate_changes

if __name__ == "__main__":
    tabulate_changes(snakemake.input.tables, snakemake.params.options, snakemake.output.changes)
