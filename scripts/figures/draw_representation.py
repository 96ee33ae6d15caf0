"""Draw what the codes of one representation do with the factors: matrices, effects, violins."""

from pathlib import Path

from custodes.image_plots.representation_figures import draw_representation

if __name__ == "__main__":
    draw_representation(
        folder=Path(snakemake.input.prepared[0]).parent,
        path_to_codes=snakemake.input.codes,
        informative_kl=snakemake.params.informative_kl,
        permutations=snakemake.params.permutations,
        seed=snakemake.params.seed,
        paths_to_figures=dict(snakemake.output.items()),
    )
