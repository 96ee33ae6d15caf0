"""Which representations are compared: the members of each group, and the partners of each member."""

import numpy as np


def members_of_groups(groups, count):
    """Positions of each group's members, in lists."""
    if groups is None:
        return [list(range(count))]
    if len(groups) != count:
        raise ValueError(f"groups has {len(groups)} labels for {count} representations")
    members = {}
    for k, label in enumerate(groups):
        members.setdefault(label, []).append(k)
    return list(members.values())


def drawn_partners(members, partners, rng):
    """For each representation, the sorted positions of those it is compared with."""
    chosen = {}
    for group in members:
        for k in group:
            others = np.array([j for j in group if j != k], dtype=int)
            if partners is not None and partners < len(others):
                others = np.sort(rng.choice(others, partners, replace=False))
            chosen[k] = others
    return [chosen[k] for k in range(len(chosen))]
