"""Statements tried on the source before a price is charged: they read no private row, so what they say may be told."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from proxy.postgres.text_rows import TextRow, text_rows

_NAME = "dpproxy_trial"
_REFUSALS = ("0A", "22", "2B", "42", "54")
"""Classes of SQLSTATE that are about the statement itself. What is about the server, nobody is refused for."""

_CHANGED = ("42501", "42703", "42P01", "3F000")
"""The schema is not the one that was read at the start: found and told with the measurement's own proofs."""


class TrialError(Exception):
    """The source refuses a statement whatever its rows hold.

    Args:
        message: Postgres's primary message.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


async def try_out(
    connection: psycopg.AsyncConnection[TupleRow],
    settings: tuple[sql.Composed, Sequence[str]],
    queries: Sequence[str],
    statements: Sequence[str],
) -> list[list[TextRow]] | None:
    """Run queries over constants and public tables, and have measurements parsed, all in one round trip.

    Args:
        connection: in autocommit mode, outside a transaction.
        settings: the statement that pins the settings of a measurement, and its parameters.
        queries: without a private table.
        statements: measurements. PREPARE parses them and looks names and types up; it plans and runs nothing.

    Returns:
        The rows of each query; None if the schema has changed or the server cannot be asked just now.

    Raises:
        TrialError: the source knows no such function, or takes a pattern or a time zone for wrong.
        psycopg.OperationalError: the connection is gone, a table is locked, or it took too long.
    """
    try:
        async with connection.transaction(), connection.pipeline() as pipeline:
            await connection.execute("SET TRANSACTION READ ONLY")
            # Parsing locks tables; whoever else has them locked is waited for once, by the measurement.
            await connection.execute("SET LOCAL lock_timeout = 1")
            await connection.execute(*settings)
            found = [await connection.execute(query.encode()) for query in queries]
            for statement in statements:
                await connection.execute(f"PREPARE {_NAME} AS {statement}".encode())
                await connection.execute(f"DEALLOCATE {_NAME}")
            await pipeline.sync()
            return [text_rows(rows) for rows in found]
    except psycopg.Error as error:
        sqlstate = error.sqlstate or ""
        if sqlstate in _CHANGED:
            return None
        if sqlstate.startswith(_REFUSALS):
            raise TrialError(error.diag.message_primary or "unknown") from None
        raise
