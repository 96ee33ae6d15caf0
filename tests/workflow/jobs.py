"""Python scripts in forks of a process that has loaded their libraries: a job starts a second earlier.

Snakemake starts a script by a shell command, `sys.executable SCRIPT`. Here the executable is a copy of this
file: it hands its working directory, environment and open files to the process of `serve`, and leaves with
the status of the script.
"""

import json
import os
import select
import signal
import socket
import sys
from pathlib import Path

SERVER = "TESTS_JOB_SERVER"  # variable with the address of its socket


def serve(path):
    """Fork a server that lives as long as this process, and forks a process for each script.

    path: how the names of its files begin. Returns None here, and in the process of a script the command line
    of that. These are in the session of this process, so that a signal reaches them as it would otherwise.
    """
    address = os.path.relpath(f"{path}.socket")  # the name of a socket has at most 100 letters
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    ended, alive = os.pipe()
    if os.fork():
        listener.close()
        os.close(ended)
        os.environ[SERVER] = address
        sys.executable = _executable(f"{path}.python")
        return None
    os.close(alive)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while listener in select.select([listener, ended], [], [])[0]:
        connection, _ = listener.accept()
        if not os.fork():
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            return _script(connection)
        connection.close()
    os._exit(0)


def _executable(path):
    path = Path(path)
    path.write_text(f"#!{sys.executable} -IS\n{Path(__file__).read_text()}")
    path.chmod(0o755)
    return str(path)


def _script(connection):
    request, files, *_ = socket.recv_fds(connection, 2**16, 3)
    while more := connection.recv(2**16):
        request += more
    script = os.fork()
    if script:
        _, status = os.waitpid(script, 0)
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    connection.close()
    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    folder, environment, command = json.loads(request)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # Not the folders of the tests: the script is to import what lies beside it.
    libraries = [path for path in sys.path if path.startswith((sys.prefix, sys.base_prefix))]
    own = [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.path[:] = [str(Path(command[0]).parent), *own, *libraries]
    return command


def main():
    """Run the script of the command line in a fork of the server; options are for Python itself."""
    if sys.argv[1].startswith("-"):
        os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ[SERVER])
        request = json.dumps([os.getcwd(), dict(os.environ), sys.argv[1:]]).encode()
        sent = socket.send_fds(connection, [request], [0, 1, 2])
        connection.sendall(request[sent:])
        connection.shutdown(socket.SHUT_WR)
        sys.exit(int(connection.recv(8) or 1))


if __name__ == "__main__":
    main()
