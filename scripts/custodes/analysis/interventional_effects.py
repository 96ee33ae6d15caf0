"""What the codes of discrete factors do when factors are set, as tables that can be drawn.

Paper: Suter et al., "Robustly disentangled causal mechanisms: validating deep representations for
interventional robustness", 2019, section 6.3 and appendix F.
"""

import numpy as np

from custodes.statistics.combinations import observed_combinations
from custodes.statistics.interventions import expected_codes

LEVELS = 8


def in_few_levels(z, most=LEVELS):
    """Factors z (n, d) with neighbouring values merged into `most` levels where there are more.

    A level has the mean of its values. Means of many small cells would show noise for an effect.
    """
    merged = np.empty(z.shape)
    for factor, column in enumerate(z.T):
        values, places = np.unique(column, return_inverse=True)
        level = np.arange(len(values)) * min(most, len(values)) // len(values)
        merged[:, factor] = (np.bincount(level, weights=values) / np.bincount(level))[level][places]
    return merged


def interventional_effects(z, z_hat, followed):
    """E[Z | do(the factor that a code follows, another)] as a DataFrame, in the units of the codes.

    z (n, d), z_hat (n, m); followed (m,): index of a factor for each code. Columns: code, kept and shifted
    (factors), kept_value, shifted_value, expected. Where shifted is kept, only that factor is set.
    """
    import pandas as pd

    combinations = observed_combinations(z, z_hat)
    parts = []
    for kept in np.unique(followed):
        codes = np.flatnonzero(followed == kept)
        for shifted in range(z.shape[1]):
            factors = [kept] if shifted == kept else [kept, shifted]
            values, expected = expected_codes(combinations, factors)
            parts.append(
                pd.DataFrame(
                    {
                        "code": np.repeat(codes, values.shape[1]),
                        "kept": kept,
                        "shifted": shifted,
                        "kept_value": np.tile(values[0], len(codes)),
                        "shifted_value": np.tile(values[-1], len(codes)),
                        "expected": expected[codes].ravel(),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)
