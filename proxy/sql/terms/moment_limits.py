"""What the limits of something that is made of a date or timestamp say of the date or timestamp itself:

    date_trunc('month', at) = '2024-03-01'      extract(year FROM at) = 2024      to_char(at, 'YYYY-MM') = '2024-03'
    at::date BETWEEN '2024-03-01' AND '2024-03-31'      (at AT TIME ZONE 'UTC')::date = '2024-03-01'

Where a clock stands between a moment and what is made of it, the limits of the moment are a day wider (`clocks`). What
the session's clock makes of a date and then shows again is the date as it was: there the clock does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from sqlglot import exp

from proxy.sql.nodes import find
from proxy.sql.terms import clocks
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.spans import DAY, MICROSECOND
from proxy.sql.terms.term import Limits
from proxy.sql.terms.types import Kind

Limit = Fraction | None

_CUT: Final = frozenset({"second", "minute", "hour", "day", "week", "month", "quarter", "year"})
_SAME, _UTC, _YEARS, _SECONDS = "another type", "UTC", "number of the year", "seconds since 1970"
_WHOLE_SECONDS: Final = {"floor": (Fraction(0), 1 - MICROSECOND), "round": (Fraction(1, 2), Fraction(1, 2))}
"""How far seconds may be below, and above, what is made of them."""
_WHOLE_TYPES: Final = {exp.DType.INT, exp.DType.BIGINT}
_CASTS: Final = {exp.DType.DATE: "day", exp.DType.TIMESTAMP: _SAME, exp.DType.TIMESTAMPTZ: _SAME}
_SHOWN: Final[Mapping[str, tuple[str, str]]] = {
    "YYYY": ("year", "{}-01-01"),
    "YYYY-MM": ("month", "{}-01"),
    "YYYY-MM-DD": ("day", "{}"),
}
"""Formats of to_char that show a date from its year on: the last field that they show, and the first day of it."""


def of_moment(node: exp.Expr, low: Limit, high: Limit, compile_: Compile) -> Limits:
    """What the limits of an expression say of all dates and timestamps that it is made of.

    Args:
        node: the expression, of the client's checked tree.
        low: no value of it is less, in numbers or in seconds since 1970; where the session's clock makes it
            (`is_of_clock`), in seconds by that clock.
        high: no value of it is greater.
        compile_: compiles its operands.
    """
    found: dict[str, tuple[Limit, Limit]] = {}
    while (made_of := _made_of(node)) is not None and not low is high is None:
        function, value = made_of
        if function in _WHOLE_SECONDS:
            less, more = _WHOLE_SECONDS[function]
            low, high = low - less if low is not None else None, high + more if high is not None else None
            node = value
            continue
        moment = compile_(value)
        if not moment.type.is_datetime:
            break
        if function in _CUT and _is_moment(node, compile_):
            low, high = _widened(low, high)  # Of which clock is cut, not of which moment.
        low, high = _before(function, low, high)
        of_clock = is_of_clock(value, compile_)
        if function in (_UTC, _SECONDS):
            is_shown = of_clock or (function == _UTC and moment.kind is Kind.DATE)
        else:
            is_shown = _is_moment(value, compile_)
        if is_shown:
            low, high = _widened(low, high)
        limits = _widened(low, high) if of_clock else (low, high)
        found[moment.sql] = _whole_days(*limits) if moment.kind is Kind.DATE else limits
        node = value
    return found


def is_of_clock(node: exp.Expr, compile_: Compile) -> bool:
    """Is it a moment that the session's clock makes of a date, or of what a clock shows? Constants without an offset
    are read by the same clock, so that both compare as if there were none."""
    while (made_of := _made_of(node)) is not None and (made_of[0] == _SAME or made_of[0] in _CUT):
        if compile_(node).kind is not Kind.TIMESTAMPTZ:
            return False
        node = made_of[1]
        if compile_(node).kind in (Kind.DATE, Kind.TIMESTAMP):
            return True
    return False


def _is_moment(node: exp.Expr, compile_: Compile) -> bool:
    """Is it a moment of which the session's clock decides what it shows?"""
    return compile_(node).kind is Kind.TIMESTAMPTZ and not is_of_clock(node, compile_)


def counts_whole(node: exp.Expr) -> bool:
    """Is it the number of a year, quarter or month?"""
    return _field_of(node.unnest())[0] in clocks.MONTHS


def is_of_seconds(node: exp.Expr) -> bool:
    """Is it the number of seconds since 1970 of a moment?"""
    return _field_of(node)[0] == "epoch"


def _is_exact_seconds(node: exp.Expr) -> bool:
    """Is it such a number with all digits, or a whole one made of it? date_part() has double precision."""
    made_of = _made_of(node)
    is_exact = isinstance(node.unnest(), exp.Extract) and is_of_seconds(node.unnest())
    return is_exact or (made_of is not None and made_of[0] in _WHOLE_SECONDS)


def reads_clock(moment: exp.Expr) -> bool:
    """Does what directly stands around a moment cut it, or show it, by the session's clock?"""
    node = moment.parent
    while isinstance(node, exp.Paren):
        node = node.parent
    if node is None:
        return False
    made_of = _made_of(node)
    if made_of is not None:
        return made_of[0] in _CUT or made_of[0] == _YEARS
    return shows_moment(node) or _field_of(node)[0] in clocks.MONTHS


def shows_moment(node: exp.Expr) -> bool:
    """Is it a to_char that shows a date from its year on?"""
    node = node.unnest()
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "to_char" or len(node.expressions) != 2:
        return False
    pattern = node.expressions[1]
    return isinstance(pattern, exp.Literal) and pattern.name in _SHOWN


def of_shown(node: exp.Expr, texts: Sequence[str], compile_: Compile) -> Limits:
    """What `to_char(at, 'YYYY-MM') = '2024-03'` says of the date or timestamp.

    Args:
        node: what is compared, which shows a moment.
        texts: it equals one of them.
        compile_: compiles its operands.
    """
    value, pattern = node.unnest().expressions
    field, day = _SHOWN[pattern.name]
    days = [clocks.constant(day.format(text), Kind.DATE) for text in texts]
    known = [bounds.low for bounds in days if bounds is not None]
    if not known or len(known) < len(days) or find(value, exp.Case, exp.Query) is not None:
        return {}
    shown = exp.Cast(this=value.copy(), to=exp.DataType(this=exp.DType.DATE))
    last = clocks.last_of(field, max(known))
    return of_moment(shown, min(known), last, compile_)


def of_months(node: exp.Expr, limits: Limits, compile_: Compile) -> Limits:
    """What the limits of extract(month FROM at), or of a quarter, say of a date or timestamp of one year.

    Args:
        node: the expression.
        limits: what is known of itself, and of the date or timestamp.
        compile_: compiles its operands.
    """
    field, value = _field_of(node.unnest())
    if field not in clocks.MONTHS or value is None:
        return {}
    low, high = limits.get(compile_(node).sql, (None, None))
    if low is None or high is None:
        return {}
    months, moment = clocks.MONTHS[field], compile_(value)
    first, last = (math.ceil(low) - 1) * months + 1, math.floor(high) * months
    part = clocks.part_of_year(*limits.get(moment.sql, (None, None)), first, last)
    if part is None:
        return {}
    return {moment.sql: _whole_days(*part) if moment.kind is Kind.DATE else part} | dict(
        of_moment(value, *part, compile_)
    )


def _made_of(node: exp.Expr) -> tuple[str, exp.Expr] | None:
    """How an expression is made of another one, which may be a date or timestamp; None if not in the order of them."""
    node = node.unnest()
    if isinstance(node, exp.Cast):
        if node.to.this in _WHOLE_TYPES:
            return ("round", node.this) if _is_exact_seconds(node.this) else None
        function = _CASTS.get(node.to.this) if not node.to.expressions else None
        return (function, node.this) if function is not None else None
    if isinstance(node, exp.AtTimeZone):
        return (_UTC, node.this) if node.args["zone"].name.upper() == "UTC" else None
    field, value = _field_of(node)
    if value is not None:
        name = {"year": _YEARS, "epoch": _SECONDS}.get(field)
        return (name, value) if name is not None else None
    if not isinstance(node, exp.Anonymous):
        return None
    name, arguments = node.name.lower(), node.expressions
    if name == "date" and len(arguments) == 1:
        return "day", arguments[0]
    if name in _WHOLE_SECONDS and len(arguments) == 1:
        return (name, arguments[0]) if _is_exact_seconds(arguments[0]) else None
    if name not in ("date_trunc", "timezone") or len(arguments) != 2 or not isinstance(arguments[0], exp.Literal):
        return None
    first = arguments[0].name
    if name == "timezone":
        return (_UTC, arguments[1]) if first.upper() == "UTC" else None
    return (first.lower(), arguments[1]) if first.lower() in _CUT else None


def _field_of(node: exp.Expr) -> tuple[str, exp.Expr | None]:
    """The field of extract() and date_part(), and of what."""
    if isinstance(node, exp.Extract):
        return node.this.name.lower(), node.expression
    if isinstance(node, exp.Anonymous) and node.name.lower() == "date_part" and len(node.expressions) == 2:
        return node.expressions[0].name.lower(), node.expressions[1]
    return "", None


def _before(function: str, low: Limit, high: Limit) -> tuple[Limit, Limit]:
    """The limits of what a function is applied to, by the same clock."""
    if function in _CUT:
        before = clocks.last_of(function, low - MICROSECOND) if low is not None else None
        low = before + MICROSECOND if before is not None else low
        return low, clocks.last_of(function, high) if high is not None else None
    if function == _YEARS:
        first = clocks.of_years(Bounds.point(Fraction(math.ceil(low)))) if low is not None else None
        last = clocks.of_years(Bounds.point(Fraction(math.floor(high)))) if high is not None else None
        return first.low if first is not None else None, clocks.last_of("day", last.high) if last is not None else None
    return low, high


def _widened(low: Limit, high: Limit) -> tuple[Limit, Limit]:
    return low - DAY if low is not None else None, high + DAY if high is not None else None


def _whole_days(low: Limit, high: Limit) -> tuple[Limit, Limit]:
    return -(-low // DAY) * DAY if low is not None else None, high // DAY * DAY if high is not None else None
