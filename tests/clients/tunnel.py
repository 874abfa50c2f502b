"""A TCP port in front of a server's Unix socket, for clients that know no other address."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.clients.target import Target


@contextmanager
def tunnel(target: Target) -> Iterator[int]:
    """The port on which the server is reached for the `with` block."""
    if not target.over_socket:
        yield target.port
        return
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="tunnel", daemon=True)
    thread.start()
    place = f"{target.host}/.s.PGSQL.{target.port}"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, questions = await asyncio.open_unix_connection(place)
        await asyncio.gather(_pass_on(reader, questions), _pass_on(answers, writer), return_exceptions=True)

    async def listen() -> asyncio.Server:
        return await asyncio.start_server(serve, "127.0.0.1", 0)

    async def close(server: asyncio.Server) -> None:
        server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    server = asyncio.run_coroutine_threadsafe(listen(), loop).result(10)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        asyncio.run_coroutine_threadsafe(close(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
    finally:
        target.close()
