"""The stage's tables and views as SQL, from the policy and the source's catalog: names, types, keys and nothing else.

Defaults, CHECKs, comments, partition bounds and view texts can hold data and never get here (decision 1). Nor do the
labels of an enum, unless the policy declares all of them or a public table shows it: `stage_enums`.
"""

from __future__ import annotations

from collections.abc import Iterator

from psycopg import sql

from proxy.policy import model
from proxy.policy.catalog import Catalog, Column, ForeignKey, Table
from proxy.policy.enum_types import named_enums, shown_enum
from proxy.postgres.stage_enums import enum_identifier, enum_statements
from proxy.postgres.stage_guard import REFUSAL, policy_statements, readable_statement, refusal_statement

LONGEST_NAME_BYTES = 63


class StageBuildError(Exception):
    """The stage cannot be built; the text says why and what to change."""


def source_table(catalog: Catalog, name: str) -> Table:
    """The source's table called `name` ("schema.table").

    Raises:
        StageBuildError: the source has no such table.
    """
    if name not in catalog.tables:
        raise StageBuildError(f"the policy lists {name}, which the source does not have")
    return catalog.tables[name]


def visible_columns(table: model.TablePolicy, found: Table) -> tuple[Column, ...]:
    """What clients see of a table, in the source's order: the policy's columns, or all columns if a public table or a
    view lists none.

    Raises:
        StageBuildError: the policy lists a column that the source does not have.
    """
    if table.columns is None:
        return tuple(found.columns.values()) if table.public or table.view else ()
    missing = table.columns.keys() - found.columns.keys()
    if missing:
        raise StageBuildError(f"the policy lists {found.name}.{min(missing)}, which the source does not have")
    return tuple(column for name, column in found.columns.items() if name in table.columns)


def table_identifier(name: str) -> sql.Identifier:
    """Quoted "schema"."table" of "schema.table"."""
    return sql.Identifier(*name.split(".", 1))


def rows_identifier(name: str, table: model.TablePolicy, found: Table) -> sql.Identifier:
    """Where the rows of a public relation are: in itself, or for a view in a table of the schema dp that it shows."""
    return sql.Identifier("dp", name) if table.public and found.view_definition is not None else table_identifier(name)


def table_statements(policy: model.Policy, catalog: Catalog) -> Iterator[sql.Composed]:
    """Schemas, dp among them, enums, empty tables without keys, and views.

    Raises:
        StageBuildError: the policy lists what the source does not have, or a table in the schema `dp`.
    """
    yield sql.SQL("CREATE SCHEMA dp").format()
    yield sql.SQL("GRANT USAGE ON SCHEMA dp TO PUBLIC").format()
    yield refusal_statement()
    enums = named_enums(policy, catalog)
    for schema_name in sorted({name.split(".", 1)[0] for name in (*policy.tables, *enums)} | {"public"}):
        if schema_name == "dp":
            raise StageBuildError("the schema dp belongs to dpproxy: its tables cannot be in a policy")
        schema = sql.Identifier(schema_name)
        yield sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema)
        yield sql.SQL("REVOKE ALL ON SCHEMA {} FROM PUBLIC").format(schema)
        yield sql.SQL("GRANT USAGE ON SCHEMA {} TO PUBLIC").format(schema)
    yield from enum_statements(enums)
    for name, table in policy.tables.items():
        found = source_table(catalog, name)
        columns = visible_columns(table, found)
        if found.view_definition is None or table.public:
            definitions = sql.SQL(", ").join(_column_definition(column, table) for column in columns)
            yield sql.SQL("CREATE TABLE {} ({})").format(rows_identifier(name, table, found), definitions)
        if found.view_definition is not None:
            yield _view(name, table, found, columns)


def key_statements(policy: model.Policy, catalog: Catalog) -> Iterator[sql.Composed]:
    """Keys and indexes whose columns are all visible, so that tools find the relations and what is fast to ask. Enums
    without an order have none."""
    seen = {name: {c.name for c in visible_columns(t, catalog.tables[name])} for name, t in policy.tables.items()}
    unordered = {name for name, labels in named_enums(policy, catalog).items() if labels is None}
    sorted_ = {
        name: {column for column in seen[name] if _enum(name, column, policy, catalog) not in unordered}
        for name in policy.tables
    }
    for name in policy.tables:
        found = catalog.tables[name]
        for key in sorted(found.unique_keys, key=sorted):
            if key <= sorted_[name]:
                kind = "PRIMARY KEY" if key == set(found.primary_key) else "UNIQUE"
                columns = [column for column in found.columns if column in key]
                yield _add_constraint(name, sql.SQL(kind) + sql.SQL(" ({})").format(_column_list(columns)))
        for indexed in sorted(found.indexes):
            if sorted_[name].issuperset(indexed):
                yield sql.SQL("CREATE INDEX ON {} ({})").format(table_identifier(name), _column_list(indexed))
    for name, table in policy.tables.items():
        for foreign_key in catalog.tables[name].foreign_keys:
            target = catalog.tables.get(foreign_key.target)
            if (
                target is not None
                and frozenset(foreign_key.target_columns) in target.unique_keys
                and sorted_[name].issuperset(foreign_key.columns)
                and sorted_.get(target.name, set()).issuperset(foreign_key.target_columns)
                and [_enum(name, column, policy, catalog) for column in foreign_key.columns]
                == [_enum(target.name, column, policy, catalog) for column in foreign_key.target_columns]
            ):
                yield _add_constraint(name, _foreign_key(foreign_key, checked=not table.public))


def grant_statements(policy: model.Policy, catalog: Catalog) -> Iterator[sql.Composed]:
    """SELECT on all relations; reading private ones fails all the same (`stage_guard`)."""
    for name, table in policy.tables.items():
        if not table.public and catalog.tables[name].view_definition is None:
            yield from policy_statements(table_identifier(name))
        yield readable_statement(table_identifier(name))
    yield sql.SQL("REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC").format()


def _view(name: str, table: model.TablePolicy, found: Table, columns: tuple[Column, ...]) -> sql.Composed:
    """A view as the source's looks, whose own query might hold data."""
    if table.public:
        query = sql.SQL("SELECT * FROM {}").format(rows_identifier(name, table, found))
    else:
        nulls = (
            sql.SQL("NULL::{} AS {}").format(_type(column, table), sql.Identifier(column.name)) for column in columns
        )
        query = sql.SQL("SELECT {} WHERE {}").format(sql.SQL(", ").join(nulls), REFUSAL)
    return sql.SQL("CREATE VIEW {} AS {}").format(table_identifier(name), query)


def _type(column: Column, table: model.TablePolicy) -> sql.Composed:
    """The type as which clients see a column."""
    enum = shown_enum(column, table)
    return enum_identifier(enum) if enum else sql.SQL(column.shown_type).format()


def _enum(table: str, column: str, policy: model.Policy, catalog: Catalog) -> str:
    return shown_enum(catalog.tables[table].columns[column], policy.tables[table])


def _column_definition(column: Column, table: model.TablePolicy) -> sql.Composed:
    type_name = _type(column, table)
    null = sql.SQL("" if column.nullable else " NOT NULL")
    return sql.SQL("{} {}{}").format(sql.Identifier(column.name), type_name, null)


def _column_list(names: list[str] | tuple[str, ...]) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(name) for name in names)


def _add_constraint(table_name: str, constraint: sql.Composed) -> sql.Composed:
    return sql.SQL("ALTER TABLE {} ADD {}").format(table_identifier(table_name), constraint)


def _foreign_key(key: ForeignKey, *, checked: bool) -> sql.Composed:
    # The rows of a public table may refer to rows of a private one, which is empty here.
    return sql.SQL("FOREIGN KEY ({}) REFERENCES {} ({}){}").format(
        _column_list(key.columns),
        table_identifier(key.target),
        _column_list(key.target_columns),
        sql.SQL("" if checked else " NOT VALID"),
    )
