"""Rewrites `a JOIN b JOIN c ON … ON …` as `a JOIN (b JOIN c ON …) ON …`, which is how PostgreSQL reads it."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema


def write_nested_joins_in_parentheses(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite joins of a joined item, in place, the innermost first."""
    for join in reversed(find_all(query, exp.Join)):
        item = join.this
        if item.args.get("joins") and not _is_in_parentheses(item):
            join.set("this", exp.Subquery(this=item.copy()))
    return query


def _is_in_parentheses(item: exp.Expr) -> bool:
    return isinstance(item, exp.Subquery) and item.args.get("alias") is None and not isinstance(item.this, exp.Query)
