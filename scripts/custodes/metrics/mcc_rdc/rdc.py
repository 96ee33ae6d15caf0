"""Randomised dependence coefficients (RDC) of all pairs of columns.

Lopez-Paz, Hennig and Schoelkopf, "The randomized dependence coefficient", 2013: the largest canonical
correlation between random sinusoids of the ranks of two columns. Smooth sinusoids span few
directions, so their span is truncated at its numerical rank. An orthonormal basis of it is made
once per column, and a pair then costs a small matrix product and its largest singular value; columns
without ties even share the basis, with its rows in another order.
"""

import numpy as np

from custodes.statistics.columns import ranks

FEATURES = 20


def dependence_matrix(z, z_hat, rng, *, weights, weight_scale, ties, truncation, rank_tolerance):
    """RDC (d, m) in [0, 1] of the columns of z (n, d) with those of z_hat (n, m).

    Features of a column with relative ranks u: 20 sinusoids sin(w u + b) centred over the rows, w and b
    normal with standard deviation weight_scale.
    weights: "shared": one draw for the factors and one for the codes, u centred, every w with two
    phases b and -b, so that a reversed column has the same span; "per pair": drawn anew for
    both sides of every pair, u in (0, 1], at most n features.
    ties: equal values have their "average" rank, and a column of one value has RDC 0 with all, or
    "ordinal" ranks in the order of the rows.
    truncation: of a span of rank r, keep the r leading "singular vectors", or the first r "columns" of Q.
    Such a column may hold nothing but rounding noise, which can point to the constant on both sides.
    rank_tolerance: singular values up to this share of the largest are noise; None: up to machine
    precision times n.
    """
    left, right = (_ranked(x, ties, centred=weights == "shared") for x in (z, z_hat))

    def basis(u, drawn):
        return _basis(u, drawn, truncation, rank_tolerance)

    if weights == "shared":
        products = _shared_bases(left, basis, _mirrored(rng, weight_scale)).T @ _shared_bases(
            right, basis, _mirrored(rng, weight_scale)
        )
        blocks = products.reshape(len(left), -1, len(right), products.shape[1] // len(right))
        return _largest_singular_value(blocks.transpose(0, 2, 1, 3))

    def draw():
        return rng.normal(0.0, weight_scale, (2, min(FEATURES, len(z))))

    return np.array(
        [
            [_largest_singular_value(basis(u, draw())[at].T @ basis(v, draw())[to]) for v, to in right]
            for u, at in left
        ]
    )


def _ranked(x, ties, centred):
    """Per column: its relative ranks (n,) in ascending order, and the place of every row (n,) therein."""
    ranked = ranks(x) if ties == "average" else np.argsort(np.argsort(x, axis=0, kind="stable"), axis=0) + 1.0
    ascending = (np.sort(ranked, axis=0) - (len(x) + 1) / 2 * centred) / len(x)
    places = (ranked - 1).astype(int)  # an average rank, rounded down, is a place among its equals
    return list(zip(ascending.T, places.T, strict=True))


def _mirrored(rng, scale):
    w, b = rng.normal(0.0, scale, (2, FEATURES // 2))
    return np.array([np.append(w, w), np.append(b, -b)])


def _basis(u, drawn, truncation, rank_tolerance):
    """Orthonormal basis (n, rank) of the centred sinusoids of ascending u (n,); 0 (n, 1) if u is constant."""
    if u[0] == u[-1]:
        return np.zeros((len(u), 1))
    features = np.sin(u[:, None] * drawn[0] + drawn[1])
    q, r = np.linalg.qr(features - features.mean(axis=0))
    vectors, singular, _ = np.linalg.svd(r)
    if rank_tolerance is None:
        rank_tolerance = np.finfo(np.float64).eps * max(len(u), FEATURES + 1)
    rank = int((singular > rank_tolerance * singular[0]).sum())
    return q[:, :rank] if truncation == "columns" else q @ vectors[:, :rank]


def _shared_bases(columns, basis, drawn):
    """The bases of all columns side by side (n, columns * width), filled up with 0 to a common width."""
    patterns = {u.tobytes(): u for u, _ in columns}
    bases = {pattern: basis(u, drawn) for pattern, u in patterns.items()}
    width = max(found.shape[1] for found in bases.values())
    result = np.zeros((len(columns[0][0]), len(columns), width))
    for i, (u, place) in enumerate(columns):
        found = bases[u.tobytes()]
        result[:, i, : found.shape[1]] = found[place]
    return result.reshape(len(result), -1)


def _largest_singular_value(blocks):
    return np.minimum(np.linalg.norm(blocks, ord=2, axis=(-2, -1)), 1.0)
