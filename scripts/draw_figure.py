"""Draw one figure from the tables of its experiments, as PDF and PNG."""

from scripts.core import figure_files, registry, tables


def draw_figure(paths_to_tables, kind, options, paths_to_figure):
    """Draw `kind` with `options`; files without dates, so that equal tables give equal bytes."""
    figure = registry.load("plots", kind).draw(tables.read_frame(paths_to_tables), **options)
    figure_files.write(figure, paths_to_figure)


if __name__ == "__main__":
    draw_figure(
        paths_to_tables=snakemake.input.tables,
        kind=snakemake.params.kind,
        options=snakemake.params.options,
        paths_to_figure=snakemake.output,
    )
