"""Drops parentheses around columns, which change nothing: PARTITION BY (patient_id), DISTINCT ON ((patient_id))."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.walking import is_star

_NEED_THEM = (exp.Dot, exp.Bracket, exp.Any, exp.All)
"""(t.column).field, (x)[1], = ANY (x)."""


def drop_parentheses_of_columns(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Drop them in place, in every query, but for those of (t.*) and those that are needed.

    Args:
        query: a tree with parameters as literals.
    """
    for paren in find_all(query, exp.Paren):
        inner = paren.unnest()
        if isinstance(inner, exp.Column) and not is_star(inner) and not isinstance(paren.parent, _NEED_THEM):
            paren.replace(inner)
    return query


def without_parentheses(column: exp.Column) -> None:
    """Drop, in place, those around a column that has come into some."""
    while isinstance(column.parent, exp.Paren) and not isinstance(column.parent.parent, _NEED_THEM):
        column.parent.replace(column)
