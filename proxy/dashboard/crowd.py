"""How many browsers may be connected, and for how long: who says nothing, or byte by byte, is hung up on."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from aiohttp import web

LONGEST_SECONDS: Final = 15.0
"""For a whole request and its answer; each is a connection of its own."""
PLACES: Final = 200
_LOOK_SECONDS: Final = 1.0


class Crowd:
    """Makes the protocol of each connection, and ends those that are too many or too slow.

    Args:
        server: whose connections they are.
        places: connections at a time: in a crowd, the oldest is hung up on.
        seconds: how long one may last.
    """

    def __init__(self, server: web.Server, places: int = PLACES, seconds: float = LONGEST_SECONDS) -> None:
        self._server = server
        self._places = places
        self._seconds = seconds
        self._began: dict[web.RequestHandler, float] = {}

    def __call__(self) -> asyncio.Protocol:
        """The protocol of a connection that begins."""
        self.look()
        if len(self._began) >= self._places:
            _hang_up(next(iter(self._began)))
        return self._server()

    async def watch(self) -> None:
        """Go on looking, until the caller is cancelled."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Hang up on those who stay too long."""
        now = time.monotonic()
        self._began = {handler: self._began.get(handler, now) for handler in self._server.connections}
        for handler, began in self._began.items():
            if now - began > self._seconds:
                _hang_up(handler)


def _hang_up(handler: web.RequestHandler) -> None:
    if handler.transport is not None:
        handler.transport.abort()
