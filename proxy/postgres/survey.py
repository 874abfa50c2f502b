"""Reads all that a database's catalog says of its tables, for a policy that is yet to be written. Never a row, a
default or a comment: no privilege on any table is needed. Of statistics, only about how many rows tables have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import psycopg
from psycopg.rows import TupleRow

from proxy.policy.catalog import Catalog, Table
from proxy.policy.model import Policy
from proxy.policy.other_values import declaring_columns
from proxy.postgres.catalog_reader import name_parameters, read_catalog

_KINDS: Final = {
    "r": "table",
    "p": "partitioned table",
    "v": "view",
    "m": "materialized view",
    "f": "foreign table",
}

# Without what belongs to the server, to an extension, or to a session.
_RELATIONS_QUERY: Final = """
    SELECT n.nspname, c.relname, c.relkind::text,
           (SELECT min(m.nspname || '.' || p.relname)
            FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace m ON m.oid = p.relnamespace
            WHERE i.inhrelid = c.oid)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relpersistence <> 't'
      AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND NOT EXISTS (
          SELECT FROM pg_depend d
          WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
      )
    ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C\""""

_SIZES_QUERY: Final = """
    SELECT n.nspname || '.' || c.relname, c.reltuples::bigint
    FROM unnest(%(schemas)s::text[], %(relations)s::text[]) AS wanted(schema_name, relation_name)
    JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema_name
    JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.relation_name
    WHERE c.reltuples > 0"""


@dataclass(frozen=True)
class Relation:
    """A relation of the database.

    Attributes:
        name: "schema.name".
        kind: "table", "partitioned table", "view", "materialized view" or "foreign table".
        parent: of a partition or an inheritance child, the relation whose rows its rows are.
    """

    name: str
    kind: str
    parent: str | None = None


@dataclass(frozen=True)
class Survey:
    """What a database's catalog says.

    Attributes:
        relations: all of them, in the order of their names' code points.
        catalog: tables and views, with columns and keys.
        sizes: about how many rows tables have, as far as the database's statistics tell.
    """

    relations: tuple[Relation, ...]
    catalog: Catalog
    sizes: Mapping[str, int] = field(default_factory=dict)


def read_survey(dsn: str) -> Survey:
    """Read the catalog of the database `dsn`.

    Raises:
        psycopg.Error: it cannot be reached or read.
    """
    with psycopg.connect(dsn, autocommit=True, client_encoding="utf8") as connection:
        found = _relations(connection)
        relations = tuple(Relation(f"{row[0]}.{row[1]}", _KINDS[row[2]], row[3]) for row in found)
        names = _plain_names(found)
        sizes = {name: int(rows) for name, rows in connection.execute(_SIZES_QUERY, name_parameters(names))}
    return Survey(relations=relations, catalog=read_catalog(dsn, names), sizes=sizes)


def read_whole_catalog(dsn: str, policy: Policy | None) -> Catalog:
    """What planning needs, of all relations of the database `dsn`; of the tables that a policy calls public also what
    their rows say, and the texts that it declares by them.

    Raises:
        psycopg.Error: it cannot be reached or read.
    """
    with psycopg.connect(dsn, autocommit=True, client_encoding="utf8") as connection:
        names = _plain_names(_relations(connection))
    if policy is None:
        return read_catalog(dsn, names)
    public = {name: table.columns for name, table in policy.tables.items() if table.public}
    visible = {name: columns for name, columns in public.items() if columns is not None}
    needed = declaring_columns(policy)
    declaring = {name: set(columns) for name, columns in needed.items()}
    for table in policy.tables.values():
        for column in (table.columns or {}).values():
            target, _, name = (column.values_from or "").rpartition(".")
            if target in public:
                declaring.setdefault(target, set()).add(name)
    catalog = read_catalog(dsn, {*names, *policy.tables}, list(public), visible, declaring)
    return replace(
        catalog,
        tables={name: _short(table, needed.get(name, set())) for name, table in catalog.tables.items()},
    )


def _short(table: Table, needed: Collection[str]) -> Table:
    """Without long lists of declared values, unless rows are read by them."""
    kept = {name: texts for name, texts in table.declared.items() if name in needed or len(texts) <= _MOST_DECLARED}
    return replace(table, declared=kept)


_MOST_DECLARED: Final = 1_000
"""Values that are worth keeping of a column: groups of a dashboard, not numbers of parts."""


def estimated_units(dsn: str, policy: Policy, catalog: Catalog) -> dict[str, int]:
    """About how many units there are, by name, from what the server remembers of tables with one row of each unit.

    That follows from rows, and has no noise: it is for whoever may see the rows, and for nothing that others see.

    Raises:
        psycopg.Error: the database cannot be reached or read.
    """
    of_unit: dict[str, str] = {}
    for name, table in policy.tables.items():
        found = catalog.tables.get(name)
        if table.unit is not None and found is not None and frozenset({table.unit.column}) in found.unique_keys:
            of_unit[name] = table.unit.name
    sizes: dict[str, int] = {}
    with psycopg.connect(dsn, autocommit=True, client_encoding="utf8") as connection:
        for name, rows in connection.execute(_SIZES_QUERY, name_parameters(of_unit)):
            sizes[of_unit[name]] = max(sizes.get(of_unit[name], 0), int(rows))
    return sizes


def _relations(connection: psycopg.Connection[TupleRow]) -> list[TupleRow]:
    connection.execute("SET search_path = pg_catalog, pg_temp")
    return connection.execute(_RELATIONS_QUERY).fetchall()


def _plain_names(relations: Iterable[TupleRow]) -> list[str]:
    """A name with a dot would be taken for another one, and no policy can name it."""
    return [f"{schema}.{name}" for schema, name, *_ in relations if "." not in f"{schema}{name}"]
