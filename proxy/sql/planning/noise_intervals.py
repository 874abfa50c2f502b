"""The calls of dp.low, dp.high, dp.stddev and dp.clipped in a block: the aggregate of the plan, and the confidence.

They change neither the measurement nor its price: what they show follows from released numbers and public noise scales
(post-processing). dp.clipped shows what the choice of thresholds told of clipping, which every such block pays for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, assert_never, cast

from sqlglot import exp

from proxy.sql.planning.aggregates.aggregate import CONFIDENCE, Aggregate, Decision, End, Estimate
from proxy.sql.planning.aggregates.registry import ESTIMATES
from proxy.sql.refusal import unsupported
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.relation import Relation
from proxy.sql.trees.interval_calls import aggregate_of, call_name, interval_call
from proxy.sql.trees.walking import own_nodes

_CONFIDENCE_TEXT = re.compile(r"0?\.[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True)
class NoiseInterval:
    """One end of the interval around an aggregate, the standard deviation of its noise, or the share that clipping left
    out of it.

    Attributes:
        function: what is shown.
        position: index of the aggregate in the plan.
        aggregate: the aggregate.
        confidence: the probability with which the interval holds the number without noise.
    """

    function: End | Literal["clipped"]
    position: int
    aggregate: Estimate
    confidence: Fraction


def compile_intervals(
    clauses: Sequence[exp.Expr], aggregates: Sequence[Aggregate], relation: Relation
) -> tuple[NoiseInterval, ...]:
    """The intervals that a block shows, each once.

    Args:
        clauses: the block's outputs, HAVING and ORDER BY.
        aggregates: of the block.
        relation: what columns mean.

    Raises:
        UnsupportedError: an aggregate that has no interval, or a confidence that is not a constant in (0, 1).
    """
    found: dict[NoiseInterval, None] = {}
    for clause in clauses:
        for node in own_nodes(clause):
            interval = interval_of(node, aggregates, relation)
            if interval is not None:
                found[interval] = None
    return tuple(found)


def interval_of(node: exp.Expr, aggregates: Sequence[Aggregate], relation: Relation) -> NoiseInterval | None:
    """The interval that `node` itself is a call for; None if it is something else.

    Raises:
        UnsupportedError: an aggregate that has no interval, or a confidence that is not a constant in (0, 1).
    """
    call = interval_call(node)
    of = aggregate_of(call) if call is not None else None
    if call is None or of is None:
        return None
    text = canonical(of, relation)
    position = [aggregate.text for aggregate in aggregates].index(text)
    aggregate = aggregates[position]
    confidence = _confidence(call.expressions[1]) if len(call.expressions) > 1 else CONFIDENCE
    match aggregate:
        case Estimate():
            return NoiseInterval(cast(End | Literal["clipped"], call_name(call)), position, aggregate, confidence)
        case Decision():
            raise _without_interval(node, aggregate)
        case _:
            assert_never(aggregate)


def _confidence(node: exp.Expr) -> Fraction:
    literal = node.unnest()
    while isinstance(literal, exp.Cast):
        literal = literal.this.unnest()
    text = literal.name if isinstance(literal, exp.Literal) else ""
    # Nine digits are plenty, and no text can ask for a number that fills the memory.
    if not _CONFIDENCE_TEXT.fullmatch(text) or not Fraction(f"0{text}" if text.startswith(".") else text):
        raise unsupported(
            node,
            "the confidence of an interval must be a constant between 0 and 1, with at most nine digits",
            rule="noise-interval-confidence",
            hint="Write for example dp.low(count(*), 0.9); without it the confidence is 0.95.",
        )
    return Fraction(f"0{text}" if text.startswith(".") else text)


def _without_interval(node: exp.Expr, aggregate: Decision) -> Exception:
    return unsupported(
        node,
        f"there is no noise interval for {aggregate.function}()",
        rule="noise-interval-aggregate",
        detail="Its result is not a number with added noise, so no interval width holds for all data.",
        hint=f"{ESTIMATES} have intervals.",
    )
