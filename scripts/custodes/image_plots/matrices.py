"""Which code follows which factor: matrices of one model, and the codes of all models as points."""

import numpy as np

from custodes.drawing import marks, panels, style
from custodes.image_plots import models
from custodes.tables.trainings import RUN

ROW_HEIGHT = 0.2  # inches
# Name, what the colours are, and what the number beside a code is, by kind of matrix.
KINDS = {
    "robustness": ("IRS", "IRS of a code and a factor", "largest of its row"),
    "importance": (
        "Feature importance",
        "share in the forest of a factor",
        "1 \N{MINUS SIGN} entropy of its row",
    ),
    "information": ("Mutual information", "nats", "modularity"),
}


def irs_matrices(found, codes, factors, labels, *, leaf, kl=None, informative_kl=0.01):
    """Draw one matrix (codes, factors) for each kind of correspondence, with the scores of the codes.

    found: {kind of KINDS: analysis.associations.Correspondence}. codes: indices of those that are drawn.
    factors: names. labels: of the model, with n. leaf: fewest rows of a leaf of the forests. kl (m,):
    divergence of each code from the prior in nats, or None. The largest entry of a row has a frame.
    """
    import matplotlib

    with matplotlib.rc_context(style.PARAMETERS):
        figure = panels.sheet("two", 1.75 + ROW_HEIGHT * len(codes))
        for axes, (kind, correspondence) in zip(figure.subplots(1, len(found)), found.items(), strict=True):
            _draw_matrix(figure, axes, kind, correspondence, codes, factors)
        figure.suptitle(f"{models.described_data(labels)}: {models.described(labels)}", fontsize=7.5)
        models.note(
            figure,
            f"n = {labels['n']:,} images",
            "beside each code its score and, in brackets, that of its permuted values",
            f"forests of 50 trees, leaves of {leaf} or more images",
            "information: 20 bins of equal width (the score Modularity has the bins on ranks)",
            models.quiet_codes(codes, kl, informative_kl),
            f"the {len(codes)} most informative of {labels['m']} codes" if len(codes) < labels["m"] else "",
        )
    return figure


def _draw_matrix(figure, axes, kind, found, codes, factors):
    name, unit, score = KINDS[kind]
    matrix = found.matrix[codes]
    low, high = min(0.0, matrix.min()), 1.0 if kind == "robustness" else matrix.max()
    image = axes.imshow(matrix, "viridis", aspect="auto", vmin=low, vmax=high or 1.0)
    for row, column in np.ndindex(matrix.shape):
        number = matrix[row, column]
        colour = marks.ink(image.cmap(image.norm(number)))
        text = marks.two_decimals(number)
        axes.text(column, row, text, color=colour, fontsize=5.5, ha="center", va="center")
        if number > 0 and column == matrix[row].argmax():
            axes.add_patch(_frame(column, row, colour))
    axes.set_xticks(range(len(factors)), factors, rotation=90)
    rows = [(models.code_name(code), *_pair(found.scores[code], found.null[code])) for code in codes]
    axes.set_yticks(range(len(codes)), [f"{code}  {own} ({null})" for code, own, null in rows])
    marks.seams(axes, len(factors), len(codes))
    mean, null = _pair(found.mean(found.scores), found.mean(found.null))
    axes.set_title(f"{name}\nscore of a code: {score}\nmean {mean} (permuted {null})", fontsize=6, pad=4)
    colourbar = figure.colorbar(image, ax=axes, location="bottom", aspect=30, pad=0.02, label=unit)
    colourbar.outline.set_linewidth(0.4)


def _pair(one, two):
    return marks.two_decimals(one), marks.two_decimals(two)


def _frame(column, row, colour):
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.44, row - 0.42), 0.88, 0.84, fill=False, edgecolor=colour, linewidth=0.9)


def mi_against_irs(table, *, informative_kl=0.01):
    """Draw each code of each model at its modularity and its IRS.

    table: one row per code, with dataset, source, model, setting, restart, n, kl (nats, null where not
    known), modularity, irs and irs_null, that of its permuted values. Codes of little divergence from the
    prior are hollow.
    """
    import matplotlib
    from matplotlib.lines import Line2D

    classes = style.ordered("model", table["model"])
    quiet = table["kl"] <= informative_kl
    with matplotlib.rc_context(style.PARAMETERS):
        figure = panels.sheet("one", 3.1)
        axes, handles = figure.subplots(), []
        for name, look in zip(classes, style.looks("model", classes), strict=True):
            dot = {"linestyle": "none", "color": look.colour, "marker": look.marker, "markeredgewidth": 0.6}
            for hollow in (True, False):
                own = table[(table["model"] == name) & (quiet == hollow)]
                if len(own):
                    face = {"markerfacecolor": "none" if hollow else look.colour}
                    axes.plot(own["modularity"], own["irs"], alpha=0.8, **dot | face)
            handles.append(Line2D([], [], label=look.label, **dot))
        null = table["irs_null"].mean()
        label = f"mean IRS of permuted codes: {marks.two_decimals(null)}"
        handles.append(axes.axhline(null, color="black", linewidth=0.8, dashes=(3, 2), label=label))
        if quiet.any():
            look = {"marker": "o", "color": "black", "markerfacecolor": "none", "markeredgewidth": 0.6}
            label = f"hollow: KL at most {informative_kl:g} nats"
            handles.append(Line2D([], [], linestyle="none", label=label, **look))
        low = min(0.0, table["irs"].min())
        axes.set(xlim=(-0.03, 1.03), ylim=(low - 0.03, 1.03))
        axes.set(xlabel="modularity of the code (of its mutual information)", ylabel="IRS of the code")
        axes.set_title(models.data_set(table))
        panels.legend(figure, handles, whole=True)
        count = len(table.drop_duplicates(list(RUN)))
        count = f"{len(table)} codes of {count} model{'s' if count > 1 else ''}"
        models.note(figure, count, models.images(table), models.restarts(table))
    return figure
