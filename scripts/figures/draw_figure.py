"""Draw one figure from the tables of its experiments, as PDF and PNG."""

from custodes import registry
from custodes.drawing import files
from custodes.tables.files import read_frame


def draw_figure(paths_to_tables, kind, options, paths_to_figure):
    """Draw `kind` with `options`; files without dates, so that equal tables give equal bytes."""
    figure = registry.load("plots", kind).draw(_read(paths_to_tables), **options)
    files.write(figure, paths_to_figure)


def _read(paths):
    """One DataFrame of result tables, or of tables of verdicts."""
    import pandas as pd

    if all(path.endswith(".csv") for path in paths):
        return pd.concat([pd.read_csv(path) for path in paths], ignore_index=True)
    return read_frame(paths)


if __name__ == "__main__":
    draw_figure(
        paths_to_tables=snakemake.input.tables,
        kind=snakemake.params.kind,
        options=snakemake.params.options,
        paths_to_figure=snakemake.output,
    )
