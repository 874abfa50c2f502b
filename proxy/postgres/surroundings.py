"""What surrounds the listed tables on the source: where their rows come from and go, who reads them, how texts sort.

Read once with the catalog; `proxy.policy.traps` says what of it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from proxy.policy.catalog import Dependency

Row = Sequence[object]

_LISTED = """
    WITH RECURSIVE listed AS (
        SELECT c.oid, n.nspname || '.' || c.relname AS table_name
        FROM unnest(%(schemas)s::text[], %(relations)s::text[]) AS wanted(schema_name, relation_name)
        JOIN pg_namespace n ON n.nspname = wanted.schema_name
        JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.relation_name
    )"""

# What comes with the server is below 16384: its functions are not followed; its views show statistics, sizes and the
# most common values of everybody's tables. A function whose body is SQL-standard has its tables in pg_depend; that
# of all others is text. Rules of views say how to write to them, those of tables can copy what is written. Row-level
# security shows a row or not by what its conditions read.
DEPENDENCIES_QUERY = (
    _LISTED
    + """,
    edges(reader_class, reader, target_class, target, how) AS (
        SELECT 'pg_class'::regclass, inhparent, 'pg_class'::regclass, inhrelid, 'inherits' FROM pg_inherits
        UNION
        SELECT 'pg_class'::regclass, r.ev_class, d.refclassid, d.refobjid, 'query'
        FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        WHERE r.ev_type = '1' AND d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass)
          AND (d.refclassid, d.refobjid) <> ('pg_class'::regclass::oid, r.ev_class)
        UNION
        SELECT 'pg_class'::regclass, r.ev_class, 'pg_proc'::regclass, o.oprcode, 'query'
        FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        JOIN pg_operator o ON d.refclassid = 'pg_operator'::regclass AND o.oid = d.refobjid
        WHERE r.ev_type = '1'
        UNION
        SELECT 'pg_proc'::regclass, d.objid, d.refclassid, d.refobjid, 'query'
        FROM pg_depend d
        WHERE d.classid = 'pg_proc'::regclass AND d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass)
        UNION
        SELECT 'pg_class'::regclass, d.refobjid, 'pg_class'::regclass, r.ev_class, 'rule'
        FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class AND c.relkind IN ('r', 'p')
        JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        WHERE r.ev_type <> '1' AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class
        UNION
        SELECT 'pg_class'::regclass, p.polrelid, d.refclassid, d.refobjid, 'query'
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid AND c.relrowsecurity
        JOIN pg_depend d ON d.classid = 'pg_policy'::regclass AND d.objid = p.oid
        WHERE p.polcmd IN ('r', '*') AND d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass)
          AND (d.refclassid, d.refobjid) <> ('pg_class'::regclass::oid, p.polrelid)
    ),
    known AS (
        SELECT * FROM edges
        WHERE reader >= 16384 AND (target >= 16384 OR target_class = 'pg_class'::regclass)
    ),
    reached(class, object) AS (
        SELECT 'pg_class'::regclass, oid FROM listed
        UNION
        SELECT k.target_class::regclass, k.target
        FROM reached r JOIN known k ON k.reader_class = r.class AND k.reader = r.object
    ),
    names(class, object, name, unseen) AS (
        SELECT 'pg_class'::regclass, c.oid, n.nspname || '.' || c.relname, c.relkind = 'f' OR c.oid < 16384
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        UNION ALL
        -- A function in C that calls itself immutable, as those of an extension's types do, is believed.
        SELECT 'pg_proc'::regclass, p.oid, n.nspname || '.' || p.proname || '()',
               to_jsonb(p) ->> 'prosqlbody' IS NULL AND NOT (l.lanname IN ('c', 'internal') AND p.provolatile = 'i')
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
        WHERE p.oid >= 16384
    )
    SELECT DISTINCT reader.name, target.name, k.how, target.unseen
    FROM reached r
    JOIN known k ON k.reader_class = r.class AND k.reader = r.object
    JOIN names reader ON reader.class = k.reader_class AND reader.object = k.reader
    JOIN names target ON target.class = k.target_class AND target.object = k.target
    ORDER BY 1, 2, 3"""
)

ROW_SECURITY_QUERY = _LISTED + " SELECT table_name FROM listed WHERE row_security_active(oid)"

SUPERUSER_QUERY = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"

# The C and POSIX locales, C.UTF-8 of every kind, and the server's own collations order by code point.
COLLATIONS_QUERY = (
    _LISTED
    + """,
    database(name) AS (
        SELECT CASE to_jsonb(d) ->> 'datlocprovider'
                   WHEN 'i' THEN 'ICU ' || coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale')
                   WHEN 'b' THEN 'C'
                   ELSE datcollate
               END
        FROM pg_database d WHERE datname = current_database()
    ),
    columns(place, name) AS (
        SELECT l.table_name || '.' || a.attname,
               CASE WHEN o.collprovider = 'b' OR o.oid = 'pg_catalog."default"'::regcollation
                      OR (o.collprovider = 'c' AND o.collcollate ~* '^(C|POSIX|C\\.utf-?8)$') THEN 'C'
                    ELSE o.collname::text
               END
        FROM listed l
        JOIN pg_attribute a ON a.attrelid = l.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_collation o ON o.oid = a.attcollation
    )
    SELECT place, name FROM (SELECT '' AS place, name FROM database UNION ALL SELECT place, name FROM columns) AS found
    WHERE name !~* '^(C|POSIX|C\\.utf-?8)$'
    ORDER BY place"""
)


def dependencies_from_rows(rows: Iterable[Row]) -> tuple[Dependency, ...]:
    """Dependencies from the rows of `DEPENDENCIES_QUERY`."""
    found = []
    for reader, target, how, unseen in rows:
        assert how == "inherits" or how == "query" or how == "rule"
        found.append(Dependency(str(reader), str(target), how, bool(unseen)))
    return tuple(found)


def collations_from_rows(rows: Iterable[Row]) -> dict[str, str]:
    """Collations by place from the rows of `COLLATIONS_QUERY`."""
    return {str(place): str(name) for place, name in rows}
