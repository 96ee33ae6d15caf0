"""Probes that predict each factor from all codes, and the importance each gives to every code.

A probe is `probe(x_train, targets, x_test, discrete, rng)`: codes (rows, m), targets (rows, d), a
boolean (d,) that says which targets are classes, a generator. It returns the importances (m, d),
each column with sum 1 (0 where the probe used no code), and the predictions (test rows, d).
"""

import numpy as np

from custodes.errors import Undefined
from custodes.statistics.columns import standardise
from custodes.statistics.folds import shuffled_folds
from custodes.statistics.threads import one_thread

# The trees of scikit-learn's gradient boosting (100 of depth 3, rate 0.1, leaves of one row or more)
# on histograms fine enough to agree with them within 0.006: with 63 bins a perfect code loses 0.016.
# Single-threaded and deterministic; no column is bundled or filtered, no row sampled.
LIGHTGBM = {
    "learning_rate": 0.1,
    "num_leaves": 8,
    "max_depth": 3,
    "min_data_in_leaf": 1,
    "min_data_in_bin": 1,
    "max_bin": 511,
    "enable_bundle": False,
    "feature_pre_filter": False,
    "num_threads": 1,
    "deterministic": True,
    "force_col_wise": True,
    "verbose": -1,
}
TREES = 100


def lightgbm(x_train, targets, x_test, discrete, rng):
    """Gradient-boosted trees on histograms; importance is the total gain. Uses no randomness.

    Codes are binned once and shared by all factors.
    """
    from lightgbm import Booster, Dataset

    importances = np.zeros((x_train.shape[1], targets.shape[1]))
    predicted = np.empty((len(x_test), targets.shape[1]))
    binned = Dataset(x_train, label=targets[:, 0], params=LIGHTGBM).construct()
    for j, target in enumerate(targets.T):
        values, classes = np.unique(target, return_inverse=True)
        if len(values) == 1:
            predicted[:, j] = values[0]
            continue
        centre, spread = target.mean(), target.std()  # labels are kept in single precision
        binned.set_label(classes if discrete[j] else (target - centre) / spread)
        booster = Booster({**LIGHTGBM, **_objective(discrete[j], len(values))}, binned)
        for _ in range(TREES):
            booster.update()
        importances[:, j] = booster.feature_importance("gain")
        output = booster.predict(x_test, num_threads=1)
        predicted[:, j] = values[_most_probable(output)] if discrete[j] else centre + spread * output
    return _normalised(importances), predicted


def _objective(discrete, classes):
    if not discrete:
        return {"objective": "regression"}
    return {"objective": "multiclass", "num_class": classes} if classes > 2 else {"objective": "binary"}


def _most_probable(probabilities):
    return probabilities.argmax(axis=1) if probabilities.ndim == 2 else (probabilities > 0.5).astype(int)


def gbt(x_train, targets, x_test, discrete, rng):
    """scikit-learn's gradient-boosted trees with default settings; impurity importances."""
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

    models = {False: GradientBoostingRegressor, True: GradientBoostingClassifier}
    return _trees(models, x_train, targets, x_test, discrete, rng)


def random_forest(x_train, targets, x_test, discrete, rng):
    """scikit-learn's random forest with default settings; impurity importances."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    models = {False: RandomForestRegressor, True: RandomForestClassifier}
    return _trees(models, x_train, targets, x_test, discrete, rng)


def _trees(models, x_train, targets, x_test, discrete, rng):
    if max(np.abs(x_train).max(), np.abs(x_test).max()) > np.finfo(np.float32).max:
        raise Undefined("codes beyond float32, which scikit-learn's trees refuse")
    importances = np.zeros((x_train.shape[1], targets.shape[1]))
    predicted = np.empty((len(x_test), targets.shape[1]))
    for j, target in enumerate(targets.T):
        seed = int(rng.integers(2**31))
        if np.ptp(target) == 0:
            predicted[:, j] = target[0]
            continue
        model = models[bool(discrete[j])](random_state=seed).fit(x_train, target)
        importances[:, j] = model.feature_importances_
        predicted[:, j] = model.predict(x_test)
    return _normalised(importances), predicted


def lasso(x_train, targets, x_test, discrete, rng):
    """Lasso on standardised codes, penalty chosen by five-fold cross-validation; |coefficients|.

    Classes are predicted one against the rest, their |coefficients| added.
    """
    from sklearn.linear_model import LassoCV

    x_train, x_test = standardise(x_train, x_test)
    importances = np.zeros((x_train.shape[1], targets.shape[1]))
    predicted = np.empty((len(x_test), targets.shape[1]))
    parts = shuffled_folds(len(x_train), 5, rng)
    with one_thread():
        for j, target in enumerate(targets.T):
            values = np.unique(target)
            if len(values) == 1:
                predicted[:, j] = values[0]
                continue
            responses = (target == values[:, None]).astype(float) if discrete[j] else target[None]
            models = [LassoCV(cv=parts, max_iter=10000).fit(x_train, response) for response in responses]
            importances[:, j] = np.sum([np.abs(model.coef_) for model in models], axis=0)
            outputs = np.array([model.predict(x_test) for model in models])
            predicted[:, j] = values[outputs.argmax(axis=0)] if discrete[j] else outputs[0]
    return _normalised(importances), predicted


def _normalised(importances):
    total = importances.sum(axis=0)
    return importances / np.where(total > 0, total, 1.0)


PROBES = {"lightgbm": lightgbm, "gbt": gbt, "lasso": lasso, "random_forest": random_forest}
