"""Snakemake and its jobs in processes forked from one that has loaded their libraries."""

import multiprocessing
import os
import runpy
import sys
import tempfile
from pathlib import Path

import jobs

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        "snakemake.cli",
        "snakemake.report.html_reporter",
        "snakemake.workflow",
        "jsonschema",
        "lightgbm",
        "matplotlib.backends.backend_agg",
        "matplotlib.backends.backend_pdf",
        "matplotlib.figure",
        "nbformat",
        "pandas",
        "pyarrow.dataset",
        "pyarrow.parquet",
        "ruamel.yaml",
        "scipy.optimize",
        "scipy.stats",
        "sklearn.ensemble",
        "sklearn.linear_model",
        "smart_open",
        "torch._dynamo",  # which every training loads
    ]
)


class Snakemake(CONTEXT.Process):
    """A process of `snakemake arguments`, in a folder and a session of its own.

    fork_jobs: whether its jobs are forks too. One that starts processes cannot be, as it waits for their end.
    """

    def __init__(self, folder, arguments, fork_jobs):
        super().__init__()
        self.folder, self.arguments, self.environment = folder, list(arguments), dict(os.environ)
        self.fork_jobs = fork_jobs
        handle, self.printed = tempfile.mkstemp(dir=folder.parent)
        os.close(handle)

    def run(self):
        """What the process does."""
        from snakemake.cli import main

        os.setsid()
        os.environ.update(self.environment)
        os.chdir(self.folder)
        with open(self.printed, "w") as printed:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
        script = jobs.serve(self.printed) if self.fork_jobs else None
        if script is None:
            sys.argv = ["snakemake", *self.arguments]
            main(self.arguments)
        else:
            sys.argv = script
            runpy.run_path(script[0], run_name="__main__")

    def end(self, check=True):
        """Wait for its end and return what it printed."""
        self.join()
        printed = Path(self.printed).read_text()
        if check and self.exitcode:
            raise AssertionError(printed)
        return printed
