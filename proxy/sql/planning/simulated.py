"""Expressions over several released numbers, whose noise is simulated (post-processing, free).

dp.low(sum(cost) / count(*)) is computed from many draws of the known noise around the released numbers: each draw gives
a value of the expression, and an end of the interval is a quantile of them. Where the expression is linear in numbers
with symmetric noise, it holds the number without noise as often as it says; else to first order in the noise.

A draw can be what no released number is, so what can fail is refused, and a divisor that is 0 is NULL, as is a number
beyond its type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.dialect import render
from proxy.sql.planning.aggregates.aggregate import Aggregate, Estimate
from proxy.sql.planning.total_draws import without_overflow
from proxy.sql.refusal import unsupported
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.relation import Relation

DRAWN = "drawn"
"""The relation of draws: a0, a1, … are the aggregates, k0, k1, … the keys."""

_FUNCTIONS = frozenset(
    {"abs", "ceil", "ceiling", "coalesce", "floor", "greatest", "least", "nullif", "round", "sign", "trunc"}
)
_OPERATORS = (exp.Add, exp.Sub, exp.Mul, exp.Neg, exp.Paren, exp.Case, exp.If, exp.And, exp.Or, exp.Not, exp.Is)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between, exp.In)
_CONSTANTS = (exp.Literal, exp.Null, exp.Boolean)
_CASTS = frozenset({exp.DType.DECIMAL, exp.DType.DOUBLE, exp.DType.BIGINT})


@dataclass(frozen=True)
class SimulatedExpression:
    """An expression of a block's aggregates and keys.

    Attributes:
        sql: over the columns of `DRAWN`.
        aggregates: the indexes of the aggregates in it.
    """

    sql: str
    aggregates: tuple[int, ...]


def alone(position: int) -> SimulatedExpression:
    """The aggregate at a place of the plan, by itself."""
    return SimulatedExpression(f"{DRAWN}.a{position}", (position,))


def simulated_expression(
    node: exp.Expr, aggregates: Sequence[Aggregate], keys: Sequence[str], relation: Relation
) -> SimulatedExpression:
    """Compile an expression over a block's aggregates and keys.

    Raises:
        UnsupportedError: something in it that a draw could make fail, or that has no noise of a known width.
    """
    texts, used = [aggregate.text for aggregate in aggregates], set[int]()

    def leaf(node: exp.Expr) -> exp.Expr | None:
        text = canonical(node, relation)
        if isinstance(node, _CONSTANTS):
            return None
        if text in keys:
            return exp.column(f"k{keys.index(text)}", table=DRAWN)
        if text not in texts:
            return None
        position = texts.index(text)
        if not isinstance(aggregates[position], Estimate):
            raise unsupported(
                node,
                f"there is no noise interval for {aggregates[position].function}()",
                rule="noise-interval-aggregate",
                detail="Its result is not a number with added noise, so no interval width holds for all data.",
            )
        used.add(position)
        return exp.column(f"a{position}", table=DRAWN)

    sql = render(simulated(node, leaf))
    return SimulatedExpression(sql, tuple(sorted(used)))


def simulated(node: exp.Expr, leaf: Callable[[exp.Expr], exp.Expr | None]) -> exp.Expr:
    """The expression over draws: in the form in which it cannot fail.

    Args:
        node: as the client wrote it.
        leaf: what stands for a released number, or a value that has no noise; None for anything else.

    Raises:
        UnsupportedError: something in it that a draw could make fail.
    """
    found = leaf(node)
    if found is not None:
        return found
    if isinstance(node, _CONSTANTS):
        return node.copy()
    if isinstance(node, exp.Div):
        divisor = exp.Anonymous(this="nullif", expressions=[simulated(node.expression, leaf), exp.Literal.number(0)])
        return without_overflow(exp.Div(this=exp.Paren(this=simulated(node.this, leaf)), expression=divisor))
    if not _is_total(node):
        raise unsupported(
            node,
            f"{_name(node)} is not supported in the expression of a noise interval",
            rule="noise-interval-expression",
            detail="The interval is simulated from draws of the noise around released numbers, and a draw may be where "
            "this fails.",
            hint="Use arithmetic, comparisons, CASE, casts to numeric, bigint or float, "
            f"{', '.join(sorted(_FUNCTIONS))} there, and everything else outside.",
        )
    copy = node.copy()
    for original, child in zip(list(node.iter_expressions()), list(copy.iter_expressions()), strict=True):
        if not isinstance(original, (exp.DataType, exp.Identifier, exp.Var)):
            child.replace(simulated(original, leaf))
    return without_overflow(copy)


def _is_total(node: exp.Expr) -> bool:
    """Can the node itself not fail, whatever numbers are in it?"""
    if isinstance(node, exp.Cast):
        # A declared precision can be too small for a draw.
        return node.to.this in _CASTS and not node.to.expressions
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _FUNCTIONS and not isinstance(node.parent, exp.Dot)
    return isinstance(node, (*_OPERATORS, *_COMPARISONS))


def _name(node: exp.Expr) -> str:
    return f"{node.name.lower()}()" if isinstance(node, exp.Anonymous) else render(node)
