"""Single-factor constraints (D_f): z = [S_1, f_1(S_1), .., f_r(S_1), S_2, .., S_(d-r)].

S_i ~ N(0, 1), independent; r = constraints; d_eff = d - r. The values of `function`:
"cube" (default): f = x^3, exp x, sign(x) sqrt|x|, x^5, cycled; the appendix's example is x^3.
"tanh_cube": f = tanh(2x^3 - 0.1), then the published code functions h_1, h_2, .., cycled.
"sign": f = sign x, many-to-one, the appendix's second case; r = 1.
"blend": f = (1 - a) x + a tanh(2x^3 - 0.1), a = coupling (predictability experiment); r = 1.

Source: "Who guards the guardians?", Sec. 2.1 and App. D.1. Departure: the reference implementation
uses "tanh_cube"; the default is "cube", since the text says x^3.
"""

import numpy as np

from custodes.checks import require_choice, require_count, require_real
from custodes.synthetic.nonlinearities import CONSTRAINT_FUNCTIONS, apply_cycled, blend

FUNCTIONS = (*CONSTRAINT_FUNCTIONS, "blend")


def check(d, constraints=1, function="cube", coupling=None):
    """Raise ValueError unless d >= 3, 1 <= constraints < d/2 and function is known.

    "sign" and "blend" take one constraint; "blend" needs 0 <= coupling <= 1, the others refuse it.
    """
    require_count("d", d, 3)
    require_choice("function", function, FUNCTIONS)
    if function in ("sign", "blend"):
        require_count("constraints", constraints, 1, 1, f"function {function!r} has one constraint")
    require_count("constraints", constraints, 1, (d - 1) // 2, f"fewer than d/2 for d = {d}")
    if function == "blend":
        require_real("coupling", coupling, 0, 1, "function 'blend' needs it")
    else:
        require_choice("coupling", coupling, (None,), f"function {function!r} has no coupling")


def redundant_factors(d, constraints=1, function="cube", coupling=None):
    """Return the indices of the factors f_1(S_1), .., f_r(S_1): 1, .., r."""
    return tuple(range(1, 1 + constraints))


def sample(rng, n, d, constraints=1, function="cube", coupling=None):
    """Return n samples of d factors, float64 (n, d), no units.

    Draws standard_normal((n, d - constraints)). Errors as in `check`.
    """
    check(d, constraints, function, coupling)
    require_count("n", n, 1)
    sources = rng.standard_normal((n, d - constraints))
    first = sources[:, :1]
    if function == "blend":
        redundant = blend(first, coupling)
    else:
        copies = np.repeat(first, constraints, axis=1)
        redundant = apply_cycled(CONSTRAINT_FUNCTIONS[function], copies)
    return np.hstack([first, redundant, sources[:, 1:]])
