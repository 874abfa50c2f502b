"""The stage: a database without private rows on which every client session lives (decision 1)."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from proxy import lending
from proxy.errors import StageBusyError
from proxy.policy import model
from proxy.policy.catalog import Catalog
from proxy.postgres.public_tables import copy_rows, digests, public_snapshot
from proxy.postgres.stage_catalog import catalog_statements
from proxy.postgres.stage_description import description_statements, policy_row_statements, setting_statements
from proxy.postgres.stage_privileges import KEPT_FUNCTIONS, REVOKED_FUNCTIONS, privilege_statements
from proxy.postgres.stage_roles import (
    ENUMERATOR_ROLE,
    FOR_QUESTIONS,
    REGISTRY,
    isolate_cluster,
    make_temporary_role,
    room_for_sessions,
    synchronise_roles,
)
from proxy.postgres.stage_schema import (
    StageBuildError,
    grant_statements,
    key_statements,
    rows_identifier,
    table_statements,
)
from proxy.postgres.text_rows import TextRow, long_text_rows

BUILD_LOCK = 0x6470_7374_6167_6531
"""Advisory lock: proxies that share a stage build it one after the other."""

IN_USE_LOCK = 0x6470_7573
"""The first half of an advisory lock that proxies hold on the stages that they use; the second is the database."""

_ENDING_SECONDS = 3.0
"""How long the connections of a proxy that was killed may take to end."""

GENERATION = "7"
"""Part of the fingerprint; to be changed when the same policy gives another stage."""

Connection = psycopg.Connection[TupleRow]


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
    """A built stage: how sessions connect to it, and the proxy's own read-only access. Made by `build_stage`.

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
        self._holder: Connection | None = None
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
        self._holder = psycopg.connect(self._dsn_admin, autocommit=True)
        if not _locked(self._holder, "SELECT pg_try_advisory_lock_shared(%s, hashtext(%s))", self.database):
            self._holder.close()
            raise _in_use(self.database)

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


def build_stage(
    dsn_admin: str,
    policy: model.Policy,
    catalog: Catalog,
    source_dsn: str | None,
    database: str,
    *,
    owns_cluster: bool = False,
    sessions: int = 100,
) -> Stage:
    """Build the stage's database, or keep it if policy, catalog and public rows are unchanged; update the roles.

    Rebuilding ends the sessions on it. The source is read for public tables only.

    Args:
        dsn_admin: a superuser of the stage's server; its database keeps the passwords and must not be `database`.
        policy: checked against `catalog`.
        catalog: the source's schema.
        source_dsn: where public rows come from; None leaves public tables empty, for planning alone.
        database: name of the stage's database.
        owns_cluster: is the server ours alone? Then PUBLIC loses CONNECT on its other databases.
        sessions: the most of one analyst.

    Raises:
        StageBuildError: an obstacle that the operator must remove; the text says which.
        psycopg.Error: a server cannot be reached or refuses.
    """
    passwords = synchronise_stage(
        dsn_admin, policy, catalog, source_dsn, database, owns_cluster=owns_cluster, sessions=sessions
    )
    return Stage(dsn_admin, database, passwords)


def synchronise_stage(
    dsn_admin: str,
    policy: model.Policy,
    catalog: Catalog,
    source_dsn: str | None,
    database: str,
    *,
    owns_cluster: bool,
    sessions: int,
    keeps_public_rows: bool = False,
) -> dict[str, str]:
    """As `build_stage`, and what it raises. Returns the password of each role.

    Args:
        keeps_public_rows: is the stage in use, so that public rows which have changed since cannot be copied again?
    """
    with psycopg.connect(dsn_admin, autocommit=True) as admin:
        _require_superuser(admin)
        admin.execute("SELECT pg_advisory_lock(%s)", [BUILD_LOCK])
        for statement in REGISTRY:
            admin.execute(statement)
        make_temporary_role(admin)
        with public_snapshot(source_dsn, policy, catalog) as source:
            tables = _tables_fingerprint(admin, database, policy, catalog)
            public_rows = _hash(digests(source, policy, catalog) if source is not None else {})
            policy_rows = _hash([row.as_string(admin) for row in policy_row_statements(policy, catalog)])
            known = _known_fingerprint(admin, database)
            known_tables, known_public_rows, *_ = [*known.split(" "), ""]
            if keeps_public_rows and known_tables == tables and known_public_rows != public_rows:
                logger.warning("public rows have changed since they were copied, which is done again at the next start")
                public_rows = known_public_rows
            fingerprint = f"{tables} {public_rows} {policy_rows}"
            if (known_tables, known_public_rows) != (tables, public_rows):
                _require_unused(admin, database)
                _recreate_database(admin, database)
                with psycopg.connect(make_conninfo(dsn_admin, dbname=database), autocommit=True) as stage:
                    _fill(stage, source, policy, catalog)
            elif known != fingerprint:
                with psycopg.connect(make_conninfo(dsn_admin, dbname=database)) as stage:
                    for row in policy_row_statements(policy, catalog):
                        stage.execute(row)
            if known != fingerprint:
                admin.execute(
                    "UPDATE dpproxy_stage.database SET fingerprint = %s WHERE name = %s", [fingerprint, database]
                )
        passwords = synchronise_roles(admin, database, policy.logins, sessions)
        if owns_cluster:
            isolate_cluster(admin, database)
    return passwords


def room_on_stage(dsn_admin: str) -> int:
    """How many sessions analysts can have on the stage's server.

    Raises:
        psycopg.Error: it cannot be reached.
    """
    with psycopg.connect(dsn_admin, autocommit=True) as admin:
        return room_for_sessions(admin)


def _require_superuser(admin: Connection) -> None:
    row = admin.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    if row is None or not row[0]:
        raise StageBuildError(
            "the stage's DSN must name a superuser: large objects and temp_file_limit can be closed by no one else"
        )


def _tables_fingerprint(admin: Connection, database: str, policy: model.Policy, catalog: Catalog) -> str:
    statements = [
        statement.as_string(admin)
        for part in (
            table_statements(policy, catalog),
            key_statements(policy, catalog),
            grant_statements(policy, catalog),
            description_statements(),
            setting_statements(database),
        )
        for statement in part
    ]
    return _hash([GENERATION, statements, REVOKED_FUNCTIONS, KEPT_FUNCTIONS])


def _hash(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _known_fingerprint(admin: Connection, database: str) -> str:
    """Those of the tables, of public rows and of the policy's rows, with blanks between them; empty if there is no
    stage, or an unfinished one."""
    row = admin.execute(
        "SELECT s.fingerprint FROM dpproxy_stage.database s JOIN pg_database d ON d.datname = s.name WHERE name = %s",
        [database],
    ).fetchone()
    return "" if row is None else str(row[0])


def _require_unused(admin: Connection, database: str) -> None:
    """Refuse to build a stage anew under the sessions of a running proxy. Nobody begins to use it meanwhile."""
    if not _locked(admin, "SELECT pg_try_advisory_lock(%s, hashtext(%s))", database):
        raise _in_use(database)


def _locked(connection: Connection, query: LiteralString, database: str) -> bool:
    """Take a lock on a stage unless others keep it. The server takes its time to notice that a connection has ended."""
    patience = time.monotonic() + _ENDING_SECONDS
    while connection.execute(query, [IN_USE_LOCK, database]).fetchone() != (True,):
        if time.monotonic() > patience:
            return False
        time.sleep(0.05)
    return True


def _in_use(database: str) -> StageBuildError:
    return StageBuildError(
        f"the stage {database} is in use with other tables, columns or public rows, and would have to be built anew: "
        "stop every dpproxy that uses it first, or give this one a stage of its own"
    )


def _recreate_database(admin: Connection, database: str) -> None:
    """Create an empty database under our name; an existing one is dropped only if we made it."""
    exists = admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
    ours = admin.execute("SELECT 1 FROM dpproxy_stage.database WHERE name = %s", [database]).fetchone()
    if exists and not ours:
        raise StageBuildError(
            f"the stage's server has a database {database} that dpproxy did not make: drop or rename it"
        )
    # Recorded as unfinished first: after a crash from here on, the next start builds it again.
    admin.execute(
        "INSERT INTO dpproxy_stage.database VALUES (%s, '') ON CONFLICT (name) DO UPDATE SET fingerprint = ''",
        [database],
    )
    name = sql.Identifier(database)
    admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
    _create_database(admin, name)
    admin.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    for statement in setting_statements(database):
        admin.execute(statement)


def _create_database(admin: Connection, name: sql.Identifier) -> None:
    """Texts sort by code point everywhere. upper() and lower() know all of Unicode where the server supports it, since
    declared keys under them have to be spelled as on the source."""
    create = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' ").format(name)
    locales: list[LiteralString] = ["LOCALE 'C'"]
    if admin.info.server_version >= 170000:
        locales.insert(0, "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'")
    else:
        locales.insert(0, "LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'")
    for locale in locales:
        try:
            admin.execute(create + sql.SQL(locale))
        except (psycopg.errors.WrongObjectType, psycopg.errors.InvalidParameterValue):
            if locale is locales[-1]:
                raise
        else:
            return


def _execute_all(stage: Connection, statements: Iterable[sql.Composable]) -> None:
    """Run statements without parameters at once: hundreds of round trips would take longer than what they do."""
    stage.execute(sql.SQL(";\n").join(statements))


def _fill(stage: Connection, source: Connection | None, policy: model.Policy, catalog: Catalog) -> None:
    """Create and fill everything in the stage's database, in one transaction."""
    with stage.transaction():
        _execute_all(stage, table_statements(policy, catalog))
        if source is not None:
            copy_rows(source, stage, policy, catalog)
        for part in (
            key_statements(policy, catalog),
            grant_statements(policy, catalog),
            description_statements(),
            policy_row_statements(policy, catalog),
        ):
            _execute_all(stage, part)
        _execute_all(stage, list(privilege_statements(stage)))
        for name, table in policy.tables.items():
            # Private tables too: reltuples then is 0, not "never analyzed".
            if table.public or catalog.tables[name].view_definition is None:
                stage.execute(sql.SQL("ANALYZE {}").format(rows_identifier(name, table, catalog.tables[name])))
        for statement in list(catalog_statements(stage)):
            stage.execute(statement)
