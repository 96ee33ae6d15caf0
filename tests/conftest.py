"""Settings of all tests, made before numpy is imported, and the order of their files."""

import gc
import os
import platform
from pathlib import Path

import pytest

# As in workflow/rules/common.smk: samples of correlated factors depend on the kernel of OpenBLAS.
if platform.machine() in ("x86_64", "AMD64"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The workers of pytest share the processors; threads of OpenMP that wait for one another keep them busy.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# As there too: processes that tests start import the package of this checkout.
SCRIPTS = str(Path(__file__).resolve().parents[1] / "scripts")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SCRIPTS, os.environ.get("PYTHONPATH")]))

LONGEST = ("test_quick.py", "test_slurm.py")


def pytest_xdist_auto_num_workers():
    """One more than processors: one of them waits for a Slurm for minutes."""
    return os.cpu_count() + 1


def pytest_collection_modifyitems(items):
    """The longest files first, then the other studies, so that no worker ends long after the others."""
    items.sort(key=lambda item: (item.path.name not in LONGEST, item.path.parent.name != "workflow"))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected and imported stays to the end: no search for garbage in it, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
