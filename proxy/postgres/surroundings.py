"""What the listed tables depend on in the source: where their rows come from and go, who reads them, how texts sort.

Read with the catalog, and what they depend on with each source query too; `proxy.policy.traps` judges it.
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

# Relations and functions of the server itself have oids below 16384: what they read is not followed. Postgres keeps no
# record of who reads its own tables, so these are searched in the trees of queries, with the functions that tell of
# tables, of files or of what others do. A function whose body is SQL-standard has its tables in pg_depend; other bodies
# are text. Rules of views say how to write to them, those of tables can copy what is written. Row-level security shows
# a row or not by what its conditions read. A sequence knows how many rows its tables have had: those that own it, and
# those whose columns take their numbers from it. Where there are none, programs number rows by it that nobody knows.
# A value that becomes one of a domain goes through its conditions, which call functions.
#
# Each step looks up what one object reads, by indexes, since this runs with each source query.
_TREE_NUMBERS = (
    "(SELECT m[2]::oid AS number, m[1] AS word FROM regexp_matches({}, ':(relid|funcid|opfuncid) (\\d+)', 'g') m)"
)
# A C function that is marked immutable, as those of an extension's types are, is trusted.
# What decides which rows are shown is told by its kind and a digest; nothing does so in an ordinary table.
_NAMED = """
        SELECT n.nspname || '.' || c.relname AS name,
               c.relkind = 'f' OR c.oid < 16384 OR c.relkind = 'S' AND NOT EXISTS (
                   SELECT FROM pg_depend d
                   WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
                      OR d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid
                     AND d.classid = 'pg_attrdef'::regclass
               ) AS unseen,
               CASE WHEN c.relkind IN ('r', 'p') AND NOT c.relrowsecurity THEN ''
                    ELSE CASE c.relkind WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view'
                                        WHEN 'f' THEN 'a foreign table' WHEN 'S' THEN 'a sequence' ELSE 'a table' END
                         || CASE WHEN c.relrowsecurity THEN ' with row-level security' ELSE '' END
                         || ' (' || left(md5(concat(
                             c.relforcerowsecurity, row_security_active(c.oid),
                             (SELECT string_agg(w.ev_action::text, '' ORDER BY w.oid) FROM pg_rewrite w
                              WHERE w.ev_class = c.oid AND w.ev_type = '1'),
                             (SELECT string_agg(concat(p.polroles, p.polpermissive, p.polqual), '' ORDER BY p.oid)
                              FROM pg_policy p
                              WHERE c.relrowsecurity AND p.polrelid = c.oid AND p.polcmd IN ('r', '*'))
                         )), 8) || ')'
               END AS definition
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE e.{0}_class = 'pg_class'::regclass AND c.oid = e.{0}
        UNION ALL
        SELECT n.nspname || '.' || p.proname || '()',
               p.oid < 16384 OR to_jsonb(p) ->> 'prosqlbody' IS NULL
               AND NOT (l.lanname IN ('c', 'internal') AND p.provolatile = 'i'),
               'a function (' || left(md5(concat(p.prosrc, to_jsonb(p) ->> 'prosqlbody')), 8) || ')'
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
        WHERE e.{0}_class = 'pg_proc'::regclass AND p.oid = e.{0}
        UNION ALL
        SELECT n.nspname || '.' || t.typname || ' (type)', false,
               CASE WHEN t.typtype <> 'd' THEN ''
                    ELSE 'a domain (' || left(md5(concat((
                        SELECT string_agg(k.conbin::text, '' ORDER BY k.oid) FROM pg_constraint k
                        WHERE k.contypid = t.oid
                    ))), 8) || ')'
               END
        FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
        WHERE e.{0}_class = 'pg_type'::regclass AND t.oid = e.{0}
          AND (t.typtype NOT IN ('b', 'e') OR t.typcategory = 'A')"""
_SERVERS_OWN = f"""
            SELECT 'pg_class'::regclass, found.number, 'query'
            FROM query, LATERAL {_TREE_NUMBERS.format("query.tree")} AS found
            WHERE found.word = 'relid' AND found.number BETWEEN 1 AND 16383
            UNION ALL
            SELECT 'pg_proc'::regclass, p.oid, 'query'
            FROM query, LATERAL {_TREE_NUMBERS.format("query.tree")} AS found
            JOIN pg_proc p ON p.oid = found.number AND found.word <> 'relid'
            WHERE p.oid < 16384 AND (
                p.proname ~ '^(pg_stat_get|pg_current_|pg_snapshot|txid_|(table|schema|database)_to_xml)'
                OR p.provolatile = 'v' AND p.proname !~ '^(clock_timestamp|current_query|gen_random_uuid|pg_advisory_|'
                   'pg_is_in_recovery|pg_sleep|pg_try_advisory_|random|set_config|setseed|timeofday|uuidv)'
            )"""
# An operator is a function, and sorting and hashing by it calls others, of its operator class.
_OPERATORS = """
            SELECT 'pg_proc'::regclass, o.oprcode, 'query'
            FROM named JOIN pg_operator o ON named.class = 'pg_operator'::regclass AND o.oid = named.object
            WHERE o.oprcode >= 16384
            UNION ALL
            SELECT 'pg_proc'::regclass, p.oid, 'query'
            FROM named JOIN pg_amop o ON named.class = 'pg_operator'::regclass AND o.amopopr = named.object
            JOIN pg_amproc a ON a.amprocfamily = o.amopfamily
            JOIN pg_proc p ON p.oid = a.amproc AND p.oid >= 16384 AND p.prolang NOT IN (12, 13)"""
# What a type's values are made of, and the functions of ranges; those in C, of an extension, are not listed.
_TYPES = """
            SELECT 'pg_type'::regclass, made_of.type, 'query'
            FROM pg_type t CROSS JOIN LATERAL (
                VALUES (t.typbasetype), (t.typelem)
                UNION ALL
                SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0
                UNION ALL
                SELECT g.rngsubtype FROM pg_range g WHERE g.rngtypid = t.oid
                UNION ALL
                SELECT g.rngtypid FROM pg_range g WHERE (to_jsonb(g) ->> 'rngmultitypid')::oid = t.oid
            ) AS made_of(type)
            WHERE r.target_class = 'pg_type'::regclass AND t.oid = r.target AND made_of.type >= 16384
            UNION ALL
            SELECT 'pg_proc'::regclass, p.oid, 'query'
            FROM pg_range g JOIN pg_opclass o ON o.oid = g.rngsubopc
            LEFT JOIN pg_amproc a ON a.amprocfamily = o.opcfamily
            JOIN pg_proc p ON p.oid IN (g.rngcanonical, g.rngsubdiff, a.amproc)
            WHERE r.target_class = 'pg_type'::regclass AND g.rngtypid = r.target
              AND p.oid >= 16384 AND p.prolang NOT IN (12, 13)"""
DEPENDENCIES_QUERY = (
    _LISTED
    + f""",
    edges(reader_class, reader, target_class, target, how) AS (
        SELECT 0::oid, 0::oid, 'pg_class'::regclass::oid, oid, 'listed' FROM listed
        UNION
        SELECT r.target_class, r.target, e.class::oid, e.object, e.how
        FROM edges r CROSS JOIN LATERAL (
            WITH query(tree) AS MATERIALIZED (
                SELECT w.ev_action::text FROM pg_rewrite w
                WHERE r.target_class = 'pg_class'::regclass AND w.ev_class = r.target AND w.ev_type = '1'
                UNION ALL
                SELECT p.polqual::text FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid AND c.relrowsecurity
                WHERE r.target_class = 'pg_class'::regclass AND p.polrelid = r.target AND p.polcmd IN ('r', '*')
                UNION ALL
                SELECT to_jsonb(p) ->> 'prosqlbody' FROM pg_proc p
                WHERE r.target_class = 'pg_proc'::regclass AND p.oid = r.target
            ),
            part(class, object) AS (
                SELECT 'pg_rewrite'::regclass, w.oid FROM pg_rewrite w
                WHERE r.target_class = 'pg_class'::regclass AND w.ev_class = r.target AND w.ev_type = '1'
                UNION ALL
                SELECT 'pg_policy'::regclass, p.oid
                FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid AND c.relrowsecurity
                WHERE r.target_class = 'pg_class'::regclass AND p.polrelid = r.target AND p.polcmd IN ('r', '*')
                UNION ALL
                SELECT 'pg_constraint'::regclass, k.oid FROM pg_constraint k
                WHERE r.target_class = 'pg_type'::regclass AND k.contypid = r.target
                UNION ALL
                SELECT 'pg_proc'::regclass, r.target WHERE r.target_class = 'pg_proc'::regclass
            ),
            named(class, object) AS (
                SELECT d.refclassid, d.refobjid
                FROM part JOIN pg_depend d ON d.classid = part.class AND d.objid = part.object
                WHERE (d.refclassid, d.refobjid) <> (r.target_class, r.target)
            )
            SELECT 'pg_class'::regclass AS class, i.inhrelid AS object, 'inherits' AS how
            FROM pg_inherits i WHERE r.target_class = 'pg_class'::regclass AND i.inhparent = r.target
            UNION ALL
            SELECT class, object, 'query' FROM named
            WHERE class = 'pg_class'::regclass
               OR class IN ('pg_proc'::regclass, 'pg_type'::regclass) AND object >= 16384
            UNION ALL
            SELECT 'pg_class'::regclass, w.ev_class, 'rule'
            FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid AND w.ev_type <> '1'
            JOIN pg_class c ON c.oid = w.ev_class AND c.relkind IN ('r', 'p')
            WHERE r.target_class = 'pg_class'::regclass AND d.classid = 'pg_rewrite'::regclass
              AND d.refclassid = 'pg_class'::regclass AND d.refobjid = r.target AND d.refobjid <> w.ev_class
            UNION ALL
            SELECT 'pg_class'::regclass, d.refobjid, 'query'
            FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
            WHERE r.target_class = 'pg_class'::regclass AND d.classid = 'pg_class'::regclass AND d.objid = r.target
              AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
            UNION ALL
            SELECT 'pg_class'::regclass, a.adrelid, 'query'
            FROM pg_class s JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = s.oid
            JOIN pg_attrdef a ON d.classid = 'pg_attrdef'::regclass AND a.oid = d.objid
            WHERE r.target_class = 'pg_class'::regclass AND s.oid = r.target AND s.relkind = 'S'
            UNION ALL {_OPERATORS}
            UNION ALL {_TYPES}
            UNION ALL {_SERVERS_OWN}
        ) AS e
        WHERE r.target >= 16384
    )
    SELECT DISTINCT reader.name, target.name, e.how, target.unseen, target.definition
    FROM edges e
    LEFT JOIN LATERAL ({_NAMED.format("reader")}) AS reader ON true
    CROSS JOIN LATERAL ({_NAMED.format("target")}) AS target
    ORDER BY 1, 2, 3"""
)

ROW_SECURITY_QUERY = _LISTED + " SELECT table_name FROM listed WHERE row_security_active(oid)"

PARENTS_QUERY = (
    _LISTED
    + """
    SELECT l.table_name, n.nspname || '.' || p.relname
    FROM listed l
    JOIN pg_class c ON c.oid = l.oid AND c.relispartition
    JOIN pg_inherits i ON i.inhrelid = c.oid
    JOIN pg_class p ON p.oid = i.inhparent
    JOIN pg_namespace n ON n.oid = p.relnamespace"""
)

SUPERUSER_QUERY = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"

# LOCK TABLE, with which each source query begins, needs SELECT on the whole table.
UNREADABLE_QUERY = (
    _LISTED
    + """
    SELECT table_name, CASE WHEN has_schema_privilege(c.relnamespace, 'USAGE') THEN 'SELECT' ELSE 'USAGE' END
    FROM listed l JOIN pg_class c ON c.oid = l.oid
    WHERE NOT has_schema_privilege(c.relnamespace, 'USAGE') OR NOT has_table_privilege(c.oid, 'SELECT')"""
)

ON_CLUSTER_QUERY = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"

# What Citus says of tables that are spread by the hash of a column; others do not know these names.
DISTRIBUTION_QUERY = (
    _LISTED
    + """
    SELECT l.table_name, column_to_column_name(p.logicalrelid, p.partkey)
    FROM listed l JOIN pg_dist_partition p ON p.logicalrelid = l.oid
    WHERE p.partmethod = 'h'"""
)

# The C and POSIX locales, every kind of C.UTF-8, and the server's own collations order by code point.
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
    """Dependencies, from the rows of `DEPENDENCIES_QUERY`."""
    found = []
    for reader, target, how, unseen, _ in rows:
        if how == "listed":
            continue
        assert how == "inherits" or how == "query" or how == "rule"
        found.append(Dependency(str(reader), str(target), how, bool(unseen)))
    return tuple(found)


def definitions_from_rows(rows: Iterable[Row]) -> dict[str, str]:
    """What each relation and function is, unless an ordinary table, by name, from the rows of `DEPENDENCIES_QUERY`.
    Functions of one name are told together."""
    found: dict[str, set[str]] = {}
    for _, target, _, _, definition in rows:
        if definition:
            found.setdefault(str(target), set()).add(str(definition))
    return {name: ", ".join(sorted(definitions)) for name, definitions in found.items()}


def collations_from_rows(rows: Iterable[Row]) -> dict[str, str]:
    """Collations by place, from the rows of `COLLATIONS_QUERY`."""
    return {str(place): str(name) for place, name in rows}
