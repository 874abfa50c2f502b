"""Drops OFFSET 0, which Prisma writes below every count: it leaves out no row, and so it is no limit of rows."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema


def drop_offsets_of_nothing(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Drop them in place, in every query.

    Args:
        query: a tree with parameters as literals.
    """
    for offset in find_all(query, exp.Offset):
        count = offset.expression.unnest()
        count = count.this if isinstance(count, exp.Cast) else count
        if isinstance(count, exp.Null) or (isinstance(count, exp.Literal) and count.name == "0"):
            offset.pop()
    return query
