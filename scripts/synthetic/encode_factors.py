"""Apply one encoder to the factors of one experiment and distribution: every cell, every seed."""

from custodes import registry, streams
from custodes.tables.columns import cell_labels, factor_key, prefixed
from custodes.tables.draws import factors_by_label, write_draws


def encode_factors(path_to_factors, cells, seeds, seed_offset, path_to_codes):
    """Write one code for each of `cells` (all of one encoder) and `seeds`.

    seed_offset: the encoder of a seed draws from the stream `seed + seed_offset`.
    """
    factors = factors_by_label(path_to_factors)
    labels, codes = [], []
    for cell in cells:
        module = registry.load("encoders", cell["encoder"])
        parameters = prefixed(cell, "encoder_")
        if registry.takes("encoders", cell["encoder"], "redundant"):
            parameters["redundant"] = cell["redundant"]
        for seed in seeds:
            z = factors[factor_key(cell, seed)]
            codes.append(module.encode(z, streams.codes(seed, seed_offset), cell["m"], **parameters))
            labels.append(cell_labels(cell) | {"seed": seed})
    write_draws(path_to_codes, "z_hat", labels, codes)


if __name__ == "__main__":
    encode_factors(
        path_to_factors=snakemake.input.factors,
        cells=snakemake.params.cells,
        seeds=snakemake.params.seeds,
        seed_offset=snakemake.params.seed_offset,
        path_to_codes=snakemake.output.codes,
    )
