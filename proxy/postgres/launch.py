"""Becomes a Postgres program: drops root, limits its memory, asks to die with the parent, executes.

Run as a file by `embedded`, in a fresh interpreter, because these steps are not safe between fork and exec of a process
with threads. The kernel forgets the death signal when the user changes, so it is requested after that.

Usage: launch.py PARENT USER GROUP DATA_DIRECTORY PROGRAM [ARGUMENT …]; USER and GROUP are numbers, or - to stay.
The program gets `-D` with a path to DATA_DIRECTORY before its ARGUMENTs.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1

MOST_MEMORY = 1 << 30
"""Bytes of its own that each process may have: analysts can set work_mem, and a server that the kernel ends for want of
memory takes the sessions of all with it. Beyond it a statement fails."""


def main(arguments: list[str]) -> None:
    """Becomes the program; does not return.

    Raises:
        SystemExit: the parent died before the death signal was set.
        OSError: the user cannot be changed, or the program cannot be executed.
    """
    parent, user, group, data_directory, program = arguments[:5]
    if user != "-":
        data_directory = _path_for_any_user(data_directory)
        os.setgroups([])
        os.setgid(int(group))
        os.setuid(int(user))
    os.chdir("/")
    os.umask(0o077)
    if sys.platform == "linux":
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        # Immediate shutdown: nothing is lost, the write-ahead log is replayed at the next start.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGQUIT), 0, 0, 0)
        if os.getppid() != int(parent):
            raise SystemExit("the parent has already gone")
    os.execv(program, [program, "-D", data_directory, *arguments[5:]])


def _path_for_any_user(directory: str) -> str:
    """A path to `directory` that works even for a user who cannot traverse its parents (a home of mode 0700)."""
    if sys.platform != "linux":
        return directory
    descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY)
    os.set_inheritable(descriptor, True)
    return f"/proc/self/fd/{descriptor}"


if __name__ == "__main__":
    main(sys.argv[1:])
