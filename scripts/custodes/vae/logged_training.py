"""A training whose lines of progress go to a file."""

from pathlib import Path

from custodes.errors import Diverged
from custodes.vae import training


def train(images, white, plan, path_to_checkpoint, path_to_log):
    """Network and history of `training.train`; its lines, and why it stopped, are written as they come.

    Where there is a checkpoint the log of the killed job is continued.
    """
    resuming = Path(path_to_checkpoint).exists()
    Path(path_to_log).parent.mkdir(parents=True, exist_ok=True)
    with Path(path_to_log).open("a" if resuming else "w", encoding="utf-8", buffering=1) as log:

        def report(line):
            print(line, file=log)

        try:
            return training.train(images, white, plan, path_to_checkpoint=path_to_checkpoint, report=report)
        except Diverged as reason:
            report(reason)
            raise
