"""The stage: a database without private rows on which every client session lives (decision 1)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from proxy import lending
from proxy.errors import StageBusyError
from proxy.postgres.stage_lock import mark_used
from proxy.postgres.stage_roles import ENUMERATOR_ROLE, FOR_QUESTIONS
from proxy.postgres.text_rows import TextRow, long_text_rows

_CONNECTION: Final[Mapping[str, Any]] = {
    "autocommit": True,
    "client_encoding": "utf8",
    "application_name": "dpproxy",
}
_PINNED: Final = {
    "search_path": "pg_catalog, pg_temp",
    "standard_conforming_strings": "on",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "array_nulls": "on",
    "lc_monetary": "C",
    "lc_numeric": "C",
    "lc_time": "C",
    "xmloption": "content",
}
"""The settings that the text form of a result and the names in a query depend on; the session's time zone and date
style are added."""


_UNAVAILABLE = ("08", "53", "57P", "58")
"""The first characters of the SQLSTATEs that concern the connection or the server."""
_CONFIGURED_LIMIT = "53400"
"""temp_file_limit, which the query itself exceeds."""

logger = logging.getLogger("dpproxy.stage")


class StageQueryError(Exception):
    """The stage refused one of our own queries, whose expressions come from the client's statement.

    The stage holds nothing private: both may be shown.

    Args:
        message: Postgres's primary message.
        sqlstate: its SQLSTATE.
    """

    def __init__(self, message: str, sqlstate: str) -> None:
        super().__init__(message)
        self.message = message
        self.sqlstate = sqlstate


class Stage:
    """A built stage: how sessions connect to it, and the proxy's own read-only access. Made by `stage_building`.

    Args:
        dsn_admin: connection string whose server the stage is on.
        database: name of the stage's database.
        passwords: of every role that may connect, by role.
    """

    def __init__(self, dsn_admin: str, database: str, passwords: Mapping[str, str]) -> None:
        self.database = database
        self._dsn_admin = dsn_admin
        self._passwords = dict(passwords)
        self._type_names: dict[tuple[int, int], str] = {}
        self._volatile: frozenset[str] | None = None
        self._holder: psycopg.Connection[TupleRow] | None = None
        # The unprivileged role: these queries contain expressions of clients.
        pool: AsyncConnectionPool[lending.Connection] = AsyncConnectionPool(
            self.dsn(ENUMERATOR_ROLE),
            min_size=1,
            max_size=4,
            open=False,
            name="stage",
            check=AsyncConnectionPool.check_connection,  # the server may have been started again
            kwargs=dict(_CONNECTION),
        )
        self._lender = lending.Lender(pool)
        self._for_questions = asyncio.Semaphore(FOR_QUESTIONS)

    def password(self, role: str) -> str:
        """Password of an analyst's role, for servers that ask for one.

        Raises:
            KeyError: the role is no analyst of the policy.
        """
        return self._passwords[role]

    def dsn(self, role: str) -> str:
        """Connection string of an analyst's role.

        Raises:
            KeyError: the role is no analyst of the policy.
        """
        return make_conninfo(self._dsn_admin, dbname=self.database, user=role, password=self.password(role))

    async def rows_as(self, role: str, query: str, settings: Mapping[str, str]) -> list[TextRow]:
        """Like `rows`, as an analyst on a connection that is made for it: what a question takes on the stage counts
        against its analyst's own limits, and no other setting of the session reaches it.

        Args:
            role: the analyst.
            query: one statement without parameters.
            settings: of the client's session: TimeZone, DateStyle, IntervalStyle.

        Raises:
            KeyError: the role is no analyst of the policy.
            StageQueryError: the stage refuses, or takes longer than the role's statement_timeout.
            StageBusyError: it has no connection, memory or lock left for it.
        """
        try:
            return await self._lender.tasks.once(self._rows_as(role, query, settings))
        except psycopg.Error as error:
            raise _refused(error) from None

    async def volatile_functions(self) -> frozenset[str]:
        """Names of Postgres's functions that change something, or return something else each time; cached.

        Raises:
            StageBusyError: the stage cannot be reached.
        """
        if self._volatile is None:
            found = await self.rows(
                "SELECT DISTINCT proname FROM pg_proc"
                " WHERE provolatile = 'v' AND pronamespace = 'pg_catalog'::regnamespace"
            )
            self._volatile = frozenset(name or "" for (name,) in found)
        return self._volatile

    async def rows(self, query: str) -> list[TextRow]:
        """Run one statement over public tables, read-only, with the search_path pinned; its rows in text form.

        Args:
            query: one statement without parameters.

        Raises:
            StageQueryError: the stage refuses, or takes longer than the role's statement_timeout.
            StageBusyError: it has no connection, memory or lock left for it.
        """
        try:
            return await self._lender.tasks.once(self._rows(query))
        except psycopg.Error as error:
            raise _refused(error) from None

    async def format_type(self, type_oid: int, type_modifier: int = -1) -> str:
        """Name of a built-in type as SQL writes it; cached.

        Raises:
            StageBusyError: the stage cannot be reached.
        """
        key = (int(type_oid), int(type_modifier))
        if key not in self._type_names:
            ((name,),) = await self.rows(f"SELECT format_type({key[0]}, {key[1]})")
            self._type_names[key] = name or "???"
        return self._type_names[key]

    def hold(self) -> None:
        """Keep other proxies from building the stage anew, until `close`. Waits for the server.

        Raises:
            StageBuildError: one is doing so.
            psycopg.Error: the server cannot be reached.
        """
        holder = psycopg.connect(self._dsn_admin, autocommit=True)
        try:
            mark_used(holder, self.database)
        except BaseException:
            holder.close()
            raise
        self._holder = holder

    def learn(self, passwords: Mapping[str, str]) -> None:
        """Note the passwords of the roles that there are now."""
        self._passwords = dict(passwords)

    async def close(self) -> None:
        """Close the proxy's own connections."""
        if self._holder is not None:
            with suppress(psycopg.Error):
                # The server takes its time to notice that a connection has ended, and the next proxy may be waiting.
                self._holder.execute("SELECT pg_advisory_unlock_all()")
            self._holder.close()
        await self._lender.close()

    async def _rows_as(self, role: str, query: str, settings: Mapping[str, str]) -> list[TextRow]:
        async with self._for_questions:
            connection: lending.Connection = await psycopg.AsyncConnection.connect(self.dsn(role), **_CONNECTION)
            try:
                return await _rows(connection, query, settings)
            finally:
                await self._lender.tasks.finish(lending.hang_up(connection))

    async def _rows(self, query: str) -> list[TextRow]:
        await self._lender.open()
        async with self._lender.connection() as connection:
            return await _rows(connection, query, {})


async def _rows(connection: lending.Connection, query: str, settings: Mapping[str, str]) -> list[TextRow]:
    """Run one statement in a read-only transaction under pinned settings."""
    pinned = {**settings, **_PINNED}
    calls = sql.SQL(", ").join(sql.SQL("set_config({}, %s, true)").format(sql.Literal(name)) for name in pinned)
    async with connection.pipeline() as pipeline:
        await connection.execute("BEGIN READ ONLY")
        await connection.execute(sql.SQL("SELECT {}").format(calls), list(pinned.values()))
        found = await connection.execute(query.encode())
        await connection.execute("COMMIT")
        await pipeline.sync()
    return await long_text_rows(found)


def _refused(error: psycopg.Error) -> StageQueryError | StageBusyError:
    """The error that a failure becomes. Failures of the server or the connection say nothing about the query."""
    sqlstate = error.sqlstate
    if sqlstate is None or (sqlstate.startswith(_UNAVAILABLE) and sqlstate != _CONFIGURED_LIMIT):
        logger.error("the stage is not available: %s, SQLSTATE %s", type(error).__name__, sqlstate or "none")
        return StageBusyError()
    return StageQueryError(error.diag.message_primary or "unknown", sqlstate)
