"""IRS of all dSprites combinations and 10 codes, in units of one numpy.sort of the codes along axis 0.

Aims: at most 4 in crossed order with either estimator, at most 12 for shuffled, thinned rows, whose
combinations are unequally often and need weights. CPU seconds, least of several calls, all in one run. The
codes are stored row by row; numpy.sort is about three times faster where they are stored column by column.
"""

import time

import numpy as np
from threadpoolctl import threadpool_limits

from custodes.metrics import irs
from custodes.scoring import null_calibration

SIZES = (3, 6, 40, 32, 32)
CODES = 10
NULL_ROWS, PERMUTATIONS = 10_000, 20


def cpu_seconds(call, repeats=4):
    """Least CPU time of `repeats` calls."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def crossed(rng):
    """All combinations in order, and codes that mix factors and noise."""
    z = np.indices(SIZES).reshape(len(SIZES), -1).T.astype(float)
    return z, z @ rng.random((len(SIZES), CODES)) / 10 + rng.standard_normal((len(z), CODES))


def thinned(z, z_hat, rng):
    """The rows shuffled and thinned, the more the further factors 2 and 4 are apart, some rows twice."""
    kept = 0.95 - 0.4 * np.abs(z[:, 1] / 5 - z[:, 3] / 31)
    rows = np.flatnonzero(rng.random(len(z)) < kept)
    rows = rng.permutation(np.concatenate([rows, rows[::10]]))
    return z[rows], z_hat[rows]


def report(name, z, z_hat, aims):
    """Print how often numpy.sort fits into each estimator, beside the aim."""
    sort = cpu_seconds(lambda: np.sort(z_hat, axis=0))
    print(f"{name}: {len(z)} rows; numpy.sort {sort:.3f} s")
    for estimator, aim in aims.items():
        ratio = cpu_seconds(lambda given=estimator: irs.score(z, z_hat, None, estimator=given)) / sort
        print(f"  {estimator}: {ratio:.1f} times that (aim: {aim})")


def report_null(z, z_hat):
    """Print what the null beside the score costs."""
    for estimator in irs.ESTIMATORS:
        once = cpu_seconds(lambda given=estimator: irs.score(z, z_hat, None, estimator=given))
        calibrated = cpu_seconds(
            lambda given=estimator: null_calibration.null_calibrate(
                irs, z, z_hat, PERMUTATIONS, estimator=given
            ),
            1,
        )
        each = calibrated / PERMUTATIONS
        print(f"null, {estimator}: {len(z)} rows, {once:.4f} s a score, {each:.4f} s a permutation")


def main():
    """All of it, in one thread."""
    rng = np.random.default_rng(0)
    with threadpool_limits(limits=1):
        z, z_hat = crossed(rng)
        report("crossed order", z, z_hat, {"backdoor": 4, "percentile": 4})
        report("shuffled and thinned", *thinned(z, z_hat, rng), {"backdoor": 12, "percentile": "none"})
        rows = rng.choice(len(z), NULL_ROWS, replace=False)
        report_null(z[rows], z_hat[rows])


if __name__ == "__main__":
    main()
