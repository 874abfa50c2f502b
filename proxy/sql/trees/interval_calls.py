"""Calls of dp.low, dp.high, dp.stddev, dp.reliable, dp.clipped and dp.draws: what they say, where they may stand, and
to what they may apply."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.names import folded
from proxy.sql.refusal import unsupported
from proxy.sql.trees.aggregate_calls import is_aggregate, is_of_dp
from proxy.sql.trees.walking import own_nodes

CONFIDENCE: Final = Fraction(95, 100)
"""Of an interval whose call says nothing else."""

MOST_SIMULATED: Final = Fraction(99, 100)
"""The greatest confidence of a simulated interval."""

MOST_SIMULATED_INTERVALS: Final = 100
"""In a query, and in a block of it."""

_CONFIDENCE_TEXT = re.compile(r"0?\.[0-9]{1,9}", re.ASCII)
_SHARE_TEXT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}", re.ASCII)
INTERVAL_CALLS: Final = frozenset({"low", "high", "stddev", "reliable", "clipped", "draws"})
_UNQUALIFIED = frozenset({"low", "high", "reliable", "clipped", "draws"})
"""Found through a search_path with dp in it; without a schema, stddev is Postgres's aggregate."""


def interval_call(node: exp.Expr) -> exp.Anonymous | None:
    """The call that `node` is: dp.low(…), possibly qualified by a database, or low(…) without a schema."""
    if isinstance(node, exp.Dot):
        call = node.expression
        return (
            call if isinstance(call, exp.Anonymous) and is_of_dp(call) and call_name(call) in INTERVAL_CALLS else None
        )
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


def confidence_of(call: exp.Anonymous, *, simulated: bool) -> Fraction | None:
    """The confidence that dp.low(…, 0.9) states; None if it states none.

    Args:
        call: of dp.low, dp.high or dp.stddev.
        simulated: is the interval computed from draws?

    Raises:
        UnsupportedError: it is no constant in (0, 1), or more than draws can tell.
    """
    if len(call.expressions) < 2:
        return None
    node = call.expressions[1]
    text = _constant(node)
    # Nine digits are plenty, and no text can ask for a number that fills the memory.
    if not _CONFIDENCE_TEXT.fullmatch(text) or not _fraction(text):
        raise unsupported(
            node,
            "the confidence of an interval must be a constant between 0 and 1, with at most nine digits",
            rule="noise-interval-confidence",
            hint="Write for example dp.low(count(*), 0.9); without it the confidence is 0.95.",
        )
    confidence = _fraction(text)
    if simulated and confidence > MOST_SIMULATED:
        raise unsupported(
            node,
            f"the interval of an expression has a confidence of at most {float(MOST_SIMULATED):g}",
            rule="noise-interval-confidence",
            detail="Its ends are quantiles of draws, too few of which are farther outside.",
            hint=f"Write {float(MOST_SIMULATED):g}, or apply dp.{call_name(call)}() to each aggregate by itself.",
        )
    return confidence


def share_of(call: exp.Anonymous) -> Fraction | None:
    """The share that dp.reliable(…, 0.1) states; None if it states none.

    Raises:
        UnsupportedError: it is no constant.
    """
    if len(call.expressions) < 2:
        return None
    text = _constant(call.expressions[1])
    if not _SHARE_TEXT.fullmatch(text):
        raise unsupported(
            call.expressions[1],
            "the share in dp.reliable() must be a constant, with at most nine digits on either side of the point",
            rule="reliable-share",
            hint="Write for example dp.reliable(count(*), 0.1) for 10 %; without it the share is that of dp.max_error, "
            "or 20 %.",
        )
    return _fraction(text)


def _constant(node: exp.Expr) -> str:
    """The text of a literal, whatever it is cast to; empty for anything else."""
    literal = node.unnest()
    while isinstance(literal, exp.Cast):
        literal = literal.this.unnest()
    return literal.name if isinstance(literal, exp.Literal) else ""


def _fraction(text: str) -> Fraction:
    return Fraction(f"0{text}" if text.startswith(".") else text)


def many_intervals(node: exp.Expr) -> UnsupportedError:
    """The refusal of too many simulated intervals."""
    return unsupported(
        node,
        f"a query can show at most {MOST_SIMULATED_INTERVALS} intervals of expressions",
        rule="noise-interval-expression",
        detail="Each of them is computed from hundreds of draws for each group.",
        hint="Ask for them in several queries: the answer is recalled, free of charge.",
    )


def check_interval_calls(nodes: Iterable[exp.Expr], blocks: Sequence[exp.Select]) -> None:
    """Refuse a call that is not applied to aggregates of a block: the stage would fail after blocks were paid for.

    Args:
        nodes: of the whole query.
        blocks: the SELECTs in it that aggregate private rows.

    Raises:
        UnsupportedError: the first such call.
    """
    released = {id(select) for select in blocks}
    for node in nodes:
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
