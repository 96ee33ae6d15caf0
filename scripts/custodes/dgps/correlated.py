"""Correlated factors (D_rho): z ~ N(0, Sigma), Sigma_ii = 1, Sigma_ij = rho.

Source: "Who guards the guardians?", Sec. 2.1 and App. D.1 (whose example correlates one pair; here
all pairs are, as in the reference implementation). The eigenvalues of Sigma are 1 - rho (d - 1
times) and 1 + (d - 1) rho, so rho may not fall below -1/(d - 1). Departure: such a point is refused
with Infeasible.

For d > 2 the repeated eigenvalue leaves the singular vectors of Sigma to the linear algebra
library, so the same seed gives other samples, of the same law, on another kind of processor. The
published samples are those of OpenBLAS on processors with AVX2 (environment variable
OPENBLAS_CORETYPE=Haswell).
"""

import numpy as np

from custodes.checks import require_count, require_real
from custodes.errors import Infeasible

TOLERANCE = 1e-10


def _smallest_eigenvalue(d, rho):
    return min(1 - rho, 1 + (d - 1) * rho)


def check(d, rho=0.5):
    """Raise ValueError unless d >= 2 and -1 <= rho <= 1.

    Raise Infeasible (a ValueError) where Sigma has an eigenvalue below -1e-10.
    """
    require_count("d", d, 2, reason="a correlation needs two factors")
    require_real("rho", rho, -1, 1)
    smallest = _smallest_eigenvalue(d, rho)
    if smallest < -TOLERANCE:
        raise Infeasible(
            f"rho = {rho!r}: must be at least -1/(d - 1) = {-1 / (d - 1):.6g} for d = {d} "
            f"(smallest eigenvalue of Sigma {smallest:.3g})"
        )


def redundant_factors(d, rho=0.5):
    """Return the indices of redundant factors: none unless Sigma is singular.

    All factors are equal at rho = 1 (all but the first are redundant); at rho = -1/(d - 1) they sum
    to zero (the last one is redundant).
    """
    if 1 - rho <= TOLERANCE:
        return tuple(range(1, d))
    return (d - 1,) if _smallest_eigenvalue(d, rho) <= TOLERANCE else ()


def sample(rng, n, d, rho=0.5):
    """Return n samples of d factors, float64 (n, d), unit variance, no units.

    Draws multivariate_normal(0, Sigma) by singular value decomposition. Errors as in `check`.
    """
    check(d, rho)
    require_count("n", n, 1)
    sigma = np.full((d, d), float(rho))
    np.fill_diagonal(sigma, 1.0)
    return rng.multivariate_normal(np.zeros(d), sigma, size=n)
