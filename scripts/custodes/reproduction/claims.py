"""The paper's claims as data: what the paper says of a number of the tables, and a verdict.

A claim (workflow/resources/claims.yaml, described by its schema) has one or several measures. Each states
what the paper expects of its number and, where the claim has an explanation, what that predicts instead.
"""

import math

from custodes.errors import ConfigError
from custodes.reproduction.measures import measured
from custodes.study import yaml_files

AGREES = "agrees"
EXPLAINED = "explained"
DIFFERS = "differs"
IN_PART = "in part"  # some of its numbers are not computed, and the others do not contradict
NOT_COMPUTED = "not computed"
VERDICTS = (AGREES, EXPLAINED, DIFFERS, IN_PART, NOT_COMPUTED)


def read(path):
    """Read a file of claims, checked; ConfigError also on what its schema cannot see."""
    content = yaml_files.read_validated(path, "claims")
    _refuse_repetition(f"{path}: claim", [claim["id"] for claim in content["claims"]])
    for claim in content["claims"]:
        where = f"{path}: claim {claim['id']}"
        yaml_files.chosen(claim["section"], content["sections"], "section", where)
        measures = claim.get("measures", [])
        _refuse_repetition(f"{where}: label", [measure["label"] for measure in measures])
        predicted = {protocol for measure in measures for protocol in measure.get("instead", {})}
        if predicted != set(claim.get("explanation", {})):
            raise ConfigError(f"{where}: explanation and instead name different protocols")
    return content


def holds(expectation, low, high):
    """Whether every value from `low` to `high` is as expected: about / within, at_least, at_most."""
    least, most = _limits(expectation)
    return least <= low and high <= most


def fails(expectation, low, high):
    """Whether no value from `low` to `high` is as expected."""
    least, most = _limits(expectation)
    return high < least or low > most


def verdict(measure, protocol, number):
    """Verdict on one measure under a protocol; number: its Measured.

    Only what the number must be, whatever the cells hold that have no value, is judged. A number that the
    paper does not expect is "explained" only where it is what the explanation predicts instead. A score that
    is undefined in all cells is not what the paper says of it.
    """
    if number.is_undefined:
        return DIFFERS
    bounds = number.low, number.high
    if number.missing or not (holds(measure["expect"], *bounds) or fails(measure["expect"], *bounds)):
        return NOT_COMPUTED
    if holds(measure["expect"], *bounds):
        return AGREES
    predicted = measure.get("instead", {}).get(protocol)
    if predicted is None or fails(predicted, *bounds):
        return DIFFERS
    return EXPLAINED if holds(predicted, *bounds) else NOT_COMPUTED


def of_measures(verdicts):
    """The verdict on a claim under one protocol: one number that differs is enough; all must be computed."""
    verdicts = set(verdicts)
    if NOT_COMPUTED in verdicts and verdicts & {AGREES, EXPLAINED}:
        verdicts.add(IN_PART)
    return _first((DIFFERS, IN_PART, NOT_COMPUTED, EXPLAINED, AGREES), verdicts)


def of_protocols(verdicts):
    """The verdict on a claim: the gravest of those protocols under which it was computed."""
    return _first((DIFFERS, EXPLAINED, AGREES, IN_PART, NOT_COMPUTED), verdicts)


def assess(claim, frames, grids):
    """A claim against the tables of every protocol.

    Args:
        claim: an entry of the file of claims.
        frames: protocol -> DataFrame of its result tables, all experiments concatenated.
        grids: protocol -> the cells of the full study, see `measured`.

    Returns:
        One entry for each measure: protocol -> (Measured, verdict).
    """
    return [
        {
            protocol: (number, verdict(measure, protocol, number))
            for protocol, frame in frames.items()
            for number in [measured(measure, frame, grids[protocol])]
        }
        for measure in claim.get("measures", [])
    ]


def _limits(expectation):
    if "about" in expectation:
        # The last bits of a number at the edge do not count.
        within = expectation["within"] + 1e-9
        return expectation["about"] - within, expectation["about"] + within
    return expectation.get("at_least", -math.inf), expectation.get("at_most", math.inf)


def _first(order, verdicts):
    return min(verdicts, key=order.index, default=NOT_COMPUTED)


def _refuse_repetition(what, names):
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"{what} {name!r} stands twice")
