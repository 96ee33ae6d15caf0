"""The one table of labels, colours, markers and order for everything that a figure names.

Importable without matplotlib, because figure options are checked against it when a study is parsed.
A name that is not listed (a metric, encoder or distribution of one's own) gets a label made from its
name, the next free look, and a place after the listed ones.
"""

from itertools import cycle
from typing import NamedTuple

# Okabe-Ito, which keeps its hues apart under every common colour blindness.
BLUE, SKY, GREEN, ORANGE = "#0072B2", "#56B4E9", "#009E73", "#E69F00"
VERMILION, PURPLE, YELLOW, BLACK, GREY = "#D55E00", "#CC79A7", "#F0E442", "#000000", "#777777"

# Dash patterns in line widths; with the markers they keep lines apart in grey print.
SOLID, DASHED, DOTTED = (None, None), (4, 1.6), (1, 1.2)
DASH_DOT, LONG, DASH_DOT_DOT = (5, 1.4, 1, 1.4), (7, 2), (5, 1.2, 1, 1.2, 1, 1.2)
# Where dashes alone tell lines apart, by order.
DASHES = (SOLID, (1.6, 1.1), (4, 1.2, 1, 1.2), (0.8, 1.8), LONG, DASH_DOT_DOT)


class Look(NamedTuple):
    """How one name is written and drawn: in full, in short, and as a line."""

    label: str
    short: str
    colour: str
    marker: str
    dashes: tuple


def _score(label, colour, marker, dashes):
    return Look(label, label, colour, marker, dashes)


SCORES = {
    "mcc_pearson": _score("MCC-P", BLUE, "o", SOLID),
    "mcc_spearman": _score("MCC-S", SKY, "s", DASHED),
    "r2": _score("$R^2$", VERMILION, "^", DASH_DOT),
    "dci_disentanglement": _score("DCI-D", GREEN, "D", LONG),
    "mcc_rdc": _score("MCC-RDC", GREY, "P", DOTTED),
    "mig": _score("MIG", ORANGE, "v", SOLID),
    "infom": _score("InfoM", PURPLE, "X", DASHED),
    "infoe": _score("InfoE", PURPLE, "<", DOTTED),
    "infoc": _score("InfoC", PURPLE, ">", DASH_DOT),
    "tmex": _score("T-MEX", BLACK, "*", LONG),
    "dci_completeness": _score("DCI-C", GREEN, "d", DASHED),
    "dci_informativeness": _score("DCI-I", GREEN, "p", DOTTED),
    "r2_nonlinear": _score("$R^2$ nonlinear", VERMILION, "h", DOTTED),
    "mcc_pearson_coverage": _score("MCC-P coverage", BLUE, "p", DASHED),
    "mcc_pearson_crossfit": _score("MCC-P cross-fit", BLUE, "X", DOTTED),
    "mcc_spearman_coverage": _score("MCC-S coverage", SKY, "p", DASH_DOT),
    "mcc_spearman_crossfit": _score("MCC-S cross-fit", SKY, "X", DOTTED),
    "mcc_rdc_coverage": _score("MCC-RDC coverage", GREY, "p", DASHED),
    "dci_disentanglement_unweighted": _score("DCI-D unweighted", GREEN, "h", DASH_DOT),
    "dci_completeness_unweighted": _score("DCI-C unweighted", GREEN, "H", DASH_DOT_DOT),
    "tmex_errors": _score("T-MEX errors", BLACK, "h", DOTTED),
    "tmex_precision": _score("T-MEX precision", BLACK, "<", DASHED),
    "tmex_recall": _score("T-MEX recall", BLACK, ">", DASH_DOT),
    "sap": _score("SAP", ORANGE, "H", DASHED),
    "modularity": _score("Modularity", ORANGE, "<", DASH_DOT),
    "explicitness": _score("Explicitness", ORANGE, ">", DOTTED),
    "beta_vae_score": _score("\N{GREEK SMALL LETTER BETA}-VAE score", SKY, "d", DASH_DOT_DOT),
    "factor_vae_score": _score("FactorVAE score", SKY, "h", LONG),
    "irs": _score("IRS", PURPLE, "p", SOLID),
    "udr_lasso": _score("UDR Lasso", YELLOW, "o", SOLID),
    "udr_spearman": _score("UDR Spearman", YELLOW, "s", DASHED),
    "focus": _score("FOCUS", BLACK, "H", SOLID),
    "focus_purity": _score("FOCUS purity", BLACK, "s", DASH_DOT),
    "focus_recovery": _score("FOCUS recovery", BLACK, "^", DASHED),
}
# Those of the paper's main text, those of its full suite, and the candidate beside both.
MAIN = *tuple(SCORES)[:4], "focus"
FULL = *tuple(SCORES)[:12], "focus"
UNSUPERVISED = ("udr_lasso", "udr_spearman")
# What UDR is compared with on images: first the four of its paper, then their neighbours.
SUPERVISED = (
    *("beta_vae_score", "factor_vae_score", "mig", "dci_disentanglement", "dci_completeness"),
    *("dci_informativeness", "sap", "modularity", "explicitness", "irs", *MAIN[:3], "infom", "infoc"),
    "focus",
)


def _encoder(code, name, colour, marker, dashes):
    return Look(f"{code} {name}", code, colour, marker, dashes)


ENCODERS = {
    "elementwise_linear": _encoder("E1", "elementwise linear", BLUE, "o", SOLID),
    "elementwise_nonlinear": _encoder("E2", "elementwise nonlinear", SKY, "s", DASHED),
    "linearly_entangled": _encoder("E3", "entangled", VERMILION, "^", LONG),
    "undercomplete": _encoder("E4", "undercomplete", GREY, "v", DOTTED),
    "overcomplete_linear": _encoder("E5", "linear copies", GREEN, "D", SOLID),
    "overcomplete_multicode": _encoder("E6", "nonlinear copies", ORANGE, "X", DASH_DOT),
    "overcomplete_entangled": _encoder("E7", "entangled, $m > d$", VERMILION, "P", DASHED),
    "distributed": _encoder("E8", "distributed", PURPLE, "d", DASH_DOT_DOT),
    "null_gaussian": Look("E9 Gaussian null", "E9 Gauss.", BLACK, "*", SOLID),
    "null_uniform": Look("E9 uniform null", "E9 unif.", GREY, "p", DASHED),
    "noisy_linear": Look("noisy linear", "noisy", BLUE, "H", SOLID),
    "padded_linear": Look("linear and noise codes", "padded", GREEN, "H", DASHED),
    "partially_entangled": Look("partially entangled", "partial", ORANGE, "8", LONG),
    "random_mlp": Look("random MLP", "MLP", PURPLE, "8", DOTTED),
    "null_confounded": Look("dependent null", "null dep.", GREY, "8", SOLID),
    "null_repeated": Look("repeated null", "null rep.", BLACK, "H", DASH_DOT),
    "identity": Look("identity", "identity", BLACK, "<", LONG),
    "shuffled_rows": Look("shuffled rows", "shuffled", BLACK, ">", DOTTED),
    "constant": Look("constant", "constant", BLACK, "h", DASH_DOT),
}


def _dgp(subscript, name, colour, marker, dashes):
    symbol = rf"$\mathbf{{D}}_{{{subscript}}}$"
    return Look(f"{symbol} {name}", symbol, colour, marker, dashes)


DGPS = {
    "independent": _dgp(r"\perp", "independent", BLUE, "o", SOLID),
    "correlated": _dgp(r"\rho", "correlated", ORANGE, "s", DASHED),
    "single_constraint": _dgp("f", "one-factor constraint", GREEN, "^", DASH_DOT),
    "multi_constraint": _dgp("F", "multi-factor constraint", PURPLE, "D", LONG),
    "circuit": Look("circuit", "circuit", BLACK, "v", DOTTED),
    "heavy_tailed": Look("heavy-tailed", "heavy", VERMILION, "X", DASHED),
    "discrete": Look("discrete", "discrete", SKY, "P", LONG),
    "mixed": Look("mixed laws", "mixed", BLACK, "d", DASH_DOT),
    "repeated_rows": Look("repeated rows", "repeated", GREY, "<", SOLID),
}


def _model(label, colour, marker, dashes):
    return Look(label, label, colour, marker, dashes)


MODELS = {
    "vae": _model("VAE", BLACK, "*", SOLID),
    "beta_vae": _model("\N{GREEK SMALL LETTER BETA}-VAE", BLUE, "o", SOLID),
    "annealed_vae": _model("annealed VAE", SKY, "s", DASHED),
    "factor_vae": _model("FactorVAE", VERMILION, "^", LONG),
    "beta_tc_vae": _model("\N{GREEK SMALL LETTER BETA}-TCVAE", GREEN, "D", DASH_DOT),
    "dip_vae_i": _model("DIP-VAE-I", ORANGE, "v", DASHED),
    "dip_vae_ii": _model("DIP-VAE-II", PURPLE, "P", DOTTED),
}
DATASETS = {
    "dsprites": Look("dSprites", "dSprites", BLUE, "o", SOLID),
    "shapes3d": Look("3D Shapes", "3D Shapes", VERMILION, "^", DASHED),
}

NAMED = {"score": SCORES, "encoder": ENCODERS, "dgp": DGPS, "model": MODELS, "dataset": DATASETS}

# Columns that a figure may name: in words for an axis, and as a symbol for a value ("" for neither).
COLUMNS = {
    "score": ("score", ""),
    "metric": ("metric", ""),
    "encoder": ("encoder", ""),
    "dgp": ("distribution of the factors", ""),
    "experiment": ("experiment", ""),
    "protocol": ("protocol", ""),
    "group": ("", ""),  # its values say what they are
    "d": ("number of factors $d$", "d"),
    "d_eff": (r"effective number of factors $d_{\mathrm{eff}}$", r"d_{\mathrm{eff}}"),
    "m": ("number of codes $m$", "m"),
    "n": ("number of samples $n$", "n"),
    "m_over_d": ("codes per factor $m/d$", "m/d"),
    "m_over_n": ("codes per sample $m/n$", "m/n"),
    "d_over_n": ("factors per sample $d/n$", "d/n"),
    "null_floor": (r"predicted floor $\sqrt{2\,\log m\,/\,n}$", r"\sqrt{2\,\log m\,/\,n}"),
    "dgp_rho": (r"correlation of the factors $\rho$", r"\rho"),
    "dgp_coupling": ("strength of the constraint $a$", "a"),
    "dgp_constraints": ("number of constraints $r$", "r"),
    "dgp_function": ("constraint function", ""),
    "dgp_degrees_of_freedom": (r"degrees of freedom $\nu$", r"\nu"),
    "dgp_levels": ("levels of a factor $k$", "k"),
    "dgp_scale_ratio": ("ratio of the units $u$", "u"),
    "dgp_copies": ("copies of a row $c$", "c"),
    "encoder_alpha": (r"strength of the nonlinearity $\alpha$", r"\alpha"),
    "encoder_kappa": (r"condition number $\kappa$", r"\kappa"),
    "encoder_codes_per_factor": ("codes per factor $k$", "k"),
    "encoder_keep": ("factors kept", ""),
    "encoder_functions": ("functions", ""),
    "encoder_cross_factor": ("codes of two factors", ""),
    "encoder_noise": (r"noise of the codes $\sigma$", r"\sigma"),
    "encoder_epsilon": (r"entanglement $\varepsilon$", r"\varepsilon"),
    "encoder_layers": ("layers of the mixing $L$", "L"),
    "encoder_rho": (r"correlation of the codes $\rho$", r"\rho"),
    "dataset": ("data set", ""),
    "source": ("source", ""),
    "model": ("class of model", ""),
    "setting": ("setting", "H"),
    "restart": ("restart", "S"),
    "model_beta": (r"weight of the divergence $\beta$", r"\beta"),
    "model_gamma": (r"weight of the penalty $\gamma$", r"\gamma"),
    "model_c_max": (r"capacity in nats $C_{\mathrm{max}}$", r"C_{\mathrm{max}}"),
    "model_lambda_od": (r"weight off the diagonal $\lambda_{\mathrm{od}}$", r"\lambda_{\mathrm{od}}"),
    "model_lambda_d": (r"weight on the diagonal $\lambda_{\mathrm{d}}$", r"\lambda_{\mathrm{d}}"),
}
PROPERTIES = {"P1": "correlated factors", "P2": "dropped factors", "P3": "more codes", "P4": "null codes"}
# What a heat map may show: name of the quantity, and whether it lies in [0, 1].
STATISTICS = {
    "mean": ("mean score", True),
    "std": ("standard deviation over seeds", False),
    "null_mean": ("mean score of permuted codes", True),
    "null_q95": ("95 % quantile of permuted codes", True),
    "p_value": ("permutation $p$-value", True),
    "adjusted": ("score adjusted for chance", True),
}

_COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK, GREY)
_MARKERS = ("o", "^", "D", "s", "X", "v", "P", "d")
_STROKES = (SOLID, DASHED, DASH_DOT, LONG, DOTTED, DASH_DOT_DOT, SOLID, DASHED)
# Looks of what is not listed; each round pairs the colours with other markers and dashes.
_SPARE = tuple(
    (_COLOURS[place], _MARKERS[(place + turn) % 8], _STROKES[(place + 3 * turn) % 8])
    for turn in range(8)
    for place in range(8)
)

WIDTHS = {"one": 3.25, "two": 6.75}  # columns of the page, inches

# matplotlib settings for drawing and for saving; the fonts' and the hash's take effect when saving.
PARAMETERS = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.titlesize": 7.5,
    "axes.labelsize": 7,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "legend.fontsize": 6.8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.2,
    "hatch.linewidth": 0.5,
    "axes.formatter.useoffset": False,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "custodes",
    "savefig.dpi": 200,
}


def score_names(scores, computed=()):
    """Names that the option `scores` stands for: "main", "full" or a list of names.

    "full" also has every `computed` score that is not listed here, such as that of one's own metric.
    """
    if scores == "full":
        return *FULL, *sorted(set(computed) - set(SCORES))
    return MAIN if scores == "main" else tuple(scores)


def ordered(column, values):
    """Distinct `values` of a column in the order in which figures show them."""
    known = [name for name in NAMED.get(column, ()) if name in set(values)]
    return known + sorted(set(values) - set(known))


def looks(column, values):
    """One Look for each of the (ordered) `values` of a column, unlike those of the others."""
    listed = {value: NAMED[column][value] for value in values if value in NAMED.get(column, ())}
    print_taken = {(look.colour, look.marker) for look in listed.values()}
    grey_taken = {(look.marker, look.dashes) for look in listed.values()}
    spare = cycle(look for look in _SPARE if look[:2] not in print_taken and look[1:] not in grey_taken)
    found = []
    for value in values:
        text = value_label(column, value)
        found.append(listed[value] if value in listed else Look(text, text, *next(spare)))
    return found


def value_label(column, value, short=False):
    """A value of a column in writing: "E3 entangled", "E3" (short), "$d = 5$"; "" for no column."""
    if column is None:
        return ""
    look = NAMED.get(column, {}).get(value)
    if look is not None:
        return look.short if short else look.label
    symbol = COLUMNS.get(column, ("", ""))[1]
    if isinstance(value, str | bool):
        return str(value) if column == "group" else str(value).replace("_", " ")
    if short:
        return f"{value:g}".replace("-", "\N{MINUS SIGN}")
    return f"${symbol} = {value:g}$" if symbol else f"{axis_label(column)} = {value:g}"


def is_number(column):
    """Whether the values of a column are numbers (True for columns that are not listed)."""
    return column not in COLUMNS or bool(COLUMNS[column][1])


def axis_label(column):
    """A column in words, for an axis."""
    return COLUMNS[column][0] if column in COLUMNS else column.partition("_")[2].replace("_", " ")
