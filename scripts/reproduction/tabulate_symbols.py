"""Tab. 1: the symbols, their meaning, and their ranges in the paper and in this study."""

from custodes.reproduction import html_table
from custodes.study import yaml_files

CAPTION = "Table 1. Symbols and ranges: as the paper prints them, and over the feasible cells of this study."


def tabulate_symbols(path_to_paper, path_to_template, ranges, path_to_csv, path_to_html):
    """Write the table. ranges: protocol -> column -> (least, greatest)."""
    import pandas as pd

    rows = [
        {"symbol": entry["symbol"], "meaning": entry["meaning"], "paper": entry["range"] or "not given"}
        | {protocol: _text(found.get(column)) for protocol, found in ranges.items()}
        for column, entry in yaml_files.read_yaml(path_to_paper)["symbols"].items()
    ]
    html_table.write_plain(
        pd.DataFrame(rows), path_to_csv, path_to_html, path_to_template, name="table_1", caption=CAPTION
    )


def _text(ends):
    if ends is None:
        return "not swept"
    least, greatest = ends
    return f"{least:.6g}" if least == greatest else f"{least:.6g} to {greatest:.6g}"


if __name__ == "__main__":
    tabulate_symbols(
        path_to_paper=snakemake.input.paper,
        path_to_template=snakemake.input.template,
        ranges=snakemake.params.ranges,
        path_to_csv=snakemake.output.csv,
        path_to_html=snakemake.output.html,
    )
