"""The grid of the full study, beside which a thinned one lacks cells."""

from custodes.registry import configured
from custodes.study import experiments, protocol_files


def full_grid(protocol):
    """{experiment: feasible cells} of all experiments that have a grid under a protocol, nothing thinned."""
    settings = protocol_files.read(protocol)
    files = {name: experiments.read(name) for name in configured("experiments")}
    return {
        name: [
            cell
            for cell in experiments.cells(
                name, experiment, protocol, protocol_files.merged(settings, name), None
            )
            if "infeasible" not in cell
        ]
        for name, experiment in files.items()
        if "grids" in experiment
    }
