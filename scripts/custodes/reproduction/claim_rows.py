"""Assessed claims as text: what the reproduction report shows, as rows for its page and for its CSV file."""

import math

from custodes.judging import verdicts
from custodes.reproduction import claims
from custodes.reproduction.measures import measured
from custodes.tables.columns import INFEASIBLE, LABELS, OK, UNDEFINED
from custodes.tables.summaries import t_factor

VERDICTS = "verdicts"  # the verdicts on the properties, as an experiment


def assessed(content, frames, grids, stored):
    """The claims and what became of them, as text, in the order of the file.

    Args:
        content: the checked file of claims.
        frames: protocol -> DataFrame of its result tables.
        grids: protocol -> the cells of the full study, see `grid_tables`.
        stored: DataFrame of `as_table`, the means stored with the paper's code.

    Returns:
        One dictionary for each claim: its texts, `measures` (label, expected, stored, and numbers and
        verdicts by protocol), `verdicts` by protocol, `verdict`, `reasons`: pairs (protocols, text) of the
        explanations that hold, and `is_commented`: whether the row says something about a difference.
    """
    return [_row(claim, frames, grids, stored) for claim in content["claims"]]


def as_table(published):
    """The published means (workflow/resources/published_cell_means.csv) as a result table."""
    seeds = published["seeds"]
    # The interval is mean +- t std / sqrt(seeds); without one all seeds gave the same number.
    half_width = ((published["ci_high"] - published["ci_low"]) / 2).where(published["ci_low"].notna(), 0.0)
    infeasible = published["dgp_rho"] * (published["d"] - 1) < -1 - 1e-9
    defined = published["mean"].notna()
    return published.assign(
        std=(half_width * seeds**0.5 / t_factor(seeds)).where(defined),
        undefined=seeds.mask(defined, 0),
        status=defined.map({True: OK, False: UNDEFINED}).mask(infeasible, INFEASIBLE),
    )


def verdict_table(judged):
    """Verdicts on the properties (tables/verdicts.csv) that the paper gives too, as an experiment "verdicts".

    same_verdict: 1 where ours is the paper's, else 0; satisfied: 1 where ours is "ok", else 0. What is not
    judged or undecided is left out, as a cell that was not computed.
    """
    judged = judged[judged["paper"].notna()]
    given = ~judged["verdict"].isin([verdicts.NOT_JUDGED, verdicts.UNDECIDED])
    return judged.loc[given, ["protocol", "score", "property"]].assign(
        experiment=VERDICTS,
        status=OK,
        same_verdict=(judged["verdict"] == judged["paper"]).astype(float),
        satisfied=(judged["verdict"] == verdicts.OK).astype(float),
    )


def grid_tables(cells, judged):
    """Experiment -> DataFrame of all cells of the full study; what is not there in a table was not computed.

    cells: experiment -> its cells. judged: the tables of verdicts, for the properties that there are.
    """
    import pandas as pd

    properties = sorted({name for table in judged for name in table["property"]})
    return {
        experiment: pd.DataFrame([{key: cell[key] for key in cell if key in LABELS} for cell in found])
        for experiment, found in cells.items()
    } | {VERDICTS: pd.DataFrame({"property": properties})}


def flat(row):
    """A row of `assessed` for the CSV file; the numbers of several measures are separated by semicolons."""
    return {
        **{key: row[key] for key in ("id", "section", "claim", "where", "paper")},
        "expected": _joined(row, [measure["expected"] for measure in row["measures"]]),
        **{
            protocol: _joined(row, [measure["numbers"][protocol] for measure in row["measures"]])
            for protocol in row["verdicts"]
        },
        "stored_with_the_paper": _joined(row, [measure["stored"] for measure in row["measures"]]),
        "verdict": row["verdict"],
        **{f"verdict_{protocol}": verdict for protocol, verdict in row["verdicts"].items()},
        "figure": " ".join(row["figures"]),
        "conflict": " ".join(row["conflict"]),
        "note": row["note"],
        "explanation": " ".join(f"{', '.join(protocols)}: {reason}" for protocols, reason in row["reasons"]),
        "not_measured": row["not_measured"],
    }


def counts(rows, protocols):
    """Verdict -> {"claims": how many have it over all protocols, and the same for each protocol}."""
    return {
        verdict: {"claims": sum(row["verdict"] == verdict for row in rows)}
        | {protocol: sum(row["verdicts"][protocol] == verdict for row in rows) for protocol in protocols}
        for verdict in claims.VERDICTS
    }


def _row(claim, frames, grids, stored):
    found = claims.assess(claim, frames, grids)
    measures = [
        {
            "label": measure["label"],
            "expected": _expectation(measure["expect"]),
            "numbers": {protocol: _text(number) for protocol, (number, _) in outcome.items()},
            "verdicts": {protocol: verdict for protocol, (_, verdict) in outcome.items()},
            "stored": _stored(measure, stored),
        }
        for measure, outcome in zip(claim.get("measures", []), found, strict=True)
    ]
    by_protocol = {
        protocol: claims.of_measures(measure["verdicts"][protocol] for measure in measures)
        for protocol in frames
    }
    figures = claim.get("figure", [])
    reasons = _reasons(claim.get("explanation", {}), measures)
    return {
        **{key: claim[key] for key in ("id", "section", "claim", "where", "paper")},
        **{key: claim.get(key, "") for key in ("note", "not_measured")},
        "conflict": claim.get("conflict", []),
        "figures": [figures] if isinstance(figures, str) else figures,
        "measures": measures,
        "verdicts": by_protocol,
        "verdict": claims.of_protocols(by_protocol.values()),
        "reasons": reasons,
        "is_commented": bool(reasons or claim.get("note")),
    }


def _reasons(explanation, measures):
    """The explanations that some measure needed, with the protocols that share one."""
    protocols_of = {}
    for protocol, reason in explanation.items():
        if any(measure["verdicts"].get(protocol) == claims.EXPLAINED for measure in measures):
            protocols_of.setdefault(reason, []).append(protocol)
    return [(protocols, reason) for reason, protocols in protocols_of.items()]


def _stored(measure, stored):
    number = measured(measure, stored)
    return "" if "closed_form" in measure or number.missing else _text(number)


def _text(number):
    if number.missing:
        return f"{claims.NOT_COMPUTED} ({number.missing})"
    notes = [
        f"{count} of {number.cells} cells {what}"
        for count, what in ((number.absent, claims.NOT_COMPUTED), (number.undefined, "undefined"))
        # Of a number that is known these cells do not matter.
        if count and number.value is None and not number.is_undefined
    ]
    if number.samples:
        notes.append(f"n = {', '.join(map(str, number.samples))}")
    return _between(number) + (f" ({'; '.join(notes)})" if notes else "")


def _between(number):
    """A number as far as it is known."""
    if number.is_undefined:
        return "undefined"
    ends = [end for end in (number.low, number.high) if math.isfinite(end)]
    if not ends:
        return claims.NOT_COMPUTED
    if len(ends) == 2:
        return " to ".join(map(_decimal, dict.fromkeys(ends)))
    return f"{'at least' if ends[0] == number.low else 'at most'} {_decimal(ends[0])}"


def _decimal(value):
    """Three decimals, no negative zero; counts (n, m, d) have none."""
    return f"{value:.0f}" if value >= 2 and value == int(value) else f"{round(value, 3) + 0.0:.3f}"


def _expectation(expectation):
    if "about" in expectation:
        return f"{expectation['about']:g} ± {expectation['within']:g}"
    if len(expectation) == 2:
        return f"{expectation['at_least']:g} to {expectation['at_most']:g}"
    words = {"at_least": "at least", "at_most": "at most"}
    return " ".join(f"{words[key]} {bound:g}" for key, bound in expectation.items())


def _joined(row, texts):
    labelled = zip((measure["label"] for measure in row["measures"]), texts, strict=True)
    return "; ".join(f"{label}: {text}" for label, text in labelled if text)
