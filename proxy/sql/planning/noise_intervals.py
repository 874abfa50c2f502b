"""The calls of dp.low, dp.high, dp.stddev, dp.reliable and dp.clipped in a block: what they are about, and how sure.

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
from proxy.sql.planning.simulated import MOST_SIMULATED, SimulatedExpression, simulated_expression
from proxy.sql.refusal import unsupported
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.relation import Relation
from proxy.sql.trees.interval_calls import aggregate_of, call_name, interval_call
from proxy.sql.trees.walking import own_nodes

_CONFIDENCE_TEXT = re.compile(r"0?\.[0-9]{1,9}", re.ASCII)
_SHARE_TEXT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}", re.ASCII)

_MOST_EXPRESSIONS = 100

Shows = End | Literal["reliable", "clipped"]
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


def compile_intervals(
    clauses: Sequence[exp.Expr], aggregates: Sequence[Aggregate], keys: Sequence[str], relation: Relation
) -> tuple[NoiseInterval, ...]:
    """The intervals that a block shows, each once.

    Args:
        clauses: the block's outputs, HAVING and ORDER BY.
        aggregates: of the block.
        keys: the canonical texts of its group keys.
        relation: what columns mean.

    Raises:
        UnsupportedError: an aggregate that has no interval, an expression that cannot be simulated, or a confidence
            that is not a constant in (0, 1).
    """
    found: dict[NoiseInterval, None] = {}
    for clause in clauses:
        for node in own_nodes(clause):
            interval = interval_of(node, aggregates, keys, relation)
            if interval is not None:
                found[interval] = None
                if sum(isinstance(known.of, SimulatedExpression) for known in found) > _MOST_EXPRESSIONS:
                    raise unsupported(
                        node,
                        f"a query can show at most {_MOST_EXPRESSIONS} intervals of expressions",
                        rule="noise-interval-expression",
                        detail="Each of them is computed from hundreds of draws for each group.",
                        hint="Ask for them in several queries: the answer is recalled, free of charge.",
                    )
    return tuple(found)


def interval_of(
    node: exp.Expr, aggregates: Sequence[Aggregate], keys: Sequence[str], relation: Relation
) -> NoiseInterval | None:
    """The interval that `node` itself is a call for; None if it is something else. As `compile_intervals`."""
    call = interval_call(node)
    if call is None or not call.expressions:
        return None
    function = cast(Shows, call_name(call))
    confidence, share = CONFIDENCE, None
    if len(call.expressions) > 1 and function == "reliable":
        share = _share(call.expressions[1])
    elif len(call.expressions) > 1:
        confidence = _confidence(call.expressions[1])
    aggregate = aggregate_of(call)
    if aggregate is not None:
        return NoiseInterval(function, _estimate(node, aggregate, aggregates, relation), confidence, share)
    if function == "clipped":
        raise unsupported(
            node,
            "dp.clipped() requires an aggregate over private rows",
            rule="noise-interval",
            hint="Apply it to each aggregate of the expression.",
        )
    if confidence > MOST_SIMULATED:
        raise unsupported(
            call.expressions[1],
            f"the interval of an expression has a confidence of at most {float(MOST_SIMULATED):g}",
            rule="noise-interval-confidence",
            detail="Its ends are quantiles of draws, too few of which are farther outside.",
            hint=f"Write {float(MOST_SIMULATED):g}, or apply dp.{function}() to each aggregate by itself.",
        )
    of = simulated_expression(call.expressions[0], aggregates, keys, relation)
    return NoiseInterval(function, of, confidence, share)


def _estimate(node: exp.Expr, of: exp.Expr, aggregates: Sequence[Aggregate], relation: Relation) -> int:
    """The index of the aggregate, if it has intervals."""
    position = [aggregate.text for aggregate in aggregates].index(canonical(of, relation))
    aggregate = aggregates[position]
    match aggregate:
        case Estimate():
            return position
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


def _constant(node: exp.Expr) -> str:
    """The text of a literal, whatever it is cast to; empty for anything else."""
    literal = node.unnest()
    while isinstance(literal, exp.Cast):
        literal = literal.this.unnest()
    return literal.name if isinstance(literal, exp.Literal) else ""


def _confidence(node: exp.Expr) -> Fraction:
    text = _constant(node)
    # Nine digits are plenty, and no text can ask for a number that fills the memory.
    if not _CONFIDENCE_TEXT.fullmatch(text) or not Fraction(f"0{text}" if text.startswith(".") else text):
        raise unsupported(
            node,
            "the confidence of an interval must be a constant between 0 and 1, with at most nine digits",
            rule="noise-interval-confidence",
            hint="Write for example dp.low(count(*), 0.9); without it the confidence is 0.95.",
        )
    return Fraction(f"0{text}" if text.startswith(".") else text)


def _share(node: exp.Expr) -> Fraction:
    text = _constant(node)
    if not _SHARE_TEXT.fullmatch(text):
        raise unsupported(
            node,
            "the share in dp.reliable() must be a constant, with at most nine digits on either side of the point",
            rule="reliable-share",
            hint="Write for example dp.reliable(count(*), 0.1) for 10 %; without it the share is that of dp.max_error, "
            "or 20 %.",
        )
    return Fraction(f"0{text}" if text.startswith(".") else text)
