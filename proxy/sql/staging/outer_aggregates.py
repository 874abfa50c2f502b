"""Whether a query aggregates or ranks the released groups of its blocks, so that groups without rows count."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.trees.aggregate_calls import aggregate_name, collect, is_aggregate, released_clauses
from proxy.sql.trees.marks import BLOCK, FEEDBACK
from proxy.sql.trees.walking import ancestors, output_name, unaliased

_UNCHANGED = frozenset({"sum", "max", "bool_or"})
"""Aggregates that further groups of about 0 hardly change."""


def counts_groups(query: exp.Query) -> bool:
    """Does a SELECT around a block with GROUP BY have aggregates of its own that groups of about 0 change, or does one
    show the first groups of an order in which such groups may come first?

    Args:
        query: with its blocks marked (`trees.marks`).
    """
    shown = [(select, outer) for select in _grouped(query) for outer in (select, *_around(select))]
    return aggregates_groups(query) or any(_shows_first(outer, select) for select, outer in shown)


def aggregates_groups(query: exp.Query) -> bool:
    """Does a SELECT around a block with GROUP BY have aggregates of its own that groups of about 0 change?

    Args:
        query: with its blocks marked (`trees.marks`).
    """
    return any(_is_aggregated(outer) for select in _grouped(query) for outer in _around(select))


def _grouped(query: exp.Query) -> list[exp.Select]:
    return [select for select in find_all(query, exp.Select) if BLOCK.of(select) is not None and _has_keys(select)]


def _around(select: exp.Select) -> list[exp.Expr]:
    return [outer for outer in ancestors(select) if not FEEDBACK.on(outer)]


def _has_keys(select: exp.Select) -> bool:
    return bool(select.args.get("group") or select.args.get("distinct"))


def _is_aggregated(outer: exp.Expr) -> bool:
    if not isinstance(outer, exp.Select) or BLOCK.of(outer) is not None:
        return False
    return any(aggregate_name(call) not in _UNCHANGED for call in collect(released_clauses(outer)))


def _shows_first(outer: exp.Expr, select: exp.Select) -> bool:
    if not isinstance(outer, exp.Query) or not outer.args.get("limit") or not outer.args.get("order"):
        return False
    first = outer.args["order"].expressions[0]
    return not (first.args.get("desc") and _is_amount(first.this.unnest(), outer, select))


def _is_amount(node: exp.Expr, outer: exp.Query, select: exp.Select) -> bool:
    """Is it a count or sum, of which groups without rows have the least?"""
    outputs = [(output_name(output), unaliased(output)) for output in (*outer.selects, *select.expressions)]
    if isinstance(node, exp.Literal) and node.name.isdigit() and 1 <= int(node.name) <= len(outer.selects):
        node = outputs[int(node.name) - 1][1]
    for _ in range(2):
        if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
            name = folded(node.this)
            node = next((output for known, output in outputs if known == name and output is not node), node)
    call = node.this if isinstance(node, exp.Filter) else node
    return is_aggregate(call) and aggregate_name(call) in ("count", "sum")
