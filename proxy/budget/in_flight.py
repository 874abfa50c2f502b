"""One question is worked on by one proxy at a time, of all that share a ledger: the others wait, and recall its answer.

The locks belong to a connection of the proxy. If that is lost, or the proxy dies, they are free, and at worst a
question is charged twice, of which nobody learns anything (`answers.Answers.store`).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import psycopg
from psycopg_pool import AsyncConnectionPool

from proxy.budget.database import QUEUE_SECONDS, unavailable
from proxy.lending import Connection, Lender

_LOCK: Final = "SELECT pg_catalog.pg_try_advisory_lock(%s)"
_UNLOCK: Final = "SELECT pg_catalog.pg_advisory_unlock(%s)"
_SHORTEST_WAIT: Final = 0.02
_LONGEST_WAIT: Final = 0.25
_PATIENCE: Final = 10.0


class InFlight:
    """The questions that a proxy works on.

    Args:
        dsn: connection string of the ledger's database.
    """

    def __init__(self, dsn: str) -> None:
        pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            dsn,
            min_size=0,
            max_size=1,
            open=False,
            timeout=_PATIENCE,
            name="in flight",
            kwargs={"autocommit": True, "connect_timeout": int(_PATIENCE), "application_name": "dpproxy ledger"},
        )
        self._lender = Lender(pool, queue_seconds=QUEUE_SECONDS)

    @asynccontextmanager
    async def turn(self, question: str) -> AsyncIterator[None]:
        """Wait until no other proxy works on the question. Within a proxy `query.one_at_a_time` comes first.

        Args:
            question: its hash.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        key = int.from_bytes(hashlib.sha256(question.encode()).digest()[:8], "big", signed=True)
        try:
            wait = _SHORTEST_WAIT
            while not await self._ask(_LOCK, key):
                await asyncio.sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT)
            yield
        finally:
            # Whoever is cancelled while asking may have got the lock; to give back what one has not is harmless.
            await self._lender.tasks.finish(self._give_back(key))

    async def close(self) -> None:
        """Close the connection."""
        await self._lender.close()

    async def _ask(self, query: str, key: int) -> bool:
        try:
            return await self._lender.tasks.once(self._asked(query, key))
        except (psycopg.Error, OSError) as failure:
            raise unavailable(failure) from failure

    async def _asked(self, query: str, key: int) -> bool:
        await self._lender.open()
        try:
            return await self._asked_once(query, key)
        except psycopg.OperationalError:
            # As after a restart of the server; the pool has another connection by then.
            return await self._asked_once(query, key)

    async def _asked_once(self, query: str, key: int) -> bool:
        async with self._lender.connection() as connection:
            row = await (await connection.execute(query.encode(), (key,))).fetchone()
            return row is not None and bool(row[0])

    async def _give_back(self, key: int) -> None:
        try:
            await self._asked(_UNLOCK, key)
        except (psycopg.Error, OSError):
            return  # with its connection the lock is gone
