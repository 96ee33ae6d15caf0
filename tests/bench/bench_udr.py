"""CPU seconds of UDR of a set of models, and of one scikit-learn or scipy call on the samples of each pair.

The calls are timed on some pairs and scaled to all of them, in the same run: Lasso.fit with its own
tolerance on codes standardised beforehand, and spearmanr of all columns of both. The values are compared
with eq. 2 written out, on a lasso with a tighter tolerance.
"""

import time

import numpy as np
from scipy.stats import spearmanr
from sklearn.linear_model import Lasso
from sklearn.preprocessing import StandardScaler

from custodes.metrics import udr
from tests.unit.test_udr import textbook_pair

MODELS, PARTNERS, N, LATENTS, FACTORS = 60, 45, 10_000, 10, 7
PAIRS_TIMED = 40
PAIRS_COMPARED = 3
CALLS = {"lasso": Lasso(alpha=0.1).fit, "spearman": spearmanr}


def models():
    """Codes that mix the same factors a little, and three latents of noise."""
    rng = np.random.default_rng(0)
    factors = rng.standard_normal((N, FACTORS))
    for _ in range(MODELS):
        mixed = factors @ (np.eye(FACTORS) + 0.3 * rng.standard_normal((FACTORS, FACTORS)))
        codes = np.hstack([mixed, np.zeros((N, LATENTS - FACTORS))]) + 0.2 * rng.standard_normal((N, LATENTS))
        yield codes, np.arange(LATENTS) < FACTORS


def cpu_seconds(function):
    """Least CPU seconds of three calls, after one that pays for imports, and what the function returns."""
    function()
    times = []
    for _ in range(3):
        start = time.process_time()
        result = function()
        times.append(time.process_time() - start)
    return min(times), result


def compare(similarity, call, given, standardised):
    """Print the seconds of both ways for one similarity, and by how much the values differ."""
    ours, pairs = cpu_seconds(
        lambda: udr.score_pairs(given, np.random.default_rng(0), partners=PARTNERS, similarities=[similarity])
    )
    rows = np.stack([pairs["representation"], pairs["partner"]], axis=1)
    picked = np.random.default_rng(1).permutation(len(rows))[:PAIRS_TIMED]
    seconds, _ = cpu_seconds(lambda: [call(standardised[i], standardised[j]) for i, j in rows[picked]])
    expected = [
        textbook_pair(given[i][0], given[j][0], given[i][1], given[j][1], similarity)
        for i, j in rows[picked[:PAIRS_COMPARED]]
    ]
    difference = np.abs(pairs[f"udr_{similarity}"][picked[:PAIRS_COMPARED]] - expected).max()
    textbook = seconds / PAIRS_TIMED * len(rows)
    print(
        f"{similarity}: {ours:.2f} s; pair by pair {textbook:.1f} s, {textbook / ours:.0f} times that; "
        f"largest difference of the values {difference:.1e}"
    )


def main():
    """Both similarities."""
    given = list(models())
    standardised = [StandardScaler().fit_transform(codes) for codes, _ in given]
    print(f"{MODELS} models, {PARTNERS} partners each, n = {N}, {LATENTS} latents; CPU seconds")
    for similarity, call in CALLS.items():
        compare(similarity, call, given, standardised)


if __name__ == "__main__":
    main()
