"""How many rows a query has that reads no private table, where its text does not say that they are few.

The stage counts them with the constants, before anything is planned: a series of days has a dozen rows, whatever their
time zone, and so has a calendar that CTEs of constants make. The number limits how far the rows multiply private ones
(`multiplicity`). It is a promise like those of the text (`constant_rows`): the evaluated rows are counted again before
the charge, and more of them are refused.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.plain_postgres import render
from proxy.sql.repeats import COUNTED_ROWS
from proxy.sql.rows.constant_rows import promised_rows
from proxy.sql.rows.feedback import MOST_ROWS
from proxy.sql.rows.multiplicity import WIDE
from proxy.sql.schema import Schema
from proxy.sql.terms.term import quote_table


def is_countable(query: exp.Query, schema: Schema) -> bool:
    """Can the stage count the rows of a query without blocks, and does its text not say that they are few?"""
    promised = promised_rows(query)
    if promised is not None and promised <= WIDE:
        return False
    ctes = {folded(cte.args["alias"].this) for cte in find_all(query, exp.CTE)}
    return all(
        _is_known(table, ctes, schema) for table in find_all(query, exp.Table) if isinstance(table.this, exp.Identifier)
    )


def _is_known(table: exp.Table, ctes: set[str], schema: Schema) -> bool:
    """Is it a CTE, or a public table of which the stage has the rows and counts them fast?"""
    if not table.args.get("db"):
        return folded(table.this) in ctes
    named = schema.find(table, ())
    return named is not None and not named.private and (named.row_count or 0) <= COUNTED_ROWS


def count_sql(query: exp.Query) -> str:
    """An expression for the stage with the number of rows of a query, no larger than it takes to refuse them.

    It is NULL where the stage lacks the rows of a table, as without a source.
    """
    tables = {
        quote_table(f"{folded(table.args['db'])}.{folded(table.this)}")
        for table in find_all(query, exp.Table)
        if table.args.get("db")
    }
    rows = f"(SELECT pg_catalog.count(*) FROM (SELECT FROM ({render(query)}) AS r LIMIT {MOST_ROWS + 1}) AS c)"
    if not tables:
        return rows
    present = " AND ".join(f"EXISTS (SELECT FROM {table})" for table in sorted(tables))
    return f"CASE WHEN {present} THEN {rows} END"
