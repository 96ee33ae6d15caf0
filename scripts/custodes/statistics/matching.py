"""What the mean correlation coefficients share: correlation matrix, one-to-one matching, scores."""

import numpy as np

from custodes.statistics.columns import unit_columns
from custodes.statistics.rows import held_out_rows, varying_factors
from custodes.streams import generator

FOLDS = 5


def correlation_matrix(z, z_hat):
    """Pearson correlations (d, m) of the columns of z (n, d) with those of z_hat (n, m), in [-1, 1].

    A column that does not vary has correlation 0 with everything. Columns are scaled before anything
    is squared, so values up to 1e300 do not overflow. The product is summed by einsum and not by
    BLAS, whose last bits depend on its number of threads.
    """
    correlations = np.einsum("ni,nj->ij", unit_columns(z), unit_columns(z_hat))
    return np.clip(correlations, -1.0, 1.0)


def best_matching(strength):
    """The one-to-one assignment that maximises the summed strength (d, m): (factor indices, code indices)."""
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(strength, maximize=True)


def matched_scores(z, z_hat, rng, correlate, *, name, split, min_rows):
    """The three scores of an MCC whose signed dependence matrix is `correlate(z, z_hat)` -> (d, m).

    {name}: mean absolute dependence over the min(m, d) matched pairs. {name}_coverage: their sum
    over d, so that a factor without a code counts as 0. {name}_crossfit: the matching and the signs
    come from training rows, the signed dependence from other rows, so its null expectation is 0.
    With `split` the first two see the test rows only, and crossfit trains on the train rows;
    without, the first two see all rows and crossfit averages over shuffled folds.
    Factors that do not vary are left out, of d too. Raises Undefined below `min_rows` scored rows (4 without
    a split, for two folds of two), and where no factor varies.
    """
    z, z_hat, scored, parts = held_out_rows(z, z_hat, split, name, FOLDS, generator(rng), min_rows)
    z = z[:, varying_factors(z[scored], name)]
    strength = np.abs(correlate(z[scored], z_hat[scored]))
    matched = strength[best_matching(strength)]
    return {
        name: float(matched.mean()),
        f"{name}_coverage": float(matched.sum() / z.shape[1]),
        f"{name}_crossfit": float(np.mean([_crossfit(z, z_hat, correlate, *part) for part in parts])),
    }


def _crossfit(z, z_hat, correlate, train, test):
    learned = correlate(z[train], z_hat[train])
    pairs = best_matching(np.abs(learned))
    return (np.sign(learned[pairs]) * correlate(z[test], z_hat[test])[pairs]).mean()
