"""Scalar functions from which constraints among factors and nonlinear codes are built.

All take and return float64 arrays of any one shape, elementwise, without units.

Source: "Who guards the guardians?", App. D.1 (D_f, D_F) and D.2 (E2, E6); the paper gives examples
only, the list and its order are those of the reference implementation. Departure: `INVERTIBLE`
replaces the last published function, sign(x) log1p|3x + 1|, by sign(x) log1p|3x|. The published one
jumps at 0 and folds at -1/3, so it is not the invertible map that E2 asks for.

Range: |sinh(2x^3 + 0.1)| exceeds float64 beyond |x| = 7.08, exp x beyond 709. Such values are held
at the largest double, which reproduces the published means (a product of two normals passes 7.08
about once in 5000 draws).
"""

import numpy as np

LARGEST = np.finfo(np.float64).max


def tanh_cube(x):
    """Return tanh(2x^3 - 0.1), in (-1, 1)."""
    return np.tanh(2 * x**3 - 0.1)


@np.errstate(over="ignore")
def sinh_cube(x):
    """Return sinh(2x^3 + 0.1), held within the range of doubles."""
    return np.clip(np.sinh(2 * x**3 + 0.1), -LARGEST, LARGEST)


def signed_root(x):
    """Return sign(x) sqrt|x|, unbounded."""
    return np.sign(x) * np.sqrt(np.abs(x))


def cube(x):
    """Return x^3, unbounded."""
    return x**3


def fifth_power(x):
    """Return x^5, unbounded."""
    return x**5


@np.errstate(over="ignore")
def exponential(x):
    """Return exp x, positive, held within the range of doubles."""
    return np.minimum(np.exp(x), LARGEST)


def folded_log(x):
    """Return sign(x) log1p|3x + 1|, unbounded; not monotone."""
    return np.sign(x) * np.log1p(np.abs(3 * x + 1))


def signed_log(x):
    """Return sign(x) log1p|3x|, unbounded."""
    return np.sign(x) * np.log1p(np.abs(3 * x))


PUBLISHED = (tanh_cube, sinh_cube, signed_root, cube, fifth_power, exponential, folded_log)
INVERTIBLE = (*PUBLISHED[:-1], signed_log)

# The values of the encoder parameter `functions`.
CODE_FUNCTIONS = {"invertible": INVERTIBLE, "published": PUBLISHED}

# The values of the parameter `function` of single_constraint but "blend", which has a coupling.
# The published study went through its list of code functions; the paper's text names x^3 only.
CONSTRAINT_FUNCTIONS = {
    "tanh_cube": PUBLISHED,
    "cube": (cube, exponential, signed_root, fifth_power),
    "sign": (np.sign,),
}

# g_1, g_2, .. of multi_constraint; each takes two arrays of one shape.
PAIR_FUNCTIONS = (
    lambda x, y: x * y,
    lambda x, y: x + y,
    lambda x, y: x**2 + y**2,
    lambda x, y: np.tanh(x) * np.tanh(y),
    lambda x, y: signed_root(x * y),
)


def blend(x, coupling):
    """Return (1 - coupling) x + coupling tanh(2x^3 - 0.1), linear at 0, saturating at 1."""
    return (1 - coupling) * x + coupling * tanh_cube(x)


def apply_cycled(functions, x):
    """Apply functions[j mod len(functions)] to column j of x (n, k); returns (n, k)."""
    return np.column_stack([functions[j % len(functions)](x[:, j]) for j in range(x.shape[1])])
