"""What a condition says of the numbers and dates in it: `x BETWEEN 0 AND 60` limits x, wherever the condition is met.

The branches of CASE, the rows of a SELECT and those that FILTER leaves all meet conditions. Limits narrow the bounds of
a term, and give it some if it has none. Like all bounds they say where to clamp, so privacy does not rest on them.

NULL meets no comparison. NaN is above all numbers, so that it may meet one; but it counts as NULL. So may infinity, and
an infinite date: they count as the nearest bound, or as NULL where nothing can be computed of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from sqlglot import exp

from proxy.sql.nodes import find
from proxy.sql.terms import clocks
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.comparisons import members_of_row, quantified
from proxy.sql.terms.spans import DAY, MICROSECOND
from proxy.sql.terms.term import Limits, Term
from proxy.sql.terms.types import Kind

_COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.EQ, exp.Between, exp.In)
_COMPILED_TWICE = (exp.Case, exp.Query, exp.Any, exp.All)
"""A CASE inside would be compiled twice at each level of nesting."""
_GRIDS: Mapping[Kind, Fraction] = {
    Kind.INTEGER: Fraction(1),
    Kind.DATE: DAY,
    Kind.TIMESTAMP: MICROSECOND,
    Kind.TIMESTAMPTZ: MICROSECOND,
}
"""What all values of a type are multiples of, in numbers or in seconds since 1970; of others, the term knows it."""


def narrowed(term: Term, limits: Limits) -> Term:
    """The term where these limits hold, narrowed if they are limits of this very expression."""
    known = limits.get(term.sql)
    if known is None or not (term.type.is_number or term.type.is_datetime):
        return term
    low, high = _inner((term.lowest, term.highest), known)
    if low is not None and high is not None and low > high:
        return term
    return term.limited_to(low, high)


def together(*several: Limits) -> Limits:
    """The limits where all of them hold."""
    merged: dict[str, tuple[Fraction | None, Fraction | None]] = {}
    for limits in several:
        for sql, found in limits.items():
            merged[sql] = _inner(merged.get(sql, (None, None)), found)
    return merged


def limits_of(node: exp.Expr, compile_: Compile, *, holds: bool = True) -> Limits:
    """The limits of expressions, where they are not NULL, if a condition is true, or if it is not.

    Args:
        node: the condition, of the client's checked tree.
        compile_: compiles its operands.
        holds: is it true? Else it is false or NULL.
    """
    node = node.unnest()
    if isinstance(node, exp.Not):
        return limits_of(node.this, compile_, holds=not holds)
    if isinstance(node, exp.And if holds else exp.Or):
        return together(*(limits_of(operand, compile_, holds=holds) for operand in node.flatten()))
    if not isinstance(node, _COMPARISONS) or members_of_row(node.this) is not None:
        return {}
    if isinstance(node, (exp.Between, exp.In)):
        return _of_range(node, compile_) if holds else {}
    if isinstance(node, exp.EQ) or quantified(node.expression) is not None:
        return _of_equality(node, compile_) if isinstance(node, exp.EQ) and holds else {}
    return _of_order(node, compile_, holds=holds)


def _of_range(node: exp.Between | exp.In, compile_: Compile) -> Limits:
    """BETWEEN, and IN with a list of constants."""
    if isinstance(node, exp.In):
        return _of_members(node.this, node.expressions, compile_)
    low, high = (_constant(node.args[name], compile_) for name in ("low", "high"))
    if node.args.get("symmetric"):
        return _of_members(node.this, [node.args["low"], node.args["high"]], compile_)
    return _of(node.this, low, high, compile_)


def _of_equality(node: exp.EQ, compile_: Compile) -> Limits:
    among = quantified(node.expression)
    if among is None:
        value, limit, _ = _sides(node, compile_)
        return _of(value, limit, limit, compile_)
    # What equals all members equals one of them too; there may be none, which says nothing.
    return _of_members(node.this, constant_elements(among[1]) or [], compile_)


def _of_members(value: exp.Expr, members: Sequence[exp.Expr], compile_: Compile) -> Limits:
    """An expression that equals one of these constants, or lies between two of them."""
    constants = [_constant(member, compile_) for member in members]
    known = [constant for constant in constants if constant is not None]
    if not known or len(known) < len(constants) or find(value, *_COMPILED_TWICE) is not None:
        return {}
    term = compile_(value)
    points = [_as_limit(constant, term) for constant in known]
    found = [point for point in points if point is not None]
    if len(found) < len(points):
        return {}
    span = Bounds(min(point.low for point in found), max(point.high for point in found))
    return _between(value, term, span, span, compile_)


def _of_order(node: exp.Expr, compile_: Compile, *, holds: bool) -> Limits:
    value, limit, swapped = _sides(node, compile_)
    below = (isinstance(node, (exp.LT, exp.LTE)) == holds) != swapped
    strict = isinstance(node, (exp.LT, exp.GT)) == holds
    low, high = (None, limit) if below else (limit, None)
    return _of(value, low, high, compile_, strict=strict)


def _sides(node: exp.Expr, compile_: Compile) -> tuple[exp.Expr, Term | None, bool]:
    """What is compared, the constant that it is compared with, and whether that is on the left."""
    limit = _constant(node.expression, compile_)
    if limit is not None:
        return node.this, limit, False
    return node.expression, _constant(node.this, compile_), True


def _constant(node: exp.Expr, compile_: Compile) -> Term | None:
    """A constant number, date or timestamp, or a text that looks like one of the latter."""
    if find(node, exp.Column, *_COMPILED_TWICE) is not None:
        return None
    term = compile_(node)
    if term.kind is Kind.UNKNOWN and term.literal is not None:
        return term if clocks.constant(term.literal, Kind.TIMESTAMP) is not None else None
    return term if term.constant and term.bounds is not None else None


def _as_limit(constant: Term, value: Term) -> Bounds | None:
    """What a constant is among the values that it is compared with; None if it says nothing of them.

    A time zone that the client sets stands between a moment and a clock, so that their limits are a day wider.
    """
    if value.type.is_number:
        return constant.bounds if constant.type.is_number and _is_point(constant.bounds) else None
    if not value.type.is_datetime:
        return None
    if constant.kind is Kind.UNKNOWN:
        return clocks.constant(constant.literal or "", value.kind)
    if not constant.type.is_datetime or constant.bounds is None:
        return None
    return clocks.compared(constant.bounds, constant.kind, value.kind)


def _is_point(bounds: Bounds | None) -> bool:
    return bounds is not None and bounds.width == 0


def _of(node: exp.Expr, low: Term | None, high: Term | None, compile_: Compile, *, strict: bool = False) -> Limits:
    if (low is None and high is None) or find(node, *_COMPILED_TWICE) is not None:
        return {}
    term = compile_(node)
    least = _as_limit(low, term) if low is not None else None
    most = _as_limit(high, term) if high is not None else None
    return _between(node, term, least, most, compile_, strict=strict)


def _between(
    node: exp.Expr, term: Term, least: Bounds | None, most: Bounds | None, compile_: Compile, *, strict: bool = False
) -> Limits:
    """The limits of an expression that is not below the `least` and not above the `most`."""
    if least is None and most is None:
        return {}
    grid = _GRIDS.get(term.kind, term.grid)
    low = _first(least.low, grid, strict=strict) if least is not None else None
    high = _last(most.high, grid, strict=strict) if most is not None else None
    return together({term.sql: (low, high)}, _of_day(node.unnest(), term, low, high, compile_))


def _of_day(node: exp.Expr, day: Term, low: Fraction | None, high: Fraction | None, compile_: Compile) -> Limits:
    """What the limits of `moment::date` say of the moment."""
    if not isinstance(node, exp.Cast) or day.kind is not Kind.DATE:
        return {}
    moment = compile_(node.this)
    if moment.kind not in (Kind.TIMESTAMP, Kind.TIMESTAMPTZ):
        return {}
    moved = DAY if moment.kind is Kind.TIMESTAMPTZ else Fraction(0)
    last = high + DAY - MICROSECOND + moved if high is not None else None
    return {moment.sql: (low - moved if low is not None else None, last)}


def _first(low: Fraction, grid: Fraction | None, *, strict: bool) -> Fraction:
    """The least value on a grid that is at least `low`, or above it."""
    if grid is None:
        return low
    return (math.floor(low / grid) + 1 if strict else math.ceil(low / grid)) * grid


def _last(high: Fraction, grid: Fraction | None, *, strict: bool) -> Fraction:
    return -_first(-high, grid, strict=strict)


def _inner(
    first: tuple[Fraction | None, Fraction | None], second: tuple[Fraction | None, Fraction | None]
) -> tuple[Fraction | None, Fraction | None]:
    lows, highs = ([limit for limit in limits if limit is not None] for limits in zip(first, second, strict=True))
    return max(lows, default=None), min(highs, default=None)
