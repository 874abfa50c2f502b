"""Drops OFFSET 0, which Prisma writes below every count, LIMIT ALL and LIMIT NULL: they leave out no row, and so they
are no limit of rows."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema


def drop_limits_of_nothing(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Drop them in place, in every query.

    Args:
        query: a tree with parameters as literals.
    """
    for clause in find_all(query, exp.Offset, exp.Limit):
        count = clause.expression.unnest()
        count = count.this if isinstance(count, exp.Cast) else count
        if isinstance(count, exp.Null) or _is_nothing(clause, count):
            clause.pop()
    return query


def _is_nothing(clause: exp.Expr, count: exp.Expr) -> bool:
    if isinstance(clause, exp.Limit):
        return isinstance(count, exp.Var) and count.name.upper() == "ALL"
    return isinstance(count, exp.Literal) and count.name == "0"
