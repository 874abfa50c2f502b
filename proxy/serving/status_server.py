"""A small HTTP server for operators: /live, /ready and /metrics. It is no place for analysts: durations are in it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final

_SECONDS: Final = 10.0
"""For a whole request."""
_LONGEST: Final = 8192
"""Bytes of a request's first line and headers."""

Page = Callable[[], Awaitable[tuple[HTTPStatus, str]]]
"""Makes a page: its status and its text."""


class StatusServer:
    """Serves pages of plain text.

    Args:
        pages: by path.
    """

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self._pages = pages
        self._listener: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Listen, and return the address (port 0 picks a free one).

        Raises:
            OSError: the address cannot be listened on.
        """
        self._listener = await asyncio.start_server(self._serve, host, port, limit=_LONGEST, backlog=16)
        address = self._listener.sockets[0].getsockname()
        return address[0], address[1]

    async def stop(self) -> None:
        """Stop listening."""
        if self._listener is not None:
            self._listener.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(_SECONDS):
                request = await reader.readuntil(b"\r\n\r\n")
                status, text = await self._answer(request.partition(b"\r\n")[0])
                body = text.encode()
                head = (
                    f"HTTP/1.1 {status.value} {status.phrase}",
                    "Content-Type: text/plain; version=0.0.4; charset=utf-8",
                    f"Content-Length: {len(body)}",
                    "Connection: close",
                )
                writer.write("".join(f"{line}\r\n" for line in (*head, "")).encode() + body)
                await writer.drain()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def _answer(self, line: bytes) -> tuple[HTTPStatus, str]:
        method, _, rest = line.partition(b" ")
        page = self._pages.get(rest.partition(b" ")[0].partition(b"?")[0].decode("latin-1"))
        if method != b"GET":
            return HTTPStatus.METHOD_NOT_ALLOWED, "only GET\n"
        if page is None:
            return HTTPStatus.NOT_FOUND, "".join(f"{path}\n" for path in self._pages)
        return await page()
