"""What of a stage's server its analysts cannot find out: each other's names, which other databases there are, and how
large they are.

Roles and databases belong to the server, so that every database's catalogs list them. In the stage's database those
catalogs have other names, which nobody may read, and views in their places; so have the functions that tell the name
that belongs to a number. Postgres itself goes by numbers, and does not notice. A type cannot be hidden in this way, as
clients can name it by its number: regrole is as if it were not there.

A name that is known or guessed is no secret: `SET ROLE` says whether there is such a role. How large a database of that
name is would be one: that of the ledger grows with each charge, by how much was answered, and that of a source on the
same server with its rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from proxy.postgres.stage_roles import ENUMERATOR_ROLE, MARKER_ROLE

_PREFIX = "dpproxy_of_"
"""In front of the names of what is hidden."""

_ROLE_VIEWS: Mapping[LiteralString, LiteralString] = {
    "pg_roles": "rolname",
    "pg_user": "usename",
    "pg_group": "groname",
}
"""Each with the column that has the role's name."""

_IS_HIDDEN = """
    SELECT FROM pg_catalog.pg_authid r WHERE r.{column} = {role} AND r.rolname <> SESSION_USER
    AND (r.rolname = ANY ({own}) OR EXISTS (
        SELECT FROM pg_catalog.{members} m JOIN pg_catalog.pg_authid p ON p.oid = m.roleid
        WHERE m.member = r.oid AND p.rolname = {marker}))"""


@dataclass(frozen=True)
class _Catalog:
    """A catalog of the server.

    Attributes:
        shown: which of its rows; SQL.
        instead: expressions in the places of columns.
        renamed: columns under the names that clients of earlier versions ask for, from PostgreSQL 17 on.
    """

    name: LiteralString
    shown: LiteralString
    instead: Mapping[str, LiteralString]
    renamed: Mapping[LiteralString, LiteralString]


_CATALOGS = (
    _Catalog(
        "pg_database",
        "datname = pg_catalog.current_database()",
        {"datacl": "NULL::pg_catalog.aclitem[] AS datacl"},
        # A column that psql 15 and 16 ask any later server for.
        {"daticulocale": "datlocale"},
    ),
    _Catalog(
        "pg_db_role_setting",
        "setrole = 0 OR setrole = (SELECT oid FROM pg_catalog.pg_authid WHERE rolname = SESSION_USER)",
        {},
        {},
    ),
    _Catalog(
        "pg_auth_members",
        f"roleid <> (SELECT oid FROM pg_catalog.pg_authid WHERE rolname = '{MARKER_ROLE}')",
        {},
        {},
    ),
)


@dataclass(frozen=True)
class _Function:
    """A function that tells names, or sizes.

    Attributes:
        name: in pg_catalog.
        types: of its arguments.
        result: its type.
        body: what stands in its place; {hidden} is a condition on an argument that names a role, {same} the function.
    """

    name: LiteralString
    types: LiteralString
    result: LiteralString
    body: LiteralString


_FUNCTIONS = (
    _Function(
        "pg_get_userbyid",
        "oid",
        "name",
        "CASE WHEN {hidden} THEN ('unknown (OID=' || $1 || ')')::pg_catalog.name ELSE {same}($1) END",
    ),
    _Function("acldefault", '"char", oid', "aclitem[]", "CASE WHEN {hidden} THEN NULL ELSE {same}($1, $2) END"),
    # Of roles, memberships and databases it would tell the name.
    _Function(
        "pg_describe_object",
        "oid, oid, integer",
        "text",
        "CASE WHEN $1 = ANY ('{{1260,1261,1262}}'::pg_catalog.oid[]) THEN NULL ELSE {same}($1, $2, $3) END",
    ),
    _Function("pg_database_size", "name", "bigint", "CASE WHEN $1 = pg_catalog.current_database() THEN {same}($1) END"),
    _Function(
        "pg_database_size",
        "oid",
        "bigint",
        f"CASE WHEN $1 = (SELECT oid FROM pg_catalog.{_PREFIX}pg_database"
        " WHERE datname = pg_catalog.current_database()) THEN {same}($1) END",
    ),
)


def name_statements(stage: psycopg.Connection[TupleRow]) -> Iterator[sql.Composed]:
    """Hide the names. Others may not log in meanwhile, so that nothing that takes long may follow in the transaction.

    Args:
        stage: to the stage's database, as a superuser, in a transaction.
    """
    yield sql.SQL("SET LOCAL allow_system_table_mods = on").format()
    readers = stage.execute(_READERS, [rf"\m({'|'.join(catalog.name for catalog in _CATALOGS)})\M"]).fetchall()
    for catalog in _CATALOGS:
        yield from _hide_catalog(stage, catalog)
    # With their callers' rights they read what now has these names.
    yield from (sql.SQL(definition).format() for (definition,) in readers)
    for view, column in _ROLE_VIEWS.items():
        hidden = _hidden("rolname", sql.Identifier("listed", column))
        query = sql.SQL("SELECT * FROM ({}) AS listed WHERE NOT {}").format(_definition(stage, view), hidden)
        yield replaced(view, query)
    for function in _FUNCTIONS:
        yield from _hide_function(stage, function)
    yield sql.SQL("UPDATE pg_catalog.pg_type SET typisdefined = false WHERE typname = 'regrole'").format()


def replaced(view: str, query: sql.Composable) -> sql.Composed:
    """A view of the catalog with another query. The barrier: a condition of a client that fails would otherwise tell of
    rows that it does not see."""
    return sql.SQL("CREATE OR REPLACE VIEW pg_catalog.{} WITH (security_barrier) AS {}").format(
        sql.Identifier(view), query
    )


def _hidden(column: LiteralString, role: sql.Composable) -> sql.Composed:
    """Is a role, by its `rolname` or `oid`, none that the session may know?"""
    query = sql.SQL(_IS_HIDDEN).format(
        column=sql.Identifier(column),
        role=role,
        members=sql.Identifier(f"{_PREFIX}pg_auth_members"),
        own=sql.Literal([MARKER_ROLE, ENUMERATOR_ROLE]),
        marker=sql.Literal(MARKER_ROLE),
    )
    return sql.SQL("EXISTS ({})").format(query)


def _hide_function(stage: psycopg.Connection[TupleRow], function: _Function) -> Iterator[sql.Composed]:
    """Another function in its place, for the server's own views too, which call it with their readers' rights."""
    views = [
        (sql.Identifier(*names), sql.SQL(definition))
        for *names, definition in stage.execute(_CALLERS, [rf"\m{function.name}\("]).fetchall()
    ]
    name, types = sql.Identifier("pg_catalog", function.name), sql.SQL(function.types)
    hidden = sql.Identifier("pg_catalog", f"{_PREFIX}{function.name}")
    yield sql.SQL("ALTER FUNCTION {}({}) RENAME TO {}").format(name, types, sql.Identifier(f"{_PREFIX}{function.name}"))
    yield sql.SQL("REVOKE ALL ON FUNCTION {}({}) FROM PUBLIC").format(hidden, types)
    role = sql.SQL(f"${function.types.count(',') + 1}")
    body = sql.SQL("SELECT " + function.body).format(hidden=_hidden("oid", role), same=hidden).as_string(stage)
    yield sql.SQL("CREATE FUNCTION {}({}) RETURNS {} LANGUAGE sql STABLE STRICT SECURITY DEFINER AS {}").format(
        name, types, sql.SQL(function.result), sql.Literal(body)
    )
    for view, definition in views:
        yield sql.SQL("CREATE OR REPLACE VIEW {} WITH (security_barrier) AS {}").format(view, definition)


_CALLERS = """
    SELECT n.nspname, c.relname, rtrim(pg_get_viewdef(c.oid), ';')
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'v' AND pg_get_viewdef(c.oid) ~ %s AND n.nspname IN ('pg_catalog', 'information_schema')"""


_READERS = """
    SELECT replace(replace(definition, '{', '{{'), '}', '}}')
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace CROSS JOIN LATERAL (
        SELECT CASE WHEN to_jsonb(p) ->> 'prosqlbody' IS NOT NULL THEN pg_get_functiondef(p.oid) END AS definition) d
    WHERE n.nspname IN ('pg_catalog', 'information_schema') AND definition ~ %s"""
"""The functions of the server that know what they read by its number."""


def _hide_catalog(stage: psycopg.Connection[TupleRow], catalog: _Catalog) -> Iterator[sql.Composed]:
    rows = stage.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 ORDER BY attnum", [catalog.name]
    )
    columns = [sql.SQL(catalog.instead[name]) if name in catalog.instead else sql.Identifier(name) for (name,) in rows]
    if stage.info.server_version >= 170000:
        columns += [sql.SQL(f"{new} AS {old}") for old, new in catalog.renamed.items()]
    name, hidden = sql.Identifier("pg_catalog", catalog.name), sql.Identifier(f"{_PREFIX}{catalog.name}")
    yield sql.SQL("ALTER TABLE {} RENAME TO {}").format(name, hidden)
    yield sql.SQL("REVOKE ALL ON pg_catalog.{} FROM PUBLIC").format(hidden)
    yield sql.SQL("CREATE VIEW {} WITH (security_barrier) AS SELECT {} FROM pg_catalog.{} WHERE {}").format(
        name, sql.SQL(", ").join(columns), hidden, sql.SQL(catalog.shown)
    )
    yield sql.SQL("GRANT SELECT ON {} TO PUBLIC").format(name)


def _definition(stage: psycopg.Connection[TupleRow], view: str) -> sql.SQL:
    row = stage.execute("SELECT rtrim(pg_get_viewdef(%s::regclass), ';')", [f"pg_catalog.{view}"]).fetchone()
    assert row is not None
    return sql.SQL(str(row[0]))
