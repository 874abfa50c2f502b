"""Whether a query aggregates the released groups of its blocks further, so that groups without rows count."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.trees.aggregate_calls import aggregate_name, collect, released_clauses
from proxy.sql.trees.marks import BLOCK, FEEDBACK
from proxy.sql.trees.walking import ancestors

_UNCHANGED = frozenset({"sum", "max", "bool_or"})
"""Aggregates that further groups of about 0 hardly change."""


def counts_groups(query: exp.Query) -> bool:
    """Does a SELECT around a block with GROUP BY have aggregates of its own that groups of about 0 change?

    Args:
        query: with its blocks marked (`trees.marks`).
    """
    grouped = [select for select in find_all(query, exp.Select) if BLOCK.of(select) is not None and _has_keys(select)]
    return any(_is_aggregated(outer) for select in grouped for outer in ancestors(select) if not FEEDBACK.on(outer))


def _has_keys(select: exp.Select) -> bool:
    return bool(select.args.get("group") or select.args.get("distinct"))


def _is_aggregated(outer: exp.Expr) -> bool:
    if not isinstance(outer, exp.Select) or BLOCK.of(outer) is not None:
        return False
    return any(aggregate_name(call) not in _UNCHANGED for call in collect(released_clauses(outer)))
