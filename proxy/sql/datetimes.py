"""Dates and times that cannot fail: functions take values outside the years 1 to 9999, infinities too, as NULL."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from proxy.sql.arithmetic import Compile
from proxy.sql.interval import Interval
from proxy.sql.refusal import unsupported
from proxy.sql.term import Term, quote_literal
from proxy.sql.types import DATE, DOUBLE, INTEGER, INTERVAL, NUMERIC, TEXT, TIMESTAMP, TIMESTAMPTZ, Kind, SqlType

TRUNCATION_FIELDS = frozenset(
    ["second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade", "century"]
)

_FIELD_RANGES: dict[str, tuple[int, int]] = {
    "year": (1, 9999),
    "isoyear": (0, 10000),
    "decade": (0, 1000),
    "century": (1, 100),
    "quarter": (1, 4),
    "month": (1, 12),
    "week": (1, 53),
    "day": (1, 31),
    "doy": (1, 366),
    "dow": (0, 6),
    "isodow": (1, 7),
    "hour": (0, 23),
    "minute": (0, 59),
}
_TIME_FIELDS = frozenset(["hour", "minute"])

_DAYS_PER_UNIT = {
    "second": Fraction(1, 86400),
    "sec": Fraction(1, 86400),
    "minute": Fraction(1, 1440),
    "min": Fraction(1, 1440),
    "hour": Fraction(1, 24),
    "day": Fraction(1),
    "week": Fraction(7),
    "month": Fraction(31),
    "mon": Fraction(31),
    "quarter": Fraction(93),
    "year": Fraction(366),
}
_MOST_DAYS = 1_000_000
_PLAIN_DATE = re.compile(r"(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9:.+-]*)?")
"""ISO constants of the years 1 to 9999; infinities and dates before Christ or after 9999 look otherwise."""
_INTERVAL_PART = re.compile(
    r"\s*([+-]?\d{1,12}(?:\.\d{1,6})?)\s*([a-zA-Z]+)|\s*[+-]?\d{1,7}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?"
)


def field_range(field: str) -> tuple[int, int] | None:
    """The values extract(field) can have for years 1 to 9999; None for fields that are not whole numbers."""
    return _FIELD_RANGES.get(field)


def guarded(term: Term) -> Term:
    """The term with values outside the years 1 to 9999 as NULL; date and time functions cannot fail on the rest."""
    if term.literal is not None and _PLAIN_DATE.fullmatch(term.literal):
        return term
    sql = f"(CASE WHEN {term.sql} BETWEEN '0001-01-01' AND '9999-12-31' THEN {term.sql} END)"
    return replace(term, sql=sql, nullable=True, literal=None)


def not_ancient(term: Term) -> str:
    """The value with years before 1 as NULL, which is all that date_trunc needs: it never moves a date forward."""
    if term.constant:
        return term.sql
    latest = f" AND {term.sql} <= '9999-12-31'" if term.kind is Kind.DATE else ""
    return f"(CASE WHEN {term.sql} >= '0001-01-01'{latest} THEN {term.sql} END)"


def require_datetime(node: exp.Expr, term: Term) -> Term:
    if term.type.is_datetime:
        return term
    raise unsupported(
        node,
        f"a date or timestamp is needed here, not {term.type.name}",
        rule="datetime-type",
        hint="Write constants with their type, as in date '2025-01-31' or timestamp '2025-01-31 12:00'.",
    )


def truncated_type(type_: SqlType) -> SqlType:
    """date_trunc of a date is a timestamp with time zone in Postgres."""
    return TIMESTAMPTZ if type_.kind is Kind.DATE else type_


def constant_field(node: exp.Expr, term: Term, allowed: frozenset[str]) -> str:
    """The constant field name of date_trunc."""
    field = (term.literal or "").lower()
    if field not in allowed:
        raise unsupported(
            node,
            "date_trunc needs a constant field",
            rule="constant-argument",
            hint=f"One of {', '.join(sorted(allowed))}.",
        )
    return field


def _truncate(node: exp.Anonymous, compile_: Compile) -> Term:
    if len(node.expressions) != 2:
        raise unsupported(node, "date_trunc() with these arguments is not supported", rule="function")
    field = constant_field(node, compile_(node.expressions[0]), TRUNCATION_FIELDS)
    value = require_datetime(node, compile_(node.expressions[1]))
    sql = f"date_trunc('{field}', {not_ancient(value)})"
    return Term(sql, truncated_type(value.type), True, constant=value.constant)


def _extract(node: exp.Expr, compile_: Compile) -> Term:
    field = node.this.name.lower()
    value = compile_(node.expression)
    one = Fraction(1)
    if value.kind is Kind.INTERVAL or field in ("epoch", "second"):
        if field != "epoch" and field not in _FIELD_RANGES and field != "second":
            raise _unknown_field(node, field)
        if value.kind is Kind.INTERVAL and field not in ("epoch", "day", "hour", "minute", "second", "month", "year"):
            raise _unknown_field(node, field)
        if value.kind is Kind.DATE and field == "second":
            raise _unknown_field(node, field)
        operand = value if value.kind is Kind.INTERVAL else guarded(require_datetime(node, value))
        micro = Fraction(1, 10**6)
        reach = Fraction(10) ** 13
        return Term(
            f"extract({field} from {operand.sql})", NUMERIC, True, None, micro, micro, reach, constant=value.constant
        )
    limits = _FIELD_RANGES.get(field)
    value = require_datetime(node, value)
    if limits is None or (field in _TIME_FIELDS and value.kind is Kind.DATE):
        raise _unknown_field(node, field)
    bounds = Interval(Fraction(limits[0]), Fraction(limits[1]))
    sql = f"extract({field} from {guarded(value).sql})"
    return Term(sql, NUMERIC, True, bounds, one, one, bounds.magnitude, constant=value.constant)


def _date_part(node: exp.Anonymous, compile_: Compile) -> Term:
    """date_part('field', x): extract as double precision."""
    field = compile_(node.expressions[0]).literal if len(node.expressions) == 2 else None
    if field is None or not field.isalpha():
        raise unsupported(node, "date_part needs a constant field", rule="constant-argument")
    term = _extract(exp.Extract(this=exp.var(field), expression=node.expressions[1]), compile_)
    return replace(term, sql=f"{term.sql}::double precision", type=DOUBLE, grid=None, magnitude=None)


def _unknown_field(node: exp.Expr, field: str) -> Exception:
    return unsupported(
        node,
        f"extract({field} …) is not supported for this type",
        rule="constant-argument",
        hint=f"One of {', '.join(sorted(_FIELD_RANGES))}, epoch.",
    )


def _age(node: exp.Anonymous, compile_: Compile) -> Term:
    if len(node.expressions) != 2:
        raise unsupported(node, "age() needs two timestamps here", rule="function", hint="Write age(current_date, x).")
    first, second = (guarded(require_datetime(node, compile_(argument))) for argument in node.expressions)
    return Term(f"age({first.sql}, {second.sql})", INTERVAL, True, constant=first.constant and second.constant)


def _to_char(node: exp.Anonymous, compile_: Compile) -> Term:
    if len(node.expressions) != 2:
        raise unsupported(node, "to_char() with these arguments is not supported", rule="function")
    value, pattern = require_datetime(node, compile_(node.expressions[0])), compile_(node.expressions[1])
    if pattern.literal is None or len(pattern.literal) > 100:
        raise unsupported(node, "to_char() needs a constant format", rule="constant-argument")
    return Term(f"to_char({guarded(value).sql}, {pattern.sql})", TEXT, True, constant=value.constant)


def interval_constant(node: exp.Expr, text: str) -> Term:
    """An interval constant of at most about 2700 years, so that date arithmetic stays inside Postgres's range."""
    position, days = 0, Fraction(0)
    for match in _INTERVAL_PART.finditer(text):
        if match.start() != position:
            break
        position = match.end()
        if match[1] is None:
            days += 1_000_000 // 24
            continue
        per_unit = _DAYS_PER_UNIT.get(match[2].lower().rstrip("s") or "s")
        if per_unit is None:
            break
        days += abs(Fraction(match[1])) * per_unit
    if position == 0 or text[position:].strip() or days > _MOST_DAYS:
        raise unsupported(
            node,
            "this interval constant is not supported over private rows",
            rule="interval",
            hint="Write interval '3 months' or interval '1 day 2 hours', below 2700 years.",
        )
    return Term(f"{quote_literal(text)}::interval", INTERVAL, False, literal=text, constant=True)


def _interval(node: exp.Expr, _: Compile) -> Term:
    value, unit = node.this, node.args.get("unit")
    if not isinstance(value, exp.Literal):
        raise unsupported(node, "an interval must be a constant here", rule="interval")
    return interval_constant(node, f"{value.name} {unit.name}" if unit is not None else value.name)


def arithmetic_on_dates(node: exp.Expr, left: Term, right: Term) -> Term:
    """date ± days, timestamp ± interval, date - date, timestamp - timestamp."""
    symbol = "+" if isinstance(node, exp.Add) else "-" if isinstance(node, exp.Sub) else None
    if symbol == "+" and right.type.is_datetime:
        left, right = right, left
    constant = left.constant and right.constant
    if symbol and left.type.is_datetime:
        value = guarded(left)
        if right.kind is Kind.INTERVAL and right.literal is not None:
            type_ = TIMESTAMP if left.kind is Kind.DATE else left.type
            return Term(f"({value.sql} {symbol} {right.sql})", type_, True, constant=constant)
        days = (
            right.literal is not None and right.literal.lstrip("-").isdigit() and abs(int(right.literal)) <= _MOST_DAYS
        )
        if left.kind is Kind.DATE and right.kind is Kind.INTEGER and days:
            return Term(f"({value.sql} {symbol} {right.sql})", DATE, True, constant=constant)
        if symbol == "-" and right.kind is left.kind:
            sql = f"({value.sql} - {guarded(right).sql})"
            one, reach = Fraction(1), Fraction(4_000_000)
            if left.kind is Kind.DATE:
                return Term(sql, INTEGER, True, Interval(-reach, reach), one, one, reach, constant=constant)
            return Term(sql, INTERVAL, True, constant=constant)
    raise unsupported(
        node,
        f"arithmetic between {left.type.name} and {right.type.name} is not supported over private rows",
        rule="date-arithmetic",
        hint="Supported: date ± constant days, timestamp ± interval 'constant', date - date, timestamp - timestamp.",
    )


HANDLERS: dict[type[exp.Expr], Callable[[exp.Expr, Compile], Term]] = {
    exp.Extract: _extract,
    exp.Interval: _interval,
}

CALLS: dict[str, Callable[[exp.Anonymous, Compile], Term]] = {
    "date_trunc": _truncate,
    "date_part": _date_part,
    "age": _age,
    "to_char": _to_char,
}
