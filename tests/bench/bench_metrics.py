"""CPU seconds of the metrics, and how they compare with the obvious way to compute them, in one run."""

import time

import numpy as np
from scipy import stats
from scipy.optimize import linear_sum_assignment
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, cross_val_predict

from custodes import registry
from custodes.contracts import PAIRED
from custodes.metrics import dci, mcc_pearson, mcc_spearman, r2
from custodes.sources import CHECKOUT
from custodes.study.yaml_files import read_yaml

PUBLISHED = read_yaml(CHECKOUT / "config" / "protocols" / "published.yaml")["metrics"]


def draw(n, d, m):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((n, d))
    return z, z @ rng.standard_normal((d, m)) + 0.5 * rng.standard_normal((n, m))


def seconds(call, repeats=3):
    """Least CPU time of `repeats` calls, after one that loads what is needed."""
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def generator():
    return np.random.default_rng(1)


def pair_by_pair(correlate):
    """An MCC with cross-fit from one scipy call per pair of columns."""

    def matrix(z, z_hat):
        return np.array([[correlate(factor, code).statistic for code in z_hat.T] for factor in z.T])

    def score(z, z_hat):
        strength = np.abs(matrix(z, z_hat))
        strength[linear_sum_assignment(strength, maximize=True)].mean()
        for train, test in KFold(5, shuffle=True, random_state=0).split(z):
            learned = matrix(z[train], z_hat[train])
            pairs = linear_sum_assignment(np.abs(learned), maximize=True)
            (np.sign(learned[pairs]) * matrix(z[test], z_hat[test])[pairs]).mean()

    return score


def factor_by_factor(z, z_hat):
    folds = KFold(5, shuffle=True, random_state=0)
    return np.mean([r2_score(f, cross_val_predict(LinearRegression(), z_hat, f, cv=folds)) for f in z.T])


def comparisons():
    z, z_hat = draw(1000, 10, 20)
    yield (
        "mcc_pearson / scipy pair by pair",
        (
            lambda: mcc_pearson.score(z, z_hat, generator()),
            lambda: pair_by_pair(stats.pearsonr)(z, z_hat),
        ),
    )
    yield (
        "mcc_spearman / scipy pair by pair",
        (
            lambda: mcc_spearman.score(z, z_hat, generator()),
            lambda: pair_by_pair(stats.spearmanr)(z, z_hat),
        ),
    )
    yield (
        "r2 / scikit-learn factor by factor",
        (
            lambda: r2.score(z, z_hat, generator()),
            lambda: factor_by_factor(z, z_hat),
        ),
    )
    small = draw(1000, 4, 4)
    yield (
        "dci lightgbm / dci gbt (d = m = 4)",
        (
            lambda: dci.score(*small, generator()),
            lambda: dci.score(*small, generator(), probe="gbt"),
        ),
    )
    wide = draw(1000, 2, 40)
    yield (
        "dci lightgbm / dci gbt (d = 2, m = 40)",
        (
            lambda: dci.score(*wide, generator()),
            lambda: dci.score(*wide, generator(), probe="gbt"),
        ),
    )


def both_protocols(metric, size):
    """CPU seconds of one call as corrected and as published."""
    z, z_hat = draw(*size)
    split = np.split(generator().permutation(len(z)), [int(0.8 * len(z))])
    function, published = registry.load("metrics", metric).score, PUBLISHED.get(metric, {})
    return (
        seconds(lambda: function(z, z_hat, generator()), repeats=1),
        seconds(lambda: function(z, z_hat, generator(), split=split, **published), repeats=1),
    )


def main():
    """Print both tables."""
    print(f"{'ours / reference, n = 1000':40}{'ours [s]':>10}{'ref. [s]':>10}{'ratio':>8}")
    for name, (ours, reference) in comparisons():
        fast, slow = seconds(ours), seconds(reference, repeats=1)
        print(f"{name:40}{fast:10.4f}{slow:10.4f}{slow / fast:8.1f}")
    paired = [
        name for name in registry.names("metrics") if registry.load("metrics", name).METRIC.needs == PAIRED
    ]
    print(f"\n{'CPU seconds per call, (n, d, m)':40}{'corrected':>10}{'published':>10}")
    for size in [(1000, 5, 5), (1000, 10, 10), (1000, 10, 50)]:
        for metric in paired:
            corrected, published = both_protocols(metric, size)
            print(f"{metric:18}{size!s:22}{corrected:10.4f}{published:10.4f}")


if __name__ == "__main__":
    main()
