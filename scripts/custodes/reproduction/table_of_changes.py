"""Write what changes from one protocol to another, by experiment and score, from the largest change down."""

from custodes.drawing import selection
from custodes.tables import protocol_changes
from custodes.tables.columns import is_parameter
from custodes.tables.files import read_frame, replacing


def tabulate(table, scores="full", where=None):
    """One row per experiment and score, as `protocol_changes.summarised`, with the cell that changes most.

    table: DataFrame of result tables of two protocols, those of the earlier first. scores, where:
    options of the figure that shows the same changes; see `plots.options`.
    """
    before, after = dict.fromkeys(table["protocol"])
    pairs = protocol_changes.paired(selection.select(table, scores=scores, where=where)[0])
    summary = protocol_changes.summarised(pairs)
    most = pairs.reindex(summary.pop("largest"))
    for column in ("before", "after"):
        summary[f"largest_{column}"] = most[column].to_numpy()
    summary["largest_cell"] = [_in_words(cell) for _, cell in most.iterrows()]
    return summary.rename(columns=lambda name: name.replace("before", before).replace("after", after))


def tabulate_changes(paths_to_tables, options, path_to_changes):
    """Read the tables of two protocols and write the changes as CSV; options: arguments of `tabulate`."""
    changed = tabulate(read_frame(paths_to_tables), **options)
    with replacing(path_to_changes) as temporary:
        changed.to_csv(temporary, index=False, float_format="%.9g")


def _in_words(cell):
    named = [name for name in cell.index if name in protocol_changes.CELL or is_parameter(name)]
    return ", ".join(f"{name}={value}" for name, value in cell[named].dropna().items())
