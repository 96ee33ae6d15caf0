"""Exact laws: which quantities are functions of others."""

import numpy as np

from custodes.metrics.focus.leave_one_out import linear_errors, neighbour_errors
from custodes.statistics.columns import constant_columns, ranks, standardised


def law_errors(known, hidden, products):
    """Share (t,) of each column of hidden (n, t) that the columns of known (n, k) leave unexplained.

    The least of: left-out predictions that are linear in the known columns and, with `products`, in their
    products two by two as far as there are fewer terms than rows; and, with `products`, the ranks of a
    hidden column predicted from its neighbours in the order of any one known column. All columns must vary.
    """
    terms = standardised(known)
    hidden = standardised(hidden)
    if not products:
        return linear_errors(terms, hidden)[0]
    ranked = standardised(ranks(hidden))
    alone = [neighbour_errors(column[:, None], ranked) for column in known.T]
    left, right = np.triu_indices(terms.shape[1])
    if terms.shape[1] + len(left) < len(terms):
        terms = np.hstack([terms, terms[:, left] * terms[:, right]])
        terms = terms[:, ~constant_columns(terms)]  # the square of a factor of two values
    return np.min([*alone, linear_errors(standardised(terms), hidden)[0]], axis=0)
