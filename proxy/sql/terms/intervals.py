"""Intervals: constants, columns and arithmetic, limited so that a date moved by an interval stays a date.

An interval term carries its length in days as `magnitude`. Columns can hold longer intervals than dates can be moved
by: those of more than about 2700 years count as NULL.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import costs
from proxy.sql.terms.arithmetic import Compile, as_float, reciprocals, require_number, without_nan
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import arguments_of
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.spans import DAY, Span
from proxy.sql.terms.term import Term, decimal_text, quote_literal
from proxy.sql.terms.time_units import unit_named
from proxy.sql.terms.types import INTERVAL, Kind

MOST_DAYS = 1_000_000
MOST_FACTOR = Fraction(50)
"""The greatest number by which any stored interval may be multiplied; shorter ones by more."""

LONGEST = MOST_DAYS * MOST_FACTOR
"""The longest interval, in days, that enters arithmetic with intervals; twice as much still fits in microseconds."""

_DAYS_PER_UNIT = {
    "microsecond": Fraction(1, 86_400_000_000),
    "millisecond": Fraction(1, 86_400_000),
    "second": Fraction(1, 86400),
    "minute": Fraction(1, 1440),
    "hour": Fraction(1, 24),
    "day": Fraction(1),
    "week": Fraction(7),
    "month": Fraction(31),
    "year": Fraction(366),
    "decade": Fraction(3653),
    "century": Fraction(36_525),
    "millennium": Fraction(365_250),
}
_INTERVAL_PART = re.compile(
    r"\s*(?:([+-])\s*)?(?:(\d{1,12}(?:\.\d{1,6})?)\s*([a-zA-Z]+)|(\d{1,7}):(\d{2})(?::(\d{2}(?:\.\d{1,6})?))?)"
)
"""Blanks may stand between a sign and its number: '1 month - 1 day'."""
_MONTHS_PER_UNIT = {"month": 1, "year": 12, "decade": 120, "century": 1200, "millennium": 12_000}
_UNITS_OF_MONTHS = frozenset(_MONTHS_PER_UNIT)


def interval_parts(text: str) -> list[tuple[Fraction, str]] | None:
    """The numbers and units of an interval constant, as [(1, "day"), (-2, "hour")]; None if it has another form."""
    position = 0
    parts: list[tuple[Fraction, str]] = []
    for match in _INTERVAL_PART.finditer(text):
        if match.start() != position:
            break
        position = match.end()
        sign = -1 if match[1] == "-" else 1
        if match[2] is None:
            seconds = int(match[4]) * 3600 + int(match[5]) * 60 + Fraction(match[6] or 0)
            parts.append((sign * seconds, "second"))
            continue
        unit = unit_named(match[3])
        if unit is None or unit not in _DAYS_PER_UNIT:
            return None
        parts.append((sign * Fraction(match[2]), unit))
    return parts if parts and not text[position:].strip() else None


def interval_constant(node: exp.Expr, text: str) -> Term:
    """An interval constant of at most about 2700 years, so that date arithmetic stays inside Postgres's range."""
    parts = interval_parts(text)
    days = sum((abs(number) * _DAYS_PER_UNIT[unit] for number, unit in parts or []), Fraction(0))
    if parts is None or days > MOST_DAYS:
        raise unsupported(
            node,
            "this interval constant is not supported over private rows",
            rule="interval",
            hint="Write interval '3 months' or interval '1 day 2 hours', below 2700 years.",
        )
    sql, span = f"{quote_literal(text)}::interval", _span(parts)
    return Term(sql, INTERVAL, False, magnitude=days, literal=text, constant=True, span=span)


def plain_interval(text: str) -> str:
    """An interval constant in one form for all of the same length, which reads alike under every IntervalStyle.

    Args:
        text: numbers and their units; anything else is returned as it is.
    """
    parts = [(number, unit) for number, unit in interval_parts(text) or [] if number]
    if not parts:
        return "0 days" if interval_parts(text) else text
    # Under sql_standard a first sign is that of all parts, unless another one has its own.
    plus = "+" if any(number < 0 for number, _ in parts) else ""
    signed = [(plus if number > 0 else "", decimal_text(number), unit) for number, unit in parts]
    return " ".join(f"{sign}{number} {unit}{'' if number in ('1', '-1') else 's'}" for sign, number, unit in signed)


def _span(parts: list[tuple[Fraction, str]]) -> Span | None:
    """What is known of a constant; None where Postgres makes days of a fraction of a month."""
    months = days = seconds = Fraction(0)
    for number, unit in parts:
        if unit in _UNITS_OF_MONTHS:
            months += number * _MONTHS_PER_UNIT[unit]
        elif unit in ("day", "week"):
            length = number * _DAYS_PER_UNIT[unit]
            days += math.trunc(length)
            seconds += (length - math.trunc(length)) * DAY
        else:
            seconds += number * _DAYS_PER_UNIT[unit] * DAY
    if months.denominator > 1 or any(number.denominator > 1 and unit in _UNITS_OF_MONTHS for number, unit in parts):
        return None
    # With IntervalStyle = sql_standard the first sign can be that of all parts.
    signed = len(parts) == 1 or all(number >= 0 for number, _ in parts)
    return Span.constant(months, days, seconds, signed=signed)


def of_time(term: Term) -> Term:
    """A time of day as the interval since midnight."""
    span = Span.of_time(Bounds(Fraction(0), DAY))
    sql, constant = f"{term.sql}::interval", term.constant
    return Term(sql, INTERVAL, term.nullable, magnitude=Fraction(1), constant=constant, span=span)


def is_fixed_positive(text: str) -> bool:
    """Is an interval constant positive, also in whole microseconds, and made of units of constant length?"""
    least = _DAYS_PER_UNIT["microsecond"]
    return all(
        unit not in _UNITS_OF_MONTHS and number * _DAYS_PER_UNIT[unit] >= least
        for number, unit in interval_parts(text) or [(Fraction(0), "day")]
    )


def limited(term: Term, most_days: Fraction | int = LONGEST) -> Term:
    """The interval, with NULL for too long ones: all fields fit, so that no step with it can fail."""
    if term.magnitude is not None and term.magnitude <= most_days:
        return term
    sql = term.sql
    # Years, days and hours may each make up a third of MOST_DAYS.
    small = (
        f"abs(extract(year from {sql})) <= 900 AND abs(extract(day from {sql})) <= 330000 "
        f"AND abs(extract(hour from {sql})) <= 7900000"
    )
    return replace(
        term, sql=f"(CASE WHEN {small} THEN {sql} END)", nullable=True, magnitude=Fraction(MOST_DAYS), literal=None
    )


def _interval(node: exp.Expr, _: Compile) -> Term:
    value, unit = node.this, node.args.get("unit")
    if not isinstance(value, exp.Literal):
        raise unsupported(node, "expected a constant interval", rule="interval")
    if unit is not None and "." in value.name and not node.args.get("fraction_in_string"):
        raise unsupported(
            node,
            "a fraction before the unit of an interval is not supported",
            rule="interval",
            detail="PostgreSQL drops everything smaller than the unit.",
            hint="Write interval '1.5 days', with the unit inside the quotes.",
        )
    return interval_constant(node, f"{value.name} {unit.name}" if unit is not None else value.name)


def counted(node: exp.Expr, number: exp.Expr, unit: str, compile_: Compile) -> Term:
    """So many units, each of them a whole number of microseconds, days or months."""
    one = exp.Interval(this=exp.Literal.string(f"1 {unit}"))
    return scale(node, compile_(number), _interval(one, compile_))


_MADE_OF = {
    "years": "year",
    "months": "month",
    "weeks": "week",
    "days": "day",
    "hours": "hour",
    "mins": "minute",
    "secs": "second",
}
"""The arguments of make_interval, in their order, and what each of them counts."""


def _make_interval(node: exp.Anonymous, compile_: Compile) -> Term:
    """make_interval(days => n): the sum of so many of each unit."""
    total: Term | None = None
    for place, argument in enumerate(node.expressions):
        if isinstance(argument, (exp.Kwarg, exp.PropertyEQ)):
            unit, number = _MADE_OF[argument.this.name.lower()], argument.expression
        else:
            unit, number = list(_MADE_OF.values())[place], argument
        if isinstance(number, exp.Literal) and number.name == "0":
            continue
        part = counted(node, number, unit, compile_)
        total = part if total is None else add_or_subtract("+", total, part)
    return total if total is not None else interval_constant(node, "0 days")


def negate(term: Term) -> Term:
    """`- interval`."""
    value = limited(term)
    return replace(value, sql=f"(- {value.sql})", literal=None, span=-value.span if value.span is not None else None)


def add_or_subtract(symbol: str, left: Term, right: Term) -> Term:
    """Interval ± interval."""
    left, right = limited(left), limited(right)
    nullable, constant = left.nullable or right.nullable, left.constant and right.constant
    magnitude = (left.magnitude or Fraction(0)) + (right.magnitude or Fraction(0))
    span = None
    if left.span is not None and right.span is not None:
        span = left.span + right.span if symbol == "+" else left.span - right.span
    sql = f"({left.sql} {symbol} {right.sql})"
    return Term(sql, INTERVAL, nullable, magnitude=magnitude, constant=constant, span=span)


def scale(node: exp.Expr, left: Term, right: Term) -> Term:
    """Interval * number, number * interval, interval / number: NULL where the result would be too long. A time of day
    counts as the interval since midnight."""
    interval, number = (right, left) if left.type.is_number else (left, right)
    if interval.kind is Kind.TIME:
        interval = of_time(interval)
    number = require_number(node, number)
    if interval.literal is None and not _is_moderate(node, number):
        return _scaled_as_far_as_it_goes(node, interval, number)
    interval = limited(interval, MOST_DAYS)
    days = max(interval.magnitude or Fraction(0), Fraction(1, 10**6))
    value = without_nan(as_float(number))
    constant = interval.constant and number.constant
    known = interval.span or Span(None, None, None, None)
    if isinstance(node, exp.Div):
        span = known.times(reciprocals(number, max(number.step or Fraction(0), 1 / MOST_FACTOR)), whole=False)
        sql = f"(CASE WHEN abs({value.sql}) >= {decimal_text(1 / MOST_FACTOR)} THEN {interval.sql} / {value.sql} END)"
        return Term(sql, INTERVAL, True, magnitude=days * MOST_FACTOR, constant=constant, span=span)
    most = MOST_DAYS / days if interval.literal is not None else MOST_FACTOR
    inside = number.magnitude is not None and number.magnitude <= most
    sql = f"({value.sql} * {interval.sql})"
    if not inside:
        sql = f"(CASE WHEN abs({value.sql}) <= {int(most)} THEN {sql} END)"
    span = known.times(number.bounds, whole=number.kind is Kind.INTEGER)
    return Term(sql, INTERVAL, True, magnitude=most * days, constant=constant, span=span)


def _is_moderate(node: exp.Expr, number: Term) -> bool:
    """Does a number make an interval at most MOST_FACTOR times as long? Columns do that as divisors, since those near 0
    do not count: without a least one the result would have no bounds."""
    if not isinstance(node, exp.Div):
        return number.magnitude is not None and number.magnitude <= MOST_FACTOR
    above, below = number.lowest, number.highest
    least = 1 / MOST_FACTOR
    return not number.constant or (above is not None and above >= least) or (below is not None and below <= -least)


def _scaled_as_far_as_it_goes(node: exp.Expr, interval: Term, number: Term) -> Term:
    """An interval times a number that can be large, or divided by a small constant: NULL where the result would be too
    long."""
    value, fields = without_nan(as_float(number)), interval.sql
    length = (
        f"(abs(extract(year from {fields})) * 366 + abs(extract(month from {fields})) * 31 "
        f"+ abs(extract(day from {fields})) + (abs(extract(hour from {fields})) + 1) / 24)"
    )
    known = interval.span or Span(None, None, None, None)
    if isinstance(node, exp.Div):
        fits = f"{length} <= least(abs({value.sql}), 1) * {LONGEST}"
        sql = f"(CASE WHEN {fits} THEN {fields} / {value.sql} END)"
        span = known.times(reciprocals(number, number.step), whole=False)
    else:
        # A part of an hour is too long, too, times this.
        fits = f"{length} * least(abs({value.sql}), {25 * LONGEST}) <= {LONGEST}"
        sql = f"(CASE WHEN {fits} THEN {value.sql} * {fields} END)"
        span = known.times(number.bounds, whole=number.kind is Kind.INTEGER)
    constant = interval.constant and number.constant
    return Term(sql, INTERVAL, True, magnitude=LONGEST, constant=constant, span=span)


def _justified(node: exp.Anonymous, compile_: Compile) -> Term:
    """justify_days, justify_hours and justify_interval: the same length in other units."""
    value = arguments_of(node, compile_, 1)[0]
    if value.kind is not Kind.INTERVAL:
        raise unsupported(node, f"{node.name.lower()}() requires an interval", rule="datetime-type", hint="Cast it.")
    value = limited(value)
    # A month counts as 30 days here and as 31 in magnitudes.
    magnitude = (value.magnitude or Fraction(0)) * 2
    name = node.name.lower()
    span = value.span.justified() if value.span is not None and name == "justify_hours" else None
    return replace(value, sql=f"{name}({value.sql})", magnitude=magnitude, literal=None, span=span)


OPERATIONS = (
    Operation(exp.Interval, _interval, costs.flat(0), arguments="unit fraction_in_string", tried=None, folded=True),
    Operation("make_interval", _make_interval, costs.date, tried=None, strict=True, folded=True),
    Operation(
        "justify_days justify_hours justify_interval", _justified, costs.date, tried=None, strict=True, folded=True
    ),
)
