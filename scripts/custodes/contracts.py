"""What an entry of the registry says of itself, beside its functions: what a metric is, in one object.

A module of `custodes.metrics`, or of another package, has `METRIC = Metric(...)`, `check` (which may be
`METRIC.check`) and `score` or `score_set`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

# What a metric needs: factors and codes of the same rows; such with discrete factors, among which
# combinations repeat; several representations of the same rows.
PAIRED, GRID, SET = NEEDS = ("paired samples", "factor grid", "set of representations")

# What a score may be invariant to, in the order in which tables list it.
AFFINE_CODES = ("code_permutation", "code_scale", "code_shift")
AFFINE_FACTORS = ("factor_permutation", "factor_scale", "factor_shift")
AFFINE = (*AFFINE_CODES, *AFFINE_FACTORS)
MONOTONE = (*AFFINE, "code_monotone", "factor_monotone")
INVARIANCES = (*AFFINE_CODES, "code_monotone", "code_mixing", *AFFINE_FACTORS, "factor_monotone")


@dataclass(frozen=True, kw_only=True)
class Metric:
    """What the module of a metric says of its scores; ValueError where it contradicts itself.

    scores: {score: (lowest, highest)}; what is unbounded has an infinity.
    needs: one of NEEDS.
    invariant_to: some of INVARIANCES, in any order; the tests see to it that no other holds.
    options: {parameter of `score`: function of name and value that raises ValueError}; see `checks`.
    chance: {score: level} of independent codes (three, of three factors), where it is not 0.
    dead: {score: level} of one constant code of three factors, where it is not 0.
    perfect: {score: level} that a perfect code reaches, where it is not the best value.
    lower_is_better: scores whose best value is the lowest, such as counts of errors.
    """

    scores: Mapping[str, tuple[float, float]]
    needs: str
    invariant_to: tuple[str, ...] = ()
    options: Mapping[str, Callable] = field(default_factory=dict)
    chance: Mapping[str, float] = field(default_factory=dict)
    dead: Mapping[str, float] = field(default_factory=dict)
    perfect: Mapping[str, float] = field(default_factory=dict)
    lower_is_better: tuple[str, ...] = ()

    def __post_init__(self):
        """Refuse what contradicts itself, and put the invariances in order."""
        self._refuse_bad_bounds()
        if self.needs not in NEEDS:
            raise ValueError(f"{self._name}: needs = {self.needs!r}: must be one of {_listed(NEEDS)}")
        self._refuse_unknown("invariant_to", INVARIANCES)
        for attribute in ("chance", "dead", "perfect", "lower_is_better"):
            self._refuse_unknown(attribute, self.scores)
        in_order = tuple(name for name in INVARIANCES if name in self.invariant_to)
        object.__setattr__(self, "invariant_to", in_order)

    def check(self, **given):
        """Raise ValueError for a value that is not allowed, TypeError for what is no parameter."""
        for name, value in given.items():
            if name not in self.options:
                known = _listed(self.options) or "none"
                raise TypeError(f"{self._name} has no parameter {name!r}; its parameters: {known}")
            self.options[name](name, value)

    def best(self, score):
        """The best value that a score can have."""
        low, high = self.scores[score]
        return low if score in self.lower_is_better else high

    @property
    def _name(self):
        return next(iter(self.scores))

    def _refuse_bad_bounds(self):
        if not isinstance(self.scores, Mapping) or not self.scores:
            raise ValueError(f"scores = {self.scores!r}: must be {{score: (lowest, highest)}}, one or more")
        for score, bounds in self.scores.items():
            try:
                low, high = (float(bound) for bound in bounds)
            except (TypeError, ValueError):
                low = high = math.nan
            if not low < high:
                raise ValueError(f"{score}: bounds = {bounds!r}: must be two numbers, the lower one first")

    def _refuse_unknown(self, attribute, known):
        given = getattr(self, attribute)
        if isinstance(given, str):
            raise ValueError(f"{self._name}: {attribute} = {given!r}: must be a tuple of names")
        for name in given:
            if name not in known:
                raise ValueError(f"{self._name}: {attribute}: {name!r}: must be one of {_listed(known)}")


def scoring_functions(metric):
    """Names of the functions that the module of a Metric has to have besides `check`."""
    return ("score_set", "score_pairs", "scores_of_pairs") if metric.needs == SET else ("score",)


def missing(module):
    """What a module lacks to be a metric, as the end of a message; None if it is one."""
    if not isinstance(getattr(module, "METRIC", None), Metric):
        return "METRIC must be a custodes.contracts.Metric"
    for function in ("check", *scoring_functions(module.METRIC)):
        if not callable(getattr(module, function, None)):
            return f"there is no function {function}"
    return None


def _listed(names):
    return ", ".join(map(str, names))
