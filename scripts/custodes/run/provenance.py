"""What a run was: configuration, seeds, versions, commit, machine, command and times.

Each run has one JSON file. That of the latest run is `provenance.json` in the results folder; when the next
run starts, it moves to `provenance/`, under the time at which it was last written. No rule reads or writes
it, so it reruns nothing.
"""

import json
import os
import platform
import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from custodes.tables.files import replacing

LATEST = "provenance.json"
# In a process of its own: the kernel is chosen when numpy is loaded, from the environment that jobs have.
BLAS = "import json, numpy, threadpoolctl; print(json.dumps(threadpoolctl.threadpool_info()))"
BLAS_FACTS = ("internal_api", "version", "architecture")


def start(results, root, study, command):
    """Write the file of a run that begins; that of the run before is kept.

    results: folder. root: of the workflow. study: `study.study.Study`. command: list of words.
    """
    path = Path(results) / LATEST
    if path.exists():
        last = _in_words(datetime.fromtimestamp(path.stat().st_mtime, UTC)).replace(":", "")
        (path.parent / "provenance").mkdir(exist_ok=True)
        path.rename(path.parent / "provenance" / f"{last}.json")
    record = {
        "started": _in_words(datetime.now(UTC)),
        "ended": None,
        "outcome": "not finished",
        "command": shlex.join(command),
        "workflow": commit(root),
        "configuration": study.config,
        "protocols": study.protocols,
        "seeds": {name: study.seeds(name) for name in study.experiments},
        "python": platform.python_version(),
        "versions": versions(Path(root) / "envs" / "requirements.in"),
        "machine": machine(),
    }
    _write(path, record)


def end(results, outcome):
    """Complete the file of the run by its end and its outcome, in a word."""
    path = Path(results) / LATEST
    record = json.loads(path.read_text(encoding="utf-8"))
    _write(path, record | {"ended": _in_words(datetime.now(UTC)), "outcome": outcome})


def commit(root):
    """{"commit": hash, "dirty": whether files differ from it}, both None where `root` is no git checkout."""
    place = _git(root, "rev-parse", "HEAD", "--show-prefix")
    if place is None or len(place) != 2 or place[1]:  # a folder inside another project's checkout
        return {"commit": None, "dirty": None}
    changed = _git(root, "status", "--porcelain")
    return {"commit": place[0], "dirty": None if changed is None else changed != []}


def versions(path_to_requirements):
    """Installed versions of the packages that a requirements file names; None for those that are missing."""
    lines = Path(path_to_requirements).read_text(encoding="utf-8").splitlines()
    names = [found.group() for found in (re.match(r"[\w.-]+", line) for line in lines) if found]
    return {name: _version(name) for name in names}


def machine():
    """Processor, cores, memory in GiB, operating system, and the linear algebra that numpy uses."""
    done = subprocess.run([sys.executable, "-c", BLAS], capture_output=True, text=True, check=True)
    libraries = [one for one in json.loads(done.stdout) if one["user_api"] == "blas"]
    return {
        "processor": _processor(Path("/proc/cpuinfo")),
        "cores": os.cpu_count(),
        "cores_allowed": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1),
        "system": platform.platform(),
        "blas": [{fact: library.get(fact) for fact in BLAS_FACTS} for library in libraries],
    }


def _in_words(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _git(root, *arguments):
    """Lines that git prints, or None where there is no git or no checkout."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return None if done.returncode else done.stdout.splitlines()


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor(path):
    """Name of the processor."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    named = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return named.group(1) if named else platform.machine()


def _write(path, record):
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
