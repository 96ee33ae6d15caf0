"""The properties of ordinary use, one function each; they raise MetricFault."""

import inspect
from functools import partial

import numpy as np

from custodes.contracts import GRID, PAIRED, SET, missing, scoring_functions
from custodes.testing.trial import EXACT, SEED, MetricFault, close, require

NEAR = 0.02
CALLED_WITH = {"z", "z_hat", "rng", "split", "representations", "groups"}


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
