"""Puts made-up rows into a database whose catalog says what the given one says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from proxy.dummy.rows import CannotMakeUpError, MadeUp
from proxy.policy.catalog import Catalog, Column, Table

Connection = psycopg.Connection[TupleRow]


def load(dsn: str, catalog: Catalog, made: Mapping[str, MadeUp]) -> list[str]:
    """Create the tables and views of a catalog, with rows.

    Args:
        dsn: an empty database, as its owner.
        catalog: of the tables.
        made: the rows of those that are no views.

    Returns:
        Foreign keys that rows cannot have, each in words: they are left out.

    Raises:
        CannotMakeUpError: a view reads what is not in the catalog.
        psycopg.Error: the server refuses.
    """
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SET search_path = pg_catalog, pg_temp")
        for schema in sorted({name.split(".", 1)[0] for name in catalog.tables}):
            connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
        for name, rows in made.items():
            _create(connection, catalog.tables[name], rows)
            _copy(connection, name, rows)
            for statement in _keys(catalog.tables[name], rows):
                connection.execute(statement)
        left_out = [text for name in made for text in _refer(connection, catalog.tables[name], made)]
        _create_views(connection, catalog)
        connection.execute("ANALYZE")
    return left_out


def _identifier(name: str) -> sql.Identifier:
    return sql.Identifier(*name.split(".", 1))


def _names(names: Iterator[str] | tuple[str, ...]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _create(connection: Connection, table: Table, rows: MadeUp) -> None:
    definitions = []
    for name in rows.columns:
        column = table.columns[name]
        null = sql.SQL("" if column.nullable else " NOT NULL")
        definitions.append(sql.SQL("{} {}{}").format(sql.Identifier(name), _type(connection, table, column), null))
    statement = sql.SQL("CREATE TABLE {} ({})").format(_identifier(table.name), sql.SQL(", ").join(definitions))
    connection.execute(statement)


def _type(connection: Connection, table: Table, column: Column) -> sql.Composable:
    """The column's type; an enum where the catalog has labels of one, of its name where that is known."""
    if column.cast_to_text and column.labels and not column.own_equality:
        name = column.enum or f"{table.name}_{column.name}"
        kind = _identifier(name)
        found = "SELECT FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE nspname || '.' || typname = %s"
        if connection.execute(found, [name]).fetchone() is None:
            schema = sql.Identifier(name.partition(".")[0])
            labels = sql.SQL(", ").join(map(sql.Literal, column.labels))
            connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))
            connection.execute(sql.SQL("CREATE TYPE {} AS ENUM ({})").format(kind, labels))
        return kind
    row = connection.execute("SELECT format_type(%s, %s)", [column.type_oid, column.type_modifier]).fetchone()
    assert row is not None
    return sql.SQL(row[0])


def _copy(connection: Connection, name: str, rows: MadeUp) -> None:
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(_identifier(name), _names(rows.columns))
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows.rows:
            copy.write_row(row)


def _keys(table: Table, rows: MadeUp) -> Iterator[sql.Composed]:
    for key in sorted(table.unique_keys, key=sorted):
        kind = "PRIMARY KEY" if key == set(table.primary_key) else "UNIQUE"
        columns = table.primary_key if key == set(table.primary_key) else tuple(c for c in rows.columns if c in key)
        yield sql.SQL("ALTER TABLE {} ADD {} ({})").format(_identifier(table.name), sql.SQL(kind), _names(columns))
    for name in rows.columns:
        column = table.columns[name]
        if column.labels and not column.cast_to_text:
            labels = sql.SQL(", ").join(map(sql.Literal, column.labels))
            check = sql.SQL("ALTER TABLE {} ADD CHECK ({} IN ({}))")
            yield check.format(_identifier(table.name), sql.Identifier(name), labels)


def _refer(connection: Connection, table: Table, made: Mapping[str, MadeUp]) -> Iterator[str]:
    for key in table.foreign_keys:
        if key.target not in made or not set(key.columns) <= set(made[table.name].columns):
            continue
        statement = sql.SQL("ALTER TABLE {} ADD FOREIGN KEY ({}) REFERENCES {} ({})").format(
            _identifier(table.name), _names(key.columns), _identifier(key.target), _names(key.target_columns)
        )
        try:
            connection.execute(statement)
        except psycopg.errors.IntegrityError:
            yield f"{table.name} ({', '.join(key.columns)}) references {key.target}"


def _create_views(connection: Connection, catalog: Catalog) -> None:
    """Views, those that others read first."""
    waiting = {name: table.view_definition for name, table in catalog.tables.items() if table.view_definition}
    while waiting:
        done = [name for name, definition in waiting.items() if _create_view(connection, name, definition)]
        if not done:
            raise CannotMakeUpError(f"{min(waiting)}: the view reads what the policy does not list")
        for name in done:
            del waiting[name]


def _create_view(connection: Connection, name: str, definition: str) -> bool:
    body = definition.rstrip().rstrip(";").encode()
    try:
        connection.execute(b"CREATE VIEW " + _identifier(name).as_bytes(connection) + b" AS " + body)
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn, psycopg.errors.UndefinedFunction):
        return False
    return True
