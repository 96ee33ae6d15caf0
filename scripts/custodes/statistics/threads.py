"""Linear algebra in one thread: the last bits of its results depend on the number of threads."""

from functools import cache


def one_thread():
    """Context in which the linear algebra of numpy and scipy uses one thread."""
    return _libraries().limit(limits=1)


@cache
def _libraries():
    """Their libraries; looking for them takes as long as a small metric."""
    import scipy.linalg  # noqa: F401  a library that is not loaded is not found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")
