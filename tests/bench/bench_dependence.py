"""T-MEX and MCC-RDC against textbook versions that fit every pair anew: CPU seconds, ratios, equal values.

The textbook versions are timed on a few pairs and extrapolated to all of them.
"""

import time

import numpy as np
from threadpoolctl import threadpool_limits

from custodes import registry, streams
from custodes.metrics import mcc_rdc, tmex
from custodes.metrics.tmex import pcm
from tests.unit import test_mcc_rdc, test_tmex

D, M, N = 20, 40, 1600
CODES_TIMED, FACTORS_TIMED = 2, 2


def cpu_seconds(function, repeats=1):
    """CPU seconds of one call after a first one that pays for imports, and what it returns."""
    function()
    start = time.process_time()
    for _ in range(repeats):
        result = function()
    return (time.process_time() - start) / repeats, result


def draw():
    """Factors and overcomplete codes with some noise, standardised."""
    z = registry.load("dgps", "correlated").sample(streams.factors(42), N, D)
    z_hat = registry.load("encoders", "overcomplete_entangled").encode(z, streams.codes(42), M)
    z_hat += 0.1 * np.random.default_rng(0).standard_normal(z_hat.shape)
    return [(x - x.mean(axis=0)) / x.std(axis=0) for x in (z, z_hat)]


def report(name, ours, textbook, pairs, difference):
    """Print one comparison; `textbook` are CPU seconds for `pairs` of the D x M pairs."""
    whole = textbook * D * M / pairs
    print(
        f"{name}: {ours:.4f} s; textbook {whole:.1f} s (from {pairs} of {D * M} pairs); "
        f"{whole / ours:.0f} times faster; largest difference {difference:.1e}"
    )


def bench_tmex(z, z_hat):
    """All nine halvings; the textbook fits sklearn's LinearRegression five times a pair and halving."""
    settings = {"halvings": 9, "floor": 1e-12, "scale_free": True, "count_regressors": True}

    def ours():
        return pcm.mean_statistic(z, z_hat, np.random.default_rng(1), features=pcm.linear, **settings)

    def textbook():
        return test_tmex.textbook_statistic(
            z,
            np.eye(D, dtype=bool)[:FACTORS_TIMED],
            z_hat[:, :CODES_TIMED],
            np.random.default_rng(1),
            **settings,
        )

    textbook_time, expected = cpu_seconds(textbook)
    difference = np.abs(ours()[:CODES_TIMED, :FACTORS_TIMED] - expected).max()
    score_time, _ = cpu_seconds(lambda: tmex.score(z, z_hat, np.random.default_rng(1)), repeats=5)
    report("T-MEX (whole score)", score_time, textbook_time, CODES_TIMED * FACTORS_TIMED, difference)


def bench_rdc(z, z_hat):
    """The textbook makes both feature matrices and both QRs for every pair."""
    options = test_mcc_rdc.CORRECTED
    factors, codes = 10, 10

    def textbook():
        rng = np.random.default_rng(1)
        return test_mcc_rdc.textbook_matrix(z[:, :factors], z_hat[:, :codes], rng, options)

    textbook_time, expected = cpu_seconds(textbook)
    difference = np.abs(test_mcc_rdc.matrix(z, z_hat, 1)[:factors, :codes] - expected).max()
    score_time, _ = cpu_seconds(lambda: mcc_rdc.score(z, z_hat, np.random.default_rng(1)), repeats=5)
    report("MCC-RDC (whole score)", score_time, textbook_time, factors * codes, difference)


def main():
    """Both comparisons, in one thread."""
    print(f"d = {D}, m = {M}, n = {N}; CPU seconds")
    with threadpool_limits(limits=1):
        z, z_hat = draw()
        bench_tmex(z, z_hat)
        bench_rdc(z, z_hat)


if __name__ == "__main__":
    main()
