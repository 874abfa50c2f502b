"""The only code that talks to the source: a source query is one short read-only transaction.

It has two halves, and what is charged is charged between them. The first takes a connection and verifies, under the
settings of the source query, everything that the plan's proof rests on: keys, types, that no public relation shows
private rows, and what it takes for granted about released rows. Then the server parses the statements (PREPARE, which
plans nothing yet), so that names, types and constants that it would not take are found. No private row is read, nor a
statistic of one, so that the outcome is public; whatever goes wrong there costs nothing. The second half executes the
statements.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg_pool import AsyncConnectionPool

from proxy.errors import (
    SourceCannotRunError,
    SourceFailedError,
    SourceQueryFailedError,
    SourceUnavailableError,
    StaleSchemaError,
)
from proxy.lending import Connection, Lender, result_of
from proxy.policy.catalog import Column
from proxy.policy.traps import Watch
from proxy.postgres.catalog_reader import (
    COLUMNS_QUERY,
    KEYS_QUERY,
    missing_proof,
    name_parameters,
    tables_from_rows,
)
from proxy.postgres.places import Places
from proxy.postgres.surroundings import DEPENDENCIES_QUERY, dependencies_from_rows
from proxy.postgres.text_rows import TextRow, text_rows

SESSION_SETTINGS = frozenset({"TimeZone", "DateStyle", "IntervalStyle"})
# pg_temp is named last, or it would be searched first.
PINNED_SETTINGS = {
    "search_path": "pg_catalog, pg_temp",
    "standard_conforming_strings": "on",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "array_nulls": "on",
    "jit": "off",
    # The source query holds a row per unit and group in memory; at the default of 4 MB that spills to disk.
    "work_mem": "64MB",
    # Joins with the units outside their bound are few rows that the planner takes for many; only hashing bears both.
    "enable_mergejoin": "off",
    "enable_nestloop": "off",
}
_TIMED_OUT = "57014"
# How much longer than the statement's own timeout we wait, for a server that does not answer at all.
GRACE_SECONDS = 5.0
# How long connecting, locking and verifying may take; none of it reads a private row.
PREPARATION_SECONDS = 5.0
REVIVAL_SECONDS = 1.0
_TIMEOUTS: tuple[LiteralString, ...] = ("statement_timeout", "lock_timeout")
_MISSING = ("42P01", "42501", "3F000")
"""A table, or the right to read it, is gone."""
_LIMITS = "54"
"""How the SQLSTATEs begin of statements that are too complex."""
_CONNECTION_FAILURE = "08006"
"""What a lost connection counts as where the server did not say why."""

Result = TypeVar("Result")
Then = Callable[["SourceResult"], Sequence[str]]
logger = logging.getLogger("dpproxy.source")


class BrokenPromiseError(Exception):
    """Released rows are not what the plan takes for granted about them.

    Args:
        number: which of the request's promises, from 0.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _StaleConnectionError(Exception):
    """The pooled connection was gone; the transaction may be tried on another one."""


@dataclass(frozen=True)
class SourceRequest:
    """One source query.

    Attributes:
        statements: one or more, generated from a checked plan; without parameters. All see one snapshot.
        settings: of the client's session: TimeZone, DateStyle, IntervalStyle.
        tables: "schema.table" of everything that they read.
        verified_keys: (table, columns) that the plan takes for unique.
        not_null: (table, column) that the plan takes for never NULL.
        columns: (table, column as the plan's catalog has it), for the types that the plan rests on.
        promises: queries over literals alone, each with one row of one boolean: whether released rows, as the source
            reads them, are what the plan takes them for.
        trials: queries over constants and public tables, whose rows are compared with the stage's.
        tried: what a second half of the source query will be like, once its first half is known; the server parses it.
    """

    statements: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    tables: tuple[str, ...] = ()
    verified_keys: tuple[tuple[str, tuple[str, ...]], ...] = ()
    not_null: tuple[tuple[str, str], ...] = ()
    columns: tuple[tuple[str, Column], ...] = ()
    promises: tuple[str, ...] = ()
    trials: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceResult:
    """The exact rows of each statement, in text form. They leave the process only after noise."""

    results: list[list[tuple[str | None, ...]]] = field(repr=False)


class Source:
    """The owner's Postgres, through a pool of connections that opens with the first source query.

    Args:
        dsn: connection string of a role that may SELECT the policy's tables, and nothing else.
        watch: what each transaction verifies of the whole policy; None only where there is none.
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
        self.timeout_seconds = statement_timeout_seconds
        self.watch = watch
        self._dsn = dsn
        self._slots = Places(pool_size, min(each, pool_size), patience_seconds)
        self._revival: asyncio.Task[None] | None = None
        self.pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            dsn,
            min_size=1,
            max_size=pool_size,
            open=False,
            name="source",
            kwargs={"autocommit": True, "client_encoding": "utf8", "application_name": "dpproxy"},
        )
        self.lender = Lender(self.pool, _forget_statements)

    def place(self, asker: str) -> AbstractAsyncContextManager[None]:
        """A place among the source queries that run at a time. It is to be kept until an answer leaves: who waits for a
        place could otherwise tell when the source query before was over.

        Args:
            asker: whose question it is.

        Raises:
            SourceBusyError: no place became free in time.
        """
        return self._slots.place(asker)

    @asynccontextmanager
    async def transaction(self, request: SourceRequest) -> AsyncIterator[Transaction]:
        """A transaction in which everything but the source query itself is done: charge now, then `run`. The caller
        has a place.

        Raises:
            StaleSchemaError: a key, NOT NULL or type in the request does not hold any more.
            BrokenPromiseError: a promise of the request does not hold.
            SourceCannotRunError: the source's server does not take the statements, promises or trials.
            SourceUnavailableError: the source cannot be reached, or does not do even that.
        """
        transaction = Transaction(self, request)
        try:
            await self._begin(transaction)
            yield transaction
        finally:
            await transaction.close()

    async def run(self, request: SourceRequest) -> SourceResult:
        """Verify and run at once, for what is paid already. Raises what `place`, `transaction` and its `run`
        raise."""
        async with self.place(""), self.transaction(request) as transaction:
            return await transaction.run()

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
        except (psycopg.OperationalError, _StaleConnectionError, TimeoutError, OSError) as error:
            if isinstance(error, psycopg.Error) and (error.sqlstate or "").startswith(_LIMITS):
                raise SourceCannotRunError(error.diag.message_primary or "unknown") from None
            _log_failure("the source is not available", error)
            if not await self._answers():
                self._revival = asyncio.create_task(self._revive())
            raise SourceUnavailableError from None
        except (psycopg.DataError, psycopg.ProgrammingError, psycopg.NotSupportedError) as error:
            _log_failure("the source cannot prepare a source query", error)
            if error.sqlstate in _MISSING:
                raise SourceUnavailableError from None
            raise SourceCannotRunError(error.diag.message_primary or "unknown") from None
        except psycopg.Error as error:
            _log_failure("the source cannot prepare a source query", error)
            raise SourceUnavailableError from None

    async def _open_pool(self) -> None:
        await self.pool.open()
        if self.pool.get_stats().get("pool_available", 0) == 0 and not await self._answers():
            # The pool would go on trying until its own timeout.
            raise psycopg.OperationalError("the source does not accept connections")

    async def _answers(self) -> bool:
        """Does the source accept a connection now?"""
        try:
            connection = await psycopg.AsyncConnection.connect(self._dsn, connect_timeout=int(PREPARATION_SECONDS))
        except psycopg.Error:
            return False
        await connection.close()
        return True

    async def _revive(self) -> None:
        """While the source is down everybody is told so at once; this looks whether it is up again."""
        try:
            while True:
                await asyncio.sleep(REVIVAL_SECONDS)
                if await self._answers():
                    break
            await self.lender.check()
        finally:
            self._revival = None


class Transaction:
    """One source query's transaction. Made by `Source.transaction`. A cancel of the caller ends each call at once; what
    it has begun is then cancelled on the source, once, and `close` waits for the end of that.

    Args:
        source: whose pool it uses.
        request: the source query.

    Attributes:
        found: the rows of each of the request's trials.
    """

    def __init__(self, source: Source, request: SourceRequest) -> None:
        self.found: list[list[TextRow]] = []
        self._source = source
        self._request = request
        self._connection: Connection | None = None
        self._step: asyncio.Task[Any] | None = None

    async def begin(self) -> None:
        """Everything but the source query. After a restart of the source the pool's connections are dead: once more."""
        await self._stepped(self._begun())

    async def run(self, then: Then | None = None) -> SourceResult:
        """Run the statements. Cancelling the task cancels the query on the source.

        Args:
            then: makes further statements of their rows, to be run on the same snapshot (the request has `tried` some
                like them); the result has all rows.

        A connection that is lost meanwhile may have been lost because of a row: a server process that crashes, or that
        is killed for the memory it took, takes the others with it. So that is a failure like any other, and is not
        tried again, unless the server itself says that somebody in charge of it has ended the connection (57P01).

        Raises:
            SourceQueryFailedError: the statements failed, took too long, or lost their connection, which can depend on
                a row.
            SourceFailedError: the server was shut down. Both have one constant text.
        """
        try:
            async with asyncio.timeout(self._source.timeout_seconds + GRACE_SECONDS):
                return await self._stepped(self._run_once(then))
        except TimeoutError as error:
            _log_failure("a source query failed", error)
            raise SourceQueryFailedError(_TIMED_OUT[:2]) from None
        except psycopg.errors.AdminShutdown as error:
            _log_failure("a source query failed", error)
            raise SourceFailedError from None
        except psycopg.Error as error:
            _log_failure("a source query failed", error)
            raise SourceQueryFailedError((error.sqlstate or _CONNECTION_FAILURE)[:2]) from None

    async def _begin_again(self) -> None:
        """On another connection, after the server was shut down. Nothing of this depends on a row."""
        try:
            await self._give_back()
            await self._source.lender.check()
            await self._begun()
        except (psycopg.Error, _StaleConnectionError, StaleSchemaError, BrokenPromiseError) as error:
            _log_failure("the source was shut down during a source query", error)
            raise SourceFailedError from None

    async def close(self) -> None:
        """End the transaction and give the connection back, also if the caller is cancelled meanwhile. Closing twice is
        harmless."""
        await self._source.lender.tasks.finish(self._closed())

    async def _stepped(self, step: Coroutine[Any, Any, Result]) -> Result:
        task = self._source.lender.tasks.start(step)
        self._step = task
        return await result_of(task)

    async def _closed(self) -> None:
        if self._step is not None:
            await asyncio.wait({self._step})
        await self._give_back()

    async def _give_back(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._source.lender.give_back(connection)

    async def _begun(self) -> None:
        try:
            await self._verified()
        except _StaleConnectionError:
            await self._give_back()
            await self._source.lender.check()
            await self._verified()

    async def _run_once(self, then: Then | None) -> SourceResult:
        try:
            return await self._run(then)
        except psycopg.errors.AdminShutdown:
            # Asking again gives the same exact rows, or rows of a later moment: one answer is released.
            await self._begin_again()
            return await self._run(then)

    async def _verified(self) -> None:
        """Begin, in one round trip."""
        request = self._request
        names = name_parameters(request.tables)
        self._connection = connection = await self._source.pool.getconn(PREPARATION_SECONDS)
        failure: psycopg.Error | None = None
        with _told_if_lost(connection):
            async with connection.pipeline() as pipeline:
                await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                for name in _TIMEOUTS:
                    await connection.execute(_set_timeout(name, PREPARATION_SECONDS))
                if request.tables:
                    # Before the first snapshot: what the catalog shows below then stays true until the end.
                    await connection.execute(_lock_statement(request.tables))
                await connection.execute(*_settings_statement(request.settings))
                columns = await connection.execute(COLUMNS_QUERY, names)
                keys = await connection.execute(KEYS_QUERY, names)
                watch = self._source.watch
                read = name_parameters(watch.tables if watch is not None else ())
                dependencies = await connection.execute(DEPENDENCIES_QUERY, read)
                promises = [await connection.execute(promise.encode()) for promise in request.promises]
                trials = [await connection.execute(trial.encode()) for trial in request.trials]
                for number, statement in enumerate((*request.statements, *request.tried)):
                    await connection.execute(f"PREPARE {_prepared(number)} AS {statement}".encode())
                try:
                    await pipeline.sync()
                except psycopg.Error as error:
                    failure = error
            if dependencies.pgresult is not None:
                # A stale proof tells more than the failure that follows from it.
                tables = tables_from_rows(await columns.fetchall(), await keys.fetchall())
                reason = missing_proof(tables, request.verified_keys, request.not_null, request.columns)
                if reason is None and watch is not None:
                    reason = watch.problem(dependencies_from_rows(await dependencies.fetchall()))
                if reason is not None:
                    logger.error("the source's schema changed since dpproxy read it; restart dpproxy: %s", reason)
                    raise StaleSchemaError
            if failure is not None:
                raise failure
            for number, promise in enumerate(promises):
                if await promise.fetchone() != (True,):
                    raise BrokenPromiseError(number)
            self.found = [text_rows(trial) for trial in trials]

    async def _run(self, then: Then | None) -> SourceResult:
        """The statements and the end of the transaction, in one round trip; what follows from them takes another."""
        statements = [f"EXECUTE {_prepared(number)}" for number in range(len(self._request.statements))]
        if then is None:
            return SourceResult(await self._executed(statements, last=True))
        first = await self._executed(statements, last=False)
        return SourceResult(first + await self._executed(then(SourceResult(first)), last=True))

    async def _executed(self, statements: Sequence[str], *, last: bool) -> list[list[TextRow]]:
        """The rows of statements, which are one message. psycopg loses what a server says at the end of a pipeline's
        connection."""
        connection = self._connection
        if connection is None:
            raise AssertionError("a transaction runs its query between begin and close")
        settings = [_set_timeout(name, self._source.timeout_seconds).as_string(connection) for name in _TIMEOUTS]
        prepared = range(len(self._request.statements) + len(self._request.tried))
        ending = ["COMMIT", *(f"DEALLOCATE {_prepared(number)}" for number in prepared)] if last else []
        received = await connection.execute("; ".join([*settings, *statements, *ending]).encode())
        for _ in settings:
            received.nextset()
        results = []
        for _ in statements:
            results.append(text_rows(received))
            received.nextset()
        return results


async def _forget_statements(connection: Connection) -> None:
    await connection.execute("DEALLOCATE ALL")


def _prepared(number: int) -> str:
    """The name of a statement of the request on its connection."""
    return f"dpproxy_{number}"


@contextmanager
def _told_if_lost(connection: Connection) -> Iterator[None]:
    """An error that came with the end of the connection says so."""
    try:
        yield
    except psycopg.OperationalError as error:
        if connection.broken:
            raise _StaleConnectionError from error
        raise


def _set_timeout(name: LiteralString, seconds: float) -> sql.Composed:
    """SET LOCAL, since a SELECT would take the snapshot."""
    milliseconds = max(1, round(seconds * 1000))
    return sql.SQL("SET LOCAL {} = {}").format(sql.SQL(name), sql.Literal(milliseconds))


def _lock_statement(tables: tuple[str, ...]) -> sql.Composed:
    """One order for all source queries, so that two of them never wait for each other in a circle."""
    identifiers = [sql.Identifier(*name.split(".", 1)) for name in sorted(tables)]
    return sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(sql.SQL(", ").join(identifiers))


def _settings_statement(session_settings: Mapping[str, str]) -> tuple[sql.Composed, list[str]]:
    unknown = session_settings.keys() - SESSION_SETTINGS
    if unknown:
        raise ValueError(f"not a setting of a source query: {', '.join(sorted(unknown))}")
    settings = {**PINNED_SETTINGS, **session_settings}
    calls = [sql.SQL("set_config({}, %s, true)").format(sql.Literal(name)) for name in settings]
    return sql.SQL("SELECT {}").format(sql.SQL(", ").join(calls)), list(settings.values())


def _log_failure(what: str, error: Exception) -> None:
    """Class and SQLSTATE only: messages of Postgres quote values."""
    sqlstate = error.sqlstate if isinstance(error, psycopg.Error) else None
    logger.error("%s: %s, SQLSTATE %s", what, type(error).__name__, sqlstate or "none")
