"""Rewrites `x = ANY (SELECT …)` and `x <> ALL (SELECT …)` as IN and NOT IN, which mean the same."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema


def write_quantifiers_as_in(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite them in place, wherever they are."""
    for node in find_all(query, exp.EQ, exp.NEQ):
        quantifier = exp.Any if isinstance(node, exp.EQ) else exp.All
        if not isinstance(node.expression, quantifier):
            continue
        subquery = node.expression.this
        if not isinstance(subquery, exp.Subquery):
            subquery = exp.Subquery(this=subquery) if isinstance(subquery, exp.Query) else None
        if subquery is None or not isinstance(subquery.this, exp.Query):
            continue
        value = node.this
        membership = exp.In(this=exp.null(), query=subquery.copy())
        node.replace(membership if quantifier is exp.Any else exp.Not(this=membership))
        membership.set("this", value)
    return query
