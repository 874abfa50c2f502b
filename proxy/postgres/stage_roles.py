"""The stage's roles: one login per analyst, which can describe private tables, read public ones, and create nothing."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from proxy.errors import InvalidSettingError
from proxy.policy.model import Login
from proxy.postgres.stage_schema import LONGEST_NAME_BYTES, StageBuildError
from proxy.postgres.stage_temporary import TEMPORARY_ROLE, temporary_role_statements
from proxy.settings import check_setting

MARKER_ROLE = "dpproxy_analysts"
ENUMERATOR_ROLE = "dpproxy_enumerator"
FOR_QUESTIONS = 16
"""Connections that the proxy makes for questions at a time, in their analysts' names."""
OWN_CONNECTIONS = FOR_QUESTIONS + 16
"""Connections for the proxy itself: those for questions, the enumerator's and the ledger's pools, and another proxy's
start that builds the stage."""

# A client can SET most of these, so the proxy has its own limits; temp_file_limit is the server's alone.
ROLE_SETTINGS: dict[LiteralString, str] = {
    "statement_timeout": "60s",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "30min",
    "temp_file_limit": "256MB",
    "max_parallel_workers_per_gather": "0",
}
ROLE_SETTINGS_SINCE_14: dict[LiteralString, str] = {"idle_session_timeout": "12h"}

REGISTRY = (
    "CREATE SCHEMA IF NOT EXISTS dpproxy_stage",
    "REVOKE ALL ON SCHEMA dpproxy_stage FROM PUBLIC",
    "CREATE TABLE IF NOT EXISTS dpproxy_stage.database (name text PRIMARY KEY, fingerprint text NOT NULL)",
    "CREATE TABLE IF NOT EXISTS dpproxy_stage.role (name text PRIMARY KEY, password text NOT NULL)",
)
"""What we remember, in the admin's own database, which no analyst can connect to."""

Connection = psycopg.Connection[TupleRow]


def room_for_sessions(admin: Connection) -> int:
    """How many sessions analysts can have on the server, with what the proxy itself needs beside them."""
    row = admin.execute(
        "SELECT sum(setting::int) FILTER (WHERE name = 'max_connections')"
        " - sum(setting::int) FILTER (WHERE name <> 'max_connections') FROM pg_settings"
        " WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')"
    ).fetchone()
    assert row is not None
    return int(row[0]) - OWN_CONNECTIONS


def synchronise_roles(admin: Connection, database: str, analysts: Mapping[str, Login], sessions: int) -> dict[str, str]:
    """Create or update the roles of `analysts` and the enumerator; all other analysts lose access to `database`.

    Args:
        admin: a superuser.
        database: the stage's.
        analysts: by name.
        sessions: the most of one analyst.

    Returns:
        The password of each role.

    Raises:
        StageBuildError: a name belongs to a role that is not ours, or cannot be a role's name.
        psycopg.Error: the server refuses.
    """
    wanted = [*sorted(analysts), ENUMERATOR_ROLE]
    for name in analysts:
        _check_name(name)
    with admin.transaction():
        if admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [MARKER_ROLE]).fetchone() is None:
            admin.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(MARKER_ROLE)))
        passwords = {name: _synchronise_role(admin, name, sessions + FOR_QUESTIONS) for name in wanted}
        for name, analyst in analysts.items():
            _set_out(admin, database, name, analyst.settings)
        database_name = sql.Identifier(database)
        admin.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database_name))
        for name in wanted:
            admin.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database_name, sql.Identifier(name)))
        admin.execute(
            sql.SQL("GRANT TEMPORARY ON DATABASE {} TO {}").format(database_name, sql.Identifier(TEMPORARY_ROLE))
        )
        _retire_others(admin, database, wanted)
    return passwords


def make_temporary_role(admin: Connection) -> None:
    """Create the role that owns temporary tables, before the procedures that it owns; or see that it can do no more.

    Raises:
        psycopg.Error: the server refuses.
    """
    found = admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [TEMPORARY_ROLE]).fetchone()
    for statement in temporary_role_statements(found is not None):
        admin.execute(statement)


def isolate_cluster(admin: Connection, database: str) -> None:
    """Keep analysts out of every other database of a cluster that is ours alone."""
    others = admin.execute("SELECT datname FROM pg_database WHERE datname <> %s", [database]).fetchall()
    for (other,) in others:
        admin.execute(sql.SQL("REVOKE CONNECT, TEMPORARY ON DATABASE {} FROM PUBLIC").format(sql.Identifier(other)))


def _check_name(name: str) -> None:
    if name in (MARKER_ROLE, ENUMERATOR_ROLE, TEMPORARY_ROLE) or name.startswith("pg_"):
        raise StageBuildError(f"an analyst cannot be called {name}: the name is reserved")
    if not name or len(name.encode()) > LONGEST_NAME_BYTES:
        raise StageBuildError(f"an analyst's name has 1 to {LONGEST_NAME_BYTES} bytes: {name!r}")


def _synchronise_role(admin: Connection, name: str, sessions: int) -> str:
    role = sql.Identifier(name)
    marker = sql.Identifier(MARKER_ROLE)
    memberships = _memberships(admin, name)
    if memberships is None:
        admin.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(role))
        # Membership only marks the role as ours; no role should be able to become the marker.
        quiet = sql.SQL(" WITH INHERIT FALSE, SET FALSE" if admin.info.server_version >= 160000 else "")
        admin.execute(sql.SQL("GRANT {} TO {}{}").format(marker, role, quiet))
    elif memberships != {MARKER_ROLE}:
        raise StageBuildError(
            f"the stage's server has a role {name} that dpproxy did not make (it is not a member of {MARKER_ROLE} "
            "alone): rename the analyst, or drop the role"
        )
    password = _password(admin, name)
    # The server gets a verifier, so that no log of statements can hold the password.
    verifier = admin.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256").decode()
    admin.execute(
        sql.SQL(
            "ALTER ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS"
            " CONNECTION LIMIT {} VALID UNTIL 'infinity' PASSWORD {}"
        ).format(role, sql.Literal(sessions), sql.Literal(verifier))
    )
    _forget_settings(admin, name)
    settings = ROLE_SETTINGS | (ROLE_SETTINGS_SINCE_14 if admin.info.server_version >= 140000 else {})
    for setting, value in settings.items():
        admin.execute(sql.SQL("ALTER ROLE {} SET {} = {}").format(role, sql.SQL(setting), sql.Literal(value)))
    return password


def _set_out(admin: Connection, database: str, name: str, settings: Mapping[str, str]) -> None:
    """What the policy lets an analyst's sessions begin with: RESET returns to it, and SHOW shows it."""
    for setting, value in settings.items():
        try:
            check_setting(setting, value)
        except InvalidSettingError as error:
            raise StageBuildError(f"analysts.{name}.settings of the policy: {error}") from None
        admin.execute(
            sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = {}").format(
                sql.Identifier(name), sql.Identifier(database), sql.Identifier(*setting.split(".")), sql.Literal(value)
            )
        )


def _forget_settings(admin: Connection, name: str) -> None:
    """Reset every setting of the role: it may have set some itself, for one database or for all."""
    role = sql.Identifier(name)
    admin.execute(sql.SQL("ALTER ROLE {} RESET ALL").format(role))
    databases = admin.execute(
        "SELECT d.datname FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole"
        " JOIN pg_database d ON d.oid = s.setdatabase WHERE r.rolname = %s",
        [name],
    ).fetchall()
    for (database,) in databases:
        admin.execute(sql.SQL("ALTER ROLE {} IN DATABASE {} RESET ALL").format(role, sql.Identifier(database)))


def _memberships(admin: Connection, name: str) -> set[str] | None:
    """Roles that the role is a direct member of; None if it does not exist."""
    if admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone() is None:
        return None
    rows = admin.execute(
        "SELECT parent.rolname FROM pg_auth_members m JOIN pg_roles parent ON parent.oid = m.roleid"
        " JOIN pg_roles member ON member.oid = m.member WHERE member.rolname = %s",
        [name],
    )
    return {row[0] for row in rows}


def _password(admin: Connection, name: str) -> str:
    """The role's password, made once, since several proxies may share the stage."""
    admin.execute(
        "INSERT INTO dpproxy_stage.role VALUES (%s, %s) ON CONFLICT DO NOTHING", [name, secrets.token_urlsafe(32)]
    )
    row = admin.execute("SELECT password FROM dpproxy_stage.role WHERE name = %s", [name]).fetchone()
    assert row is not None
    return str(row[0])


def _retire_others(admin: Connection, database: str, wanted: list[str]) -> None:
    """Take `database` from analysts who are no longer in the policy, and the login if no stage is left."""
    members = admin.execute(
        """
        SELECT r.rolname, array_agg(d.datname::text) FILTER (WHERE d.datname IS NOT NULL)
        FROM pg_auth_members m
        JOIN pg_roles parent ON parent.oid = m.roleid AND parent.rolname = %s
        JOIN pg_roles r ON r.oid = m.member
        LEFT JOIN LATERAL (
            SELECT p.datname FROM pg_database p, aclexplode(p.datacl) AS entry
            WHERE entry.grantee = r.oid AND entry.privilege_type = 'CONNECT'
        ) AS d ON true
        GROUP BY r.rolname""",
        [MARKER_ROLE],
    ).fetchall()
    for name, databases in members:
        if name in wanted:
            continue
        role = sql.Identifier(name)
        admin.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM {}").format(sql.Identifier(database), role))
        if set(databases or ()) <= {database}:
            admin.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(role))
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s AND datname = %s",
            [name, database],
        )
