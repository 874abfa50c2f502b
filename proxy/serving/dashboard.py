"""The proxy's side of the dashboard: its address, its process, and what it is told."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final

from proxy.dashboard.told import MORE, InForce, Live, Start, packed

logger = logging.getLogger(__name__)

_MODULES: Final = ("aiohttp", "jinja2", "pygal")
_START: Final = (
    "import sys; sys.path[:] = {path!r}; from proxy.serving.logs import set_up_logs; "
    "set_up_logs(as_json={as_json}, level={level!r}); from proxy.dashboard.process import main; main(0, {listener})"
)
_BACKLOG: Final = 128
_FIRST_DELAY: Final = 0.5
_LONGEST_DELAY: Final = 30.0
_HEALTHY_SECONDS: Final = 60.0
"""After so long an earlier end does not count any more."""
_ENDING_SECONDS: Final = 5.0


class DashboardMissingError(Exception):
    """The libraries of the dashboard are not installed; the text says how they are."""


def require_libraries() -> None:
    """Raise DashboardMissingError if the extra `dashboard` is not installed."""
    missing = [name for name in _MODULES if importlib.util.find_spec(name) is None]
    if missing:
        raise DashboardMissingError(
            f"the dashboard needs {', '.join(missing)}: install them with pip install 'dpproxy[dashboard]'"
        )


class Dashboard:
    """Starts the dashboard's process, and another one if it ends by itself.

    Args:
        start: what the process is told first.
        in_force: the policy and its stewards; see `use`.
        live: what is going on.
        as_json: does it log as JSON?
        level: the least that it logs.
    """

    def __init__(
        self, start: Start, in_force: InForce, live: Callable[[], Live], *, as_json: bool = False, level: str = "info"
    ) -> None:
        self._start = start
        self._in_force = in_force
        self._live = live
        self._logs = (as_json, level)
        self._listener: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._line: asyncio.StreamWriter | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Listen, and return the address (port 0 picks a free one).

        Raises:
            OSError: the address cannot be listened on.
        """
        ((family, _, _, _, address), *_) = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )
        self._listener = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
        self._keeping = asyncio.create_task(self._keep())
        found = self._listener.getsockname()
        return found[0], found[1]

    def use(self, in_force: InForce) -> None:
        """Let it show another policy, and read its certificate again."""
        self._in_force = in_force
        self.renew()

    def renew(self) -> None:
        """Let it read its certificate again."""
        if self._line is not None:
            self._line.write(packed(self._in_force))

    async def stop(self) -> None:
        """End the process."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        if self._listener is not None:
            self._listener.close()

    async def _keep(self) -> None:
        delay = _FIRST_DELAY
        while True:
            began = time.monotonic()
            try:
                await self._serve()
            except OSError as error:
                logger.error("the dashboard cannot be started: %s", error.strerror)
            delay = _FIRST_DELAY if time.monotonic() - began > _HEALTHY_SECONDS else min(2 * delay, _LONGEST_DELAY)
            logger.error("the dashboard has ended by itself; it starts again in %.0f s", delay)
            await asyncio.sleep(delay)

    async def _serve(self) -> None:
        """Start a process, and answer it until it ends."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = self._started(theirs)
        reader, self._line = await asyncio.open_connection(sock=ours)
        try:
            self._line.write(packed(self._start) + packed(self._in_force))
            with contextlib.suppress(ConnectionError):
                while await reader.read(1) == MORE:
                    self._line.write(packed(self._live()))
        finally:
            self._line.close()
            self._line = None
            await asyncio.shield(asyncio.to_thread(_ended, self._process))

    def _started(self, line: socket.socket) -> subprocess.Popen[bytes]:
        assert self._listener is not None
        listener, (as_json, level) = self._listener.fileno(), self._logs
        code = _START.format(path=sys.path, as_json=as_json, level=level, listener=listener)
        # What it says goes to the log's stream. A Ctrl-C is for the proxy, at whose end it ends.
        return subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=line.fileno(),
            stdout=subprocess.DEVNULL,
            pass_fds=[listener],
            start_new_session=True,
        )


def _ended(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process that was hung up on has ended."""
    try:
        process.wait(_ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
