"""Which calls in a tree are aggregates."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.postgres_aggregates import AGGREGATES
from proxy.sql.trees.walking import own_nodes

_OF_ROWS = AGGREGATES - {"grouping"}
_SPECIAL = (exp.GroupConcat, exp.JSONArrayAgg, exp.JSONObjectAgg, exp.WithinGroup)


def is_aggregate_call(node: exp.Expr) -> bool:
    """Is it a call of an aggregate, with or without FILTER?"""
    call = node.this if isinstance(node, exp.Filter) else node
    return isinstance(call, _SPECIAL) or (isinstance(call, exp.Anonymous) and call.name.lower() in AGGREGATES)


def is_aggregate(node: exp.Expr) -> bool:
    """Is this the call of an aggregate over the block's rows (not a window function)?"""
    if node.__class__ is not exp.Anonymous:
        return node.__class__ in _SPECIAL
    if node.name.lower() not in _OF_ROWS or is_of_dp(node):
        return False
    outer: exp.Expr = node
    while isinstance(outer.parent, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)):
        outer = outer.parent
    return not (isinstance(outer.parent, exp.Window) and outer.parent.this is outer)


def is_of_dp(call: exp.Expr) -> bool:
    """Is it written as a function of the schema dp? dp.stddev is no aggregate, while stddev is."""
    outer = call.parent
    if not isinstance(outer, exp.Dot) or outer.expression is not call:
        return False
    schema = outer.this.expression if isinstance(outer.this, exp.Dot) else outer.this
    return folded(schema.this if isinstance(schema, exp.Column) else schema) == "dp"


def released_clauses(select: exp.Select) -> list[exp.Expr]:
    """What a block computes from its groups: outputs, HAVING, ORDER BY, WINDOW. Everything else is about rows."""
    clauses = [select.args.get("having"), select.args.get("order"), *(select.args.get("windows") or [])]
    return [*select.expressions, *(clause for clause in clauses if clause is not None)]


def released_nodes(select: exp.Select) -> list[exp.Expr]:
    """What `released_clauses` are made of, without what is inside a nested query."""
    return [node for clause in released_clauses(select) for node in own_nodes(clause)]


_NAMES: dict[type[exp.Expr], str] = {
    exp.GroupConcat: "string_agg",
    exp.JSONArrayAgg: "json_arrayagg",
    exp.JSONObjectAgg: "json_objectagg",
}


def aggregate_name(node: exp.Expr) -> str:
    """The name of the aggregate in a call, without its arguments, FILTER or WITHIN GROUP."""
    while isinstance(node, (exp.Filter, exp.WithinGroup)):
        node = node.this
    return _NAMES.get(type(node)) or node.name.lower()


def collect(roots: list[exp.Expr]) -> list[exp.Expr]:
    """The aggregate calls below `roots`, FILTER included, in order, each node once (equal ones repeat)."""
    return collect_among([node for root in roots for node in own_nodes(root)])


def collect_among(nodes: list[exp.Expr]) -> list[exp.Expr]:
    """The aggregate calls among the own nodes of some roots, as `collect` gives them."""
    found: list[exp.Expr] = []
    for node in filter(is_aggregate, nodes):
        parent = node.parent
        found.append(parent if isinstance(parent, (exp.Filter, exp.WithinGroup)) else node)
    if len(found) < 2:
        return found
    return [node for node in found if not any(_contains(other, node) for other in found)]


def _contains(outer: exp.Expr, inner: exp.Expr) -> bool:
    parent = inner.parent
    while parent is not None:
        if parent is outer:
            return True
        parent = parent.parent
    return False


def is_among_rows(query: exp.Expr, block: exp.Expr) -> bool:
    """Is it part of what the block says of each row: in FROM, in WHERE, or inside an aggregate call?"""
    node: exp.Expr | None = query
    while node is not None and node is not block:
        if isinstance(node, exp.Filter) or (isinstance(node, exp.Anonymous) and node.name.lower() in AGGREGATES):
            return True
        if node.parent is block and node.arg_key in ("where", "from_", "joins"):
            return True
        node = node.parent
    return False
