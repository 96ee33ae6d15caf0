"""Sample the factors of one experiment and factor distribution: every grid point, every seed."""

from custodes import registry, streams
from custodes.tables.columns import prefixed
from custodes.tables.draws import write_draws


def sample_factors(points, seeds, path_to_factors):
    """Write one draw for each of `points` (factor labels of the grid) and `seeds`."""
    labels, samples = [], []
    for point in points:
        module = registry.load("dgps", point["dgp"])
        for seed in seeds:
            parameters = prefixed(point, "dgp_")
            samples.append(module.sample(streams.factors(seed), point["n"], point["d"], **parameters))
            labels.append(point | {"seed": seed})
    write_draws(path_to_factors, "z", labels, samples)


if __name__ == "__main__":
    sample_factors(
        points=snakemake.params.points,
        seeds=snakemake.params.seeds,
        path_to_factors=snakemake.output.factors,
    )
