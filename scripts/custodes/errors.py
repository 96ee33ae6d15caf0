"""Conditions with a meaning of their own: refused input, undefined scores, infeasible points."""


class ConfigError(ValueError):
    """A configuration that cannot be run; the message names file, key and what is allowed."""


class DamagedFile(ValueError):
    """A file of results that is cut short or altered; the message names it and says what to do."""


class Undefined(Exception):
    """A metric has no value for this input; the message says why and becomes the reason of its rows.

    scores: {score: value} of the scores that exist all the same; {} where none does. All others lack a
    value for this one reason.
    """

    def __init__(self, reason, scores=None):
        """Keep the scores that exist; without any, none does."""
        super().__init__(reason)
        self.scores = scores or {}


class UnsoundScore(ValueError):
    """A metric returned what is no score; the message names metric, score, cell and seed."""


class Infeasible(ValueError):
    """A grid point that cannot exist, such as a correlation for which Sigma is indefinite."""


class Diverged(ArithmeticError):
    """A training whose loss or weights are no longer finite; the message names step, terms and setting."""
