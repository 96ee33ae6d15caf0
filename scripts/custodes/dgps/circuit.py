"""The circuit (the paper's running example): z = [T, R, I, V], R = R0 (1 + a (T - T0)), V = I R.

T ambient temperature (degrees Celsius), R resistance (ohm), I current (ampere), V voltage (volt); T
and I are uniform and independent, so d = 4 and d_eff = 2.

Source: "Who guards the guardians?", Sec. 2 (running example) and 2.1, which give the laws but no
numbers. Departure: the reference implementation has no circuit; the defaults are ours, 10 ohm of
copper (at T0) between -20 and 60 degrees Celsius.

In these units T and R are far from unit scale: the sinh codes of elementwise_nonlinear and
overcomplete_multicode leave the range of doubles on them (custodes/synthetic/nonlinearities.py).
"""

import numpy as np

from custodes.checks import require_count, require_real


def check(
    d,
    temperature_min_celsius=-20.0,
    temperature_max_celsius=60.0,
    current_min_ampere=0.1,
    current_max_ampere=1.0,
    reference_resistance_ohm=10.0,
    reference_temperature_celsius=20.0,
    temperature_coefficient_per_kelvin=0.0039,
):
    """Raise ValueError unless d = 4, T and I have a range, and R varies and stays positive."""
    require_count("d", d, 4, 4, "T, R, I and V")
    _require_range("temperature", "celsius", temperature_min_celsius, temperature_max_celsius)
    _require_range("current", "ampere", current_min_ampere, current_max_ampere)
    require_real("reference_temperature_celsius", reference_temperature_celsius)
    for name, value in (
        ("reference_resistance_ohm", reference_resistance_ohm),
        ("temperature_coefficient_per_kelvin", temperature_coefficient_per_kelvin),
    ):
        require_real(name, value)
        if value == 0:
            raise ValueError(f"{name} = {value!r}: must not be 0 (R would be constant)")
    for temperature in (temperature_min_celsius, temperature_max_celsius):
        resistance = _resistance(
            temperature,
            reference_resistance_ohm,
            reference_temperature_celsius,
            temperature_coefficient_per_kelvin,
        )
        if resistance <= 0:
            raise ValueError(
                f"reference_resistance_ohm = {reference_resistance_ohm!r}, "
                f"temperature_coefficient_per_kelvin = {temperature_coefficient_per_kelvin!r}: "
                f"must keep R positive ({resistance:.6g} ohm at {temperature!r} degrees Celsius)"
            )


def _require_range(quantity, unit, low, high):
    require_real(f"{quantity}_min_{unit}", low)
    require_real(f"{quantity}_max_{unit}", high)
    if low >= high:
        raise ValueError(f"{quantity}_min_{unit} = {low!r}: must be below {quantity}_max_{unit} = {high!r}")


def _resistance(temperature, reference_resistance, reference_temperature, coefficient):
    return reference_resistance * (1 + coefficient * (temperature - reference_temperature))


def redundant_factors(d, **parameters):
    """Return the indices of factors that are functions of others: R (of T) and V (of I and R)."""
    return (1, 3)


def sample(
    rng,
    n,
    d,
    temperature_min_celsius=-20.0,
    temperature_max_celsius=60.0,
    current_min_ampere=0.1,
    current_max_ampere=1.0,
    reference_resistance_ohm=10.0,
    reference_temperature_celsius=20.0,
    temperature_coefficient_per_kelvin=0.0039,
):
    """Return n samples of [T, R, I, V], float64 (n, 4), in degrees Celsius, ohm, ampere, volt.

    Draws T, then I. Errors as in `check`.
    """
    check(
        d,
        temperature_min_celsius,
        temperature_max_celsius,
        current_min_ampere,
        current_max_ampere,
        reference_resistance_ohm,
        reference_temperature_celsius,
        temperature_coefficient_per_kelvin,
    )
    require_count("n", n, 1)
    temperature = rng.uniform(temperature_min_celsius, temperature_max_celsius, n)
    current = rng.uniform(current_min_ampere, current_max_ampere, n)
    resistance = _resistance(
        temperature,
        reference_resistance_ohm,
        reference_temperature_celsius,
        temperature_coefficient_per_kelvin,
    )
    return np.column_stack([temperature, resistance, current, current * resistance])
