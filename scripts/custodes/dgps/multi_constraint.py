"""Multi-factor constraints (D_F): z = [S_1, S_2, g_1(S_1, S_2), .., g_r(S_1, S_2), S_3, ..].

S_i ~ N(0, 1), independent; r = constraints; d_eff = d - r. g cycles through x y; x + y; x^2 + y^2;
tanh x tanh y; sign(xy) sqrt|xy|.

Source: "Who guards the guardians?", Sec. 2.1 and App. D.1 (example x y); the rest of the list as in
the reference implementation. No departure.
"""

import numpy as np

from custodes.checks import require_count
from custodes.synthetic.nonlinearities import PAIR_FUNCTIONS


def check(d, constraints=1):
    """Raise ValueError unless d >= 3 and 1 <= constraints < d/2."""
    require_count("d", d, 3)
    require_count("constraints", constraints, 1, (d - 1) // 2, f"fewer than d/2 for d = {d}")


def redundant_factors(d, constraints=1):
    """Return the indices of the factors g_1(S_1, S_2), .., g_r(S_1, S_2): 2, .., r + 1."""
    return tuple(range(2, 2 + constraints))


def sample(rng, n, d, constraints=1):
    """Return n samples of d factors, float64 (n, d), no units.

    Draws standard_normal((n, d - constraints)). Errors as in `check`.
    """
    check(d, constraints)
    require_count("n", n, 1)
    sources = rng.standard_normal((n, d - constraints))
    functions = [PAIR_FUNCTIONS[i % len(PAIR_FUNCTIONS)] for i in range(constraints)]
    redundant = np.column_stack([g(sources[:, 0], sources[:, 1]) for g in functions])
    return np.hstack([sources[:, :2], redundant, sources[:, 2:]])
