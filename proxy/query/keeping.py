"""The temporary tables of a session: rows of released queries, kept by the session's own stage connection.

Where they are read beside private tables, they are read as the VALUES that they are (`temporary_rows`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from proxy.errors import ProgramLimitError, UnsupportedError
from proxy.postgres.stage_temporary import MOST_BYTES, MOST_ROWS
from proxy.query.planned import Plan
from proxy.query.session_state import SessionState, require_all_digits
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.statement import refused_write
from proxy.sql.temporary import Dropping, Kept, dropping
from proxy.sql.terms.term import quote_literal
from proxy.wire.backend import Report
from proxy.wire.router import Answer, Notice, SessionContext, StageError

_IS_TEMPORARY = (
    "SELECT relname FROM pg_catalog.pg_class WHERE relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema() "
    "AND relname OPERATOR(pg_catalog.=) ANY (ARRAY[{}]::pg_catalog.name[])"
)

_PLACE = "$1"
"""In the statement that keeps rows: they are its parameter."""


async def try_keeping(plan: Plan, kept: Kept, session: SessionContext, state: SessionState) -> Answer | None:
    """Let the stage make the table without rows, and forget it, so that its errors come before anything is charged.

    Returns:
        The answer if the session has the table already and IF NOT EXISTS is written; else None.

    Raises:
        RefusedError: INSERT into a table that is not one of the session's temporary ones.
        StageError: the stage does not make it.
        UnsupportedError: more names than columns, or too few digits of numbers.
    """
    present = kept.present in ("skip", "add") and await _temporary([kept.name], session)
    if kept.present == "add" and not present:
        raise refused_write("insert")
    columns = _named(kept, plan.columns)
    if kept.present == "skip" and present:
        return Answer(_call(kept, columns, "[]"), tag="CREATE TABLE" if kept.kind == "columns" else "CREATE TABLE AS")
    require_all_digits(state)
    await session.stage.rows(_call(kept, columns, None))
    return None


async def kept_rows(plan: Plan, kept: Kept, answer: Answer, session: SessionContext) -> Answer:
    """The answer that keeps the rows of another one in place of showing them.

    Raises:
        ProgramLimitError: there are too many.
        StageError: they cannot be computed.
    """
    columns = _named(kept, plan.columns)
    try:
        number, rows = await _rows(answer.sql or "", len(columns), session)
    except StageError as error:
        if answer.remark is None:
            raise
        raise StageError(Report.decode(error.body).remarked(answer.remark).encode(), error.sqlstate) from None
    notices = answer.notices
    if kept.kind == "view":
        notices += (Notice(f'view "{kept.name}" keeps the rows that its query has now'),)
    return Answer(_call(kept, columns, rows), notices, tag=kept.tag(number), remark=answer.remark)


def trial_of_rows(plan: Plan, kept: Kept, queries: Iterator[str]) -> tuple[Iterator[str], str]:
    """For dp.try_each: queries of the rows of each of `queries`, and the statement that keeps them."""
    columns = _named(kept, plan.columns)
    return (_rows_sql(sql, len(columns), "rows") for sql in queries), _call(kept, columns, _PLACE)


def no_rows(plan: Plan, kept: Kept) -> Answer:
    """The answer that makes the table as WITH NO DATA does: nothing is released."""
    return Answer(_call(kept, _named(kept, plan.columns), "[]"), tag=kept.tag(0))


async def dropped_rows(text: str, session: SessionContext) -> Answer | None:
    """The answer to DROP TABLE or DROP VIEW of temporary tables; None for every other statement."""
    found = dropping(text) if "drop" in text.lower() else None
    if found is None or not await _temporary(found.names, session):
        return None
    return Answer(_drop(found), tag=found.tag)


async def _temporary(names: Sequence[str], session: SessionContext) -> list[tuple[str | None, ...]]:
    return await session.stage.rows(_IS_TEMPORARY.format(", ".join(map(quote_literal, names))))


async def _rows(sql: str, width: int, session: SessionContext) -> tuple[int, str]:
    """The number of rows, and their values as JSON: an array of arrays of texts."""
    ((number, fits, rows),) = await session.stage.rows(
        _rows_sql(sql, width, "n, fits, CASE WHEN fits THEN rows END"),
    )
    if int(number or 0) > MOST_ROWS or fits != "t":
        raise ProgramLimitError(
            f"a temporary table has at most {MOST_ROWS} rows, of {MOST_BYTES >> 20} MB together",
            detail="What the query released is recalled, free of charge, by every statement that asks for it again.",
            hint="Keep fewer rows or columns.",
            rule="temporary-size",
        )
    return int(number or 0), rows or "[]"


def _rows_sql(sql: str, width: int, outputs: str) -> str:
    """A query of one row, about the rows of `sql`: n is their number, fits whether they are small enough to be kept."""
    names = [f"c{number}" for number in range(width)]
    values = ", ".join(f"{name}::pg_catalog.text" for name in names)
    one = f"SELECT pg_catalog.to_json(ARRAY[{values}]) AS line FROM ({sql}) AS q({', '.join(names)})"
    size = "pg_catalog.sum(pg_catalog.octet_length(line::pg_catalog.text) OPERATOR(pg_catalog.+) 2)"
    return (
        f"SELECT {outputs} FROM (SELECT pg_catalog.count(*) AS n, "
        f"COALESCE({size}, 0) OPERATOR(pg_catalog.<=) {MOST_BYTES} AS fits, "
        f"pg_catalog.json_agg(line)::pg_catalog.text AS rows "
        f"FROM ({one} LIMIT {MOST_ROWS + 1}) AS lines) AS kept"
    )


def _named(kept: Kept, columns: Sequence[StageColumn]) -> list[StageColumn]:
    if kept.present == "add":
        # The procedure compares their number with that of the columns, whose types decide.
        return list(columns)
    if len(kept.columns) > len(columns):
        raise UnsupportedError(
            "too many column names were specified",
            hint="Name at most as many as the query has.",
            rule="temporary-table",
        )
    named = [replace(column, name=name) for name, column in zip(kept.columns, columns, strict=False)]
    return [*named, *columns[len(named) :]]


def _call(kept: Kept, columns: Sequence[StageColumn], rows: str | None) -> str:
    given = kept.columns if kept.present == "add" else [column.name for column in columns]
    names = ", ".join(map(quote_literal, given))
    modified = zip(columns, kept.modifiers or [None] * len(columns), strict=True)
    types = ", ".join(
        quote_literal(column.type_name if modifier is None else f"{column.type_name}#{modifier}")
        for column, modifier in modified
    )
    present = "view" if kept.kind == "view" and kept.present == "fail" else kept.present
    text = "NULL" if rows is None else rows if rows == _PLACE else quote_literal(rows)
    return (
        f"CALL dp.keep_rows({quote_literal(kept.name)}, ARRAY[{names}]::pg_catalog.text[], "
        f"ARRAY[{types}]::pg_catalog.text[], {text}, {quote_literal(present)}, {json.dumps(kept.until_commit)})"
    )


def _drop(found: Dropping) -> str:
    names = ", ".join(map(quote_literal, found.names))
    return f"CALL dp.drop_rows(ARRAY[{names}]::pg_catalog.text[], {json.dumps(found.missing_ok)})"
