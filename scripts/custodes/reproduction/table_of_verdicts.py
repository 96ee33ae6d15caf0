"""Tab. 3: the verdicts of this study beside the paper's."""

from custodes.judging import verdicts, wording
from custodes.reproduction import html_table
from custodes.tables.files import replacing

CAPTION = "Table 3. Which score has which property: the paper's verdict, and ours under each protocol."
SIGNS = {verdicts.OK: "✓", verdicts.PARTLY: "~", verdicts.VIOLATED: "✗", verdicts.UNDECIDED: "?"}
NO_VERDICT = "none"  # where the paper gives none


def tabulate_verdicts(paths_to_verdicts, rule, path_to_template, path_to_csv, path_to_html):
    """Write the table. paths_to_verdicts: protocol -> table of verdicts. rule: see `properties.load`."""
    import pandas as pd

    frames = {
        protocol: pd.read_csv(path, dtype=str, keep_default_na=False)
        for protocol, path in paths_to_verdicts.items()
    }
    rows = pd.concat(frames.values(), ignore_index=True)
    with replacing(path_to_csv) as temporary:
        wide(rows, list(frames)).to_csv(temporary, index=False)
    html_table.write(
        path_to_html,
        path_to_template,
        name="table_3",
        caption=CAPTION,
        head=_head(rule["properties"], list(frames)),
        rows=[_row(score, entries, list(frames)) for score, entries in rows.groupby("score", sort=False)],
        notes=_notes(rule, rows),
    )


def wide(rows, protocols):
    """One row per score: the paper's verdict on every property, then ours with its numbers per protocol."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"score": score}
            | {
                column: value
                for name, entry in entries.groupby("property", sort=False)
                for column, value in _columns(name, entry.set_index("protocol"), protocols)
            }
            for score, entries in rows.groupby("score", sort=False)
        ]
    )


def _columns(name, entry, protocols):
    yield f"{name} paper", entry["paper"].iloc[0] or NO_VERDICT
    for protocol in protocols:
        yield f"{name} {protocol}", entry.at[protocol, "verdict"]
        for column in ("statistic", "ci_low", "ci_high", "worst_case"):
            yield f"{name} {protocol} {column}", entry.at[protocol, column]


def _head(properties, protocols):
    first = [html_table.Heading("score", rows=2)]
    first += [html_table.Heading(name, columns=1 + len(protocols)) for name in properties]
    return [first, [html_table.Heading(source) for _ in properties for source in ("paper", *protocols)]]


def _row(score, entries, protocols):
    cells = [html_table.Cell(wording.score_label(score))]
    for _, group in entries.groupby("property", sort=False):
        by_protocol = group.set_index("protocol")
        cells.append(_cell(by_protocol["paper"].iloc[0] or NO_VERDICT))
        for protocol in protocols:
            entry = by_protocol.loc[protocol]
            cells.append(_cell(entry["verdict"], _detail(entry), entry["worst_case"]))
    return cells


def _cell(verdict, detail="", worst_case=""):
    look = verdict if verdict in SIGNS else ""
    return html_table.Cell(verdict, detail, SIGNS.get(verdict, ""), look, worst_case)


def _detail(entry):
    """Statistic and margin, of a row whose numbers are text and empty where there is none."""
    numbers = {key: float(entry[key]) if entry[key] else None for key in ("statistic", "ci_low", "ci_high")}
    return "" if numbers["statistic"] is None else wording.with_margin(numbers, over="")


def _notes(rule, rows):
    titles = tuple(
        f"{name}: {given['title']} Up to {given['thresholds']['ok']:g} is ok, "
        f"up to {given['thresholds']['partly']:g} partly."
        for name, given in rule["properties"].items()
    )
    differ = rows[rows["explanation"] != ""]
    explained = tuple(
        f"{wording.score_label(row.score)}, {row.property}, {row.protocol}: {row.explanation}"
        for row in differ.itertuples()
    )
    worst = tuple(
        f"{wording.score_label(row.score)}, {row.property}, {row.protocol}: {row.verdict}; {row.worst_case}."
        for row in rows[rows["worst_case"] != ""].itertuples()
    )
    return [
        html_table.Note(
            "Numbers are the worst difference that should be zero, and its "
            f"{rule['margin']['coverage']:.0%} margin over the seeds. A verdict is given where both ends of "
            "the margin have it; otherwise these seeds leave it undecided.",
            titles,
        ),
        html_table.Note("Where the worst difference is:", worst),
        html_table.Note(
            "Where a verdict is not the paper's:" if explained else "No verdict differs from the paper's.",
            explained,
        ),
    ]
