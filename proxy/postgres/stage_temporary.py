"""Temporary tables of a stage: rows that a session has been shown, or could have written, kept in its own pg_temp.

No analyst may create anything on a stage. Two procedures do it for them, in the name of a role that can do nothing
else. They take a table's columns and its rows as values, never a query or an expression; so a temporary table has no
default, function, trigger, rule or view that anything could run. Its columns have built-in types, and its name is that
of no other relation or type, so that it hides nothing. Whoever calls them directly gets no more than the proxy does.
Without rows (NULL) nothing is kept, but everything else is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from psycopg import sql

TEMPORARY_ROLE: Final = "dpproxy_temporary"
"""Owns the procedures and the temporary tables; it can only create the latter."""
MOST_TABLES: Final = 32
MOST_ROWS: Final = 10_000
MOST_BYTES: Final = 8 << 20
"""Of the rows of one table, written as JSON."""
_MOST_STORED: Final = 32 << 20
"""Bytes of all temporary tables of a session."""

_MOST_LOCKS: Final = 200
"""Of one session. Each table keeps three until the transaction ends, dropped or not, and the server's
room for locks is everybody's (attack 51)."""

_OPTIONS = sql.SQL(
    # A session's buffers for temporary tables are made at their first use, as many as it says, and never given back.
    "LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET temp_buffers = '8MB'"
)

_CHECK_LOCKS = """
    IF (SELECT count(*) FROM pg_lock_status() l WHERE l.pid = pg_backend_pid()) > {locks} THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'this transaction has too many locks to make or drop a temporary table',
            HINT = 'End it with COMMIT or ROLLBACK, and go on in another one.';
    END IF;"""

_KEEP_BODY = """
#variable_conflict use_variable
DECLARE
    definitions text;
    outputs text;
    targets text;
    held bigint := 0;
    modifiers integer[];
BEGIN
    IF kept IS NULL THEN
        BEGIN
            CALL dp.keep_rows(relation, names, types, '[]', present, until_commit);
            RAISE EXCEPTION USING ERRCODE = 'DP000';
        EXCEPTION WHEN SQLSTATE 'DP000' THEN
            RETURN;
        END;
    END IF;
    {check_locks}
    -- A type may have its modifier behind it: character varying#9.
    SELECT coalesce(array_agg(coalesce(nullif(split_part(wanted, '#', 2), '')::integer, -1) ORDER BY number), '{}'),
           coalesce(array_agg(split_part(wanted, '#', 1) ORDER BY number), '{}')
      INTO modifiers, types FROM unnest(types) WITH ORDINALITY AS u(wanted, number);
    IF present = 'skip' AND to_regclass('pg_temp.' || quote_ident(relation)) IS NOT NULL THEN
        RAISE NOTICE USING ERRCODE = 'duplicate_table',
            MESSAGE = format('relation "%s" already exists, skipping', relation);
        RETURN;
    END IF;
    IF present = 'replace' AND to_regclass('pg_temp.' || quote_ident(relation)) IS NOT NULL THEN
        EXECUTE format('DROP TABLE pg_temp.%I', relation);
    END IF;
    IF present = 'add' AND to_regclass('pg_temp.' || quote_ident(relation)) IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_table', MESSAGE = format('relation "%s" does not exist', relation);
    END IF;
    IF present = 'add'
       AND obj_description(to_regclass('pg_temp.' || quote_ident(relation)), 'pg_class') = 'view' THEN
        RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state',
            MESSAGE = format('cannot insert into view "%s"', relation),
            DETAIL = 'It keeps the rows that its query had when it was made.',
            HINT = 'Use CREATE TEMP TABLE in its place.';
    END IF;
    IF EXISTS (SELECT FROM pg_class c WHERE c.relname = relation AND c.relnamespace <> pg_my_temp_schema()
                                        AND NOT pg_is_other_temp_schema(c.relnamespace))
       OR EXISTS (SELECT FROM pg_type t WHERE t.typname = relation AND t.typnamespace <> pg_my_temp_schema()
                                          AND NOT pg_is_other_temp_schema(t.typnamespace)) THEN
        RAISE EXCEPTION USING ERRCODE = 'duplicate_table',
            MESSAGE = format('a temporary table cannot be named "%s"', relation),
            DETAIL = 'Another relation or type has this name, and would be hidden by it.',
            HINT = 'Choose another name.';
    END IF;
    IF present = 'add' THEN
        EXECUTE format('SELECT count(*) FROM pg_temp.%I', relation) INTO held;
    ELSIF (SELECT count(*) FROM pg_class c
           WHERE c.relnamespace = pg_my_temp_schema() AND c.relkind = 'r') >= {tables} THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'a session has at most {tables} temporary tables', HINT = 'Drop one of them.';
    END IF;
    IF octet_length(kept) > {bytes} OR held + jsonb_array_length(kept::jsonb) > {rows} THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'a temporary table has at most {rows} rows, of {bytes} bytes together',
            HINT = 'Keep fewer rows or columns.';
    END IF;
    IF present = 'add' AND cardinality(names) = 0 THEN
        SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a INTO names
        WHERE a.attrelid = to_regclass('pg_temp.' || quote_ident(relation))
          AND a.attnum BETWEEN 1 AND cardinality(types) AND NOT a.attisdropped;
    END IF;
    IF present = 'add' AND cardinality(names) <> cardinality(types) THEN
        RAISE EXCEPTION USING ERRCODE = 'syntax_error', MESSAGE = CASE WHEN cardinality(names) < cardinality(types)
            THEN 'INSERT has more expressions than target columns'
            ELSE 'INSERT has more target columns than expressions' END;
    END IF;
    IF cardinality(names) <> cardinality(types) OR cardinality(names) = 0 THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_table_definition',
            MESSAGE = 'a temporary table needs columns with types';
    END IF;
    IF EXISTS (SELECT FROM unnest(types) AS u(wanted) LEFT JOIN pg_type t ON t.oid = to_regtype(wanted)
               WHERE (t.typnamespace IS DISTINCT FROM 'pg_catalog'::regnamespace OR t.typtype NOT IN ('b', 'r', 'm'))
                 AND t.typtype IS DISTINCT FROM 'e'
                 -- An enum whose labels are unknown here.
                 AND NOT EXISTS (SELECT FROM pg_proc p WHERE p.oid = t.typinput AND p.pronamespace = 'dp'::regnamespace)
              ) THEN
        RAISE EXCEPTION USING ERRCODE = 'datatype_mismatch',
            MESSAGE = 'a temporary table has only columns of built-in types and enums',
            HINT = 'Cast the column to text.';
    END IF;
    SELECT string_agg(format('%I %s', name, type), ', ' ORDER BY number),
           string_agg(format('(r.value ->> %s)::%s', number - 1, type), ', ' ORDER BY number)
      INTO definitions, outputs
      FROM unnest(names, types, modifiers) WITH ORDINALITY AS u(name, wanted, modifier, number)
           CROSS JOIN LATERAL format_type(to_regtype(wanted), modifier) AS f(type);
    IF present <> 'add' THEN
        EXECUTE format('CREATE TEMPORARY TABLE %I (%s)', relation, definitions)
                || CASE WHEN until_commit THEN ' ON COMMIT DROP' ELSE '' END;
        IF present IN ('view', 'replace') THEN
            EXECUTE format('COMMENT ON TABLE pg_temp.%I IS %L', relation, 'view');
        END IF;
    ELSE
        -- Texts become what the column is, as constants without a type do in Postgres.
        SELECT string_agg(format('(r.value ->> %s)::%s', number - 1, format_type(
                   CASE WHEN to_regtype(wanted) = 'text'::regtype THEN coalesce(a.atttypid, to_regtype(wanted))
                        ELSE to_regtype(wanted) END, -1)), ', ' ORDER BY number)
          INTO outputs
          FROM unnest(names, types) WITH ORDINALITY AS u(name, wanted, number)
               LEFT JOIN pg_attribute a ON a.attrelid = to_regclass('pg_temp.' || quote_ident(relation))
                                       AND a.attname = name AND a.attnum > 0 AND NOT a.attisdropped;
    END IF;
    SELECT string_agg(quote_ident(name), ', ' ORDER BY number) INTO targets
      FROM unnest(names) WITH ORDINALITY AS u(name, number);
    EXECUTE format('INSERT INTO pg_temp.%I (%s) SELECT %s FROM jsonb_array_elements($1) AS r(value)',
                   relation, targets, outputs) USING kept::jsonb;
    IF (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
        WHERE c.relnamespace = pg_my_temp_schema() AND c.relkind = 'r') > {stored} THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'the temporary tables of a session take at most {stored} bytes', HINT = 'Drop one of them.';
    END IF;
    EXECUTE format('GRANT SELECT ON TABLE pg_temp.%I TO %I', relation, session_user);
END"""

_DROP_BODY = """
DECLARE
    relation text;
BEGIN
    {check_locks}
    FOREACH relation IN ARRAY relations LOOP
        IF to_regclass('pg_temp.' || quote_ident(relation)) IS NOT NULL THEN
            EXECUTE format('DROP TABLE pg_temp.%I', relation);
        ELSIF missing_ok THEN
            RAISE NOTICE USING MESSAGE = format('table "%s" does not exist, skipping', relation);
        ELSE
            RAISE EXCEPTION USING ERRCODE = 'undefined_table', MESSAGE = format('table "%s" does not exist', relation);
        END IF;
    END LOOP;
END"""


def temporary_role_statements(exists: bool) -> Iterator[sql.Composed]:
    """Create the role that owns temporary tables, or take everything from it but its name."""
    role = sql.Identifier(TEMPORARY_ROLE)
    yield sql.SQL("ALTER ROLE {} NOLOGIN" if exists else "CREATE ROLE {} NOLOGIN").format(role)
    yield sql.SQL("ALTER ROLE {} NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS").format(role)


def temporary_statements() -> Iterator[sql.Composed]:
    """Create the procedures in the schema dp, which exists; everybody may execute them."""
    limits = {"tables": MOST_TABLES, "rows": MOST_ROWS, "bytes": MOST_BYTES, "stored": _MOST_STORED}
    keep_body, drop_body = _KEEP_BODY, _DROP_BODY
    for name, value in {"check_locks": _CHECK_LOCKS, "locks": _MOST_LOCKS, **limits}.items():
        keep_body, drop_body = (body.replace("{" + name + "}", str(value)) for body in (keep_body, drop_body))
    # Nobody else may look at locks.
    yield sql.SQL("GRANT EXECUTE ON FUNCTION pg_catalog.pg_lock_status() TO {}").format(sql.Identifier(TEMPORARY_ROLE))
    arguments = "relation text, names text[], types text[], kept text, present text, until_commit boolean"
    for name, parameters, body in (
        ("keep_rows", arguments, keep_body),
        ("drop_rows", "relations text[], missing_ok boolean", drop_body),
    ):
        procedure = sql.Identifier("dp", name)
        yield sql.SQL("CREATE PROCEDURE {}({}) {} AS {}").format(
            procedure,
            sql.SQL(parameters),
            _OPTIONS,
            sql.Literal(body),
        )
        yield sql.SQL("ALTER PROCEDURE {} OWNER TO {}").format(procedure, sql.Identifier(TEMPORARY_ROLE))
