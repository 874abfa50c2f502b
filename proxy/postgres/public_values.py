"""What planning reads of the rows of public tables: how many there are, the range of their numbers and dates, how
long their texts are and which ones, where they are few, and texts that a policy declares by them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from proxy.policy.catalog import MOST_TEXTS, Column, Table
from proxy.policy.other_values import MOST_CHARACTERS, MOST_VALUES

_FLOATS = ("real", "double precision")
_TEXTS = ("text", "character varying", "bpchar", "character")
_NUMBERS = ("smallint", "integer", "bigint", "numeric", *_FLOATS)
_End = TypeVar("_End")
_ZONED = "timestamp with time zone"
_MOMENTS = ("date", "timestamp without time zone", _ZONED)
_MOST_DIGITS = 100
"""A number with a longer text is no bound of anything."""
_MOST_TEXT_ROWS = 100_000
"""Rows of a public table that are looked through for all texts of a column."""
_LONGEST_TEXT = 200
"""Octets of a text that names something, as others do not."""


def with_rows(table: Table, visible: Collection[str], connection: psycopg.Connection[TupleRow]) -> Table:
    """A public table with what its rows say: how many there are, and in visible columns the range of numbers and dates
    and the length of texts."""
    shown = [column for column in table.columns.values() if column.name in visible]
    numbers, moments, texts = (
        [column.name for column in shown if is_one(column)] for is_one in (_is_number, _is_moment, _is_text)
    )
    outputs: list[sql.Composable] = [sql.SQL("count(*)")]
    for name in numbers:
        column = sql.Identifier(name)
        # A real with the digits that it has beside a double.
        carrier = sql.SQL("double precision" if table.columns[name].type_name in _FLOATS else "numeric")
        present = sql.SQL("FILTER (WHERE {}::text <> 'NaN')").format(column)
        for end in (sql.SQL("min"), sql.SQL("max")):
            outputs.append(sql.SQL("({}({}) {})::{}::text").format(end, column, present, carrier))
    for name in moments:
        clock = sql.SQL(" AT TIME ZONE 'UTC'" if table.columns[name].type_name == _ZONED else "")
        for end in (sql.SQL("min"), sql.SQL("max")):
            outputs.append(sql.SQL(_WRITTEN).format(end=end, column=sql.Identifier(name), clock=clock))
    row = _first(connection, outputs, table)
    count, ends = row[0], row[1:]
    assert isinstance(count, int)
    of_numbers, of_moments = ends[: 2 * len(numbers)], ends[2 * len(numbers) :]
    ranges = _pairs(numbers, [*map(_finite, of_numbers)])
    octets = _octets(table, texts, connection)
    short = [name for name, longest in octets.items() if longest <= _LONGEST_TEXT]
    return replace(
        table,
        row_count=count,
        ranges=ranges,
        moments=_pairs(moments, [*map(_moment, of_moments)]),
        octets=octets,
        texts=dict(_texts(table, short, connection)) if count <= _MOST_TEXT_ROWS else {},
    )


_WRITTEN = """CASE WHEN {end}({column}) BETWEEN '0001-01-02' AND '9999-12-30'
    THEN to_char({end}({column}){clock}, 'YYYY-MM-DD HH24:MI:SS.US') END"""
"""A date or timestamp in the same words whatever the DateStyle; NULL beyond what Python has."""


def _pairs(names: Sequence[str], ends: Sequence[_End | None]) -> dict[str, tuple[_End, _End]]:
    """The least and the greatest value of each column that has both."""
    found = zip(names, ends[::2], ends[1::2], strict=True)
    return {name: (low, high) for name, low, high in found if low is not None and high is not None}


def _octets(table: Table, texts: Sequence[str], connection: psycopg.Connection[TupleRow]) -> dict[str, int]:
    """Those of the longest text in each of some columns; none where texts cannot be computed, as of a view that is
    wrong for other reasons."""
    outputs = [
        sql.SQL("max(octet_length({}))").format(
            sql.SQL("{}::text" if table.columns[name].cast_to_text else "{}").format(sql.Identifier(name))
        )
        for name in texts
    ]
    try:
        with connection.transaction():
            row = _first(connection, outputs, table) if outputs else ()
    except (psycopg.DataError, psycopg.IntegrityError):
        return {}
    return {name: length for name, length in zip(texts, row, strict=True) if isinstance(length, int)}


def _texts(
    table: Table, names: Sequence[str], connection: psycopg.Connection[TupleRow]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """All texts of each of some columns that has few, in the order of code points."""
    for name in names:
        if not table.columns[name].cast_to_text:
            texts = _distinct(table, name, MOST_TEXTS, connection)
            if len(texts) <= MOST_TEXTS:
                yield name, texts


def _distinct(table: Table, name: str, most: int, connection: psycopg.Connection[TupleRow]) -> tuple[str, ...]:
    """The texts of a column in the order of code points; one more than `most` where there are more."""
    query = sql.SQL(
        'SELECT DISTINCT {column}::text COLLATE pg_catalog."C" FROM {table} WHERE {column} IS NOT NULL'
        " ORDER BY 1 LIMIT {most}"
    ).format(
        column=sql.Identifier(name),
        table=sql.Identifier(*table.name.split(".", 1)),
        most=sql.Literal(most + 1),
    )
    return tuple(str(text) for (text,) in connection.execute(query))


def _first(
    connection: psycopg.Connection[TupleRow], outputs: Sequence[sql.Composable], table: Table
) -> Sequence[object]:
    query = sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(outputs), sql.Identifier(*table.name.split(".", 1)))
    row = connection.execute(query).fetchone()
    assert row is not None
    return row


def with_declared(table: Table, names: Collection[str], connection: psycopg.Connection[TupleRow]) -> Table:
    """A public table with the texts in some columns, as far as these are few enough."""
    declared = {}
    for name in sorted(set(names) & table.columns.keys()):
        texts = _distinct(table, name, MOST_VALUES, connection)
        if len(texts) <= MOST_VALUES and sum(map(len, texts)) <= MOST_CHARACTERS:
            declared[name] = texts
    return replace(table, declared=declared)


def _is_number(column: Column) -> bool:
    return column.type_name in _NUMBERS and not column.cast_to_text


def _is_moment(column: Column) -> bool:
    return column.type_name in _MOMENTS and not column.cast_to_text


def _is_text(column: Column) -> bool:
    return column.type_name in _TEXTS and not column.is_enum


def _finite(text: object) -> Fraction | None:
    """The number that Postgres prints so; None for NULL, for infinities, and for too many digits."""
    if text is None or len(str(text)) > _MOST_DIGITS or "Infinity" in str(text):
        return None
    return Fraction(str(text))


def _moment(text: object) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if isinstance(text, str) else None
