"""Rewrites `x = ANY (SELECT …)` and `x <> ALL (SELECT …)` as IN and NOT IN, also of `ARRAY (SELECT …)`, and
`x IN (VALUES (1), (2))` as `x = ANY (ARRAY[1, 2])`, which mean the same."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema


def write_quantifiers_as_in(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite them in place, wherever they are."""
    for listed in find_all(query, exp.In):
        _write_values_as_array(listed)
    for node in find_all(query, exp.EQ, exp.NEQ):
        quantifier = exp.Any if isinstance(node, exp.EQ) else exp.All
        quantified = _called(node.expression)
        if not isinstance(quantified, quantifier):
            continue
        rows = _listed(quantified.this)
        subquery = exp.Subquery(this=rows.copy()) if _is_bare(rows) else rows.copy()
        if not isinstance(subquery, exp.Subquery) or not isinstance(subquery.this, exp.Query):
            continue
        value = node.this
        membership = exp.In(this=exp.null(), query=subquery)
        node.replace(membership if quantifier is exp.Any else exp.Not(this=membership))
        membership.set("this", value)
    return query


def _is_bare(node: exp.Expr) -> bool:
    """Is it a query without the parentheses that a subquery has?"""
    return isinstance(node, exp.Query) and not isinstance(node, exp.Subquery)


def _called(node: exp.Expr) -> exp.Expr:
    """ALL of something else than a query or a list, which is parsed as a function."""
    if isinstance(node, exp.Anonymous) and node.name.upper() == "ALL" and len(node.expressions) == 1:
        return exp.All(this=node.expressions[0].copy())
    return node


def _listed(node: exp.Expr) -> exp.Expr:
    """The query of ARRAY (SELECT …), which any other node is itself."""
    call = node.unnest() if isinstance(node, exp.Paren) else node
    if isinstance(call, exp.Anonymous) and call.name.upper() == "ARRAY" and len(call.expressions) == 1:
        (query,) = call.expressions
        return query if isinstance(query, exp.Query) else node
    return node


def _write_values_as_array(node: exp.In) -> None:
    """Write the rows of VALUES as the elements of an array: a list would take the type of what is compared with it."""
    values = node.expressions[0] if len(node.expressions) == 1 else None
    if not isinstance(values, exp.Values) or any(value for name, value in values.args.items() if name != "expressions"):
        return
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in values.expressions]
    if all(len(row) == 1 for row in rows):
        elements = exp.Array(expressions=[row[0].copy() for row in rows])
        node.replace(exp.Paren(this=exp.EQ(this=node.this.copy(), expression=exp.Any(this=exp.Paren(this=elements)))))
