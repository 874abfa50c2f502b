"""Connections to the ledger's Postgres: the settings of its sessions, and how its failures are reported.

Every failure here becomes a `LedgerUnavailableError`: nothing is ever free because the ledger could not be asked.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import psycopg
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from proxy.budget.ledger_tables import migrate
from proxy.errors import LedgerUnavailableError
from proxy.lending import Connection, Lender

Result = TypeVar("Result")
Cursor = psycopg.AsyncCursor[TupleRow]
Reply = Callable[[], Awaitable[Result]]
"""What was asked, once the database has answered."""
Asking = Callable[[Connection], Awaitable[Reply[Result]]]
"""Sends the statements of a question, on a connection in pipeline mode."""

_log = logging.getLogger("dpproxy.ledger")

QUEUE_SECONDS: Final = 60.0
"""How long a question waits for others at the ledger, as for a source query."""
_CONNECT_SECONDS: Final = 10

_SESSION: Final = """
SELECT set_config('search_path', 'pg_catalog', false),
       set_config('synchronous_commit', 'on', false),
       set_config('default_transaction_isolation', 'read committed', false),
       set_config('default_transaction_read_only',
                  coalesce(%(read_only)s, current_setting('default_transaction_read_only')), false),
       set_config('TimeZone', 'UTC', false),
       set_config('lock_timeout', %(lock)s, false),
       set_config('statement_timeout', %(statement)s, false),
       set_config('idle_in_transaction_session_timeout', %(statement)s, false)
"""
"""A commit returns when it is on disk; a statement sees what others committed while it waited for them; and a proxy
that stops in the middle of a charge blocks the others only for seconds."""


def unavailable(
    failure: Exception | None, *, rule: str = "ledger_unavailable", detail: str | None = None
) -> LedgerUnavailableError:
    """The same error for every failure of the ledger's database. The operator's log has the cause, without
    parameters."""
    sqlstate = cause = None
    if isinstance(failure, psycopg.Error):
        sqlstate, cause = failure.sqlstate, failure.diag.message_primary
    _log.error("%s: %s, SQLSTATE %s: %s", rule, type(failure).__name__, sqlstate, cause or failure)
    return LedgerUnavailableError(
        "the budget ledger is unavailable, so the private database was not queried",
        detail=detail,
        hint="Try again later; the cause is in the operator's log.",
        rule=rule,
    )


def _older_copy() -> LedgerUnavailableError:
    return LedgerUnavailableError(
        "the budget ledger has lost charges, so nothing is charged and the private database is not queried",
        detail="While dpproxy runs, an older copy has taken the ledger's place, which does not know all charges.",
        hint="Tell the operator, whose log says what is missing.",
        rule="ledger-copy",
    )


class _ConnectionLostError(psycopg.OperationalError):
    """The connection broke under work that can be repeated."""


class LedgerDatabase:
    """A pool of connections to the ledger, in autocommit mode.

    Args:
        dsn: connection string of a database that dpproxy may write to.
        size: most connections at a time.
        patience_seconds: how long to wait for a connection to be made, and for a row that another session has locked.
            The server gives up on a statement after half as much again; a server that is silent for twice that long is
            hung up on.
        read_only: it must exist, in this version, and cannot be written to.

    Attributes:
        seen: a charge that is on disk there, so that a database without it is an older copy.
        missing: such a charge that was not found again: nothing is asked from then on.
        lost: set once one is missing.
    """

    def __init__(self, dsn: str, *, size: int = 8, patience_seconds: float = 10, read_only: bool = False) -> None:
        self._dsn, self._patience, self._read_only = dsn, patience_seconds, read_only
        self.seen: uuid.UUID | None = None
        self.missing: uuid.UUID | None = None
        self.lost = asyncio.Event()
        pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            dsn,
            kwargs={
                "autocommit": True,
                "connect_timeout": _CONNECT_SECONDS,
                "application_name": "dpproxy ledger",
            },
            min_size=1,
            max_size=size,
            timeout=patience_seconds,
            configure=self._pin_session,
            open=False,
        )
        self._lender = Lender(pool, queue_seconds=QUEUE_SECONDS)

    async def open(self, *, begins: bool = True) -> None:
        """Connect, and create or migrate the tables.

        Args:
            begins: may a ledger begin where there is none?

        Raises:
            NoLedgerError: there is none, and none may begin. The pool is closed again.
            LedgerUnavailableError: no connection, no permission, or a newer release's ledger. The pool is closed again.
        """
        try:
            # The pool would go on trying, and then report only that it did.
            await (await psycopg.AsyncConnection.connect(self._dsn, connect_timeout=_CONNECT_SECONDS)).close()
            await self._lender.pool.open(wait=True, timeout=self._patience)
            async with self._lender.connection() as connection:
                await migrate(connection, begins=begins)
                await _warn_if_not_durable(connection)
        except (psycopg.Error, OSError) as failure:
            await self.close()
            raise unavailable(failure) from failure
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close every connection. Closing twice is harmless."""
        await self._lender.close()

    async def run(self, work: Callable[[Connection], Awaitable[Result]]) -> Result:
        """Do `work` on a pooled connection, and once more if that connection turns out to be broken. A cancel of the
        caller ends the call; `work` is then cancelled once, and ends in the background.

        Args:
            work: may be repeated whenever it raises `psycopg.OperationalError`; what it must not repeat (a commit whose
                outcome is unknown) it turns into `LedgerUnavailableError` itself. An exception rolls back.

        Raises:
            LedgerUnavailableError: the database failed, or is an older copy.
        """
        if self.missing is not None:
            raise _older_copy()
        try:
            return await self._lender.tasks.once(self._attempts(work))
        except (psycopg.Error, OSError) as failure:
            raise unavailable(failure) from failure

    def lose(self, missing: uuid.UUID) -> LedgerUnavailableError:
        """Ask nothing any more, since a charge that was seen there is missing: others may be, too."""
        if self.missing is None:
            self.missing = missing
            _log.error(
                "the ledger was replaced by an older copy while dpproxy runs: charge %s is missing. Nothing is asked "
                "and charged from now on: restore a newer copy, and restart",
                missing,
            )
            self.lost.set()
        return _older_copy()

    async def ask(self, asking: Asking[Result]) -> Result:
        """The reply to a question, in one round trip.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> Result:
            async with connection.pipeline():
                reply = await asking(connection)
            return await reply()

        return await self.run(read)

    async def _attempts(self, work: Callable[[Connection], Awaitable[Result]]) -> Result:
        try:
            return await self._attempt(work)
        except _ConnectionLostError:
            # After a restart of the server every idle connection is dead: replace them all before the second try.
            await self._lender.check()
            return await self._attempt(work)

    async def _pin_session(self, connection: Connection) -> None:
        """Apply settings that no default of the role, the database or the DSN may change."""
        milliseconds = {"lock": self._patience * 1000, "statement": self._patience * 1500}
        values = {name: f"{value:.0f}" for name, value in milliseconds.items()}
        await connection.execute(_SESSION, values | {"read_only": "on" if self._read_only else None})

    async def _attempt(self, work: Callable[[Connection], Awaitable[Result]]) -> Result:
        async with self._lender.connection() as connection:
            try:
                with _hung_up_after(connection, 2 * self._patience):
                    return await work(connection)
            except psycopg.OperationalError as failure:
                if connection.broken:
                    raise _ConnectionLostError(str(failure)) from failure
                raise


@contextmanager
def _hung_up_after(connection: Connection, seconds: float) -> Iterator[None]:
    """Shut the socket down if the body takes longer: neither side can delay that, and it needs no reply."""

    def hang_up() -> None:
        if not connection.closed:
            with socket.socket(fileno=os.dup(connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)

    timer = asyncio.get_running_loop().call_later(seconds, hang_up)
    try:
        yield
    finally:
        timer.cancel()


async def _warn_if_not_durable(connection: Connection) -> None:
    cursor = await connection.execute("SELECT current_setting('fsync')")
    if await cursor.fetchone() == ("off",):
        _log.warning("the ledger's server runs with fsync = off: a crash of its machine can refund what was spent")
