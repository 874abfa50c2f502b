"""Reads the source's schema: tables, columns, types, keys. Never a row, a default, a comment or a statistic; only of
public tables the number of rows, the range of their numbers and how long their texts are, and texts that a policy
declares by them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import psycopg

from proxy.policy import model
from proxy.policy.catalog import Catalog, Column, ForeignKey, Table
from proxy.policy.other_values import declaring_columns
from proxy.postgres.overriding import OVERRIDING_QUERY, overriding_from_rows
from proxy.postgres.public_values import with_declared, with_rows
from proxy.postgres.surroundings import (
    COLLATIONS_QUERY,
    DEPENDENCIES_QUERY,
    DISTRIBUTION_QUERY,
    ON_CLUSTER_QUERY,
    PARENTS_QUERY,
    ROW_SECURITY_QUERY,
    SUPERUSER_QUERY,
    UNREADABLE_QUERY,
    collations_from_rows,
    definitions_from_rows,
    dependencies_from_rows,
)

NUMERIC_OID = 1700
TEXT_OID = 25

# Tables, partitioned tables and views: what LOCK TABLE accepts. Tables with inheritance children are marked, because
# their keys do not hold for the rows of the children, which a query on them also reads.
_LISTED = """
    WITH RECURSIVE listed AS (
        SELECT c.oid, n.nspname || '.' || c.relname AS table_name,
               c.relkind = 'r' AND EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid) AS has_children
        FROM unnest(%(schemas)s::text[], %(relations)s::text[]) AS wanted(schema_name, relation_name)
        JOIN pg_namespace n ON n.nspname = wanted.schema_name
        JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.relation_name
        WHERE c.relkind IN ('r', 'p', 'v')
    )"""

# NOT NULL counts only as a validated property of the table: a column of a NOT NULL domain can still hold NULL, and
# PostgreSQL 18 also sets attnotnull for a constraint that is not validated. It is looked up in each inheritance child:
# before PostgreSQL 18 children may drop it, and later it need not be inherited. Foreign tables do not enforce it.
# A column of a foreign type is read as text. Where a function of the database's owner makes that text, it could fail
# for a row, and two keys or units could have the same text; such columns are left out. So are virtual generated ones
# (PostgreSQL 18): what the owner's expression makes of a row is computed, and can fail or take long, when it is read.
COLUMNS_QUERY = (
    _LISTED
    + """,
    below(oid, child) AS (
        SELECT l.oid, i.inhrelid FROM listed l JOIN pg_inherits i ON i.inhparent = l.oid
        UNION
        SELECT b.oid, i.inhrelid FROM below b JOIN pg_inherits i ON i.inhparent = b.child
    ),
    unenforced(oid) AS MATERIALIZED (
        SELECT b.oid FROM below b JOIN pg_class c ON c.oid = b.child WHERE c.relkind = 'f'
    ),
    resolved(table_name, attnum, attname, nullable, type, modifier, equality, collated) AS (
        SELECT l.table_name, a.attnum, a.attname, NOT a.attnotnull OR EXISTS (
                   SELECT FROM pg_constraint p
                   WHERE p.conrelid = l.oid AND p.contype = 'n' AND p.conkey = ARRAY[a.attnum] AND NOT p.convalidated
               ) OR l.oid IN (SELECT u.oid FROM unenforced u) OR l.has_children AND EXISTS (
                   SELECT FROM below b JOIN pg_attribute d ON d.attrelid = b.child AND d.attname = a.attname
                   WHERE b.oid = l.oid AND (NOT d.attnotnull OR EXISTS (
                       SELECT FROM pg_constraint p
                       WHERE p.conrelid = b.child AND p.contype = 'n' AND p.conkey = ARRAY[d.attnum]
                         AND NOT p.convalidated
                   ))
               ), a.atttypid, a.atttypmod,
               coalesce(
                   (SELECT o.oid FROM pg_collation o WHERE o.oid = a.attcollation AND NOT o.collisdeterministic), 0
               ), a.attcollation NOT IN (0, 'pg_catalog."default"'::regcollation)
        FROM listed l JOIN pg_attribute a ON a.attrelid = l.oid
        WHERE a.attnum > 0 AND NOT a.attisdropped AND to_jsonb(a) ->> 'attgenerated' IS DISTINCT FROM 'v'
        UNION ALL
        SELECT r.table_name, r.attnum, r.attname, r.nullable, t.typbasetype,
               CASE WHEN r.modifier = -1 THEN t.typtypmod ELSE r.modifier END, r.equality,
               r.collated
        FROM resolved r JOIN pg_type t ON t.oid = r.type
        WHERE t.typtype = 'd'
    )
    SELECT r.table_name, r.attname, r.nullable, r.type::bigint, r.modifier, format_type(r.type, -1),
           n.nspname = 'pg_catalog' AND t.oid < 16384, r.equality::bigint,
           t.typtype = 'e', r.collated, format_type(r.type, r.modifier), CASE WHEN t.typtype = 'e' AND NOT EXISTS (
               SELECT FROM pg_type b WHERE b.typnamespace = 'pg_catalog'::regnamespace AND b.typname = t.typname
           ) THEN n.nspname || '.' || t.typname ELSE '' END
    FROM resolved r JOIN pg_type t ON t.oid = r.type JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE t.typtype <> 'd' AND (n.nspname = 'pg_catalog' AND t.oid < 16384 OR NOT EXISTS (
        SELECT FROM pg_cast c WHERE c.castsource = r.type AND c.casttarget = 'text'::regtype AND c.castmethod = 'f'
    ))
    ORDER BY r.table_name, r.attnum"""
)

# A key proves something only if the index enforces it now (valid, immediate), for every row (no predicate), on the
# columns themselves, and under the equality that GROUP BY uses (default operator class, the column's own collation).
KEYS_QUERY = (
    _LISTED
    + """
    SELECT l.table_name, i.indisprimary, array_agg(a.attname::text ORDER BY k.position)
    FROM listed l
    JOIN pg_index i ON i.indrelid = l.oid
    CROSS JOIN LATERAL generate_series(0, i.indnkeyatts - 1) AS k(position)
    JOIN pg_class index ON index.oid = i.indexrelid
    JOIN pg_am method ON method.oid = index.relam
    JOIN pg_opclass operators ON operators.oid = i.indclass[k.position]
    LEFT JOIN pg_attribute a ON a.attrelid = l.oid AND a.attnum = i.indkey[k.position] AND a.attnum > 0
    WHERE i.indisunique AND i.indisvalid AND i.indisready AND i.indislive AND i.indimmediate
      AND NOT i.indisexclusion AND i.indpred IS NULL AND i.indexprs IS NULL
      AND method.amname = 'btree' AND NOT l.has_children
    GROUP BY l.table_name, i.indexrelid, i.indisprimary
    HAVING bool_and(a.attname IS NOT NULL AND operators.opcdefault
                    AND i.indcollation[k.position] = a.attcollation)"""
)

# Conditions and expressions of an index can hold data, and their indexes are left out.
INDEXES_QUERY = (
    _LISTED
    + """
    SELECT l.table_name, array_agg(a.attname::text ORDER BY k.position)
    FROM listed l
    JOIN pg_index i ON i.indrelid = l.oid
    CROSS JOIN LATERAL generate_series(0, i.indnkeyatts - 1) AS k(position)
    JOIN pg_class index ON index.oid = i.indexrelid
    JOIN pg_am method ON method.oid = index.relam
    JOIN pg_attribute a ON a.attrelid = l.oid AND a.attnum = i.indkey[k.position]
    WHERE NOT i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND method.amname = 'btree'
    GROUP BY l.table_name, i.indexrelid"""
)

FOREIGN_KEYS_QUERY = (
    _LISTED
    + """
    SELECT l.table_name, target_namespace.nspname || '.' || target.relname,
           array_agg(a.attname::text ORDER BY k.position), array_agg(b.attname::text ORDER BY k.position),
           -- Of character(n) beside another text, and of collations in which different texts are equal.
           bool_or((coalesce(nullif(ta.typbasetype, 0), ta.oid) = 'bpchar'::regtype)
                <> (coalesce(nullif(tb.typbasetype, 0), tb.oid) = 'bpchar'::regtype)
                OR (a.attcollation <> b.attcollation
                    AND EXISTS (SELECT FROM pg_collation c
                                WHERE c.oid IN (a.attcollation, b.attcollation) AND NOT c.collisdeterministic)))
    FROM listed l
    JOIN pg_constraint f ON f.conrelid = l.oid AND f.contype = 'f' AND f.convalidated
    JOIN pg_class target ON target.oid = f.confrelid
    JOIN pg_namespace target_namespace ON target_namespace.oid = target.relnamespace
    CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(attribute, target_attribute, position)
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.attribute
    JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = k.target_attribute
    JOIN pg_type ta ON ta.oid = a.atttypid
    JOIN pg_type tb ON tb.oid = b.atttypid
    -- A temporal key (PERIOD, PostgreSQL 18) relates ranges, not values.
    WHERE NOT l.has_children AND to_jsonb(f) ->> 'conperiod' IS DISTINCT FROM 'true'
    GROUP BY l.table_name, f.oid, target_namespace.nspname, target.relname
    ORDER BY f.oid"""
)

# The types of columns, and of domains what they are made of.
_TYPED = (
    _LISTED
    + """,
    typed(table_name, attname, type) AS (
        SELECT l.table_name, a.attname, a.atttypid FROM listed l JOIN pg_attribute a ON a.attrelid = l.oid
        WHERE a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT d.table_name, d.attname, t.typbasetype FROM typed d JOIN pg_type t ON t.oid = d.type
        WHERE t.typtype = 'd'
    )"""
)
# Rows of table, column and the labels of its enum.
LABELS_QUERY = (
    _TYPED
    + """
    SELECT d.table_name, d.attname, array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
    FROM typed d JOIN pg_enum e ON e.enumtypid = d.type
    GROUP BY d.table_name, d.attname"""
)
# Rows of table and expressions of CHECK, as far as they hold for the rows of all children.
CHECKS_QUERY = (
    _LISTED
    + """
    SELECT l.table_name, array_agg(pg_get_expr(k.conbin, l.oid) ORDER BY k.conname COLLATE "C")
    FROM listed l JOIN pg_constraint k ON k.conrelid = l.oid
    WHERE k.contype = 'c' AND k.convalidated AND NOT k.connoinherit
    GROUP BY l.table_name"""
)
# Rows of table, column and expressions of its domain's CHECK, and of the domains that this one is made of.
DOMAIN_CHECKS_QUERY = (
    _TYPED
    + """
    SELECT d.table_name, d.attname, array_agg(pg_get_expr(k.conbin, 0) ORDER BY k.conname COLLATE "C")
    FROM typed d JOIN pg_constraint k ON k.contypid = d.type AND k.contype = 'c' AND k.convalidated
    GROUP BY d.table_name, d.attname"""
)

# With nothing but pg_catalog in the search path, every table in it is printed with its schema.
VIEWS_QUERY = (
    _LISTED
    + """
    SELECT l.table_name, pg_get_viewdef(l.oid)
    FROM listed l JOIN pg_class c ON c.oid = l.oid
    WHERE c.relkind = 'v'"""
)

Row = Sequence[object]


def catalog_for(dsn: str, policy: model.Policy) -> Catalog:
    """All that a policy's statements are planned with: `read_catalog` of its tables, with what its public ones say.

    Raises:
        psycopg.Error: the source cannot be reached or read.
    """
    public = [name for name, table in policy.tables.items() if table.public]
    visible = {name: policy.tables[name].columns for name in public}
    listed = {name: columns for name, columns in visible.items() if columns is not None}
    return read_catalog(dsn, list(policy.tables), public, listed, declaring_columns(policy))


def read_catalog(
    dsn: str,
    table_names: Collection[str],
    public: Collection[str] = (),
    visible: Mapping[str, Collection[str]] = MappingProxyType({}),
    declaring: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> Catalog:
    """The schema of the tables `table_names` ("schema.table") in the source `dsn`; of the `public` ones also how many
    rows they have, the range of their numbers and how long their texts are, in the `visible` columns where these are
    listed; and the texts in the columns that are `declaring` values beside others.

    A name that is no table, partitioned table or view of the source is absent from the result; the caller reports it.
    Domains are resolved to their base type. A type from outside pg_catalog (an enum, an extension's) is `text` with
    `cast_to_text` set. Views have no keys. If the database's encoding is not UTF8, only that is reported.

    Raises:
        psycopg.Error: the source cannot be reached or read.
    """
    names = name_parameters(table_names)
    with psycopg.connect(dsn, autocommit=True, client_encoding="utf8") as connection:
        database, version = connection.info.dbname, connection.info.server_version
        (encoding,) = connection.execute("SHOW server_encoding").fetchone() or ("",)
        if encoding != "UTF8":
            return Catalog(database=database, server_version=version, encoding=str(encoding))
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        connection.execute("SET LOCAL search_path = pg_catalog, pg_temp")
        connection.execute("SET LOCAL quote_all_identifiers = off")
        columns = connection.execute(COLUMNS_QUERY, names).fetchall()
        keys = connection.execute(KEYS_QUERY, names).fetchall()
        foreign_keys = connection.execute(FOREIGN_KEYS_QUERY, names).fetchall()
        tables = tables_from_rows(columns, keys, foreign_keys)
        for name, indexed in connection.execute(INDEXES_QUERY, names).fetchall():
            if name in tables:
                found = tables[str(name)]
                tables[str(name)] = replace(found, indexes=found.indexes | {_names(indexed)})
        for name, definition in connection.execute(VIEWS_QUERY, names).fetchall():
            tables[str(name)] = replace(tables[str(name)], view_definition=str(definition))
        for (name,) in connection.execute(ROW_SECURITY_QUERY, names).fetchall():
            if name in tables:
                tables[str(name)] = replace(tables[str(name)], row_security=True)
        for name, parent in connection.execute(PARENTS_QUERY, names).fetchall():
            if name in tables:
                tables[str(name)] = replace(tables[str(name)], parent=str(parent))
        for name, column, labels in connection.execute(LABELS_QUERY, names).fetchall():
            if name in tables and str(column) in tables[str(name)].columns:
                tables[str(name)] = _with_labels(tables[str(name)], str(column), _names(labels))
        for name, checks in connection.execute(CHECKS_QUERY, names).fetchall():
            if name in tables:
                tables[str(name)] = replace(tables[str(name)], checks=_names(checks))
        for name, column, checks in connection.execute(DOMAIN_CHECKS_QUERY, names).fetchall():
            if name in tables:
                of_domains = {**tables[str(name)].domain_checks, str(column): _names(checks)}
                tables[str(name)] = replace(tables[str(name)], domain_checks=of_domains)
        for table in [table for table in tables.values() if table.checks or table.domain_checks]:
            # The parser of conditions takes a tenth of a second to import, and most databases have few of them.
            from proxy.policy.check_constraints import with_listed_values

            tables[table.name] = with_listed_values(table)
        on_cluster = connection.execute(ON_CLUSTER_QUERY).fetchone() == (True,)
        for name, column in connection.execute(DISTRIBUTION_QUERY, names).fetchall() if on_cluster else []:
            tables[str(name)] = replace(tables[str(name)], distributed_by=str(column))
        for name in set(public) & set(tables):
            tables[name] = with_rows(tables[name], visible.get(name, tables[name].columns), connection)
        for name in declaring.keys() & tables.keys():
            tables[name] = with_declared(tables[name], declaring[name], connection)
        dependencies = connection.execute(DEPENDENCIES_QUERY, names).fetchall()
        catalog = Catalog(
            tables=tables,
            database=database,
            server_version=version,
            superuser=connection.execute(SUPERUSER_QUERY).fetchone() == (True,),
            unreadable={str(name): str(lacks) for name, lacks in connection.execute(UNREADABLE_QUERY, names)},
            dependencies=dependencies_from_rows(dependencies),
            definitions=definitions_from_rows(dependencies),
            collations=collations_from_rows(connection.execute(COLLATIONS_QUERY, names).fetchall()),
            overriding=overriding_from_rows(connection.execute(OVERRIDING_QUERY)),
            on_cluster=on_cluster,
        )
        connection.execute("COMMIT")
        return catalog


def _with_labels(table: Table, column: str, labels: tuple[str, ...]) -> Table:
    return replace(table, columns={**table.columns, column: replace(table.columns[column], labels=labels)})


def name_parameters(table_names: Iterable[str]) -> dict[str, list[str]]:
    """Parameters `schemas` and `relations` of the queries of this module; names are split at the first dot."""
    parts = [name.partition(".") for name in sorted(set(table_names))]
    return {"schemas": [part[0] for part in parts], "relations": [part[2] for part in parts]}


def tables_from_rows(
    column_rows: Iterable[Row], key_rows: Iterable[Row], foreign_key_rows: Iterable[Row] = ()
) -> dict[str, Table]:
    """Tables by name, from the rows of `COLUMNS_QUERY`, `KEYS_QUERY` and `FOREIGN_KEYS_QUERY`."""
    columns: dict[str, dict[str, Column]] = {}
    for row in column_rows:
        columns.setdefault(str(row[0]), {})[str(row[1])] = _column(row)
    primary_keys: dict[str, tuple[str, ...]] = {}
    unique_keys: dict[str, set[frozenset[str]]] = {}
    for table_name, is_primary, names in key_rows:
        unique_keys.setdefault(str(table_name), set()).add(frozenset(_names(names)))
        if is_primary:
            primary_keys[str(table_name)] = _names(names)
    foreign_keys: dict[str, list[ForeignKey]] = {}
    for table_name, target, names, target_names, differ in foreign_key_rows:
        key = ForeignKey(_names(names), str(target), _names(target_names), two_equalities=bool(differ))
        foreign_keys.setdefault(str(table_name), []).append(key)
    return {
        name: Table(
            name=name,
            columns=columns[name],
            primary_key=primary_keys.get(name, ()),
            unique_keys=frozenset(unique_keys.get(name, ())),
            foreign_keys=tuple(foreign_keys.get(name, ())),
        )
        for name in columns
    }


def missing_proof(
    tables: Mapping[str, Table],
    verified_keys: Iterable[tuple[str, tuple[str, ...]]],
    not_null: Iterable[tuple[str, str]],
    columns: Iterable[tuple[str, Column]],
) -> str | None:
    """The first assumption of a plan that does not hold for `tables`, in words; None if all of them hold."""
    for table_name, names in verified_keys:
        if table_name not in tables or frozenset(names) not in tables[table_name].unique_keys:
            return f"{table_name} has no valid unique key on ({', '.join(names)})"
    found = {(table.name, column.name): column for table in tables.values() for column in table.columns.values()}
    for table_name, name in not_null:
        if (table_name, name) not in found or found[table_name, name].nullable:
            return f"{table_name}.{name} is not declared NOT NULL"
    for table_name, column in columns:
        now = found.get((table_name, column.name))
        # NOT NULL is checked above, where it matters; precision and collation are part of the type, and its full name
        # only tells them. Declared values are public, whatever the type allows now; an enum is read as text, whatever
        # its name.
        if now is None or column != replace(
            now, nullable=column.nullable, enum=column.enum, labels=column.labels, full_type=column.full_type
        ):
            return f"{table_name}.{column.name} has another type"
    return None


def _column(row: Row) -> Column:
    _, name, nullable, type_oid, modifier, type_name, is_builtin, collation, is_enum, collated, full_type, enum = row
    assert isinstance(type_oid, int)
    assert isinstance(modifier, int)
    assert isinstance(collation, int)
    if not is_builtin:
        return Column(
            str(name),
            "text",
            TEXT_OID,
            nullable=bool(nullable),
            cast_to_text=True,
            own_equality="" if is_enum else str(type_name),
            enum=str(enum),
            full_type="text",
        )
    scale = _numeric_scale(modifier) if type_oid == NUMERIC_OID else None
    return Column(
        str(name),
        str(type_name),
        type_oid,
        modifier,
        bool(nullable),
        scale,
        collation=collation,
        own_collation=bool(collated),
        full_type=str(full_type),
    )


def _numeric_scale(modifier: int) -> int | None:
    """Scale of numeric(p, s): the low 11 bits of the modifier, signed, after 4 bytes of header."""
    return None if modifier < 0 else (((modifier - 4) & 0x7FF) ^ 1024) - 1024


def _names(value: object) -> tuple[str, ...]:
    assert isinstance(value, list)
    return tuple(str(name) for name in value)
