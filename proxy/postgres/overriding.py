"""What users made that source queries would call in the place of what PostgreSQL has.

Source queries name types, functions and operators of pg_catalog alone. Still, a cast between two of its types belongs
to no schema, a superuser may put functions and operators into pg_catalog or write those that are there anew, and types
are sorted, grouped and hashed by their default operator class, whoever made it. Such definitions would run for each
row, read what they like, and fail where they like.

Functions and operators of other schemas are never found, whatever casts to their types there are. Columns of users'
types are read as texts; the catalog's reader sees to those whose text a function makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Row = Sequence[object]

# Extensions may have functions of their own in pg_catalog, as Citus does, and operators of their types. These are
# trusted where they are written in C, like the server, or where no call of the server's own functions can mean them.
_OF_EXTENSION = "EXISTS (SELECT FROM pg_depend d WHERE d.classid = {0} AND d.objid = {1} AND d.deptype = 'e')"
_NATIVE = "(12, 13)"
"""The languages `internal` and `c`, whose oids are the same everywhere, like that of `sql`, 14."""

# What initdb itself writes in SQL has SQL-standard bodies since PostgreSQL 14, except for a few polymorphic functions.
_POLYMORPHIC = """(
        'select pg_catalog.quote_literal($1::pg_catalog.text)', 'select pg_catalog.quote_nullable($1::pg_catalog.text)',
        'select $1 operator(pg_catalog.||) $2::pg_catalog.text', 'select $1::pg_catalog.text operator(pg_catalog.||) $2'
    )"""

# Objects of users have oids from 16384 on. This runs with each source query: only short catalogs are read as a whole,
# and the list of functions once.
OVERRIDING_QUERY = f"""
    WITH overriding(name) AS (
        SELECT 'CAST (' || format_type(c.castsource, NULL) || ' AS ' || format_type(c.casttarget, NULL) || ')'
        FROM pg_cast c WHERE c.oid >= 16384 AND c.castsource < 16384 AND c.casttarget < 16384
        UNION ALL
        SELECT 'FUNCTION pg_catalog.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')'
        FROM pg_proc p
        WHERE p.oid >= 16384 AND p.pronamespace = 'pg_catalog'::regnamespace AND NOT (
            {_OF_EXTENSION.format("'pg_proc'::regclass", "p.oid")} AND (
                p.prolang IN {_NATIVE}
                OR EXISTS (SELECT FROM unnest(p.proargtypes) AS a(type) WHERE a.type >= 16384)
                OR NOT EXISTS (SELECT FROM pg_proc b WHERE b.proname = p.proname AND b.oid < 16384)
            )
        )
        UNION ALL
        SELECT 'FUNCTION pg_catalog.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || '), rewritten'
        FROM pg_proc p
        WHERE p.prolang NOT IN {_NATIVE} AND p.oid < 16384 AND p.pronamespace = 'pg_catalog'::regnamespace AND (
            p.prolang <> 14 OR p.prosrc <> '' AND p.prosrc NOT IN {_POLYMORPHIC}
            AND current_setting('server_version_num')::integer >= 140000
        )
        UNION ALL
        SELECT 'OPERATOR pg_catalog.' || o.oprname || ' (' || coalesce(format_type(nullif(o.oprleft, 0), NULL), 'NONE')
               || ', ' || coalesce(format_type(nullif(o.oprright, 0), NULL), 'NONE') || ')'
        FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode
        WHERE o.oid >= 16384 AND o.oprnamespace = 'pg_catalog'::regnamespace AND NOT (
            {_OF_EXTENSION.format("'pg_operator'::regclass", "o.oid")} AND p.prolang IN {_NATIVE}
        )
        UNION ALL
        SELECT 'OPERATOR CLASS ' || n.nspname || '.' || c.opcname || ' USING ' || m.amname
        FROM pg_opclass c JOIN pg_am m ON m.oid = c.opcmethod JOIN pg_namespace n ON n.oid = c.opcnamespace
        WHERE c.oid >= 16384 AND c.opcdefault AND c.opcintype < 16384 AND m.amname IN ('btree', 'hash')
        UNION ALL
        SELECT DISTINCT 'OPERATOR FAMILY ' || n.nspname || '.' || f.opfname || ' USING ' || m.amname
        FROM pg_amproc a JOIN pg_opfamily f ON f.oid = a.amprocfamily JOIN pg_am m ON m.oid = f.opfmethod
        JOIN pg_namespace n ON n.oid = f.opfnamespace
        WHERE a.amproc >= 16384 AND a.amproclefttype < 16384 AND a.amprocrighttype < 16384
          AND m.amname IN ('btree', 'hash')
          AND EXISTS (SELECT FROM pg_amop o WHERE o.amopfamily = f.oid AND o.amopopr < 16384)
    )
    SELECT name FROM overriding ORDER BY name"""


def overriding_from_rows(rows: Iterable[Row]) -> tuple[str, ...]:
    """What stands before PostgreSQL's own, as DROP names it, from the rows of `OVERRIDING_QUERY`."""
    return tuple(str(name) for (name,) in rows)
