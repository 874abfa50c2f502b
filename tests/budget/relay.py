"""A wire between the ledger and Postgres that can be cut after a request was delivered and before its reply arrives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo


class Relay:
    """Forwards bytes both ways until `cut_reply_to` is seen in a request.

    Attributes:
        cut_reply_to: bytes of a request whose reply is thrown away, together with the connection; None forwards all.
        silent_after: bytes of a request that gets no reply while the connection stays open; None forwards all.
        replies_lost: how often that happened.
        lost: set once it has happened.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._clients: set[asyncio.Task[None]] = set()
        self.cut_reply_to: bytes | None = None
        self.silent_after: bytes | None = None
        self.replies_lost = 0
        self.lost = asyncio.Event()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client in a task of its own."""
        client = asyncio.ensure_future(self._serve(reader, writer))
        self._clients.add(client)

    async def drained(self) -> None:
        """Wait until every client has gone."""
        await asyncio.gather(*self._clients)

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await self._connect()
        replies = asyncio.ensure_future(self._forward(server, to_client))
        while request := await client.read(65536):
            cut = self.cut_reply_to is not None and self.cut_reply_to in request
            if cut or (self.silent_after is not None and self.silent_after in request):
                replies.cancel()
                await asyncio.wait([replies])
            to_server.write(request)
            await to_server.drain()
            if cut:
                await server.read(65536)
                self.replies_lost += 1
                self.lost.set()
                break
        for writer in (to_server, to_client):
            writer.close()
        await asyncio.gather(replies, to_server.wait_closed(), to_client.wait_closed(), return_exceptions=True)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._host.startswith("/"):
            return await asyncio.open_unix_connection(f"{self._host}/.s.PGSQL.{self._port}")
        return await asyncio.open_connection(self._host, self._port)

    @staticmethod
    async def _forward(server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        while reply := await server.read(65536):
            to_client.write(reply)
            await to_client.drain()
        to_client.close()


@asynccontextmanager
async def relayed(dsn: str, directory: Path) -> AsyncIterator[tuple[Relay, str]]:
    """A relay in front of the server of `dsn`, and the connection string that leads through it.

    Args:
        dsn: of a database; its server is reached by Unix socket or TCP.
        directory: for the relay's Unix socket; its name must be short.
    """
    server = conninfo_to_dict(dsn)
    relay = Relay(str(server["host"]), int(server.get("port") or 5432))
    listener = await asyncio.start_unix_server(relay.accept, directory / ".s.PGSQL.5432")
    try:
        yield relay, make_conninfo(dsn, host=str(directory), port=5432)
    finally:
        listener.close()
        await relay.drained()
