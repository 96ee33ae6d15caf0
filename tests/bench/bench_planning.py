"""CPU time and memory of a dry run: of the full study, and of studies of about 2,000 and 20,000 jobs.

Aim: at most 15 s of CPU for the full study. The larger ones have copies of all experiments under other names;
the largest is planned with the argument --large only.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from custodes.sources import CHECKOUT

COPIED = ("Snakefile", "workflow", "scripts", "profiles", "config", "envs")


def workflow(folder, copies):
    """A copy of the workflow in which every experiment with a grid stands `copies` times."""
    for name in COPIED:
        source = CHECKOUT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, folder / name)
    experiments = folder / "config" / "experiments"
    for path in sorted(experiments.glob("*.yaml")):
        text, figures, _ = path.read_text(encoding="utf-8").partition("\nfigures:")
        if "\ngrids:" in text and figures:
            for number in range(1, copies):
                (experiments / f"{path.stem}_copy{number}.yaml").write_text(text + "\n", encoding="utf-8")


def planned(folder):
    """Jobs, CPU seconds and MiB of a dry run."""
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "rules"]
    run = subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = run.stdout.read()
    _, _, used = os.wait4(run.pid, 0)
    jobs = int(re.search(r"^total\s+(\d+)", printed, re.MULTILINE).group(1))
    return jobs, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    """Print one line for each study."""
    for copies in (1, 2, 17) if "--large" in sys.argv else (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            workflow(Path(folder), copies)
            jobs, seconds, memory = planned(folder)
        print(
            f"{jobs:,} jobs: {seconds:.1f} s of CPU, {1000 * seconds / jobs:.1f} ms a job, {memory:.0f} MiB"
        )


if __name__ == "__main__":
    main()
