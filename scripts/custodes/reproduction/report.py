"""Write the reproduction report: every claim of the paper against the tables, as CSV and as one page."""

import base64
import csv
from pathlib import Path

from custodes.reproduction import claim_rows, claims
from custodes.reproduction.full_grid import full_grid
from custodes.reproduction.published_means import NOT_HERE
from custodes.tables.files import read_frame, replacing

CONFLICTS = {
    "itself": "With itself",
    "code": "With its code",
    "stored": "With the means stored with its code",
}


def render(path_to_template, **context):
    """The page; a name that the template misses is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    path = Path(path_to_template)
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["figure_label"] = figure_label
    return environment.get_template(path.name).render(context)


def figure_label(name):
    """fig02 -> Fig. 2; other names in words."""
    number = name.removeprefix("fig")
    return f"Fig. {int(number)}" if number.isdigit() else name.replace("_", " ").capitalize()


def report_reproduction(
    path_to_claims,
    paths_to_tables,
    paths_to_verdicts,
    path_to_published,
    paths_to_summary,
    paths_to_paper_tables,
    figures,
    study,
    path_to_template,
    path_to_csv,
    path_to_page,
):
    """Assess the claims, and write both files.

    Args:
        path_to_claims: the claims.
        paths_to_tables: result tables of all protocols.
        paths_to_verdicts: tables of verdicts on the properties; empty where nothing is judged.
        path_to_published: the published means.
        paths_to_summary: summary of the comparison with them; empty where there is none.
        paths_to_paper_tables: the paper's tables beside ours, as pieces of HTML.
        figures: a dictionary for each figure: name, title, and paths (protocol -> PNG).
        study: what was run: protocols, seeds, first_seed, thin.
        path_to_template: the page without its content.
        path_to_csv: one row for each claim.
        path_to_page: HTML that needs no other file.
    """
    import pandas as pd

    content = claims.read(path_to_claims)
    judged = [pd.read_csv(path) for path in paths_to_verdicts]
    verdicts = map(claim_rows.verdict_table, judged)
    table = pd.concat([read_frame(paths_to_tables), *verdicts], ignore_index=True)
    rows = claim_rows.assessed(
        content,
        {protocol: table[table["protocol"] == protocol] for protocol in study["protocols"]},
        {protocol: claim_rows.grid_tables(full_grid(protocol), judged) for protocol in study["protocols"]},
        claim_rows.as_table(pd.read_csv(path_to_published)),
    )
    page = render(
        path_to_template,
        study=study,
        conventions=content["conventions"],
        sections={
            heading: [row for row in rows if row["section"] == section]
            for section, heading in content["sections"].items()
        },
        rows=rows,
        counts=claim_rows.counts(rows, study["protocols"]),
        conflicts={
            heading: [row for row in rows if kind in row["conflict"]] for kind, heading in CONFLICTS.items()
        },
        summary=[record for path in paths_to_summary for record in _compared(path)],
        paper_tables=[Path(path).read_text(encoding="utf-8") for path in paths_to_paper_tables],
        figures=[_illustrated(figure, rows) for figure in figures],
    )
    with replacing(path_to_csv) as temporary:
        frame = pd.DataFrame([claim_rows.flat(row) for row in rows])
        frame.to_csv(temporary, index=False, lineterminator="\n")
    with replacing(path_to_page) as temporary:
        temporary.write_text(page, encoding="utf-8")
    print(frame["verdict"].value_counts().to_string())


def _compared(path):
    """Rows of the summary of a comparison that has compared something, with short numbers."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    return [
        record | {key: f"{float(record[key]):.2g}" for key in ("median", "largest") if record[key]}
        for record in records
        if record["cells"] != record[NOT_HERE]
    ]


def _illustrated(figure, rows):
    """A figure with its pictures as base64 text, and the claims that it shows."""
    return figure | {
        "images": {
            source: base64.b64encode(Path(path).read_bytes()).decode("ascii")
            for source, path in figure["paths"].items()
        },
        "claims": [row["id"] for row in rows if figure["name"] in row["figures"]],
    }
