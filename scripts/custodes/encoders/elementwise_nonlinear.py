"""E2, elementwise nonlinear: z_hat_j = (1 - alpha) s_j z_pi(j) + alpha h_j(z_pi(j)), m = d.

pi is a permutation, s_j uniform on [0.5, 2), and h_0, .., h_6 (synthetic/nonlinearities.py) are cycled by the
code index j. alpha = 0 is elementwise linear with positive scales. Codes of |z| > 7.08 can be
held at the largest double (sinh).

Source: "Who guards the guardians?", Sec. 2.2, Tab. 1 and App. D.2 (E2). Departure: functions
"invertible" (default) replaces the published h_6, which is not monotone; "published" keeps it. The
two differ from d = 7 on.
"""

from custodes.checks import require_choice, require_count, require_real
from custodes.synthetic.nonlinearities import CODE_FUNCTIONS, apply_cycled


def default_m(d, **parameters):
    """Return the number of codes where a grid gives none: d."""
    return d


def check(d, m, alpha=1.0, functions="invertible"):
    """Raise ValueError unless m = d, 0 <= alpha <= 1 and functions is known."""
    require_count("m", m, d, d, "one code per factor, m = d")
    require_real("alpha", alpha, 0, 1)
    require_choice("functions", functions, tuple(CODE_FUNCTIONS))


def encode(z, rng, m, alpha=1.0, functions="invertible"):
    """Return the codes of z (n, d), float64 (n, m). Errors as in `check`.

    Draws permutation, scales.
    """
    d = z.shape[1]
    check(d, m, alpha, functions)
    shown = z[:, rng.permutation(d)]
    linear = rng.uniform(0.5, 2.0, d) * shown
    return (1 - alpha) * linear + alpha * apply_cycled(CODE_FUNCTIONS[functions], shown)
