"""One source query: a short read-only transaction in two halves.

The charge comes between them. The first half takes a connection and verifies, under the source query's settings of how
texts are read, everything that the plan's proof rests on: keys, types, that no public relation shows private rows, and
what the plan assumes of released rows. Then the server parses the statements (PREPARE, which plans nothing yet), so
that unacceptable names, types and constants are found. No private row is read, nor a statistic of one, so that the
outcome is public, and a failure costs nothing. The second half executes the statements.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import psycopg
from psycopg_pool import AsyncConnectionPool

from proxy.errors import SourceFailedError, SourceQueryFailedError, StaleSchemaError
from proxy.lending import Connection, Lender, result_of
from proxy.policy.catalog import Column
from proxy.policy.traps import Watch
from proxy.postgres import cluster
from proxy.postgres.catalog_reader import (
    COLUMNS_QUERY,
    KEYS_QUERY,
    missing_proof,
    name_parameters,
    tables_from_rows,
)
from proxy.postgres.overriding import OVERRIDING_QUERY, overriding_from_rows
from proxy.postgres.source_connection import (
    PLANNER_SETTINGS,
    StaleConnectionError,
    lock_statement,
    log_failure,
    logger,
    patience_statements,
    pinned_settings,
    settings_query,
    stale_if_lost,
    timeout_statements,
)
from proxy.postgres.surroundings import DEPENDENCIES_QUERY, definitions_from_rows, dependencies_from_rows
from proxy.postgres.text_rows import TextRow, long_text_rows, text_rows

GRACE_SECONDS = 5.0
"""How much longer than the statement's own timeout we wait for a server that does not respond at all."""
PREPARATION_SECONDS = 5.0
"""How long connecting, locking and verifying may take; none of it reads a private row."""
_TIMED_OUT = "57014"
_CHANGED = "the source's schema changed since dpproxy read it; %s: %s"
_CONNECTION_FAILURE = "08006"
"""The SQLSTATE of a lost connection where the server did not give one."""

Result = TypeVar("Result")
Then = Callable[["SourceResult"], Sequence[str]]


class BrokenPromiseError(Exception):
    """Released rows are not what the plan assumes.

    Args:
        number: which of the request's promises, from 0.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class SlowTrialError(Exception):
    """The source takes too long for a trial, which reads no private row.

    Args:
        number: which of the request's trials, from 0.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True)
class SourceRequest:
    """One source query.

    Attributes:
        statements: one or more, generated from a checked plan, without parameters. All see one snapshot.
        settings: of the client's session: TimeZone, DateStyle, IntervalStyle.
        tables: "schema.table" of everything that they read.
        verified_keys: (table, columns) that the plan takes for unique.
        not_null: (table, column) that the plan takes for never NULL.
        columns: (table, column as the plan's catalog has it), for the types that the plan rests on.
        promises: queries over literals alone, each with one row of one boolean: are released rows, as the source reads
            them, what the plan assumes?
        trials: queries over constants and public tables, whose rows are compared with the stage's.
        tried: statements like those of a second half of the source query, to be known once the first half has run; the
            server parses them.
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


@dataclass
class Durations:
    """How many source queries ran, and the seconds that they took together. For operators alone."""

    number: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Access:
    """The parts of the source that a transaction uses.

    Attributes:
        pool: of its connections.
        lender: lends connections and takes them back.
        watch: what each transaction verifies of the whole policy; None only without a policy.
        timeout_seconds: how long the statements may take.
        durations: of source queries.
    """

    pool: AsyncConnectionPool[Connection]
    lender: Lender
    watch: Watch | None
    timeout_seconds: float
    durations: Durations = field(default_factory=Durations)

    @property
    def on_cluster(self) -> bool:
        """Is the source a Citus cluster?"""
        return self.watch is not None and self.watch.catalog.on_cluster


class Transaction:
    """One source query's transaction, made by `Source.transaction`. A cancel of the caller ends each call at once; what
    the call has begun is then cancelled on the source, once, and `close` waits for its end.

    Args:
        access: to the source.
        request: the source query.

    Attributes:
        found: the rows of each of the request's trials.
    """

    def __init__(self, access: Access, request: SourceRequest) -> None:
        self.found: list[list[TextRow]] = []
        self._access = access
        self._request = request
        self._connection: Connection | None = None
        self._step: asyncio.Task[Any] | None = None

    async def begin(self) -> None:
        """Do everything but the source query. If the pool's connections are dead, as after a restart, once more."""
        await self._stepped(self._begun())

    async def run(self, then: Then | None = None) -> SourceResult:
        """Run the statements. Cancelling the task cancels the query on the source.

        Args:
            then: makes further statements from their rows, to be run on the same snapshot (`tried` in the request has
                some like them); the result has all rows.

        A connection that is lost meanwhile may have been lost because of a row: a server process that crashes, or is
        killed for its memory, takes the others with it. So that is a failure like any other, and is not tried again,
        unless the server itself says that an administrator has ended the connection (57P01).

        Raises:
            SourceQueryFailedError: the statements failed, took too long, or lost their connection, which can depend on
                a row.
            SourceFailedError: the server was shut down. Both have the same constant text.
        """
        begun, durations = time.monotonic(), self._access.durations
        try:
            async with asyncio.timeout(self._access.timeout_seconds + GRACE_SECONDS):
                return await self._stepped(self._run_once(then))
        except TimeoutError as error:
            log_failure("a source query failed", error)
            raise SourceQueryFailedError(_TIMED_OUT[:2]) from None
        except psycopg.errors.AdminShutdown as error:
            log_failure("a source query failed", error)
            raise SourceFailedError from None
        except psycopg.Error as error:
            log_failure("a source query failed", error)
            raise SourceQueryFailedError((error.sqlstate or _CONNECTION_FAILURE)[:2]) from None
        finally:
            durations.number += 1
            durations.seconds += time.monotonic() - begun

    async def _begin_again(self) -> None:
        """Begin again on another connection, after the server was shut down. Nothing of this depends on a row."""
        try:
            await self._give_back()
            await self._access.lender.check()
            await self._begun()
        except (psycopg.Error, StaleConnectionError, StaleSchemaError, BrokenPromiseError, SlowTrialError) as error:
            log_failure("the source was shut down during a source query", error)
            raise SourceFailedError from None

    async def close(self) -> None:
        """End the transaction and give the connection back, even if the caller is cancelled meanwhile. Closing twice is
        harmless."""
        await self._access.lender.tasks.finish(self._closed())

    async def _stepped(self, step: Coroutine[Any, Any, Result]) -> Result:
        task = self._access.lender.tasks.start(step)
        self._step = task
        return await result_of(task)

    async def _closed(self) -> None:
        if self._step is not None:
            await asyncio.wait({self._step})
        await self._give_back()

    async def _give_back(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._access.lender.give_back(connection)

    async def _begun(self) -> None:
        try:
            await self._verified()
        except StaleConnectionError:
            await self._give_back()
            await self._access.lender.check()
            await self._verified()

    async def _run_once(self, then: Then | None) -> SourceResult:
        try:
            return await self._run(then)
        except psycopg.errors.AdminShutdown:
            # Asking again gives the same exact rows, or rows of a later moment: one answer is released.
            await self._begin_again()
            return await self._run(then)

    async def _verified(self) -> None:
        """Begin and verify, in one round trip."""
        request, watch = self._request, self._access.watch
        statements = (*request.statements, *request.tried)
        names = name_parameters(request.tables)
        self._connection = connection = await self._access.pool.getconn(PREPARATION_SECONDS)
        failure: psycopg.Error | None = None
        dependencies: psycopg.AsyncCursor[TextRow] | None = None
        promises, trials = list[psycopg.AsyncCursor[Any]](), list[psycopg.AsyncCursor[TextRow]]()
        with stale_if_lost(connection):
            try:
                async with connection.pipeline() as pipeline:
                    await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    patience = patience_statements(connection.info.server_version)
                    for limit in (*timeout_statements(PREPARATION_SECONDS), *patience):
                        await connection.execute(limit.encode())
                    pinned, on_cluster = pinned_settings(request.settings), self._access.on_cluster
                    if on_cluster:
                        for setting in cluster.setting_statements(pinned, statements, request.tables):
                            await connection.execute(setting)
                    if request.tables:
                        # Before the first snapshot: what the catalog shows below then stays true until the end.
                        await connection.execute(lock_statement(request.tables))
                    if not on_cluster:
                        texts = frozenset(pinned.items() - PLANNER_SETTINGS.items())
                        await connection.execute(settings_query(texts))
                    # Planned once for each connection. On a cluster, a rollback to a savepoint would end them.
                    kept = not on_cluster
                    columns = await connection.execute(COLUMNS_QUERY, names, prepare=kept)
                    keys = await connection.execute(KEYS_QUERY, names, prepare=kept)
                    read = name_parameters(watch.tables if watch is not None else ())
                    overriding = await connection.execute(OVERRIDING_QUERY, prepare=kept)
                    dependencies = await connection.execute(DEPENDENCIES_QUERY, read, prepare=kept)
                    if not on_cluster:
                        await connection.execute(settings_query(frozenset(PLANNER_SETTINGS.items())))
                    for query in request.promises:
                        promises.append(await connection.execute(query.encode()))
                    for query in request.trials:
                        trials.append(await connection.execute(query.encode()))
                    for number, statement in enumerate(statements):
                        await connection.execute(f"PREPARE {_prepared(number)} AS {statement}".encode())
                        if on_cluster:
                            for planning in cluster.planning_statements(_prepared(number)):
                                await connection.execute(planning)
                    await pipeline.sync()
            except psycopg.Error as error:
                failure = error
            if dependencies is not None and dependencies.pgresult is not None:
                # A stale proof says more than the failure that follows from it.
                tables = tables_from_rows(await columns.fetchall(), await keys.fetchall())
                reason = missing_proof(tables, request.verified_keys, request.not_null, request.columns)
                if reason is None and watch is not None:
                    found = await dependencies.fetchall()
                    reason = watch.problem(
                        dependencies_from_rows(found),
                        definitions_from_rows(found),
                        overriding_from_rows(await overriding.fetchall()),
                    )
                if reason is not None:
                    logger.error(_CHANGED, "restart dpproxy, or send SIGHUP", reason)
                    raise StaleSchemaError
                if isinstance(failure, psycopg.errors.QueryCanceled) and all(cursor.pgresult for cursor in promises):
                    slow = [number for number, trial in enumerate(trials) if trial.pgresult is None]
                    if slow:
                        raise SlowTrialError(slow[0])
            elif isinstance(failure, psycopg.ProgrammingError):
                # The lock: such a message has names of tables and schemas, and no value.
                logger.error(_CHANGED, "grant or undo that, or restart dpproxy", failure.diag.message_primary)
                raise StaleSchemaError
            elif isinstance(failure, psycopg.errors.InternalError_):
                # What the coordinator says of a connection to a worker that is gone.
                raise StaleConnectionError from failure
            if failure is not None:
                raise failure
            for number, promise in enumerate(promises):
                if await promise.fetchone() != (True,):
                    raise BrokenPromiseError(number)
            self.found = [text_rows(trial) for trial in trials]

    async def _run(self, then: Then | None) -> SourceResult:
        """The statements and the end of the transaction, in one round trip; `then` takes another."""
        statements = [f"EXECUTE {_prepared(number)}" for number in range(len(self._request.statements))]
        if then is None:
            return SourceResult(await self._executed(statements, last=True))
        first = await self._executed(statements, last=False)
        return SourceResult(first + await self._executed(then(SourceResult(first)), last=True))

    async def _executed(self, statements: Sequence[str], *, last: bool) -> list[list[TextRow]]:
        """The rows of statements that are sent as one message: psycopg loses what a server says at the end of a
        pipeline's connection."""
        connection = self._connection
        if connection is None:
            raise AssertionError("a transaction runs its query between begin and close")
        settings = timeout_statements(self._access.timeout_seconds)
        prepared = range(len(self._request.statements) + len(self._request.tried))
        ending = ["COMMIT", *(f"DEALLOCATE {_prepared(number)}" for number in prepared)] if last else []
        received = await connection.execute("; ".join([*settings, *statements, *ending]).encode())
        for _ in settings:
            received.nextset()
        results = []
        for _ in statements:
            results.append(await long_text_rows(received))
            received.nextset()
        return results


def _prepared(number: int) -> str:
    """The name under which a statement of the request is prepared."""
    return f"dpproxy_{number}"
