"""Verdicts in words: cells, findings and disagreements as plain sentences made from their numbers."""

from custodes.drawing import style
from custodes.judging import verdicts
from custodes.tables.columns import is_parameter

# Parameters with a symbol of their own; the others go by their names.
_SYMBOLS = {"dgp_constraints": "r", "encoder_codes_per_factor": "k", "dgp_coupling": "a"}
_SIZES = ("d", "m", "n")


def score_label(score):
    """A score as tables write it, without mathematical markup."""
    return style.value_label("score", score).replace("$R^2$", "R²")


def name(column, value):
    """A value of a column: E3, multi constraint, 0.5."""
    if column == "encoder":
        return style.value_label(column, value, short=True)
    return value.replace("_", " ") if isinstance(value, str) else f"{value:g}"


def cell_words(cell, without=()):
    """A cell (Series of labels) in words, but for the columns `without`."""
    parameters = [column for column in cell.index if is_parameter(column)]
    numbers = [
        f"{symbol(column)} = {cell[column]:g}"
        for column in (*_SIZES, *parameters)
        if column not in without and _is_number(cell[column])
    ]
    return f"{name('encoder', cell['encoder'])} on {name('dgp', cell['dgp'])} factors ({', '.join(numbers)})"


def symbol(column):
    """A column of numbers as a symbol in plain text: m, rho, kappa."""
    return _SYMBOLS.get(column, column.removeprefix("dgp_").removeprefix("encoder_"))


def number(value):
    """A score with two decimals and no negative zero."""
    return f"{round(float(value), 2) + 0.0:.2f}"


def with_margin(row, over=" over the seeds"):
    """A statistic and its margin: "0.48 (0.00 to 0.95 over the seeds)"; without an end where none is known.

    row: mapping with statistic, ci_low and ci_high; None where a number is not known.
    """
    low, high = row["ci_low"], row["ci_high"]
    if low is None:
        return number(row["statistic"])
    ends = f"at least {number(low)}" if high is None else f"{number(low)} to {number(high)}"
    return f"{number(row['statistic'])} ({ends}{over})"


def finding(statistic, score, at, against, over=None):
    """The worst difference in words: what the score is, and where.

    at, against: a cell (Series of labels) and the mean score there; against is None for no other cell.
    over: the column of a range.
    """
    cell, mean = at
    label, value = score_label(score), number(mean)
    if statistic == "range":
        ends = " and ".join(
            f"{number(there)} at {symbol(over)} = {name(over, end[over])}" for end, there in (at, against)
        )
        return f"{label} is {ends} under {cell_words(cell, without=[over])}"
    if statistic == "share":
        free = int(cell["d_eff"])
        kept = f"all {free}" if cell["m"] >= free else f"{cell['m']} of {free}"
        return f"{label} is {value} under {cell_words(cell)}, which keeps {kept} free factors"
    if statistic == "change":
        twin, matched = against
        like = f"{name('encoder', twin['encoder'])} (m = {twin['m']})"
        return f"{label} is {value} under {cell_words(cell)} and {number(matched)} under its like {like}"
    return f"{label} is {value} under {cell_words(cell)}, which knows nothing of them"


def explanation(row, parts):
    """Why a verdict is not the paper's, in one sentence; "" where they agree or the paper has none.

    row: mapping with the columns of the table of verdicts. parts: what `parts` divides it by.
    """
    paper, ours = row["paper"], row["verdict"]
    if not paper or paper == ours:
        return ""
    if ours == verdicts.NOT_JUDGED:
        why = "none of the cells is in this study" if not row["cells"] else "it is undefined in all cells"
        return f"The paper says {paper}; not judged here, because {why}."
    ok, partly = row["ok"], row["partly"]
    shown = {
        verdicts.OK: f"shown not to exceed the {ok:g} that counts as ok",
        verdicts.PARTLY: f"shown to exceed the {ok:g} of ok but not the {partly:g} of partly",
        verdicts.VIOLATED: f"shown to exceed the {partly:g} of partly",
        verdicts.UNDECIDED: f"not set apart by these seeds from the {ok:g} of ok or the {partly:g} of partly",
    }
    by_part = f"; by {style.axis_label(parts)}: {row['parts']}" if ", " in row["parts"] else ""
    undefined = f"; undefined in {row['undefined']} of {row['cells']} cells" if row["undefined"] else ""
    figure = f" ({row['figure']})" if row["figure"] else ""
    return (
        f"The paper says {paper}; here {row['worst_case']}{figure}, a difference of "
        f"{with_margin(row)}, {shown[ours]}{by_part}{undefined}."
    )


def _is_number(value):
    return not isinstance(value, str | bool | None) and value == value
