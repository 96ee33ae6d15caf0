"""What changes from one protocol to another: the same cells and scores side by side."""

CELL = ("dgp", "encoder", "d", "m", "n")  # besides its parameters, from which d_eff follows
_SUMMARY: tuple[str, ...] = ("experiment", "metric", "score", "cells", "only_before", "only_after")
_SUMMARY += ("before", "after", "mean_size", "largest")


def paired(table):
    """Cells of two protocols side by side, one row per cell and score that both have.

    table: rows of result tables, those of the earlier protocol first. The columns are `experiment`,
    those of the cell, `metric`, `score`, the means `before` and `after`, and `change`, the second less
    the first. A parameter of which the protocols share no value, such as the function of a constraint
    that each of them sets, is no part of the cell.

    Raises:
        ValueError: the table does not hold two protocols, or one of them has a cell twice.
    """
    from custodes.tables.columns import is_parameter

    protocols = list(dict.fromkeys(table["protocol"]))
    if len(protocols) != 2:
        raise ValueError(f"needs the tables of two protocols, got {', '.join(protocols) or 'none'}")
    own = [column for column in table if is_parameter(column)]
    shared = _without_settings(table, own, protocols[0])
    key = ["experiment", *CELL, *own, "metric", "score"]
    before, after = (
        shared.loc[shared["protocol"] == protocol, [*key, "mean"]].rename(columns={"mean": name})
        for protocol, name in zip(protocols, ("before", "after"), strict=True)
    )
    pairs = before.merge(after, on=key, validate="one_to_one")
    return pairs.assign(change=pairs["after"] - pairs["before"])


def summarised(pairs):
    """One row per experiment and score with its change, from the largest change to the smallest.

    cells: how many have a mean under both protocols; only_before, only_after: how many have one under
    that protocol only; before, after: the means over the cells with both; mean_size: the mean size of
    their changes; largest: the label in `pairs` of the one that changes most.
    """
    import pandas as pd

    rows = []
    for names, part in pairs.groupby(["experiment", "metric", "score"], sort=False):
        both = part.dropna(subset=["change"])
        only_before, only_after = part[["before", "after"]].count() - len(both)
        row = dict(zip(("experiment", "metric", "score"), names, strict=True)) | {"cells": len(both)}
        if len(both):
            sizes = both["change"].abs()
            row |= {"before": both["before"].mean(), "after": both["after"].mean()}
            row |= {"mean_size": sizes.mean(), "largest": sizes.idxmax()}
        rows.append(row | {"only_before": only_before, "only_after": only_after})
    summary = pd.DataFrame(rows, columns=_SUMMARY)
    return summary.sort_values("mean_size", ascending=False, ignore_index=True, kind="stable")


def _without_settings(table, own, first):
    """A copy without the values of parameters of which the protocols share none."""
    table = table.reset_index(drop=True)
    for _, block in table.groupby(["experiment", "dgp", "encoder"]):
        earlier = block["protocol"] == first
        for column in own if earlier.any() and not earlier.all() else ():
            if set(block.loc[earlier, column]).isdisjoint(block.loc[~earlier, column]):
                table[column] = table[column].mask(table.index.isin(block.index))
    return table
