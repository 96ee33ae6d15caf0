"""The properties at the edges: sizes, columns and input out of the ordinary. Each raises MetricFault."""

import numpy as np

from custodes.contracts import GRID, PAIRED
from custodes.errors import Undefined
from custodes.testing.trial import EXACT, MetricFault, close, require

ONES, HOLE = np.ones((5, 2)), np.arange(10.0).reshape(5, 2)
HOLE[3, 1] = np.nan
BAD_INPUT = {
    "NaN in a factor": (HOLE, ONES, "z has the value nan in column 1, row 3"),
    "NaN in a code": (ONES, HOLE, "z_hat has the value nan in column 1, row 3"),
    "infinity": (
        ONES,
        np.where(np.isnan(HOLE), -np.inf, HOLE),
        "z_hat has the value -inf in column 1, row 3",
    ),
    "lengths": (ONES, ONES[:4], "z has 5 rows and z_hat has 4"),
    "one dimension": (ONES[:, 0], ONES, "z has shape (5,)"),
    "three dimensions": (ONES, ONES[None], "z_hat has shape (1, 5, 2)"),
    "objects": (ONES, ONES.astype(object), "z_hat holds object"),
    "text": (ONES.astype(str), ONES, "z holds <U"),
    "complex": (ONES + 0j, ONES, "z holds complex"),
    "no rows": (ONES[:0], ONES[:0], "z is empty: its shape is (0, 2)"),
    "no columns": (ONES, ONES[:, :0], "z_hat is empty: its shape is (5, 0)"),
    "ragged": ([[1.0], [1.0, 2.0]], ONES, "z is not a rectangular array"),
}


def every_size(trial):
    """Any number of factors and codes, with a split or without, has sound scores."""
    sizes = [(1, 1), (1, 3), (3, 1), (3, 6), (3, 2), (8, 8)]
    if trial.metric.needs == GRID:
        sizes = [(3, 1), (3, 2), (3, 9)]
    for n in (60, 200):
        for d, m in sizes:
            rng, z = np.random.default_rng(3), trial.sample.factors(n, d, 3)
            z_hat = z @ rng.standard_normal((d, m)) + rng.standard_normal((n, m))
            trial.sound(z, z_hat, f"{d} factors, {m} codes, {n} rows")
            split = np.arange(n // 2), np.arange(n // 2, n)
            trial.sound(z, z_hat, f"{d} factors, {m} codes, {n} rows, half for testing", split)


def constant_code(trial):
    """A code that does not vary ends no score; alone it has 0, or what `dead` says."""
    z, z_hat = trial.example()
    for value in (0.0, 0.1, -7.0, 1e300):
        dead = np.full((len(z), 1), value)
        dead[::2] *= 1 + np.finfo(float).eps  # rounding noise, not a signal
        trial.sound(z, np.hstack([dead, z_hat]), f"a code that is {value}")
        for key, found in trial.sound(z, dead, f"one code, which is {value}").items():
            expected = trial.metric.dead.get(key, 0.0)
            low = expected if key in trial.metric.dead else trial.metric.scores[key][0]
            fine = low - EXACT <= found <= expected + EXACT
            require(fine, f"one code, which is {value}: {key} = {found}; `dead` or 0 is {expected}")


def constant_factor(trial):
    """A factor that does not vary changes no score; factors of which none varies have a value or a reason."""
    z, z_hat = trial.example()
    still = np.full((len(z), 1), 0.1)
    still[::2] *= 1 + np.finfo(float).eps  # rounding noise, not a signal
    found = trial.sound(np.hstack([still, z]), z_hat, "a factor that does not vary")
    require(close(found, trial.score(z, z_hat), EXACT), "a factor that does not vary changes scores")
    z[:] = 0.1
    try:
        trial.sound(z, z_hat, "no factor that varies")
    except Undefined:
        return


def other_ranges(trial):
    """A code of another range hides nothing."""
    z, z_hat = trial.example()
    expected = trial.score(z, z_hat)
    for factor in (1e30, 1e300, 1e-300):
        scaled = z_hat.copy()
        scaled[:, 1] *= factor
        scores = trial.sound(z, scaled, f"a code times {factor}")
        if "code_scale" in trial.metric.invariant_to:
            require(close(scores, expected, EXACT), f"a code times {factor} changes scores to {scores}")


def heavy_tails(trial):
    """A heavy-tailed code beside others takes nothing from them."""
    z, z_hat = trial.example(1000)
    rough = z[:, 0] if trial.metric.needs == PAIRED else np.random.default_rng(2).standard_normal(len(z))
    heavy = np.sinh(2 * rough**3 + 0.1)[:, None]
    z = z[:, 1:] if trial.metric.needs == PAIRED else z
    without = trial.score(z, z_hat[:, 1:3])
    light = trial.score(z, np.hstack([np.tanh(heavy), z_hat[:, 1:3]]))
    for key, value in trial.score(z, np.hstack([heavy, z_hat[:, 1:3]])).items():
        sign = -1 if key in trial.metric.lower_is_better else 1
        least = sign * without[key]
        if trial.metric.needs == GRID:  # one more code of noise takes something, with whatever tail
            least = min(least, sign * light[key])
        require(sign * value > least - 0.05, f"a heavy-tailed code changes {key} to {value:.3f}")


def far_from_zero(trial):
    """Factors far from 0, in large steps, are no other factors."""
    z, z_hat = trial.example()
    expected, found = trial.score(z, z_hat), trial.score(np.round(3e8 + 1e6 * z), z_hat)
    require(close(found, expected, 2e-3), f"factors far from 0 change scores from {expected} to {found}")


def few_rows(trial):
    """One to three rows are too few for any score: Undefined, with their number."""
    z, z_hat = trial.example()
    for n in (1, 2, 3):
        try:
            found = trial.score(z[:n], z_hat[:n])
        except Undefined as reason:
            require(str(n) in str(reason), f"{n} rows: the reason does not give their number: {reason}")
        else:
            raise MetricFault(f"{n} rows: scores {found} instead of Undefined")


def bad_input(trial):
    """Unusable arrays raise ValueError that names the array, as `statistics.inputs.check_pair` does."""
    for case, (z, z_hat, message) in BAD_INPUT.items():
        try:
            trial.score(z, z_hat)
        except ValueError as reason:
            require(str(reason).startswith(message), f"{case}: {reason}; should begin with {message!r}")
        else:
            raise MetricFault(f"{case} is not refused")
