"""The only code that talks to the source: a measurement is one short read-only transaction (DESIGN 1 and 5)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from proxy.errors import MeasurementFailedError, SourceFailedError
from proxy.policy.catalog import Column
from proxy.postgres.catalog import (
    COLUMNS_QUERY,
    KEYS_QUERY,
    missing_proof,
    name_parameters,
    tables_from_rows,
)
from proxy.postgres.text_rows import text_rows

SESSION_SETTINGS = frozenset({"TimeZone", "DateStyle", "IntervalStyle"})
# pg_temp is named last, or it would be searched first.
PINNED_SETTINGS = {
    "search_path": "pg_catalog, pg_temp",
    "standard_conforming_strings": "on",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "jit": "off",
    # The measurement holds a row per unit and group in memory; at the default of 4 MB that spills to disk.
    "work_mem": "64MB",
    # Joins with the units outside their bound are few rows that the planner takes for many; only hashing bears both.
    "enable_mergejoin": "off",
    "enable_nestloop": "off",
}
_TIMED_OUT = "57014"
# How much longer than the statement's own timeout we wait, for a server that does not answer at all.
GRACE_SECONDS = 5.0

Connection = psycopg.AsyncConnection[TupleRow]
logger = logging.getLogger("dpproxy.source")


class StaleProofError(Exception):
    """The source lost a key or a type that the plan's proof rests on: plan again from a fresh catalog (ATTACKS 37)."""


class _ConnectionLostError(Exception):
    """The pooled connection was gone; the measurement may be tried on another one."""


class _StatementFailedError(Exception):
    """The measurement's own statements failed on a connection that holds, or took too long."""

    def __init__(self, cause: psycopg.Error | TimeoutError) -> None:
        super().__init__()
        self.cause = cause


@dataclass(frozen=True)
class MeasurementRequest:
    """One measurement.

    Attributes:
        statements: one or more, generated from a checked plan; without parameters. All see one snapshot.
        settings: of the client's session: TimeZone, DateStyle, IntervalStyle.
        tables: "schema.table" of everything that they read.
        unique_keys: (table, columns) that the plan takes for unique.
        not_null: (table, column) that the plan takes for never NULL.
        columns: (table, column as the plan's catalog has it), for the types that the plan rests on.
    """

    statements: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    tables: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, tuple[str, ...]], ...] = ()
    not_null: tuple[tuple[str, str], ...] = ()
    columns: tuple[tuple[str, Column], ...] = ()


@dataclass(frozen=True)
class MeasurementResult:
    """The exact rows of each statement, in text form. They leave the process only after noise."""

    results: list[list[tuple[str | None, ...]]] = field(repr=False)


class Source:
    """The owner's Postgres, through a pool of connections that opens with the first measurement.

    Args:
        dsn: connection string of a role that may SELECT the policy's tables, and nothing else.
        statement_timeout_seconds: how long a measurement may take.
        pool_size: most measurements at a time; further ones wait.
    """

    def __init__(self, dsn: str, *, statement_timeout_seconds: float = 60.0, pool_size: int = 4) -> None:
        if not statement_timeout_seconds > 0:
            raise ValueError("statement_timeout_seconds must be positive")
        self._timeout_seconds = statement_timeout_seconds
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            dsn,
            min_size=1,
            max_size=pool_size,
            open=False,
            name="source",
            kwargs={"autocommit": True, "client_encoding": "utf8", "application_name": "dpproxy"},
        )

    async def measure(self, request: MeasurementRequest) -> MeasurementResult:
        """Run one measurement in a transaction of its own. Cancelling the task cancels the query on the source.

        Raises:
            StaleProofError: a key, NOT NULL or type in the request does not hold any more.
            MeasurementFailedError: the statements failed or took too long, which can depend on a row.
            SourceFailedError: anything else; both have the same constant text.
        """
        try:
            await self._pool.open()
            try:
                return await self._measure_once(request)
            except _ConnectionLostError:
                # A restarted source leaves dead connections in the pool. Asking again gives the same exact rows.
                async with asyncio.timeout(self._timeout_seconds + GRACE_SECONDS):
                    await self._pool.check()
                return await self._measure_once(request)
        except _StatementFailedError as error:
            _log_failure(error.cause)
            sqlstate = error.cause.sqlstate if isinstance(error.cause, psycopg.Error) else None
            raise MeasurementFailedError((sqlstate or _TIMED_OUT)[:2]) from None
        except (psycopg.Error, _ConnectionLostError, TimeoutError) as error:
            _log_failure(error)
            raise SourceFailedError from None

    async def close(self) -> None:
        """Close all connections; the source cannot be used any more."""
        await self._pool.close()

    async def _measure_once(self, request: MeasurementRequest) -> MeasurementResult:
        async with self._pool.connection(self._timeout_seconds) as connection:
            try:
                async with asyncio.timeout(self._timeout_seconds + GRACE_SECONDS):
                    return await self._run(connection, request)
            except TimeoutError as error:
                raise _StatementFailedError(error) from None
            except psycopg.OperationalError as error:
                if connection.broken:
                    raise _ConnectionLostError from error
                raise

    async def _run(self, connection: Connection, request: MeasurementRequest) -> MeasurementResult:
        """Everything in one round trip. A stale proof wins over the failure that may follow from it."""
        names = name_parameters(request.tables)
        failure: psycopg.Error | None = None
        async with connection.pipeline() as pipeline:
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            await connection.execute(_set_timeout(self._timeout_seconds))
            if request.tables:
                # Before the first snapshot: what the catalog shows below then stays true until COMMIT.
                await connection.execute(_lock_statement(request.tables))
            await connection.execute(*_settings_statement(request.settings))
            columns = await connection.execute(COLUMNS_QUERY, names)
            keys = await connection.execute(KEYS_QUERY, names)
            measured = [await connection.execute(statement.encode()) for statement in request.statements]
            await connection.execute("COMMIT")
            try:
                await pipeline.sync()
            except psycopg.Error as error:
                # Raised below: psycopg logs, text and all, what meets another error at the end of a pipeline.
                failure = error
        if columns.pgresult is not None and keys.pgresult is not None:
            tables = tables_from_rows(await columns.fetchall(), await keys.fetchall())
            reason = missing_proof(tables, request.unique_keys, request.not_null, request.columns)
            if reason is not None:
                raise StaleProofError(reason)
            if failure is not None and not connection.broken:
                # Locks and catalog were had, so it is the measurement that failed.
                raise _StatementFailedError(failure)
        if failure is not None:
            raise failure
        return MeasurementResult([text_rows(cursor) for cursor in measured])


def _set_timeout(seconds: float) -> sql.Composed:
    milliseconds = max(1, round(seconds * 1000))
    return sql.SQL("SET LOCAL statement_timeout = {}").format(sql.Literal(milliseconds))


def _lock_statement(tables: tuple[str, ...]) -> sql.Composed:
    """One order for all measurements, so that two of them never wait for each other in a circle."""
    identifiers = [sql.Identifier(*name.split(".", 1)) for name in sorted(tables)]
    return sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(sql.SQL(", ").join(identifiers))


def _settings_statement(session_settings: Mapping[str, str]) -> tuple[sql.Composed, list[str]]:
    unknown = session_settings.keys() - SESSION_SETTINGS
    if unknown:
        raise ValueError(f"not a setting of a measurement: {', '.join(sorted(unknown))}")
    settings = {**PINNED_SETTINGS, **session_settings}
    calls = [sql.SQL("set_config({}, %s, true)").format(sql.Literal(name)) for name in settings]
    return sql.SQL("SELECT {}").format(sql.SQL(", ").join(calls)), list(settings.values())


def _log_failure(error: Exception) -> None:
    """Class and SQLSTATE only: messages of Postgres quote values (ATTACKS 36)."""
    sqlstate = error.sqlstate if isinstance(error, psycopg.Error) else None
    logger.error("a measurement failed: %s, SQLSTATE %s", type(error).__name__, sqlstate or "none")
