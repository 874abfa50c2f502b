"""Public tables: copies their rows from the source to the stage, and detects changes by a digest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from proxy.policy import model
from proxy.policy.catalog import Catalog, Column
from proxy.policy.traps import Watch
from proxy.postgres.catalog_reader import name_parameters
from proxy.postgres.overriding import OVERRIDING_QUERY, overriding_from_rows
from proxy.postgres.stage_schema import (
    StageBuildError,
    rows_identifier,
    source_table,
    table_identifier,
    visible_columns,
)
from proxy.postgres.surroundings import DEPENDENCIES_QUERY, definitions_from_rows, dependencies_from_rows

Connection = psycopg.Connection[TupleRow]

# With these, text means the same on both sides whatever their versions.
TEXT_FORMAT = (
    "SET LOCAL search_path = pg_catalog, pg_temp",
    "SET LOCAL client_encoding = 'UTF8'",
    "SET LOCAL DateStyle = 'ISO, YMD'",
    "SET LOCAL IntervalStyle = 'postgres'",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL extra_float_digits = 1",
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL lc_monetary = 'C'",
    "SET LOCAL quote_all_identifiers = off",
)


@contextmanager
def public_snapshot(source_dsn: str | None, policy: model.Policy, catalog: Catalog) -> Iterator[Connection | None]:
    """One consistent view of the source for digests and copies; None, without connecting, if nothing is public or there
    is no source.

    Raises:
        psycopg.Error: the source cannot be reached.
        StageBuildError: public relations show private rows since the catalog was read.
    """
    if source_dsn is None or not any(table.public for table in policy.tables.values()):
        yield None
        return
    with psycopg.connect(source_dsn, autocommit=True) as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        use_text_format(connection)
        _require_unchanged(connection, Watch(policy, catalog))
        yield connection
        connection.execute("COMMIT")


def _require_unchanged(connection: Connection, watch: Watch) -> None:
    found = connection.execute(DEPENDENCIES_QUERY, name_parameters(watch.tables)).fetchall()
    overriding = overriding_from_rows(connection.execute(OVERRIDING_QUERY))
    problem = watch.problem(dependencies_from_rows(found), definitions_from_rows(found), overriding)
    if problem is not None:
        raise StageBuildError(f"the source changed while dpproxy read it: {problem}")


def use_text_format(connection: Connection) -> None:
    """Pin, for the current transaction, every setting that the text form of a value depends on."""
    for statement in TEXT_FORMAT:
        connection.execute(statement)


def digests(source: Connection, policy: model.Policy, catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """For each public table, values that change when its visible rows do, whatever their order.

    Raises:
        psycopg.Error: the source cannot be read.
        StageBuildError: the policy lists what the source does not have.
    """
    found = {}
    for name, columns in _public_columns(policy, catalog):
        query = sql.SQL(
            "SELECT count(*)::text, coalesce(sum(hashtextextended(r::text, 0)), 0)::text,"
            " coalesce(sum(hashtextextended(r::text, 1)), 0)::text FROM ({}) AS r"
        )
        row = source.execute(query.format(_select(name, columns))).fetchone()
        found[name] = tuple(row or ())
    return found


def copy_rows(source: Connection, stage: Connection, policy: model.Policy, catalog: Catalog) -> None:
    """Stream the rows of every public table into the stage's table, and collect its statistics.

    Raises:
        psycopg.Error: reading or writing failed.
    """
    use_text_format(stage)
    for name, columns in _public_columns(policy, catalog):
        read = sql.SQL("COPY ({}) TO STDOUT").format(_select(name, columns))
        names = sql.SQL(", ").join(sql.Identifier(column.name) for column in columns)
        rows = rows_identifier(name, policy.tables[name], catalog.tables[name])
        write = sql.SQL("COPY {} ({}) FROM STDIN").format(rows, names)
        with source.cursor().copy(read) as blocks, stage.cursor().copy(write) as target:
            for block in blocks:
                target.write(block)


def _public_columns(policy: model.Policy, catalog: Catalog) -> Iterator[tuple[str, tuple[Column, ...]]]:
    for name, table in policy.tables.items():
        if table.public and (columns := visible_columns(table, source_table(catalog, name))):
            yield name, columns


def _select(name: str, columns: Iterable[Column]) -> sql.Composed:
    expressions = [
        sql.SQL("{}::text").format(sql.Identifier(column.name)) if column.cast_to_text else sql.Identifier(column.name)
        for column in columns
    ]
    return sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(expressions), table_identifier(name))
