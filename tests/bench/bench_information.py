"""MIG and the NMI matrix against textbook versions, a pair or a factor at a time; seconds of whole scores.

The textbook versions are timed on some pairs and extrapolated to all of them.
"""

import time

import numpy as np
from threadpoolctl import threadpool_limits

from custodes import registry, streams
from custodes.metrics import infomec, mig
from custodes.metrics.infomec.knn_information import jittered_neighbour_information, neighbour_information
from custodes.statistics.information import factor_classes
from tests.unit import test_infomec, test_information, test_mig

D, M, N = 20, 40, 1600
FACTORS_TIMED = 2
SIZES = [(1000, 5, 5), (1000, 10, 10), (1000, 25, 50)]  # the largest of the study take minutes


def draw(n, d, m):
    """Independent factors and noisy mixtures of them."""
    z = registry.load("dgps", "independent").sample(streams.factors(42), n, d)
    rng = streams.codes(42)
    return z, z @ rng.standard_normal((d, m)) + 0.5 * rng.standard_normal((n, m))


def cpu_seconds(function, repeats=1):
    """CPU seconds of one call after a first one that pays for imports, and what it returns."""
    function()
    start = time.process_time()
    for _ in range(repeats):
        result = function()
    return (time.process_time() - start) / repeats, result


def report(name, ours, textbook, difference):
    """Print one comparison of CPU seconds and the largest difference of the values."""
    ratio = f"{textbook / ours:.0f} times faster"
    print(f"{name}: {ours:.4f} s; textbook {textbook:.2f} s; {ratio}; largest difference {difference:.1e}")


def bench_mig(z, z_hat):
    """The textbook calls numpy.histogram2d for each pair."""
    textbook, expected = cpu_seconds(lambda: test_mig.histogram_per_pair(z, z_hat))
    for name, parameters in {"plug-in": {"adjust_for_chance": False}, "adjusted": {}}.items():
        ours, scores = cpu_seconds(lambda given=parameters: mig.score(z, z_hat, None, **given), 5)
        report(f"MIG, {name}", ours, textbook, abs(scores["mig"] - expected))


def bench_neighbours(z, z_hat):
    """The textbook calls scikit-learn's mutual_info_classif for each factor."""
    classes = factor_classes(z, 20)
    part = classes[:, :FACTORS_TIMED]
    textbook, expected = cpu_seconds(lambda: test_information.mutual_info_per_factor(z_hat, part, 0))
    noise = np.random.RandomState(0).standard_normal(z_hat.shape)
    for name, function in {
        "as scikit-learn": lambda: jittered_neighbour_information(z_hat, classes, 10, noise),
        "ties counted": lambda: neighbour_information(z_hat, classes, 10),
    }.items():
        ours, values = cpu_seconds(function, 3)
        difference = np.abs(values[:, :FACTORS_TIMED] - expected).max()
        report(f"NMI matrix, {name}", ours, textbook * D / FACTORS_TIMED, difference)


def main():
    """Both comparisons, then seconds of whole scores."""
    with threadpool_limits(limits=1):
        print(f"d = {D}, m = {M}, n = {N}; CPU seconds")
        draws = draw(N, D, M)
        bench_mig(*draws)
        bench_neighbours(*draws)
        for size in SIZES:
            z, z_hat = draw(*size)
            split = streams.row_split(len(z), 42, 0.2)
            corrected, _ = cpu_seconds(lambda z=z, z_hat=z_hat: infomec.score(z, z_hat, streams.metric(42)))
            published, _ = cpu_seconds(
                lambda z=z, z_hat=z_hat, split=split: infomec.score(
                    z, z_hat, streams.metric(42), split=split, **test_infomec.PUBLISHED
                )
            )
            print(f"infomec (n, d, m) = {size}: corrected {corrected:.2f} s, published {published:.2f} s")


if __name__ == "__main__":
    main()
