"""The paper's claims as data: what the paper says of a number of the tables, and a verdict.

A claim (workflow/resources/claims.yaml, described by its schema) has one or several measures. Each states
what the paper expects of its number and, where the claim has an explanation, what that predicts instead.
"""

from custodes.errors import ConfigError
from custodes.reproduction.measures import measured
from custodes.study import yaml_files

AGREES = "agrees"
EXPLAINED = "explained"
DIFFERS = "differs"
NOT_COMPUTED = "not computed"
VERDICTS = (AGREES, EXPLAINED, DIFFERS, NOT_COMPUTED)


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


def holds(expectation, value):
    """Whether a value (None: undefined) is as expected: about / within, at_least, at_most."""
    if value is None:
        return False
    return (
        abs(value - expectation.get("about", value)) <= expectation.get("within", 0) + 1e-9
        and value >= expectation.get("at_least", value)
        and value <= expectation.get("at_most", value)
    )


def verdict(measure, protocol, number):
    """Verdict on one measure under a protocol; number: its Measured.

    A number that the paper does not expect is "explained" only where it is what the explanation
    predicts instead.
    """
    if number.missing:
        return NOT_COMPUTED
    if holds(measure["expect"], number.value):
        return AGREES
    predicted = measure.get("instead", {}).get(protocol)
    return EXPLAINED if predicted is not None and holds(predicted, number.value) else DIFFERS


def of_measures(verdicts):
    """The verdict on a claim under one protocol: one number that differs is enough; all must be computed."""
    return _first((DIFFERS, NOT_COMPUTED, EXPLAINED, AGREES), verdicts)


def of_protocols(verdicts):
    """The verdict on a claim: the gravest of those protocols under which it was computed."""
    return _first((DIFFERS, EXPLAINED, AGREES, NOT_COMPUTED), verdicts)


def assess(claim, frames):
    """A claim against the tables of every protocol.

    Args:
        claim: an entry of the file of claims.
        frames: protocol -> DataFrame of its result tables, all experiments concatenated.

    Returns:
        One entry for each measure: protocol -> (Measured, verdict).
    """
    return [
        {
            protocol: (number, verdict(measure, protocol, number))
            for protocol, frame in frames.items()
            for number in [measured(measure, frame)]
        }
        for measure in claim.get("measures", [])
    ]


def _first(order, verdicts):
    return min(verdicts, key=order.index, default=NOT_COMPUTED)


def _refuse_repetition(what, names):
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"{what} {name!r} stands twice")
