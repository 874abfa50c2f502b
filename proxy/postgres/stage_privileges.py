"""What Postgres allows everybody, but an analyst's role on a stage may not do.

A stage shares its server with the ledger and with other analysts' sessions. What the server as a whole counts or holds
would show an analyst what others do, and when: the moment of a write to the ledger, for example, from which response
times are protected (`proxy.dp.timing`). And some of what everybody may do fills resources that all sessions of a server
share. Privileges on functions are those of the caller even inside a view, so that views over them fail as well.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

_ALONE = (
    r"lo\_%",
    "loread",
    "lowrite",
    "pg_notify",
    "pg_logical_emit_message",
    "pg_export_snapshot",
)
"""Large objects, messages to other sessions, records in the server's log of changes."""

_COUNTERS = (
    r"pg\_stat\_%",
    r"pg\_%wal\_%",
    r"pg\_walfile\_%",
    r"pg\_control\_%",
    r"pg\_last\_%",
    r"pg\_get\_multixact\_%",
    r"pg\_xact\_%",
    r"pg\_current\_xact\_id%",
    "pg_current_snapshot",
    r"txid\_current%",
    "txid_status",
    "mxid_age",
    "pg_lock_status",
    r"pg\_%blocking\_pids",
    "pg_isolation_test_session_is_blocked",
    r"pg\_prepared\_xact%",
    r"pg\_get\_replication\_slots",
    r"pg\_replication\_origin\_%",
    r"pg\_show\_replication\_origin%",
    r"pg\_get\_shmem%",
    r"pg\_get\_aios",
    r"pg\_notification\_queue\_usage",
    "pg_tablespace_size",
)
"""What the server has done and is doing for all its databases: log positions, transactions, locks, sizes."""

_NAMES = ("makeaclitem", "pg_get_acl", r"pg\_identify\_object%", r"regrole%")
"""They tell the name of a role or a database that is known by its number (`stage_names`)."""

_LOCKS = (r"pg\_advisory\_%lock%", r"pg\_try\_advisory\_%lock%")
"""They fill the shared table of locks. Unlocking is harmless, and drivers do it when they reset a session."""

REVOKED_FUNCTIONS = (*_ALONE, *_COUNTERS, *_NAMES, *_LOCKS)
"""Patterns for LIKE; names in pg_catalog."""

KEPT_VIEWS = (
    "pg_stat_all_tables",
    "pg_stat_all_indexes",
    "pg_stat_xact_all_tables",
    "pg_statio_all_tables",
    "pg_statio_all_indexes",
    "pg_statio_all_sequences",
)
"""Counters of the stage's own tables, which clients' object trees read. The functions under them are kept."""

KEPT_FUNCTIONS = (r"pg\_advisory\_unlock%", "pg_wal_lsn_diff", "pg_stat_clear_snapshot")

# Dependencies on the server's own functions are in no catalog: their names are searched in the views' definitions, each
# of which is written once, since that is what takes the time.
_FUNCTIONS = """
    WITH kept AS MATERIALIZED
        (SELECT string_agg(pg_get_viewdef(name), ' ') AS texts FROM unnest(%s::regclass[]) AS views(name))
    SELECT oid::regprocedure::text FROM pg_proc, kept
    WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f'
      AND (proname LIKE ANY (%s::text[]) AND NOT proname LIKE ANY (%s::text[])
           OR oid = 'pg_catalog.age(xid)'::regprocedure)
      AND texts !~ ('\\m' || proname || '\\(')
    ORDER BY 1"""

_VIEWS = """
    SELECT c.relname::text FROM pg_class c
    WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'v'
      AND ARRAY(SELECT call[1] FROM regexp_matches(pg_get_viewdef(c.oid), '\\m(\\w+)\\(', 'g') AS call)
          && ARRAY(SELECT p.proname::text FROM pg_proc p
                   WHERE p.oid = ANY (%s::regprocedure[]::oid[]) AND p.proname <> 'age')
    ORDER BY 1"""


def revoked_functions(connection: psycopg.Connection[TupleRow]) -> list[str]:
    """The functions of this server that analysts may not execute, with their arguments' types."""
    rows = connection.execute(_FUNCTIONS, [list(KEPT_VIEWS), list(REVOKED_FUNCTIONS), list(KEPT_FUNCTIONS)]).fetchall()
    return [str(name) for (name,) in rows]


def privilege_statements(connection: psycopg.Connection[TupleRow]) -> Iterator[sql.Composed]:
    """Revoke these functions, and the catalog views that call them, from everybody but superusers.

    Args:
        connection: to the stage's database, as a superuser.
    """
    functions = revoked_functions(connection)
    yield sql.SQL("REVOKE ALL ON FUNCTION {} FROM PUBLIC").format(sql.SQL(", ").join(map(sql.SQL, functions)))
    views = [sql.Identifier("pg_catalog", name) for (name,) in connection.execute(_VIEWS, [functions]).fetchall()]
    yield sql.SQL("REVOKE ALL ON {} FROM PUBLIC").format(sql.SQL(", ").join(views))
