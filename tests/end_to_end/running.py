"""A whole proxy inside the test process: its own thread and event loop, reached through its port only."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import replace
from types import TracebackType
from typing import Self

import psycopg
from psycopg.conninfo import make_conninfo

from proxy.query.worker import serve
from proxy.serving.options import ServiceOptions
from proxy.serving.service import Service
from tests.end_to_end.clinic import PASSWORD


def start_thread(connection: socket.socket) -> None:
    """Plan in a thread, with the same messages as a process, so that tests can watch and change what is done there."""
    threading.Thread(target=serve, args=(connection,), name="planning", daemon=True).start()


class RunningProxy:
    """A started `Service`. Use it in a `with`.

    Args:
        options: the service's.
        database: of its clients.
        password: of its analysts.
        processes: are statements planned in processes, as they are elsewhere? Else in threads of this one.
    """

    def __init__(
        self, options: ServiceOptions, database: str, password: str = PASSWORD, *, processes: bool = False
    ) -> None:
        self.options = options if processes else replace(options, start_planner=start_thread)
        self.database = database
        self._password = password
        self.address: tuple[str, int] = ("", 0)
        self.service: Service | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self.address = self.run(self._start())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.service is not None:
            asyncio.run_coroutine_threadsafe(self.service.stop(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _start(self) -> tuple[str, int]:
        self.service = Service(self.options)
        return await self.service.start()

    def run(self, awaitable: object) -> tuple[str, int]:
        """Run a coroutine on the proxy's loop and wait for it."""
        return asyncio.run_coroutine_threadsafe(awaitable, self._loop).result(60)  # type: ignore[arg-type]

    def dsn(self, user: str = "ana", **parameters: str) -> str:
        """Connection string of a client."""
        host, port = self.address
        own = {"password": self._password, "sslmode": "disable"}
        return make_conninfo("", host=host, port=port, dbname=self.database, user=user, **{**own, **parameters})

    def connect(self, user: str = "ana", **parameters: str) -> psycopg.Connection:
        """An autocommit connection as an analyst."""
        return psycopg.connect(self.dsn(user, **parameters), autocommit=True)
