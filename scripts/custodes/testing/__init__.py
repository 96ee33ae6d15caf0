"""What every metric has to keep, for metrics anywhere: `check_metric(module)`; needs no test framework."""

from functools import partial

from custodes.contracts import INVARIANCES
from custodes.errors import Undefined
from custodes.testing import extremes, properties
from custodes.testing.samples import SAMPLES
from custodes.testing.trial import MetricFault, Trial

__all__ = ["MetricFault", "check_metric", "checks"]

OF_PAIRS = (
    properties.same_seed,
    properties.row_order,
    properties.single_precision,
    properties.input_is_left_alone,
    properties.perfect_recovery,
    properties.independent_code,
    properties.threads,
    extremes.every_size,
    extremes.constant_code,
    extremes.constant_factor,
    extremes.other_ranges,
    extremes.heavy_tails,
    extremes.far_from_zero,
    extremes.few_rows,
    extremes.bad_input,
)


def check_metric(module, **parameters):
    """Raise MetricFault with a line for each property that a metric does not keep; see CONTRIBUTING.md.

    module: with METRIC, `check` and `score`, or `score_set` where METRIC needs a set of representations.
    parameters: keyword arguments of every call of `score`, such as fewer draws to save time.
    What the metric raises besides Undefined and refusals of bad input is passed on.
    """
    faults = []
    for name, check in checks(module, **parameters).items():
        try:
            check()
        except MetricFault as fault:
            faults.append(f"{name}: {fault}")
        except Undefined as reason:
            faults.append(f"{name}: is Undefined: {reason}")
    if faults:
        raise MetricFault("\n".join([f"{module.__name__} does not keep what metrics owe:", *faults]))


def checks(module, **parameters):
    """{property: function without arguments that raises MetricFault}, those that apply to the metric.

    Where METRIC, `check` or `score` is not there, `declaration` alone.
    """
    found = {"declaration": partial(properties.declaration, module)}
    try:
        properties.declaration(module)
    except MetricFault:
        return found
    found["parameters"] = partial(properties.parameters, module)
    if module.METRIC.needs in SAMPLES:
        trial = Trial(module, SAMPLES[module.METRIC.needs], parameters)
        found |= {check.__name__: partial(check, trial) for check in OF_PAIRS}
        for invariance in INVARIANCES:
            if invariance in trial.sample.transformations:
                found[invariance] = partial(properties.invariance, trial, invariance)
    return found
