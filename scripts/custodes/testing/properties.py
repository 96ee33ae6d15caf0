"""The properties, one function each; they raise MetricFault."""

import inspect
from functools import partial
from typing import NamedTuple

import numpy as np

from custodes.contracts import GRID, PAIRED, SET, missing, scoring_functions
from custodes.errors import Undefined
from custodes.testing.samples import Sample

NEAR, EXACT = 0.02, 1e-6
SEED = 5
CALLED_WITH = {"z", "z_hat", "rng", "split", "representations", "groups"}


class MetricFault(AssertionError):
    """A metric does not keep what it declares, or what all owe; the message says what was seen."""


class Trial(NamedTuple):
    """A metric, what it is tried on, and the parameters of all calls."""

    module: object
    sample: Sample
    parameters: dict

    @property
    def metric(self):
        """What the module declares."""
        return self.module.METRIC

    def example(self, n=None):
        """Three factors and four codes."""
        return self.sample.example(n or self.sample.rows)

    def score(self, z, z_hat, seed=SEED, split=None):
        """Scores of a pair."""
        rng = np.random.default_rng(seed)
        scores = self.module.score(z, z_hat, rng, split=split, **self.parameters)
        require(list(scores) == list(self.metric.scores), f"the scores returned are {', '.join(scores)}")
        return scores

    def sound(self, z, z_hat, case, split=None):
        """The same, refused where a score is no float or out of bounds."""
        scores = self.score(z, z_hat, split=split)
        for key, value in scores.items():
            low, high = self.metric.scores[key]
            sound = type(value) is float and low <= value <= high
            require(sound, f"{case}: {key} = {value!r}: must be a float in [{low}, {high}]")
        return scores


def require(condition, fault):
    """MetricFault unless the condition holds."""
    if not condition:
        raise MetricFault(fault)


def close(found, expected, tolerance):
    """Whether all scores of `found` are within `tolerance` of those expected."""
    return all(abs(found[key] - expected[key]) <= tolerance for key in expected)


def declaration(module):
    """The module has a docstring, METRIC, `check` and the function that scores."""
    require(missing(module) is None, missing(module))
    require(len((module.__doc__ or "").splitlines()) > 3, "the docstring must say what the metric is")
    for function in scoring_functions(module.METRIC)[:2]:  # the last of three draws nothing
        rng = inspect.signature(getattr(module, function)).parameters.get("rng")
        require(rng is not None and rng.default is None, f"{function} must have the argument rng=None")


def parameters(module):
    """`check` takes the defaults of `score`, and refuses what no parameter can be before data are seen."""
    of_set = module.METRIC.needs == SET
    function = module.score_set if of_set else module.score
    signature = inspect.signature(function).parameters.items()
    defaults = {name: given.default for name, given in signature if name not in CALLED_WITH}
    module.check(**defaults)
    data = ["no data"] * (1 if of_set else 2)
    for name in defaults:
        for call in (module.check, partial(function, *data)):
            try:
                call(**{name: object()})
            except ValueError as reason:
                require(str(reason).startswith(f"{name} = "), f"a bad {name} is refused as: {reason}")
            else:
                raise MetricFault(f"{name} = object() is not refused")


def invariance(trial, name):
    """A declared invariance holds, and one that is not declared does not."""
    z, z_hat = trial.example()
    before = trial.score(z, z_hat)
    after = trial.score(*trial.sample.transformations[name](z, z_hat))
    change = max(abs(after[key] - before[key]) for key in before)
    if name in trial.metric.invariant_to:
        require(change < EXACT, f"is declared, but scores change by {change:.2g}")
    elif trial.metric.needs == PAIRED:
        require(change > 1e-3, f"is not declared, but scores change by {change:.2g} only")


def same_seed(trial):
    """Equal arguments and generators give equal numbers; a seed stands for its generator, None for 0."""
    z, z_hat = trial.example()
    require(trial.score(z, z_hat) == trial.score(z, z_hat), "the same seed gives other numbers")
    for rng, seed in ((SEED, SEED), (None, 0)):
        found = trial.module.score(z, z_hat, rng, **trial.parameters)
        require(found == trial.score(z, z_hat, seed), f"rng={rng} is not the generator of seed {seed}")


def row_order(trial):
    """Shuffled or sorted rows have the same scores: of paired samples to the last bit."""
    tolerance = 0.0 if trial.metric.needs == PAIRED else 1e-12
    z, z_hat = trial.example(trial.sample.rows // 2)
    cases = {"rows": (z, z_hat), "repeated rows": (np.repeat(z, 2, axis=0), np.repeat(z_hat, 2, axis=0))}
    if trial.metric.needs == PAIRED:
        cases |= {"discrete factors": (np.round(z), z_hat), "one factor": (z[:, :1], z_hat)}
    for case, (factors, codes) in cases.items():
        expected = trial.score(factors, codes)
        shuffled = np.random.default_rng(2).permutation(len(factors))
        for order in (shuffled, np.argsort(factors[:, 0], kind="stable")):
            found = trial.score(factors[order], codes[order])
            require(close(found, expected, tolerance), f"{case}: their order matters")


def single_precision(trial):
    """A float32 copy scores nearly the same."""
    z, z_hat = trial.example()
    expected = trial.score(z, z_hat)
    found = trial.score(z.astype(np.float32), z_hat.astype(np.float32))
    require(close(found, expected, 2e-3), f"float32 gives {found}, float64 {expected}")


def input_is_left_alone(trial):
    """Arrays are neither written to nor changed."""
    z, z_hat = trial.example()
    copies = z.copy(), z_hat.copy()
    try:
        for array in (z, z_hat):
            array.flags.writeable = False
        trial.score(z, z_hat)
        for array in (z, z_hat):
            array.flags.writeable = True
        trial.score(z, z_hat)
    except ValueError as reason:
        raise MetricFault(f"arrays that cannot be written to: {reason}") from reason
    require(np.array_equal(z, copies[0]) and np.array_equal(z_hat, copies[1]), "the arrays are changed")


def perfect_recovery(trial):
    """One code for each factor, in other units, is near the best value, or what `perfect` says."""
    z = trial.sample.factors(1000, 4)
    scores = trial.score(z, z[:, [2, 0, 3, 1]] * [2.0, 0.5, 3.0, 1.0])
    for key, value in scores.items():
        expected = trial.metric.perfect.get(key, trial.metric.best(key))
        short = value - expected if key in trial.metric.lower_is_better else expected - value
        require(short < NEAR, f"a perfect code has {key} = {value:.3f}; `perfect` or the best is {expected}")


def independent_code(trial):
    """Codes that know nothing are near 0 on many rows, or near what `chance` says, on average over draws."""
    if trial.metric.needs == GRID:
        return  # depends on the classes
    draws = [
        trial.score(*np.random.default_rng(seed).standard_normal((2, 2000, 3)))
        for seed in range(20 if trial.metric.chance else 1)
    ]
    for key in trial.metric.scores:
        found, expected = np.mean([scores[key] for scores in draws]), trial.metric.chance.get(key, 0.0)
        require(
            abs(found - expected) < 0.06, f"independent codes have {key} = {found:.3f}, not {expected:.3f}"
        )


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


def bad_input(trial):
    """Unusable arrays raise ValueError that names the array, as `statistics.inputs.check_pair` does."""
    for case, (z, z_hat, message) in BAD_INPUT.items():
        try:
            trial.score(z, z_hat)
        except ValueError as reason:
            require(str(reason).startswith(message), f"{case}: {reason}; should begin with {message!r}")
        else:
            raise MetricFault(f"{case} is not refused")


def threads(trial):
    """The scores do not depend on the number of threads of the linear algebra."""
    from threadpoolctl import threadpool_limits

    z = trial.sample.factors(1000, 2)
    z_hat = z @ np.random.default_rng(1).standard_normal((2, 10)) + trial.sample.factors(1000, 10, 2)
    found = []
    for limit in (1, 2):
        with threadpool_limits(limits=limit):
            found.append(trial.score(z, z_hat))
    require(found[0] == found[1], f"one thread gives {found[0]}, two give {found[1]}")


OF_PAIRS = (
    *(same_seed, row_order, single_precision, input_is_left_alone),
    *(perfect_recovery, independent_code, every_size, constant_code, constant_factor),
    *(other_ranges, heavy_tails, far_from_zero, few_rows, bad_input, threads),
)
