"""Unsupervised disentanglement ranking (UDR).

Paper: "Unsupervised Model Selection for Variational Disentangled Representation Learning", section 4,
eq. 2. Representations that agree up to order, sign and subset of their codes are taken for disentangled.
R (L_i, L_j) holds the similarity of each code of i with each code of j, without its sign:
lasso: the coefficient of code a in the lasso that predicts code b of j from all codes of i, all of them
standardised, and minimises mean squared residual / 2 + alpha |coefficients|_1;
spearman: the rank correlation, ties averaged.

    UDR_ij = (sum_b I_b max_a R_ab^2 / sum_a R_ab + sum_a I_a max_b R_ab^2 / sum_b R_ab) / (d_i + d_j)

I = 1 for an informative latent, else 0; d = how many there are. Where a sum is 0 the term is 0, and
without any informative latent UDR_ij = 0. The score of i is the median of UDR_ij over its partners j:
others of the same setting (UDR) or any others (UDR-A2A), see `groups`.

Range: udr_spearman [0, 1]; udr_lasso [0, 1 - alpha] where the codes within a representation are
uncorrelated, else [0, 1 / (4 alpha)], since coefficients of correlated codes may exceed 1. Under lasso
UDR_ij is not UDR_ji. A code that does not vary is similar to none, and a copy of another code predicts none.

Departures from the reference code. It averages the mean over columns with the mean over rows, which is
another number where d_i and d_j differ. It leaves uninformative latents out of maxima and sums, since it sets
those of mean KL up to 0.01 to 0 beforehand, whatever the threshold asked for; uninformative="zeroed" does so
for those of the masks, which raises udr_spearman where such latents are many. Its score of i is the
median of UDR_ji. It has no P partners, no settings, and only equal L.
"""

import math

import numpy as np

from custodes.checks import count, one_of, optional, real, require_choice
from custodes.contracts import AFFINE_CODES, SET, Metric
from custodes.errors import Undefined
from custodes.metrics.udr.gram_lasso import gram_lasso
from custodes.metrics.udr.partners import drawn_partners, members_of_groups
from custodes.statistics.columns import ranks, unit_columns
from custodes.statistics.inputs import check_array
from custodes.statistics.threads import one_thread
from custodes.streams import generator

METRIC = Metric(
    scores={"udr_lasso": (0.0, math.inf), "udr_spearman": (0.0, 1.0)},
    needs=SET,
    invariant_to=AFFINE_CODES,
    options={
        "partners": optional(count(1)),
        "alpha": real(0, ends=False),
        "uninformative": one_of("kept", "zeroed"),
    },
)
check = METRIC.check

SIMILARITIES = ("lasso", "spearman")
FEWEST_ROWS = 4  # on two rows all codes correlate fully


def informative_latents(mean_kl, threshold=0.01):
    """Boolean (L,): the latents whose KL divergence from the prior exceeds `threshold`.

    mean_kl: (L,), averaged over the data, in nats as `threshold`.
    """
    mean_kl = np.asarray(mean_kl, dtype=float)
    if mean_kl.ndim != 1 or not np.isfinite(mean_kl).all():
        raise ValueError(f"mean_kl must hold one finite number per latent, got {mean_kl}")
    return mean_kl > threshold


def udr_pair(
    codes_i, codes_j, informative_i, informative_j, similarity="lasso", alpha=0.1, uninformative="kept"
):
    """UDR_ij of codes (n, L_i) and (n, L_j) on the same rows, with boolean masks (L_i,) and (L_j,).

    similarity: "lasso", whose penalty has the weight `alpha` above 0, or "spearman". uninformative: as for
    `score_pairs`. Raises Undefined below 4 rows.
    """
    check(alpha=alpha, uninformative=uninformative)
    codes = _check_codes([codes_i, codes_j])
    masks = [_check_mask(m, k, codes[k].shape[1]) for k, m in enumerate((informative_i, informative_j))]
    informative_i, informative_j = masks
    strength = similarity_matrix(*_used(codes, masks, uninformative), similarity, alpha)
    return float(_udr(strength, [0], informative_i, informative_j)[0])


def similarity_matrix(codes_i, codes_j, similarity="lasso", alpha=0.1):
    """R (L_i, L_j) of codes (n, L_i) and (n, L_j), without signs; arguments as for `udr_pair`."""
    check(alpha=alpha)
    require_choice("similarity", similarity, SIMILARITIES)
    codes = _check_codes([codes_i, codes_j])
    with one_thread():
        correlations, columns = _correlations(codes, similarity)
        return _strength(correlations, *columns, similarity, alpha)


def score_set(representations, rng=None, *, groups=None, partners=None, alpha=0.1, uninformative="kept"):
    """UDR of every representation: a list of {score: value}; arguments as for `score_pairs`.

    One that is alone in its group has no scores.
    """
    pairs = score_pairs(
        representations, rng, groups=groups, partners=partners, alpha=alpha, uninformative=uninformative
    )
    return scores_of_pairs(pairs, len(representations))


def scores_of_pairs(pairs, count):
    """What `score_set` returns for `count` representations, from what `score_pairs` returns for them."""
    ends = np.cumsum(np.bincount(pairs["representation"], minlength=count))
    parts = {name: np.split(pairs[name], ends[:-1]) for name in METRIC.scores}
    return [
        {name: float(np.median(parts[name][k])) for name in METRIC.scores if len(parts[name][k])}
        for k in range(count)
    ]


def score_pairs(
    representations,
    rng=None,
    *,
    groups=None,
    partners=None,
    similarities=SIMILARITIES,
    alpha=0.1,
    uninformative="kept",
):
    """UDR_ij of all compared pairs, as columns: representation, partner (positions in the list), udr_*.

    representations: a list of (codes (n, L), informative (L,)), all on the same n rows.
    groups: a label per representation, such as its setting; only equals are compared. None: all are.
    partners: how many others of its group, drawn without replacement, each is compared with (all of
    them where there are fewer); None: all, and rng is not used.
    alpha: weight of the lasso's penalty, above 0.
    uninformative: such latents are "kept" among those that informative ones are compared with, as in the
    paper's equation, or "zeroed", so that they are similar to none, as in the reference code.
    Sorted by representation and partner. Raises Undefined below 4 rows of codes.
    """
    check(partners=partners, alpha=alpha, uninformative=uninformative)
    for similarity in similarities:
        require_choice("similarity", similarity, SIMILARITIES)
    codes = _check_codes([codes for codes, _ in representations])
    informative = [_check_mask(mask, k, codes[k].shape[1]) for k, (_, mask) in enumerate(representations)]
    codes = _used(codes, informative, uninformative)
    members = members_of_groups(groups, len(codes))
    chosen = drawn_partners(members, partners, generator(rng))
    pairs = {
        "representation": np.repeat(np.arange(len(codes)), [len(others) for others in chosen]),
        "partner": np.concatenate(chosen),
    }
    with one_thread():
        for similarity in similarities:
            values = {}
            for group in members:
                values |= _score_group(group, codes, informative, chosen, similarity, alpha)
            pairs[f"udr_{similarity}"] = np.concatenate([values[k] for k in range(len(codes))])
    return pairs


def _score_group(group, codes, informative, chosen, similarity, alpha):
    """UDR of each member of a group with its partners, {k: (partners,)}; one Gram matrix serves all."""
    if len(group) == 1:
        return {group[0]: np.empty(0)}
    correlations, columns = _correlations([codes[k] for k in group], similarity)
    columns = dict(zip(group, columns, strict=True))
    values = {}
    for k in group:
        theirs = [columns[j] for j in chosen[k]]
        starts = np.cumsum([0, *map(len, theirs[:-1])])
        strength = _strength(correlations, columns[k], np.concatenate(theirs), similarity, alpha)
        values[k] = _udr(
            strength, starts, informative[k], np.concatenate([informative[j] for j in chosen[k]])
        )
    return values


def _correlations(codes, similarity):
    """Correlations of all columns of all codes with one another, and the indices of each one's columns."""
    prepare = ranks if similarity == "spearman" else np.asfortranarray  # long columns are faster in one piece
    columns = np.hstack([unit_columns(prepare(part)) for part in codes])
    ends = np.cumsum([part.shape[1] for part in codes])
    return np.clip(columns.T @ columns, -1.0, 1.0), np.split(np.arange(ends[-1]), ends[:-1])


def _strength(correlations, own, others, similarity, alpha):
    """R (own, others), columns side by side where `others` holds those of several representations."""
    between = correlations[np.ix_(own, others)]
    if similarity == "lasso":
        between = gram_lasso(correlations[np.ix_(own, own)], between, alpha)
    return np.abs(between)


def _udr(strength, starts, informative_i, informative_j):
    """UDR_ij (partners,) of R (L_i, columns), where each partner's columns begin at one of `starts`."""
    by_column = _share(strength.max(axis=0), strength.sum(axis=0)) * informative_j
    by_row = _share(np.maximum.reduceat(strength, starts, axis=1), np.add.reduceat(strength, starts, axis=1))
    latents = informative_i.sum() + np.add.reduceat(informative_j, starts, dtype=int)
    return (np.add.reduceat(by_column, starts) + informative_i @ by_row) / np.maximum(latents, 1)


def _share(largest, total):
    return largest**2 / np.where(total > 0, total, 1.0)


def _used(codes, masks, uninformative):
    """The codes (n, L) of each representation; those that its mask leaves out are 0 where "zeroed"."""
    if uninformative == "kept":
        return codes
    return [np.where(mask, part, 0.0) for part, mask in zip(codes, masks, strict=True)]


def _check_codes(codes):
    if not codes:
        raise ValueError("there are no representations")
    codes = [check_array(part, f"representation {k}") for k, part in enumerate(codes)]
    for k, part in enumerate(codes):
        if len(part) != len(codes[0]):
            raise ValueError(
                f"representation {k} has {len(part)} rows and representation 0 has {len(codes[0])}"
            )
    if len(codes[0]) < FEWEST_ROWS:
        raise Undefined(f"udr needs {FEWEST_ROWS} rows, got {len(codes[0])}")
    return codes


def _check_mask(mask, k, latents):
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.shape != (latents,):
        raise ValueError(
            f"the mask of representation {k} has shape {mask.shape} and type {mask.dtype}; "
            f"{latents} booleans are needed"
        )
    return mask
