"""Reads the temporary tables of a session that a private query reads: see `proxy.sql.temporary_rows`."""

from __future__ import annotations

import json

from proxy.errors import ProgramLimitError
from proxy.query.session_state import SessionState, require_all_digits
from proxy.sql.schema import Schema
from proxy.sql.statement import Statement
from proxy.sql.temporary_rows import Rows, unknown_names, with_relations
from proxy.sql.terms.term import quote_identifier, quote_literal
from proxy.wire.router import SessionContext

_MOST_ROWS = 1_000
_MOST_VALUES = 10_000

_COLUMNS = (
    "SELECT c.relname, pg_catalog.json_agg(pg_catalog.json_build_array(a.attname, "
    "pg_catalog.format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum) "
    "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) c.oid "
    "WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema() "
    "AND c.relname OPERATOR(pg_catalog.=) ANY (ARRAY[{}]::pg_catalog.name[]) "
    "AND a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped GROUP BY c.relname"
)


async def with_temporary_rows(
    statement: Statement, schema: Schema, state: SessionState, session: SessionContext
) -> Statement:
    """The statement with the rows of the temporary tables that it reads in their places; itself if it reads none.

    Raises:
        ProgramLimitError: they have too many rows.
        UnsupportedError: something other than an alias stands on one of them.
        StageError: the transaction has failed.
    """
    names = unknown_names(statement, schema, state.search_path)
    if not names:
        return statement
    found = await session.stage.rows(_COLUMNS.format(", ".join(map(quote_literal, names))))
    if not found:
        return statement
    require_all_digits(state)
    relations = {name or "": await _rows(name or "", json.loads(columns or "[]"), session) for name, columns in found}
    return with_relations(statement, relations, schema, state.search_path)


async def _rows(name: str, columns: list[tuple[str, str]], session: SessionContext) -> Rows:
    outputs = ", ".join(f"{quote_identifier(column)}::pg_catalog.text" for column, _ in columns)
    most = min(_MOST_ROWS, _MOST_VALUES // len(columns))
    rows = await session.stage.rows(f"SELECT {outputs} FROM pg_temp.{quote_identifier(name)} LIMIT {most + 1}")
    if len(rows) > most:
        raise ProgramLimitError(
            f'temporary table "{name}" has too many rows to be read beside private tables',
            detail=f"Its rows become part of the query: at most {_MOST_ROWS}, and {_MOST_VALUES} values.",
            hint="Keep the rows and columns that the query needs in another temporary table, or write the query that "
            "made it in WITH: its answer is recalled, free of charge.",
            rule="temporary-size",
        )
    return Rows(columns, rows)
