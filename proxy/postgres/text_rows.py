"""Results in text form, whatever their types: values are copied, never interpreted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg.rows import TupleRow

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

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


def _text(result: PGresult, row: int, column: int) -> str | None:
    value = result.get_value(row, column)
    return None if value is None else value.decode()
