"""Where a stage's own catalog views say something else than Postgres's.

- *Settings.* Postgres leaves settings that it does not know, as `dp.epsilon`, out of pg_settings; tools and \\dconfig
  look for them there.
- *Renamed columns.* psql 15 and 16 ask any later server for columns that PostgreSQL 17 renamed. A function of the row
  with the old name is what Postgres takes for the column then.
- *Names* of others: `stage_names`.

The views are replaced in the stage's database alone; it is made from template0 each time.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from proxy.postgres.stage_names import name_statements, replaced
from proxy.settings import SETTINGS

_CHANGEABLE = sql.SQL("SET LOCAL allow_system_table_mods = on").format()


def catalog_statements(stage: psycopg.Connection[TupleRow]) -> Iterator[sql.Composed]:
    """Replace the views, and add the functions.

    Args:
        stage: to the stage's database, as a superuser, in a transaction.
    """
    yield _CHANGEABLE
    row = stage.execute("SELECT rtrim(pg_get_viewdef('pg_catalog.pg_settings'::regclass), ';')").fetchone()
    assert row is not None
    yield replaced("pg_settings", sql.SQL("{} UNION ALL {}").format(sql.SQL(str(row[0])), _settings()))
    if stage.info.server_version >= 170000:
        yield sql.SQL(
            "CREATE FUNCTION pg_catalog.colliculocale(pg_catalog.pg_collation) RETURNS text LANGUAGE sql STABLE"
            " AS 'SELECT $1.colllocale'"
        ).format()
    yield from name_statements(stage)


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
