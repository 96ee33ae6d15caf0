"""custodes: metrics of identifiable and disentangled representations, and tests of when they can be trusted.

    from custodes.metrics import dci
    dci.score(z, z_hat)  # factors (n, d), codes (n, m)

Rooms (`custodes.metrics`, `custodes.dgps`, `custodes.encoders`, `custodes.datasets`, ...) and their
entries are imported when they are first asked for.
"""

import importlib
import pkgutil


def __getattr__(name):
    if name in __dir__():
        return importlib.import_module(f"custodes.{name}")
    raise AttributeError(f"module 'custodes' has no attribute {name!r}")


def __dir__():
    return sorted(module.name for module in pkgutil.iter_modules(__path__))
