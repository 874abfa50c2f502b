"""Where a stage's own catalog views say something else than Postgres's.

- *Settings.* Postgres leaves settings that it does not know, as `dp.epsilon`, out of pg_settings; tools and \\dconfig
  look for them there.
- *Roles.* Analysts share a server. Lists of roles have no other analyst, and no role of the proxy's own: a view with a
  security barrier, since a condition that fails would otherwise tell of what it hides. A name that is known or guessed
  is no secret (`pg_get_userbyid`, privileges in `pg_database`).
- *Renamed columns.* psql 15 and 16 ask any later server for columns that PostgreSQL 17 renamed. A function of the row
  with the old name is what Postgres takes for the column then.

The views are replaced in the stage's database alone; it is made from template0 each time.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from proxy.postgres.stage_roles import ENUMERATOR_ROLE, MARKER_ROLE
from proxy.settings import SETTINGS

_CHANGEABLE = sql.SQL("SET LOCAL allow_system_table_mods = on").format()

_ROLE_VIEWS = {"pg_roles": "rolname", "pg_user": "usename", "pg_group": "groname"}
"""Each with the column that has the role's name."""

_HIDDEN_ROLES = """
    SELECT r.rolname FROM pg_catalog.pg_authid r
    WHERE r.rolname <> CURRENT_USER AND (r.rolname = ANY ({own}) OR EXISTS (
        SELECT FROM pg_catalog.pg_auth_members m JOIN pg_catalog.pg_authid p ON p.oid = m.roleid
        WHERE m.member = r.oid AND p.rolname = {marker}
    ))"""

_RENAMED = (("pg_database", "daticulocale", "datlocale"), ("pg_collation", "colliculocale", "colllocale"))
"""Catalogs of PostgreSQL 17, with the old and the new name of a column."""


def catalog_statements(stage: psycopg.Connection[TupleRow]) -> Iterator[sql.Composed]:
    """Replace the views, and add the functions.

    Args:
        stage: to the stage's database, as a superuser, in a transaction.
    """
    yield _CHANGEABLE
    yield _replaced("pg_settings", sql.SQL("{} UNION ALL {}").format(_definition(stage, "pg_settings"), _settings()))
    hidden = sql.SQL(_HIDDEN_ROLES).format(
        own=sql.Literal([MARKER_ROLE, ENUMERATOR_ROLE]), marker=sql.Literal(MARKER_ROLE)
    )
    for view, name in _ROLE_VIEWS.items():
        query = sql.SQL("SELECT * FROM ({}) AS listed WHERE {} NOT IN ({})")
        yield _replaced(view, query.format(_definition(stage, view), sql.Identifier(name), hidden))
    if stage.info.server_version >= 170000:
        for catalog, old, new in _RENAMED:
            yield sql.SQL("CREATE FUNCTION pg_catalog.{}(pg_catalog.{}) RETURNS text LANGUAGE sql STABLE AS {}").format(
                sql.Identifier(old), sql.Identifier(catalog), sql.Literal(f"SELECT $1.{new}")
            )


def _definition(stage: psycopg.Connection[TupleRow], view: str) -> sql.SQL:
    row = stage.execute("SELECT pg_get_viewdef(%s::regclass)", [f"pg_catalog.{view}"]).fetchone()
    assert row is not None
    return sql.SQL(str(row[0]).rstrip().removesuffix(";"))


def _replaced(view: str, query: sql.Composable) -> sql.Composed:
    return sql.SQL("CREATE OR REPLACE VIEW pg_catalog.{} WITH (security_barrier) AS {}").format(
        sql.Identifier(view), query
    )


def _settings() -> sql.Composed:
    """Rows as pg_settings has them, for the settings of dpproxy."""
    rows = sql.SQL(", ").join(
        sql.SQL("({}, {}, {})").format(sql.Literal(name), sql.Literal(setting.meaning), sql.Literal(setting.default))
        for name, setting in SETTINGS.items()
    )
    return sql.SQL(
        "SELECT name, pg_catalog.current_setting(name, true), NULL, 'dpproxy', meaning, NULL, 'user', 'string',"
        " 'database', NULL, NULL, NULL::text[], initial, initial, NULL, NULL::integer, false"
        " FROM (VALUES {}) AS own (name, meaning, initial)"
    ).format(rows)
