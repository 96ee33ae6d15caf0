"""The axis of a sweep: its scale, and the marks that belong to places on it."""

import numpy as np

from custodes.drawing import marks, selection


def mark(axes, cells, x):
    """Mark m = d_eff, and the part of the axis where no cell is feasible; return the handles."""
    handles = []
    if x in ("m", "m_over_d"):
        at = set(cells["d_eff"] / (cells["d"] if x == "m_over_d" else 1))
        if len(at) == 1 and cells[x].min() <= min(at) <= cells[x].max():
            handles.append(
                axes.axvline(
                    min(at),
                    color="#444444",
                    linewidth=0.8,
                    dashes=(4, 2.5),
                    zorder=0.5,
                    label=r"$m = d_{\mathrm{eff}}$",
                )
            )
    impossible = cells[selection.infeasible(cells)][x]
    possible = cells[~selection.infeasible(cells)][x]
    for start, stop in _spans(sorted(set(impossible) - set(possible)), sorted(set(cells[x]))):
        patch = marks.hatched(
            "infeasible", start, 0, stop - start, 1, transform=axes.get_xaxis_transform(), zorder=0
        )
        handles.append(axes.add_patch(patch))
    return handles


def _spans(points, ticks):
    """Intervals that cover `points`, each reaching half-way to the neighbouring `ticks`."""
    spans = []
    for point in points:
        place = ticks.index(point)
        start = (point + ticks[max(place - 1, 0)]) / 2
        stop = (point + ticks[min(place + 1, len(ticks) - 1)]) / 2
        if spans and spans[-1][1] == start:
            start = spans.pop()[0]
        spans.append((start, stop))
    return spans


def set_scale(axes, x_scale, values):
    """Set the scale of the axis and its ticks; a logarithmic one has small ticks at the swept `values`.

    x_scale: "linear", "log", or "symlog" where 0 belongs to the sweep.
    """
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator

    if x_scale == "linear":
        whole = values.dtype.kind == "i"
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=(1, 2, 5, 10), integer=whole))
        return
    if x_scale == "log":
        axes.set_xscale("log")
        wide = values.max() > 25 * values.min()
        axes.xaxis.set_major_locator(LogLocator(subs=(1,) if wide else (1, 2, 5)))
    else:
        smallest = values[values != 0].abs().min()
        axes.set_xscale("symlog", linthresh=smallest, linscale=0.4)
        exponents = np.arange(np.ceil(np.log10(smallest)), np.log10(values.abs().max()) + 0.01)
        ticks = np.concatenate([-(10.0**exponents), [0], 10.0**exponents])
        axes.set_xticks(ticks[(ticks >= values.min()) & (ticks <= values.max())])
    axes.xaxis.set_minor_locator(FixedLocator(sorted(set(values))))
    axes.xaxis.set_minor_formatter("")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
