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
from proxy.sql.replacing import replace
from proxy.sql.terms import clocks, moment_limits
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


def _either(several: Sequence[Limits]) -> Limits:
    """The limits where one of them holds."""
    found: dict[str, tuple[Fraction | None, Fraction | None]] = {}
    for sql in several[0]:
        if all(sql in limits for limits in several):
            lows, highs = zip(*(limits[sql] for limits in several), strict=True)
            low, high = (None if None in ends else of(ends) for ends, of in ((lows, min), (highs, max)))
            found[sql] = (low, high)
    return found


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
    if isinstance(node, exp.Or if holds else exp.And):
        return _either([limits_of(operand, compile_, holds=holds) for operand in node.flatten()])
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
    ends = [node.args["low"], node.args["high"]]
    if node.args.get("symmetric"):
        return _of_members(node.this, ends, compile_)
    low, high = ([end] if end is not None else [] for end in (_constant(end, compile_) for end in ends))
    return _of(node.this, low, high, compile_)


def _of_equality(node: exp.EQ, compile_: Compile) -> Limits:
    among = quantified(node.expression)
    if among is not None:
        # What equals all members equals one of them too; there may be none, which says nothing.
        return _of_members(node.this, constant_elements(among[1]) or [], compile_)
    for value, other in ((node.this, node.expression), (node.expression, node.this)):
        if moment_limits.shows_moment(value):
            return _of_members(value, [other], compile_)
    value, limit, _ = _sides(node, compile_)
    known = [limit] if limit is not None else []
    return _of(value, known, known, compile_)


def _of_members(value: exp.Expr, members: Sequence[exp.Expr], compile_: Compile) -> Limits:
    """An expression that equals one of these constants, or lies between two of them."""
    if moment_limits.shows_moment(value):
        bare = [member.unnest() for member in members]
        texts = [member.name for member in bare if isinstance(member, exp.Literal) and member.is_string]
        return moment_limits.of_shown(value, texts, compile_) if len(texts) == len(members) else {}
    known = [constant for constant in (_constant(member, compile_) for member in members) if constant is not None]
    return _of(value, known, known, compile_) if len(known) == len(members) else {}


def _of_order(node: exp.Expr, compile_: Compile, *, holds: bool) -> Limits:
    value, limit, swapped = _sides(node, compile_)
    below = (isinstance(node, (exp.LT, exp.LTE)) == holds) != swapped
    strict = isinstance(node, (exp.LT, exp.GT)) == holds
    limits = [limit] if limit is not None else []
    low, high = ([], limits) if below else (limits, [])
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


def _as_limit(constant: Term, value: Term, kind: Kind) -> Bounds | None:
    """What a constant is among the values that it is compared with; None if it says nothing of them.

    A time zone that the client sets stands between a moment and a clock, so that their limits are a day wider.

    Args:
        constant: the constant.
        value: the expression that it is compared with.
        kind: as which it is compared: a timestamp for a moment that the session's clock makes.
    """
    if value.type.is_number:
        return constant.bounds if constant.type.is_number and _is_point(constant.bounds) else None
    if not value.type.is_datetime:
        return None
    if constant.kind is Kind.UNKNOWN:
        return _of_text(constant.literal or "", value.kind, kind)
    if not constant.type.is_datetime or constant.bounds is None:
        return None
    return clocks.compared(constant.bounds, constant.kind, kind)


def _of_text(text: str, type_: Kind, kind: Kind) -> Bounds | None:
    """A constant without a type, which is read as one of the type that it is compared with."""
    if type_ is kind or not clocks.has_offset(text):
        return clocks.constant(text, kind)
    moment = clocks.constant(text, type_)
    return clocks.compared(moment, type_, kind) if moment is not None else None


def _is_point(bounds: Bounds | None) -> bool:
    return bounds is not None and bounds.width == 0


def _of(
    node: exp.Expr, lows: Sequence[Term], highs: Sequence[Term], compile_: Compile, *, strict: bool = False
) -> Limits:
    """The limits of an expression that is not below the least of some constants and not above the greatest of others,
    and of what it is made of."""
    if not (lows or highs) or find(node, *_COMPILED_TWICE) is not None:
        return {}
    term = compile_(node)
    if moment_limits.counts_whole(node):
        term = replace(term, grid=Fraction(1))
    low, high = _range(term, term.kind, lows, highs, strict=strict)
    if low is high is None:
        return {}
    inside = low, high
    if moment_limits.is_of_clock(node, compile_):
        inside = _range(term, Kind.TIMESTAMP, lows, highs, strict=strict)
    return together({term.sql: (low, high)}, moment_limits.of_moment(node, *inside, compile_))


def _range(
    term: Term, kind: Kind, lows: Sequence[Term], highs: Sequence[Term], *, strict: bool
) -> tuple[Fraction | None, Fraction | None]:
    least, most = ([_as_limit(constant, term, kind) for constant in constants] for constants in (lows, highs))
    known = [[limit for limit in limits if limit is not None] for limits in (least, most)]
    grid = _GRIDS.get(term.kind, term.grid)
    low = min((limit.low for limit in known[0]), default=None) if len(known[0]) == len(least) else None
    high = max((limit.high for limit in known[1]), default=None) if len(known[1]) == len(most) else None
    return (
        _first(low, grid, strict=strict) if low is not None else None,
        _last(high, grid, strict=strict) if high is not None else None,
    )


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
