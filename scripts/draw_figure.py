"""Draw one figure from the tables of its experiments, as PDF and PNG."""

from scripts.core import registry, tables


def draw_figure(paths_to_tables, kind, options, paths_to_figure):
    """Draw `kind` with `options`; files without dates, so that equal tables give equal bytes."""
    figure = registry.load("plots", kind).draw(tables.read_frame(paths_to_tables), **options)
    undated = {"pdf": {"CreationDate": None, "ModDate": None}, "png": {"Software": None}}
    for path in paths_to_figure:
        with tables.replacing(path) as temporary:
            figure.savefig(temporary, metadata=undated[temporary.suffix[1:]], dpi=200)


if __name__ == "__main__":
    draw_figure(
        paths_to_tables=snakemake.input.tables,
        kind=snakemake.params.kind,
        options=snakemake.params.options,
        paths_to_figure=snakemake.output,
    )
