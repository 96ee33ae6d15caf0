"""What a run would take out of the tables that are there."""

from pathlib import Path

from custodes.errors import ConfigError, DamagedFile
from custodes.tables.files import read_table

SHOWN = 4  # names in a message


def refuse_loss_of_models(path, runs):
    """ConfigError where a table has other representations than `runs`, those of a study that trains none.

    path: of the table of a data set. runs: (model, setting, restart) as in tables.
    """
    there = _distinct(path, "model", "setting", "restart")
    lost = [" ".join(map(str, run)) for run in there if run not in set(runs)]
    if lost:
        raise ConfigError(
            f"config: models: {path} has representations ({_some(lost)}) that a study of own_codes alone "
            "would take out of it: give their models too, or another folder (results)"
        )


def lost_scores(tables):
    """A line that says which scores would go when tables are made again, or None.

    tables: {path: scores that the study computes}.
    """
    lost = {
        score: None
        for path, scores in tables.items()
        for (score,) in _distinct(path, "score")
        if score not in scores
    }
    if not lost:
        return None
    return (
        f"Tables that are made again lose {_some([*lost])}: add_metrics keeps the metrics that are configured"
    )


def _distinct(path, *columns):
    """Distinct rows of these columns of a table; none where there is no table that can be read."""
    try:
        table = read_table(path) if Path(path).exists() else None
    except DamagedFile:
        table = None
    return (
        []
        if table is None
        else list(dict.fromkeys(zip(*(table[c].to_pylist() for c in columns), strict=True)))
    )


def _some(names):
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
