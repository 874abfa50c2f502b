"""The owner's Postgres, which nothing else talks to: a pool of connections, and a limited number of places."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace

import psycopg
from psycopg_pool import AsyncConnectionPool

from proxy.errors import SourceCannotRunError, SourceUnavailableError
from proxy.lending import Connection, Lender
from proxy.policy.traps import Watch
from proxy.postgres.places import Places
from proxy.postgres.public_tables import TEXT_FORMAT
from proxy.postgres.source_connection import StaleConnectionError, log_failure
from proxy.postgres.transaction import (
    GRACE_SECONDS,
    PREPARATION_SECONDS,
    Access,
    Durations,
    SourceRequest,
    SourceResult,
    Transaction,
)
from proxy.turns import Turns

REVIVAL_SECONDS = 1.0
_MISSING = ("42P01", "42501", "3F000")
"""A table, or the right to read it, is gone."""
_NOT_ACCEPTED = (psycopg.DataError, psycopg.ProgrammingError, psycopg.NotSupportedError)
_NOT_DISTRIBUTED = "the cluster cannot join these tables where their rows are"
"""For XX000, which Citus says of joins that need rows of other workers; its other texts can name nodes."""
_LIMITS = "54"
"""The first characters of the SQLSTATEs of statements that are too complex."""


class Source:
    """The owner's Postgres, through a pool of connections that opens with the first source query.

    Args:
        dsn: connection string of a role that may SELECT the policy's tables, and nothing else.
        watch: what each transaction verifies of the whole policy; None only without a policy.
        statement_timeout_seconds: how long a source query may take.
        pool_size: most source queries at a time; further ones wait.
        each: most source queries of one asker at a time.
        patience_seconds: how long a source query waits for its place.
    """

    def __init__(
        self,
        dsn: str,
        watch: Watch | None,
        *,
        statement_timeout_seconds: float = 60.0,
        pool_size: int = 4,
        each: int = 2,
        patience_seconds: float = 30.0,
    ) -> None:
        if not statement_timeout_seconds > 0:
            raise ValueError("statement_timeout_seconds must be positive")
        self._dsn = dsn
        self._slots = Places(pool_size, min(each, pool_size), patience_seconds)
        self._revival: asyncio.Task[None] | None = None
        self.pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            dsn,
            min_size=1,
            max_size=pool_size,
            open=False,
            name="source",
            kwargs={
                "autocommit": True,
                "client_encoding": "utf8",
                "application_name": "dpproxy",
                # Only what asks for it is prepared for later: a statement keeps the moments that its texts were under
                # another TimeZone.
                "prepare_threshold": sys.maxsize,
            },
        )
        self.lender = Lender(self.pool, _forget_statements)
        self._access = Access(self.pool, self.lender, watch, statement_timeout_seconds)

    @property
    def turns(self) -> Turns:
        """Who has a place among the source queries, and who waits for one."""
        return self._slots.turns

    @property
    def durations(self) -> Durations:
        """Of the source queries so far."""
        return self._access.durations

    def watch(self, watch: Watch) -> None:
        """Verify something else in the transactions to come."""
        self._access = replace(self._access, watch=watch)

    def place(self, asker: str) -> AbstractAsyncContextManager[None]:
        """A place among the running source queries. It must be kept until the answer leaves: whoever waits for a place
        could otherwise tell when the source query before was over.

        Args:
            asker: who asks.

        Raises:
            SourceBusyError: no place became free in time.
        """
        return self._slots.place(asker)

    @asynccontextmanager
    async def transaction(self, request: SourceRequest) -> AsyncIterator[Transaction]:
        """A transaction in which everything but the source query itself is done: charge next, then `run`. The caller
        has a place.

        Raises:
            StaleSchemaError: a key, NOT NULL or type in the request no longer holds.
            BrokenPromiseError: a promise of the request does not hold.
            SlowTrialError: a trial of the request takes too long.
            SourceCannotRunError: the source does not accept the statements, promises or trials.
            SourceUnavailableError: the source cannot be reached, or does not complete the transaction's beginning.
        """
        transaction = Transaction(self._access, request)
        try:
            await self._begin(transaction)
            yield transaction
        finally:
            await transaction.close()

    async def run(self, request: SourceRequest) -> SourceResult:
        """Verify and run at once, for a question that is paid for. Raises what `place`, `transaction` and its `run`
        raise."""
        async with self.place(""), self.transaction(request) as transaction:
            return await transaction.run()

    async def public_value(self, query: str) -> str | None:
        """The only value of a query over public tables.

        Raises:
            SourceUnavailableError: it cannot be read in time.
        """
        try:
            async with asyncio.timeout(2 * PREPARATION_SECONDS):
                connection = await psycopg.AsyncConnection.connect(self._dsn, connect_timeout=int(PREPARATION_SECONDS))
                async with connection:
                    await connection.set_read_only(True)
                    for statement in (*TEXT_FORMAT, f"SET LOCAL statement_timeout = {int(PREPARATION_SECONDS * 1000)}"):
                        await connection.execute(statement.encode())
                    row = await (await connection.execute(query.encode())).fetchone()
        except (psycopg.Error, TimeoutError, OSError) as error:
            log_failure("a public table cannot be read", error)
            raise SourceUnavailableError from None
        return None if row is None or row[0] is None else str(row[0])

    async def close(self) -> None:
        """Close all connections; the source cannot be used any more."""
        if self._revival is not None:
            self._revival.cancel()
            with suppress(asyncio.CancelledError):
                await self._revival
        await self.lender.close()

    async def _begin(self, transaction: Transaction) -> None:
        if self._revival is not None:
            raise SourceUnavailableError
        try:
            async with asyncio.timeout(2 * PREPARATION_SECONDS + GRACE_SECONDS):
                await self._open_pool()
                await transaction.begin()
        except (psycopg.OperationalError, StaleConnectionError, TimeoutError, OSError) as error:
            if isinstance(error, psycopg.Error) and (error.sqlstate or "").startswith(_LIMITS):
                raise SourceCannotRunError(error.diag.message_primary or "unknown") from None
            log_failure("the source is not available", error)
            if not await self.answers():
                self._revival = asyncio.create_task(self._revive())
            raise SourceUnavailableError from None
        except psycopg.Error as error:
            log_failure("the source cannot prepare a source query", error)
            if isinstance(error, psycopg.errors.InternalError_):
                raise SourceCannotRunError(_NOT_DISTRIBUTED) from None
            if error.sqlstate in _MISSING or not isinstance(error, _NOT_ACCEPTED):
                raise SourceUnavailableError from None
            raise SourceCannotRunError(error.diag.message_primary or "unknown") from None

    async def _open_pool(self) -> None:
        await self.lender.open()
        if self.pool.get_stats().get("pool_available", 0) == 0 and not await self.answers():
            # The pool would go on trying until its own timeout.
            raise psycopg.OperationalError("the source does not accept connections")

    async def answers(self) -> bool:
        """Does the source accept a connection now?"""
        try:
            connection = await psycopg.AsyncConnection.connect(self._dsn, connect_timeout=int(PREPARATION_SECONDS))
        except psycopg.Error:
            return False
        await connection.close()
        return True

    async def _revive(self) -> None:
        """While the source is down everybody is told so at once; this checks whether it is up again."""
        try:
            while True:
                await asyncio.sleep(REVIVAL_SECONDS)
                if await self.answers():
                    break
            await self.lender.check()
        finally:
            self._revival = None


async def _forget_statements(connection: Connection) -> None:
    await connection.execute("DEALLOCATE ALL")
