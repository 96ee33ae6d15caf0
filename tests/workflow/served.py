"""Snakemake in processes forked from one that has loaded it: a run starts two seconds earlier."""

import multiprocessing
import os
import sys
import tempfile
from pathlib import Path

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["snakemake.cli", "snakemake.workflow", "pandas"])


class Snakemake(CONTEXT.Process):
    """A process of `snakemake arguments`, in a folder and a session of its own."""

    def __init__(self, folder, arguments):
        super().__init__()
        self.folder, self.arguments, self.environment = folder, list(arguments), dict(os.environ)
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
        sys.argv = ["snakemake", *self.arguments]
        main(self.arguments)

    def end(self, check=True):
        """Wait for its end and return what it printed."""
        self.join()
        printed = Path(self.printed).read_text()
        if check and self.exitcode:
            raise AssertionError(printed)
        return printed
