"""Starts the embedded PostgreSQL again if it ends by itself, and gives up if that does not help."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final, Protocol

from proxy.postgres.binaries import EmbeddedPostgresError

logger = logging.getLogger(__name__)

_LOOK_SECONDS: Final = 0.2
_FIRST_DELAY: Final = 0.5
_MOST_DEATHS: Final = 5
_HEALTHY_SECONDS: Final = 300.0
"""After so long an earlier death does not count any more."""


class Server(Protocol):
    """A server that may end by itself, as an `EmbeddedPostgres`."""

    @property
    def is_running(self) -> bool:
        """Is it there?"""

    def revive(self) -> None:
        """Start it again. Raises EmbeddedPostgresError."""


async def keep_running(server: Server, first_delay: float = _FIRST_DELAY) -> None:
    """Watch a server until the caller is cancelled.

    Args:
        server: has been started.
        first_delay: seconds between its death and the next start; they double from one death to the next.

    Raises:
        EmbeddedPostgresError: it has ended too often.
    """
    deaths, began = 0, time.monotonic()
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        if server.is_running:
            continue
        if time.monotonic() - began > _HEALTHY_SECONDS:
            deaths = 0
        deaths += 1
        if deaths > _MOST_DEATHS:
            raise EmbeddedPostgresError(f"the embedded PostgreSQL has ended by itself {deaths} times; see its log")
        logger.error("the embedded PostgreSQL has ended by itself; start %d of %d follows", deaths, _MOST_DEATHS)
        await asyncio.sleep(first_delay * 2 ** (deaths - 1))
        try:
            await asyncio.to_thread(server.revive)
            logger.warning("the embedded PostgreSQL runs again; sessions that it ended have to log in again")
        except EmbeddedPostgresError as error:
            logger.error("the embedded PostgreSQL does not start: %s", error)
        began = time.monotonic()
