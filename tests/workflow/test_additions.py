"""One file adds a metric, distribution, encoder, plot, experiment, class of models or data set."""

from textwrap import dedent

import pandas as pd

FILES = {
    "scripts/custodes/metrics/best_match.py": '''
        """Mean over the factors of the largest correlation with a code."""

        import numpy as np

        from custodes.contracts import Metric

        METRIC = Metric(scores={"best_match": (0.0, 1.0)}, needs="paired samples", invariant_to=())


        def check():
            """Nothing to check."""


        def score(z, z_hat, rng=None, *, split=None):
            """The score of z (n, d) and z_hat (n, m)."""
            strength = np.abs(np.corrcoef(z.T, z_hat.T)[: z.shape[1], z.shape[1] :])
            return {"best_match": float(strength.max(axis=1).mean())}
    ''',
    "scripts/custodes/dgps/triangular.py": '''
        """Independent factors, each the sum of two uniform ones."""


        def check(d):
            """Nothing to check."""


        def redundant_factors(d):
            """None."""
            return ()


        def sample(rng, n, d):
            """Samples (n, d)."""
            return rng.uniform(size=(2, n, d)).sum(axis=0)
    ''',
    "scripts/custodes/encoders/reversed_columns.py": '''
        """The factors in reverse order."""


        def default_m(d):
            """One code per factor."""
            return d


        def check(d, m):
            """Nothing to check."""


        def encode(z, rng, m):
            """Codes (n, m)."""
            return z[:, ::-1]
    ''',
    "scripts/custodes/plots/columns.py": '''
        """The mean of every row as a column."""


        def check(**options):
            """Nothing to check."""


        def draw(table):
            """Draw them."""
            from matplotlib.figure import Figure

            figure = Figure()
            figure.subplots().bar(range(len(table)), table["mean"])
            return figure
    ''',
    "config/experiments/triangles.yaml": """
        title: Reversed columns
        paper: not in the paper
        grids:
          - {dgp: triangular, encoder: reversed_columns, d: 3, n: 50}
        figures:
          columns_of_triangles: {kind: columns, title: Columns, placement: extra}
    """,
    "scripts/custodes/models/plain.py": '''
        """A variational autoencoder with half the divergence."""

        from custodes.vae.posteriors import kl

        SETTINGS = ({},)


        def check():
            """Nothing to check."""


        def penalise(mean, log_var, z, step):
            """What the loss adds."""
            return {"kl": kl(mean, log_var) / 2}
    ''',
    "scripts/custodes/datasets/bars.py": '''
        """A grey bar: its height, its width, its shade."""

        import numpy as np

        from custodes.images import sources
        from custodes.images.factor_grid import FactorGrid

        GRID = FactorGrid(("height", "width", "shade"), ((16.0, 32.0, 48.0, 64.0),) * 2 + ((0.5, 1.0),))


        def render(classes):
            """Images (N, 64, 64, 3)."""
            values = GRID.values_of(classes)
            images = np.zeros((len(classes), 64, 64, 3), np.uint8)
            for image, (height, width, shade) in zip(images, values):
                image[: int(height), : int(width)] = 255 * shade
            return images


        DESCRIPTION = sources.Description(
            "bars", GRID, (64, 64, 3), 255, render, constants=(), files={}, features=(), tfds_file=None
        )


        def load(source="rendered", **options):
            """The data set."""
            return sources.load(DESCRIPTION, source, **options)
    ''',
}


def test_every_kind_of_entry_is_one_file(fresh):
    for name, text in FILES.items():
        assert not (fresh.path / name).exists()
        (fresh.path / name).write_text(dedent(text).lstrip())
    fresh.snakemake(
        "--cores",
        "2",
        "--config",
        "experiments=[triangles]",
        "metrics=[r2, best_match]",
        "protocols=[corrected]",
        "datasets=[bars]",
        "images=all",
        "models={plain: all}",
        "representations={count: all, seed: 0, sample: false, informative_kl: 0.01}",
        "image_metrics=[best_match, mig]",
        "image_parameters={}",
        "permutations={}",
        "training={network: mlp, latents: 3, width: 8, steps: 20, batch_size: 8, report_every: 20, "
        "checkpoint_every: 20}",
        "--",
        "results/corrected/figures/columns_of_triangles.png",
        "results/images/tables/bars.parquet",
    )
    table = pd.read_parquet(fresh.path / "results/corrected/tables/triangles.parquet")
    assert table.set_index("score")["mean"]["best_match"] > 0.99
    assert (fresh.path / "results/corrected/figures/columns_of_triangles.png").stat().st_size
    models = pd.read_parquet(fresh.path / "results/images/tables/bars.parquet")
    assert set(models["score"]) == {"best_match", "mig"}
    assert set(models["model"]) == {"plain"}
