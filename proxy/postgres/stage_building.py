"""Builds the stage: a database with the policy's tables, of which only public ones have rows."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable
from typing import LiteralString

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from proxy.policy import model
from proxy.policy.catalog import Catalog
from proxy.postgres.public_tables import copy_rows, digests, public_snapshot
from proxy.postgres.stage import Stage
from proxy.postgres.stage_catalog import catalog_statements
from proxy.postgres.stage_description import description_statements, policy_row_statements, setting_statements
from proxy.postgres.stage_lock import Connection, require_unused
from proxy.postgres.stage_privileges import KEPT_FUNCTIONS, REVOKED_FUNCTIONS, privilege_statements
from proxy.postgres.stage_roles import (
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

BUILD_LOCK = 0x6470_7374_6167_6531
"""Advisory lock: proxies that share a stage build it one after the other."""

GENERATION = "8"
"""Part of the fingerprint; to be changed when the same policy gives another stage."""

logger = logging.getLogger("dpproxy.stage")


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
                require_unused(admin, database)
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
