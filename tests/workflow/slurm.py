"""A one-node Slurm of its own in a scratch folder: real daemons on loopback, nothing written elsewhere.

As a program it runs a command beside one: python -m tests.workflow.slurm COMMAND ...
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo", "srun")
# What profiles/slurm asks of a node; Slurm believes it, whatever the machine has.
CPUS, MEMORY_MB = 4, 16000

CONFIGURATION = """\
ClusterName=scratch
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld_port}
SlurmdPort={slurmd_port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ReturnToService=1
MinJobAge=3600
KillWait=2
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} Gres=gpu:1
PartitionName=main Nodes=node Default=YES
PartitionName=gpu Nodes=node
"""


def missing():
    """Why Slurm cannot run here, or None."""
    if os.geteuid() != 0:
        return "a scratch Slurm needs root"
    absent = [name for name in PROGRAMS if not shutil.which(name, path=search_path())]
    return f"not installed: {', '.join(absent)} (Debian: slurm-wlm, munge)" if absent else None


def search_path():
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


@contextmanager
def running():
    """Start munged, slurmctld and slurmd, and set the environment by which Slurm's commands find them."""
    with ExitStack() as stack:
        # Short, for the name of a socket, and outside of folders that only the owner may enter.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="slurm-")))
        configure(folder)
        path = f"{folder}/bin{os.pathsep}{search_path()}"
        found = {"PATH": path, "SLURM_CONF": str(folder / "slurm.conf")}
        stack.enter_context(mock.patch.dict(os.environ, found))

        def daemon(*command):
            stack.enter_context(background(command, folder / f"{command[0]}.log"))

        daemon(
            "munged",
            "--foreground",
            "--force",
            *(f"--{what}-file={folder}/munge.{what}" for what in ("key", "log", "pid", "seed")),
            f"--socket={folder}/munge.socket",
        )
        wait_for(lambda: (folder / "munge.socket").exists(), "munged made no socket")
        daemon("slurmctld", "-D", "-c")
        daemon("slurmd", "-D", "-N", "node")
        try:
            wait_for(lambda: state() == "idle", "the node is not idle")
        except TimeoutError as error:
            error.add_note("\n".join(log.read_text() for log in folder.glob("*.log")))
            raise
        stack.callback(end_jobs)
        yield


def configure(folder):
    folder.chmod(0o755)
    for name in ("state", "spool", "bin"):
        (folder / name).mkdir()
    # Within jobs, Snakemake's plugin takes all variables of Slurm from the environment of srun.
    srun = folder / "bin/srun"
    srun.write_text(f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {shutil.which("srun")} "$@"\n')
    srun.chmod(0o755)
    key = folder / "munge.key"
    key.touch(0o600)
    key.write_bytes(os.urandom(1024))
    ports = free_ports(2)
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(
            host=socket.gethostname().split(".")[0],
            folder=folder,
            cpus=CPUS,
            memory=MEMORY_MB,
            ctld_port=ports[0],
            slurmd_port=ports[1],
        )
    )
    (folder / "gres.conf").write_text("NodeName=node Name=gpu File=/dev/null\n")
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")


def free_ports(count):
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@contextmanager
def background(command, log):
    """A daemon in the foreground, ended at the end."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(condition, problem, seconds=30):
    """Return once `condition()` holds; TimeoutError with `problem` if it does not in `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(problem)
        time.sleep(0.1)


def ask(*command):
    """What a command of Slurm prints."""
    return subprocess.run(command, text=True, capture_output=True, check=True).stdout


def state():
    """State of the node; empty while slurmctld does not answer."""
    done = subprocess.run(["sinfo", "-h", "-p", "main", "-o", "%T"], text=True, capture_output=True)
    return done.stdout.strip()


def jobs(states="all"):
    """Slurm's jobs in the order of their submission: id, state, time limit."""
    printed = ask("squeue", "--noheader", "--sort=i", "--format=%i %T %l", f"--states={states}")
    return [tuple(line.split()) for line in printed.splitlines()]


def end_jobs():
    """Cancel what is left, and wait until none runs."""
    ask("scancel", "--user=root")
    wait_for(lambda: not jobs("pending,running,completing"), "cancelled jobs do not end")


def main():
    """Run the command of the command line, and leave with its status."""
    problem = missing()
    if problem:
        sys.exit(problem)
    with running():
        sys.exit(subprocess.run(sys.argv[1:]).returncode)


if __name__ == "__main__":
    main()
