"""Calls of dp.low, dp.high, dp.stddev, dp.reliable and dp.clipped: where they may stand, and to what they may apply."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.refusal import unsupported
from proxy.sql.trees.aggregate_calls import is_aggregate, is_of_dp
from proxy.sql.trees.walking import own_nodes

_NAMES = frozenset({"low", "high", "stddev", "reliable", "clipped"})
_UNQUALIFIED = frozenset({"low", "high", "reliable", "clipped"})
"""Found through a search_path with dp in it; without a schema, stddev is Postgres's aggregate."""


def interval_call(node: exp.Expr) -> exp.Anonymous | None:
    """The call that `node` is: dp.low(…), possibly qualified by a database, or low(…) without a schema."""
    if isinstance(node, exp.Dot):
        call = node.expression
        return call if isinstance(call, exp.Anonymous) and is_of_dp(call) and call_name(call) in _NAMES else None
    if isinstance(node, exp.Anonymous) and not isinstance(node.parent, exp.Dot) and call_name(node) in _UNQUALIFIED:
        return node
    return None


def call_name(call: exp.Anonymous) -> str:
    """The name of a function without its schema, as Postgres stores it."""
    return folded(call.this) if isinstance(call.this, exp.Identifier) else call.name.lower()


def aggregate_of(call: exp.Anonymous) -> exp.Expr | None:
    """The aggregate that a call is applied to, with its FILTER; None if its first argument is something else."""
    argument = call.expressions[0].unnest() if call.expressions else None
    inner = argument.this if isinstance(argument, (exp.Filter, exp.WithinGroup)) else argument
    return argument if inner is not None and is_aggregate(inner) else None


def check_interval_calls(query: exp.Query, blocks: Sequence[exp.Select]) -> None:
    """Refuse a call that is not applied to aggregates of a block: the stage would fail after blocks were paid for.

    Args:
        query: the whole query.
        blocks: the SELECTs in it that aggregate private rows.

    Raises:
        UnsupportedError: the first such call.
    """
    released = {id(select) for select in blocks}
    for node in query.walk():
        call = interval_call(node)
        if call is None or (_has_aggregate(call) and id(node.find_ancestor(exp.Select)) in released):
            continue
        name = call_name(call)
        raise unsupported(
            node,
            f"dp.{name}() requires an aggregate over private rows of the same SELECT",
            rule="noise-interval",
            detail="It describes the noise of one released number; nothing else has noise of its own.",
            hint=f"Apply dp.{name}() to the aggregate itself, as in SELECT avg(x), dp.{name}(avg(x)) FROM ….",
        )


def _has_aggregate(call: exp.Anonymous) -> bool:
    """Is there an aggregate in what a call is applied to?"""
    return bool(call.expressions) and any(is_aggregate(node) for node in own_nodes(call.expressions[0]))
