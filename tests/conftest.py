"""Settings of all tests, made before numpy is imported."""

import os
import platform

# As in workflow/rules/common.smk: samples of correlated factors depend on the kernel of OpenBLAS.
if platform.machine() in ("x86_64", "AMD64"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
