"""The calls of dp.low, dp.high, dp.stddev, dp.reliable and dp.clipped in a block: what they are about, and how sure.

They change neither the measurement nor its price: what they show follows from released numbers and public noise scales
(post-processing). dp.clipped shows what the choice of thresholds told of clipping, which every such block pays for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, assert_never, cast

from sqlglot import exp

from proxy.sql.planning.aggregates.aggregate import Aggregate, Decision, End, Estimate
from proxy.sql.planning.aggregates.registry import ESTIMATES
from proxy.sql.planning.simulated import SimulatedExpression, simulated_expression
from proxy.sql.refusal import unsupported
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.relation import Relation
from proxy.sql.trees.interval_calls import (
    CONFIDENCE,
    MOST_SIMULATED_INTERVALS,
    aggregate_of,
    call_name,
    confidence_of,
    interval_call,
    many_intervals,
    share_of,
)

Shows = End | Literal["reliable", "clipped", "draws"]
"""What a call shows."""


@dataclass(frozen=True)
class NoiseInterval:
    """One end of the interval around a number, the standard deviation of its noise, whether that is little, or the
    share that clipping left out of it.

    Attributes:
        function: what is shown.
        of: the number: an aggregate of the plan, by its index, or an expression of several.
        confidence: the probability with which the interval holds the number without noise.
        share: of the number; dp.reliable tells whether the interval goes no further. None leaves it to the session.
    """

    function: Shows
    of: int | SimulatedExpression
    confidence: Fraction
    share: Fraction | None = None

    @property
    def is_simulated(self) -> bool:
        """Is it made of draws?"""
        return isinstance(self.of, SimulatedExpression) or self.function == "draws"


def compile_intervals(
    nodes: Sequence[exp.Expr], aggregates: Sequence[Aggregate], keys: Sequence[str], relation: Relation
) -> tuple[NoiseInterval, ...]:
    """The intervals that a block shows, each once.

    Args:
        nodes: what the block's outputs, HAVING and ORDER BY are made of (`released_nodes`).
        aggregates: of the block.
        keys: the canonical texts of its group keys.
        relation: what columns mean.

    Raises:
        UnsupportedError: an aggregate that has no interval, an expression that cannot be simulated, or a confidence
            that is not a constant in (0, 1).
    """
    found: dict[NoiseInterval, None] = {}
    for node in nodes:
        interval = interval_of(node, aggregates, keys, relation)
        if interval is not None:
            found[interval] = None
            simulated = [known for known in found if known.is_simulated]
            if len(simulated) > MOST_SIMULATED_INTERVALS:
                raise many_intervals(node)
    return tuple(found)


def interval_of(
    node: exp.Expr, aggregates: Sequence[Aggregate], keys: Sequence[str], relation: Relation
) -> NoiseInterval | None:
    """The interval that `node` itself is a call for; None if it is something else. As `compile_intervals`."""
    call = interval_call(node)
    if call is None or not call.expressions:
        return None
    function = cast(Shows, call_name(call))
    aggregate = aggregate_of(call)
    share = share_of(call) if function == "reliable" else None
    stated = confidence_of(call, simulated=aggregate is None) if function in ("low", "high", "stddev") else None
    confidence = stated or CONFIDENCE
    if aggregate is not None:
        position = _estimate(node, function, aggregate, aggregates, relation)
        return NoiseInterval(function, position, confidence, share)
    if function == "clipped":
        raise unsupported(
            node,
            "dp.clipped() requires an aggregate over private rows",
            rule="noise-interval",
            hint="Apply it to each aggregate of the expression.",
        )
    of = simulated_expression(call.expressions[0], aggregates, keys, relation)
    return NoiseInterval(function, of, confidence, share)


def _estimate(
    node: exp.Expr, function: Shows, of: exp.Expr, aggregates: Sequence[Aggregate], relation: Relation
) -> int:
    """The index of the aggregate, if it has intervals."""
    position = [aggregate.text for aggregate in aggregates].index(canonical(of, relation))
    aggregate = aggregates[position]
    match aggregate:
        case Estimate():
            return position
        case Decision() if function == "clipped":
            raise unsupported(
                node,
                f"dp.clipped() is not known of {aggregate.function}()",
                rule="noise-interval-aggregate",
                detail="It tells how much of what is counted or added up is left out, and a chosen value is neither.",
                hint=f"{ESTIMATES} have it.",
            )
        case Decision():
            raise unsupported(
                node,
                f"there is no noise interval for {aggregate.function}()",
                rule="noise-interval-aggregate",
                detail="Its result is not a number with added noise, so no interval width holds for all data.",
                hint=f"{ESTIMATES} have intervals.",
            )
        case _:
            assert_never(aggregate)
