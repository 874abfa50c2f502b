"""Results in text form, whatever their types: values are copied, never interpreted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg.rows import TupleRow

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

_VALUES_AT_ONCE: Final = 5_000

TextRow = tuple[str | None, ...]


def text_rows(cursor: psycopg.AsyncCursor[TupleRow]) -> list[TextRow]:
    """All rows of the cursor's received result as Postgres printed them; NULL is None.

    Raises:
        psycopg.InterfaceError: the statement returns no rows at all.
    """
    result = cursor.pgresult
    if result is None or result.status != psycopg.pq.ExecStatus.TUPLES_OK:
        raise psycopg.InterfaceError("the statement returns no rows")
    columns = range(result.nfields)
    return [tuple(_text(result, row, column) for column in columns) for row in range(result.ntuples)]


async def long_text_rows(cursor: psycopg.AsyncCursor[TupleRow]) -> list[TextRow]:
    """As `text_rows`; of a long result in a thread, so that no other session waits. Leave the cursor alone."""
    result = cursor.pgresult
    if result is None or result.ntuples * result.nfields <= _VALUES_AT_ONCE:
        return text_rows(cursor)
    return await asyncio.to_thread(text_rows, cursor)


def _text(result: PGresult, row: int, column: int) -> str | None:
    value = result.get_value(row, column)
    return None if value is None else value.decode()
