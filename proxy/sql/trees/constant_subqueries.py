"""Writes a subquery without FROM in a condition as the constant that it is: Looker filters dates so.

    WHERE visited_at >= ((SELECT timestamp '2024-05-01'))

compares with a constant, which narrows the keys, and the windows of time that are paid for, like any other.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.walking import own_nodes

_CONSTANT = (
    *(exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.DPipe),
    *(exp.Cast, exp.DataType, exp.DataTypeParam, exp.Interval, exp.Var, exp.AtTimeZone),
    *(exp.CurrentDate, exp.CurrentTimestamp),
)
_FUNCTIONS = frozenset(
    {"date", "date_trunc", "make_date", "make_interval", "make_timestamp", "now", "timezone", "to_date"}
)
"""Functions that are the same however often they are called in a statement."""


def write_constant_subqueries_as_constants(
    query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]
) -> exp.Query:
    """Write such subqueries in WHERE, HAVING and ON as what they compute, in place."""
    for select in find_all(query, exp.Select):
        joins = [join.args.get("on") for join in select.args.get("joins") or []]
        for clause in (select.args.get("where"), select.args.get("having"), *joins):
            for node in own_nodes(clause) if clause is not None else ():
                value = _constant(node)
                if value is not None:
                    node.replace(exp.Paren(this=value))
    return query


def _constant(node: exp.Expr) -> exp.Expr | None:
    if not isinstance(node, exp.Subquery) or isinstance(node.parent, (exp.In, exp.Any, exp.All, exp.Exists)):
        return None
    body = node.this
    if not isinstance(body, exp.Select) or any(value for name, value in body.args.items() if name != "expressions"):
        return None
    if any(value for name, value in node.args.items() if name != "this") or len(body.expressions) != 1:
        return None
    output: exp.Expr = body.expressions[0]
    value = output.this if isinstance(output, exp.Alias) else output
    # In a subquery a text without a type is of type text, in a comparison of the other side's.
    is_typed = not isinstance(value.unnest(), exp.Null) and not (
        isinstance(value.unnest(), exp.Literal) and value.unnest().is_string
    )
    return value if is_typed and all(map(_is_constant, value.walk())) else None


def _is_constant(node: exp.Expr) -> bool:
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _FUNCTIONS
    return isinstance(node, _CONSTANT)
