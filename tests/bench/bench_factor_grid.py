"""CPU seconds of the scores of discrete factors at the size of a study, and against one point at a time."""

import numpy as np

from custodes import registry
from tests.bench.bench_information import cpu_seconds
from tests.unit import test_beta_vae_score, test_factor_vae_score
from tests.unit.grid_factors import drawn, noise, noisy

ROWS, CLASSES = 10_000, (3, 6, 40, 32, 32)  # as many classes as dSprites has
METRICS = ("sap", "modularity_explicitness", "beta_vae_score", "factor_vae_score")
OPTIONS = {"sap": [{"classes": "integers"}], "modularity_explicitness": [{"classifier": "one_vs_rest"}]}
POINT_BY_POINT = {  # and how many of the 15,000 points it draws
    "beta_vae_score": (test_beta_vae_score.point_by_point, 800),
    "factor_vae_score": (test_factor_vae_score.point_by_point, 6000),
}


def main():
    """Print both tables."""
    z = drawn(CLASSES, n=ROWS)
    codes = {
        "noisy": np.hstack([noisy(z / CLASSES, 0.3), noise(z, 5)]),
        "perfect": np.hstack([z, noise(z, 5)]),
        "independent": noise(z, 10),
    }
    print(f"CPU seconds, {ROWS} rows, 10 codes, factors of {CLASSES} classes")
    for metric in METRICS:
        score = registry.load("metrics", metric).score
        for options in [{}, *OPTIONS.get(metric, [])]:
            for name, z_hat in codes.items():
                seconds, scores = cpu_seconds(
                    lambda score=score, z_hat=z_hat, options=options: score(
                        z, z_hat, np.random.default_rng(0), **options
                    )
                )
                values = ", ".join(f"{key} {value:.3f}" for key, value in scores.items())
                print(f"{metric:24}{name:12}{seconds:8.2f}  {values} {options or ''}")
    split = np.split(np.random.default_rng(0).permutation(ROWS), [2 * ROWS // 3])
    for metric, (textbook, points) in POINT_BY_POINT.items():
        ours, _ = cpu_seconds(
            lambda metric=metric: registry.load("metrics", metric).score(
                z, codes["noisy"], np.random.default_rng(0), split=split
            )
        )
        slow, _ = cpu_seconds(lambda textbook=textbook: textbook(z, codes["noisy"], *split))
        print(f"{metric}: {15_000 / points * slow / ours:.0f} times faster than one point at a time")


if __name__ == "__main__":
    main()
