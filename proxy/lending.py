"""Database connections that come back, however often the borrower is cancelled.

A client may cancel a question as often as it likes, and every cancel ends the `await` that the question's task is in. A
connection is lost for good if a cancel comes between taking it and giving it back: the pool still counts it. And a
query whose cancelling is cancelled runs on at its server, in addition to what the pool allows. So whatever holds a
connection runs in a task of its own, which at most one cancel reaches, and gives it back in one that none reaches.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncConnection
from psycopg.pq import PipelineStatus, TransactionStatus
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

Connection = AsyncConnection[TupleRow]
Result = TypeVar("Result")

GIVING_BACK_SECONDS = 5.0
"""How long ending a transaction, or cancelling a query, may take before the connection is hung up."""


_CLOSING_SECONDS = 1.0
"""How long the pool waits for its own work: a server that is silent does not keep the proxy from stopping."""


class Tasks:
    """Tasks that finish their work, whether anybody waits for them or not."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Begin `work`, which `close` waits for."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def once(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What `work` returns or raises. A cancel of the caller ends the call, and reaches `work` once."""
        return await result_of(self.start(work))

    async def finish(self, work: Coroutine[Any, Any, None]) -> None:
        """Do `work`, out of reach of the caller's cancels."""
        await asyncio.shield(self.start(work))

    async def close(self) -> None:
        """Wait for everything that is still running."""
        while self._running:
            await asyncio.wait(set(self._running))

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, or asyncio would log what nobody waits for


async def result_of(task: asyncio.Task[Result]) -> Result:
    """What `task` returns or raises. A cancel of the caller is passed on to it, and ends the call without it."""
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        raise
    return task.result()


class Lender:
    """A pool that gets its connections back.

    Args:
        pool: not yet open.
        clean: cleans a connection that comes back in the middle of a transaction, once that is rolled back.
        queue_seconds: how long a borrower waits for other borrowers, where that is not a part of the pool's timeout. So
            a long queue is told from a server that is not there, of which those in front learn.

    Attributes:
        tasks: the tasks that still use its connections.
    """

    def __init__(
        self,
        pool: AsyncConnectionPool[Connection],
        clean: Callable[[Connection], Coroutine[Any, Any, object]] | None = None,
        *,
        queue_seconds: float | None = None,
    ) -> None:
        self.pool = pool
        self._queue_seconds = queue_seconds
        self._places = asyncio.Semaphore(pool.max_size)
        self.tasks = Tasks()
        self._clean = clean

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """A connection for the body; a transaction that the body does not end is rolled back.

        Raises:
            psycopg.OperationalError: none is free in time.
        """
        async with self._place():
            connection = await self.pool.getconn()
            try:
                yield connection
            finally:
                await self.give_back(connection)

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        if self._queue_seconds is None:
            yield
            return
        try:
            async with asyncio.timeout(self._queue_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise PoolTimeout(f"others had all connections for {self._queue_seconds:g} s") from None
        try:
            yield
        finally:
            self._places.release()

    async def give_back(self, connection: Connection) -> None:
        """Return a connection, whatever its state: cleaned, or closed, so that the pool makes a new one."""
        await self.tasks.finish(self._give_back(connection))

    async def open(self) -> None:
        """Open the pool, if it is not yet. What it does later is not the work of who asks first, as the log shows."""
        if self.pool.closed:
            await asyncio.create_task(self.pool.open(), context=contextvars.Context())

    async def check(self) -> None:
        """Replace dead connections. They are out of the pool meanwhile."""
        await self.tasks.finish(self.pool.check())

    async def close(self) -> None:
        """Wait until connections are given back, and close all of them. Closing twice is harmless."""
        await self.tasks.close()
        await self.pool.close(timeout=_CLOSING_SECONDS)

    async def _give_back(self, connection: Connection) -> None:
        if not await self._made_idle(connection):
            await hang_up(connection)
        await self.pool.putconn(connection)

    async def _made_idle(self, connection: Connection) -> bool:
        """Is the connection fit for the next borrower?"""
        status = connection.pgconn.transaction_status
        if status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
            try:
                async with asyncio.timeout(GIVING_BACK_SECONDS):
                    await connection.rollback()
                    if self._clean is not None:
                        await self._clean(connection)
            except (psycopg.Error, TimeoutError):
                return False
        return (
            connection.pgconn.transaction_status == TransactionStatus.IDLE
            and connection.pgconn.pipeline_status == PipelineStatus.OFF
        )


async def hang_up(connection: Connection) -> None:
    """Close a connection, and cancel what its server does for it."""
    try:
        if connection.pgconn.transaction_status == TransactionStatus.ACTIVE:
            await connection.cancel_safe(timeout=GIVING_BACK_SECONDS)
    except psycopg.Error:
        pass  # there is nobody to report it to
    finally:
        await connection.close()
