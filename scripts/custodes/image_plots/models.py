"""What figures of trained models share: their names in writing, their settings, and the small print."""

import math

from custodes.drawing import panels, style
from custodes.tables.trainings import RUN

SMALL_PRINT = 0.039  # inches a letter


def data_set(table):
    """Data set and source of a table in writing: "dSprites (rendered)"; ValueError unless it is one."""
    found = sorted(set(zip(table["dataset"], table["source"], strict=True)))
    if len(found) != 1:
        raise ValueError(f"a figure is of one data set from one source, got {found}")
    return described_data(dict(zip(("dataset", "source"), found[0], strict=True)))


def described_data(labels):
    """Data set and source of one model in writing."""
    return f"{style.value_label('dataset', labels['dataset'])} ({labels['source']})"


def described(labels):
    """Class, hyperparameters (or the number of the setting) and restart of one model in writing."""
    own = {name: labels[name] for name in labels if name.startswith("model_") and _is_set(labels[name])}
    values = [style.value_label(name, value) for name, value in own.items()]
    return ", ".join(
        [
            style.value_label("model", labels["model"]),
            *(values or [f"setting {labels['setting']}"]),
            f"restart {labels['restart']}",
        ]
    )


def _is_set(value):
    return value is not None and not math.isnan(value)


def settings(table):
    """Settings of one class of models in order: numbers, how each is written, and the label of their axis.

    Written are the hyperparameters that differ between them, or all of a single setting; the numbers of the
    settings where there are none.
    """
    rows = table.drop_duplicates("setting").sort_values("setting")
    fewest = min(2, len(rows))
    swept = [name for name in rows if name.startswith("model_") and rows[name].nunique() >= fewest]
    numbers = rows["setting"].tolist()
    if not swept:
        return numbers, [str(number) for number in numbers], "setting"
    # One number where two hyperparameters are tied.
    written = [
        "\n".join(dict.fromkeys(f"{value:g}" for value in values)) for values in rows[swept].to_numpy()
    ]
    return numbers, written, ", ".join(_symbol(name) for name in swept)


def _symbol(name):
    return f"${style.COLUMNS[name][1]}$" if name in style.COLUMNS else style.axis_label(name)


def restarts(table):
    """How many restarts the settings of a table have, and their seeds, in writing."""
    counts = table.drop_duplicates(list(RUN)).groupby(["model", "setting"]).size()
    low, high = counts.min(), counts.max()
    seeds = sorted(set(table["restart"]))
    if len(seeds) > 2 and seeds == list(range(seeds[0], seeds[-1] + 1)):
        which = f"{seeds[0]} to {seeds[-1]}"
    else:
        which = ", ".join(map(str, seeds))
    number = f"{low}" if low == high else f"{low} to {high}"
    plural = "s" if high > 1 else ""
    return f"{number} restart{plural} a setting (seed{plural} {which})"


def images(table):
    """How many images the codes of a table are of, in writing."""
    low, high = int(table["n"].min()), int(table["n"].max())
    return f"n = {low:,} images" if low == high else f"n = {low:,} to {high:,} images"


def undefined(title, reason):
    """A figure that says why there is none."""
    import matplotlib

    with matplotlib.rc_context(style.PARAMETERS):
        figure = panels.sheet("one", 1.2)
        axes = figure.add_subplot()
        axes.set_axis_off()
        panels.blank(axes, panels.wrapped(str(reason), 60))
        figure.suptitle(title, fontsize=7.5)
    return figure


def headed_legend(figure, handles, title):
    """The legend above the panels under a title: constrained layout draws a suptitle over it."""
    panels.legend(figure, handles, whole=True)
    figure.set_figheight(figure.get_figheight() + panels.LEGEND_LINE)
    figure.legends[0].set_title(title, prop={"size": style.PARAMETERS["axes.titlesize"]})


def note(figure, *parts):
    """Small print in the lower right corner, in as many lines as it needs; empty parts are left out."""
    width = int(figure.get_figwidth() / SMALL_PRINT)
    text = panels.wrapped("; ".join(part for part in parts if part), width)
    figure.supxlabel(text, x=0.995, ha="right", fontsize=5.5, color=panels.NOTE_COLOUR)


def quiet_codes(codes, kl, informative_kl):
    """Which of `codes` diverge at most `informative_kl` nats from the prior, by kl (m,), in writing."""
    if kl is None:
        return "divergence of the codes from the prior not known"
    quiet = [code for code in codes if kl[code] <= informative_kl]
    return f"KL at most {informative_kl:g} nats: {', '.join(map(code_name, quiet)) or 'no code'}"


def code_name(code):
    """Z with the number of the code."""
    return f"$z_{{{code}}}$"
