"""One connection of a source query: its settings, timeouts and locks, and how its failures are reported."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

import psycopg
from psycopg import sql

from proxy.lending import Connection

SESSION_SETTINGS = frozenset({"TimeZone", "DateStyle", "IntervalStyle"})
# pg_temp is named last; otherwise it would be searched first.
_TEXT_SETTINGS = {
    "search_path": "pg_catalog, pg_temp",
    "standard_conforming_strings": "on",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "array_nulls": "on",
    "quote_all_identifiers": "off",
}
PLANNER_SETTINGS = {
    "jit": "off",
    # The source query holds a row per unit and group in memory; with the default of 4 MB it would spill to disk.
    "work_mem": "64MB",
    # Units are sorted before they are counted, which the planner takes for five times as slow as it is: it would rather
    # go to the table by an index on the unit, row by row.
    "cpu_operator_cost": "0.0005",
    # Joins with the units outside their bound have few rows, but the planner expects many; only hashing suits both.
    "enable_mergejoin": "off",
    "enable_nestloop": "off",
}
"""Of the source query alone: the catalog is read by its indexes."""
PINNED_SETTINGS = _TEXT_SETTINGS | PLANNER_SETTINGS
_TIMEOUTS = ("statement_timeout", "lock_timeout")

logger = logging.getLogger("dpproxy.source")


class StaleConnectionError(Exception):
    """The pooled connection was gone; the transaction may be tried on another one."""


@contextmanager
def stale_if_lost(connection: Connection) -> Iterator[None]:
    """Raises StaleConnectionError for an error that came with the end of the connection."""
    try:
        yield
    except psycopg.OperationalError as error:
        if connection.broken:
            raise StaleConnectionError from error
        raise


@lru_cache
def timeout_statements(seconds: float) -> tuple[str, ...]:
    """SET LOCAL of every timeout, since a SELECT would take the snapshot."""
    milliseconds = max(1, round(seconds * 1000))
    return tuple(f"SET LOCAL {name} = {milliseconds}" for name in _TIMEOUTS)


_SINCE = {"idle_in_transaction_session_timeout": 90_600, "transaction_timeout": 170_000}
"""Timeouts that would end a transaction while it waits for the ledger between its halves, and since when there are."""


@lru_cache
def patience_statements(server_version: int) -> tuple[str, ...]:
    """SET LOCAL of what a role or a database says about waiting transactions: the proxy has its own limits."""
    return tuple(f"SET LOCAL {name} = 0" for name, since in _SINCE.items() if server_version >= since)


@lru_cache
def settings_query(settings: frozenset[tuple[str, str]]) -> bytes:
    """A query that sets settings, as pairs of name and value, until the end of the transaction, in the time that a
    single SET takes."""
    calls = [
        sql.SQL("pg_catalog.set_config({}, {}, true)").format(sql.Literal(name), sql.Literal(value))
        for name, value in sorted(settings)
    ]
    return sql.SQL("SELECT {}").format(sql.SQL(", ").join(calls)).as_bytes()


@lru_cache
def lock_statement(tables: tuple[str, ...]) -> bytes:
    """Lock in a fixed order, so that two source queries never wait for each other in a circle."""
    identifiers = [sql.Identifier(*name.split(".", 1)) for name in sorted(tables)]
    return sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(sql.SQL(", ").join(identifiers)).as_bytes()


def pinned_settings(session_settings: Mapping[str, str]) -> dict[str, str]:
    """The settings of a source query: ours, and the client's own.

    Raises:
        ValueError: a setting that is not in `SESSION_SETTINGS`.
    """
    unknown = session_settings.keys() - SESSION_SETTINGS
    if unknown:
        raise ValueError(f"not a setting of a source query: {', '.join(sorted(unknown))}")
    return {**PINNED_SETTINGS, **session_settings}


def log_failure(what: str, error: Exception) -> None:
    """Log class and SQLSTATE only: Postgres's messages quote values."""
    sqlstate = error.sqlstate if isinstance(error, psycopg.Error) else None
    logger.error("%s: %s, SQLSTATE %s", what, type(error).__name__, sqlstate or "none")
