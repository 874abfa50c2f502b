"""Where planning processes come from: a process that has imported everything, and forks one for each socket it is sent.

It keeps a process from costing a second and fifty megabytes, and the proxy, which has threads and open sockets, from
being forked.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from typing import Final

_START: Final = "import sys; sys.path[:] = {path!r}; from proxy.query.nursery import main; main()"


class Nursery:
    """The proxy's end. The process begins when it is needed, and ends with this one, or with `close`."""

    def __init__(self) -> None:
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start_worker(self, connection: socket.socket) -> None:
        """Let a new process `worker.run` at the other end of a connection, which is closed here.

        Raises:
            OSError: no process can be started.
        """
        with self._lock, connection:
            for fresh in (False, True):
                if self._line is None or fresh:
                    self._line = self._start()
                with contextlib.suppress(BrokenPipeError):
                    socket.send_fds(self._line, [b"w"], [connection.fileno()])
                    return
        raise BrokenPipeError("no planning process can be started")

    def close(self) -> None:
        """End the process, and all that it has started."""
        if self._line is not None and self._process is not None:
            self._line.close()
            self._process.wait()

    def _start(self) -> socket.socket:
        self.close()
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-c", _START.format(path=sys.path)]
            # What it says goes to the log's stream; what the proxy prints is for its user.
            self._process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, start_new_session=True
            )
        return ours


def main() -> None:
    """Fork a worker for each socket, until the proxy ends; then no worker outlives it."""
    from proxy.query import worker  # once, for all of them

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=0) as line:
        while True:
            told, (*descriptors,), _, _ = socket.recv_fds(line, 1, 1)
            if not told:
                os.killpg(0, signal.SIGKILL)
            for descriptor in descriptors:
                if os.fork() == 0:
                    line.close()
                    worker.run(socket.socket(fileno=descriptor))
                    os._exit(0)
                os.close(descriptor)


NURSERY: Final = Nursery()
"""The one of this process."""
