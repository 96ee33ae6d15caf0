"""Stop when a deterministic score disagrees with the published means, else say how they compare."""

from pathlib import Path

from custodes.reproduction.published_means import (
    DISAGREEING,
    EXPLAINED,
    NOT_HERE,
    UNDEFINED_IN_BOTH,
    WITHIN,
    describe,
)
from custodes.tables.files import replacing

LISTED = 20


def verdict(comparison):
    """One sentence on the agreement of the scores in `comparison` (DataFrame of `compare`).

    Raises:
        SystemExit: a deterministic score is outside its tolerance or undefined on one side only;
            the message lists the cells.
    """
    compared = comparison[comparison["verdict"] != NOT_HERE]
    if compared.empty:
        return "Nothing was compared: this study has none of the published cells.\n"
    failed = compared[compared["deterministic"] & compared["verdict"].isin(DISAGREEING)]
    if not failed.empty:
        raise SystemExit(_failure(failed))
    agree = compared["verdict"].isin([WITHIN, UNDEFINED_IN_BOTH]).sum()
    explained = compared["verdict"].eq(EXPLAINED).sum()
    return (
        f"{agree} of {len(compared)} published means in this study agree within their tolerances, "
        f"{explained} differ for a stated numerical reason; no other mean of a deterministic score "
        f"disagrees.\n"
    )


def verify_published(path_to_comparison, path_to_summary, path_to_verdict):
    """Print the summary, then write the verdict or stop."""
    import pandas as pd

    print(pd.read_csv(path_to_summary).to_string(index=False, float_format="%.2g"))
    text = verdict(pd.read_csv(path_to_comparison))
    with replacing(path_to_verdict) as temporary:
        Path(temporary).write_text(text, encoding="utf-8")


def _failure(failed):
    lines = [
        f"  {describe(row)}: published {row['published']:.6f}, here {row['ours']:.6f}, {row['verdict']}"
        for _, row in failed.head(LISTED).iterrows()
    ]
    if len(failed) > LISTED:
        lines.append(f"  and {len(failed) - LISTED} more; the comparison table has them all")
    return "\n".join([f"{len(failed)} means of deterministic scores disagree:", *lines])
