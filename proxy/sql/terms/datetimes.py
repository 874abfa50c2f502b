"""Dates and times that cannot fail: functions take values outside the years 1 to 9999, and infinities, as NULL."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import clocks, costs, intervals
from proxy.sql.terms.arithmetic import Compile, as_float, require_number
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import arguments_of, constant_text, not_allowed, not_constant
from proxy.sql.terms.operation import Operation, StageFunction
from proxy.sql.terms.spans import DAY
from proxy.sql.terms.term import Term, quote_literal
from proxy.sql.terms.types import (
    BOOLEAN,
    DATE,
    DOUBLE,
    INTERVAL,
    NUMERIC,
    TIMESTAMP,
    TIMESTAMPTZ,
    Kind,
    SqlType,
)

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
    "second": (0, 60),
    "millisecond": (0, 60_000),
    "microsecond": (0, 60_000_000),
    "millennium": (1, 10),
    "timezone": (-57_600, 57_600),
    "timezone_hour": (-16, 16),
    "timezone_minute": (-59, 59),
}
_FIELD_STEPS = {
    "second": Fraction(1, 10**6),
    "epoch": Fraction(1, 10**6),
    "millisecond": Fraction(1, 1000),
}
_TIME_FIELDS = frozenset(["hour", "minute", "second", "millisecond", "microsecond", "epoch"])
_ZONE_FIELDS = frozenset(["timezone", "timezone_hour", "timezone_minute"])
_DATE_FIELDS = frozenset(_FIELD_RANGES) - _TIME_FIELDS - _ZONE_FIELDS | {"epoch"}
_ZONED_TIME = "time with time zone"
_INTERVAL_FIELDS = _TIME_FIELDS | {"day", "month", "year"}
_SMALL_INTERVAL_FIELDS = frozenset(["month", "minute", "second", "millisecond", "microsecond"])

_PLAIN_DATE = re.compile(r"(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9:.+-]*)?")
"""ISO constants of the years 1 to 9999; infinities and other years have another form."""
_ORIGIN = re.compile(rf"{_PLAIN_DATE.pattern}(?: ?(?:Z|UTC|GMT))?", re.IGNORECASE)
"""Also those that name the clock of UTC; with a type, the stage has written any other zone as an offset."""
LONGEST_SPAN = Fraction(4_000_000)
"""More days than the years 1 to 9999 have."""
_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_214_400
"""The first moment of the year 1 and the last day of 9999, in seconds since 1970."""


def field_range(field: str) -> tuple[int, int] | None:
    """The values of extract(field) in the years 1 to 9999; None for fields with fractions or very many values."""
    few = field in _DATE_FIELDS or field in ("hour", "minute", "timezone_hour", "timezone_minute")
    return _FIELD_RANGES.get(field) if few else None


def guarded(term: Term) -> Term:
    """The term with values outside the years 1 to 9999 as NULL; date and time functions cannot fail on the rest."""
    if term.literal is not None and _PLAIN_DATE.fullmatch(term.literal):
        return term
    sql = f"(CASE WHEN {term.sql} BETWEEN '0001-01-01' AND '9999-12-31' THEN {term.sql} END)"
    return replace(term, sql=sql, nullable=True, literal=None)


def recast(term: Term, type_: SqlType, name: str) -> Term:
    """A guarded date or timestamp as another of these types, whose SQL name may have a precision."""
    bounds = rounded(clocks.cast(term.bounds, term.kind, type_.kind), name)
    return replace(term, sql=f"{term.sql}::{name}", type=type_, bounds=bounds, low=None, high=None, literal=None)


def rounded(bounds: Bounds | None, name: str) -> Bounds | None:
    """The bounds as those of the type with this SQL name, which rounds to whole seconds at most."""
    return bounds.onto_grid(Fraction(1)) if bounds is not None and "(" in name else bounds


def not_ancient(term: Term) -> str:
    """The value with years before 1 as NULL, which suffices for date_trunc: it never moves a date forward."""
    if term.constant:
        return term.sql
    latest = f" AND {term.sql} <= '9999-12-31'" if term.kind is Kind.DATE else ""
    return f"(CASE WHEN {term.sql} >= '0001-01-01'{latest} THEN {term.sql} END)"


def require_datetime(node: exp.Expr, term: Term) -> Term:
    if term.type.is_datetime:
        return term
    raise unsupported(
        node,
        f"expected a date or timestamp, got {term.type.name}",
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
            "date_trunc() requires a constant field",
            rule="constant-argument",
            hint=f"One of {', '.join(sorted(allowed))}.",
        )
    return field


def _truncate(node: exp.Anonymous, compile_: Compile) -> Term:
    """date_trunc of a date or timestamp, with a constant zone too, and of an interval."""
    terms = arguments_of(node, compile_, 2, 3)
    field = constant_field(node, terms[0], TRUNCATION_FIELDS)
    if terms[1].kind is Kind.INTERVAL and len(terms) == 2 and field != "week":
        value = intervals.limited(terms[1])
        return replace(value, sql=f"date_trunc('{field}', {value.sql})", span=None, literal=None)
    value = require_datetime(node, terms[1])
    type_ = truncated_type(value.type)
    if len(terms) == 2:
        bounds = clocks.truncated(value.bounds, value.kind, field)
        return Term(f"date_trunc('{field}', {not_ancient(value)})", type_, True, bounds, constant=value.constant)
    zone = known_zone(node, terms[2])
    if type_.kind is not Kind.TIMESTAMPTZ:
        raise unsupported(node, "date_trunc() with these arguments is not supported", rule="function")
    sql = f"(CASE WHEN {zone.check} THEN date_trunc('{field}', {guarded(value).sql}, {zone.sql}) END)"
    bounds = clocks.truncated(value.bounds, value.kind, field)
    return Term(sql, type_, True, bounds, constant=value.constant)


@dataclass(frozen=True)
class _Zone:
    """A constant time zone: its SQL for the source, and a condition that is true where the source knows it.

    The condition is computed while the source plans, whatever the rows hold: a zone that only the stage knows fails for
    every row alike.
    """

    sql: str
    check: str


def known_zone(node: exp.Expr, term: Term) -> _Zone:
    """A constant time zone that the stage has looked up before."""
    text = quote_literal(constant_text(node, term, "a time zone"))
    return _Zone(text, f"timezone({text}, timestamp '2000-01-01') IS NOT NULL")


def _clock(zone: exp.Expr) -> exp.Expr:
    """A look-up of a time zone: the clock there at some moment."""
    moment = exp.Literal.string("2000-01-01 00:00:00+00")
    type_ = exp.DataType.build("timestamp with time zone", dialect="postgres")
    return exp.Anonymous(this="timezone", expressions=[zone.copy(), exp.Cast(this=moment, to=type_)])


def _clock_in(place: int, *, of: int) -> Callable[[exp.Expr], exp.Expr | None]:
    """The look-up of the argument at `place`, for calls with `of` arguments."""
    return lambda node: _clock(node.expressions[place]) if len(node.expressions) == of else None


def _at_time_zone(node: exp.Expr, compile_: Compile) -> Term:
    return _moved(node, compile_(node.args["zone"]), compile_(node.this))


def _timezone(node: exp.Anonymous, compile_: Compile) -> Term:
    zone, value = arguments_of(node, compile_, 2)
    return _moved(node, zone, value)


def _moved(node: exp.Expr, zone_term: Term, value: Term) -> Term:
    """timestamp AT TIME ZONE zone is an instant; an instant (or date) AT TIME ZONE zone is a timestamp there."""
    zone = known_zone(node, zone_term)
    value = guarded(require_datetime(node, value))
    type_ = TIMESTAMPTZ if value.kind is Kind.TIMESTAMP else TIMESTAMP
    sql = f"(CASE WHEN {zone.check} THEN timezone({zone.sql}, {value.sql}) END)"
    moment = clocks.cast(value.bounds, value.kind, Kind.TIMESTAMPTZ) if value.kind is Kind.DATE else value.bounds
    return Term(sql, type_, True, clocks.in_zone(moment, zone.sql), constant=value.constant)


def _binned(node: exp.Anonymous, compile_: Compile) -> Term:
    """date_bin('15 minutes', timestamp, origin) with constant stride and origin."""
    stride, value, origin = arguments_of(node, compile_, 3)
    text = stride.literal or ""
    if not intervals.is_fixed_positive(text) or origin.literal is None or not _ORIGIN.fullmatch(origin.literal):
        raise unsupported(
            node,
            "date_bin() requires a constant stride of days or less, and a constant origin",
            rule="constant-argument",
            hint=f"Write date_bin('15 minutes', x, {_origin_of(value)}).",
        )
    stride = intervals.interval_constant(node, text)
    origins = (value.kind, Kind.UNKNOWN, Kind.DATE, Kind.TIMESTAMP)  # which Postgres casts to the type of the value
    if value.kind not in (Kind.TIMESTAMP, Kind.TIMESTAMPTZ) or origin.kind not in origins:
        raise unsupported(
            node,
            "date_bin() requires two timestamps of the same type",
            rule="datetime-type",
            hint=f"Write date_bin('{text}', x, {_origin_of(value)}); a date x has to be cast, as in x::timestamp.",
        )
    sql = f"date_bin({stride.sql}, {guarded(value).sql}, {origin.sql}::{value.type.name})"
    back = (stride.magnitude or Fraction(0)) * DAY
    bounds = Bounds(value.bounds.low - back, value.bounds.high) if value.bounds is not None else None
    return Term(sql, value.type, True, bounds, constant=value.constant)


def _origin_of(value: Term) -> str:
    """A constant from which bins of such values can be counted."""
    return "timestamptz '2000-01-01 00:00+00'" if value.kind is Kind.TIMESTAMPTZ else "timestamp '2000-01-01'"


def _from_epoch(node: exp.Anonymous, compile_: Compile) -> Term:
    """to_timestamp(seconds)."""
    seconds = as_float(require_number(node, arguments_of(node, compile_, 1)[0]))
    sql = f"(CASE WHEN {seconds.sql} BETWEEN {_FIRST_SECOND} AND {_LAST_SECOND} THEN to_timestamp({seconds.sql}) END)"
    bounds = seconds.bounds.onto_grid(Fraction(1, 10**6)) if seconds.bounds is not None else None
    return Term(sql, TIMESTAMPTZ, True, bounds, constant=seconds.constant)


def _date(node: exp.Anonymous, compile_: Compile) -> Term:
    """date(x), which is x::date."""
    value = require_datetime(node, arguments_of(node, compile_, 1)[0])
    return recast(guarded(value), DATE, DATE.name)


def _made_date(node: exp.Anonymous, compile_: Compile) -> Term:
    """make_date(year, month, day) in the years 1 to 9999: NULL where Postgres fails, as for February 30."""
    parts = [require_number(node, term) for term in arguments_of(node, compile_, 3)]
    if any(part.kind is not Kind.INTEGER for part in parts):
        raise unsupported(
            node, "make_date() takes three integers", rule="function", hint="Cast them: extract(year FROM x)::int."
        )
    year, month, day = (part.sql for part in parts)
    date = f"(make_date({year}::integer, {month}::integer, 1) + ({day}::integer - 1))"
    possible = f"{year} BETWEEN 1 AND 9999 AND {month} BETWEEN 1 AND 12 AND {day} BETWEEN 1 AND 31"
    # The day after a month's last one is in the next month.
    exists = f"CASE WHEN {day} <= 28 OR extract(month FROM {date}) = {month} THEN {date} END"
    sql, constant = f"(CASE WHEN {possible} THEN {exists} END)", all(part.constant for part in parts)
    return Term(sql, DATE, True, clocks.of_years(parts[0].bounds), constant=constant)


def _extract(node: exp.Expr, compile_: Compile) -> Term:
    return _field(node, node.this.name, compile_(node.expression))


def _field(node: exp.Expr, name: str, value: Term) -> Term:
    """extract(field FROM value) for the fields that the value's type has."""
    field = name.lower()
    limits = _FIELD_RANGES.get(field)
    if field not in _fields_of(value.type):
        raise _unknown_field(node, name, value.type)
    if value.kind is Kind.INTERVAL:
        operand = intervals.limited(value).sql
    else:
        operand = value.sql if is_time(value.type) else guarded(value).sql
    one, step = Fraction(1), _FIELD_STEPS.get(field, Fraction(1))
    bounds = Bounds(Fraction(limits[0]), Fraction(limits[1])) if limits is not None else None
    if value.kind is Kind.INTERVAL and field not in _SMALL_INTERVAL_FIELDS:
        bounds = None
    elif value.kind is Kind.INTERVAL and bounds is not None:
        bounds = Bounds(-bounds.high, bounds.high)
    magnitude = max(bounds.magnitude, one) if bounds is not None else Fraction(10) ** 18
    if value.span is not None:
        bounds = value.span.field(field) or bounds
    elif value.type.is_datetime:
        bounds = clocks.field(field, value.bounds, value.kind) or bounds
    elif is_time(value.type) and field == "epoch":
        bounds = Bounds(Fraction(0), DAY)
        bounds = bounds if value.kind is Kind.TIME else bounds.widened(DAY)  # by the clock of UTC
    sql = f"extract({field} from {operand})"
    return Term(sql, NUMERIC, True, bounds, step, step, magnitude, constant=value.constant)


def is_time(type_: SqlType) -> bool:
    """Is it a time of day, with or without a zone?"""
    return type_.kind is Kind.TIME or type_.name == _ZONED_TIME


def _fields_of(type_: SqlType) -> frozenset[str]:
    if type_.kind is Kind.INTERVAL:
        return _INTERVAL_FIELDS
    if is_time(type_):
        return _TIME_FIELDS | (_ZONE_FIELDS if type_.name == _ZONED_TIME else frozenset())
    if type_.kind is Kind.DATE:
        return _DATE_FIELDS
    if type_.kind is Kind.TIMESTAMP:
        return _DATE_FIELDS | _TIME_FIELDS
    if type_.kind is Kind.TIMESTAMPTZ:
        return _DATE_FIELDS | _TIME_FIELDS | _ZONE_FIELDS
    return frozenset()


def _date_part(node: exp.Anonymous, compile_: Compile) -> Term:
    """date_part('field', x): extract as double precision."""
    field, value = arguments_of(node, compile_, 2)
    if field.literal is None or not field.literal.isalpha():
        raise not_constant(node, "date_part() requires a constant field")
    term = _field(node, field.literal, value)
    return replace(term, sql=f"{term.sql}::double precision", type=DOUBLE, grid=None, magnitude=None)


def _unknown_field(node: exp.Expr, field: str, type_: SqlType) -> Exception:
    fields = sorted(_fields_of(type_))
    return unsupported(
        node,
        f"extract({field} …) of {type_.name} is not supported",
        rule="constant-argument",
        hint=f"One of {', '.join(fields)}." if fields else "Dates, timestamps, times and intervals have fields.",
    )


def _age(node: exp.Anonymous, compile_: Compile) -> Term:
    """age(x, y); age(x) became age(current_date, x) before constants were folded."""
    written = arguments_of(node, compile_, 2)
    # Postgres reads a text beside a moment as one, and beside a date too, whose midnight is that of the same clock.
    read_as = exp.DType.TIMESTAMPTZ if any(term.kind is Kind.TIMESTAMPTZ for term in written) else exp.DType.TIMESTAMP
    for place, (argument, term) in enumerate(zip(node.expressions, written, strict=True)):
        if term.kind is Kind.UNKNOWN and term.literal is not None:
            written[place] = compile_(exp.Cast(this=argument.copy(), to=exp.DataType(this=read_as)))
    first, second = (guarded(require_datetime(node, term)) for term in written)
    changing = first.kind is not Kind.TIMESTAMP or second.kind is not Kind.TIMESTAMP
    span = clocks.age(first.bounds, second.bounds, clocks_change=changing)
    found = Term(f"age({first.sql}, {second.sql})", INTERVAL, True, magnitude=LONGEST_SPAN, span=span)
    return replace(found, constant=first.constant and second.constant)


def _is_finite(node: exp.Anonymous, compile_: Compile) -> Term:
    value = arguments_of(node, compile_, 1)[0]
    if value.kind is not Kind.INTERVAL:
        require_datetime(node, value)
    return Term(f"isfinite({value.sql})", BOOLEAN, value.nullable, constant=value.constant)


def _overlaps(node: exp.Expr, compile_: Compile) -> Term:
    """(start, end) OVERLAPS (start, end), where an end may be an interval."""
    pairs = []
    for pair in (node.this, node.expression):
        if not isinstance(pair, exp.Tuple) or len(pair.expressions) != 2:
            raise not_allowed(node)
        start, end = (compile_(member) for member in pair.expressions)
        if end.kind is Kind.INTERVAL:
            end = intervals.limited(end, intervals.MOST_DAYS)
        elif end.type != start.type:
            raise not_allowed(node)
        else:
            end = guarded(end)
        pairs.append((guarded(require_datetime(node, start)), end))
    if pairs[0][0].type != pairs[1][0].type:
        raise not_allowed(node)
    texts = [f"({start.sql}, {end.sql})" for start, end in pairs]
    return Term(f"({texts[0]} OVERLAPS {texts[1]})", BOOLEAN, True)


OPERATIONS = (
    Operation(exp.Extract, _extract, costs.date, tried=None, strict=True, folded=True),
    Operation(
        exp.AtTimeZone,
        _at_time_zone,
        costs.date,
        arguments="zone",
        tried=lambda node: _clock(node.args["zone"]),
        strict=True,
        folded=True,
    ),
    Operation(exp.Overlaps, _overlaps, costs.date, tried=None),
    Operation("date_trunc", _truncate, costs.date, tried=_clock_in(2, of=3), strict=True, folded=True),
    Operation("timezone", _timezone, costs.date, tried=_clock_in(0, of=2), strict=True, folded=True),
    Operation("date_part", _date_part, costs.date, tried=None, strict=True, folded=True),
    Operation("date_bin", _binned, costs.date, tried=None, strict=True, folded=True),
    Operation("age", _age, costs.date, tried=None, strict=True, folded=True),
    Operation("date", _date, costs.date, tried=None, strict=True, folded=True),
    Operation("make_date", _made_date, costs.flat(6000), tried=None, strict=True, folded=True),
    Operation("to_timestamp", _from_epoch, costs.date, tried=None, strict=True, folded=True),
    Operation("isfinite", _is_finite, costs.date, tried=None, strict=True, folded=True),
    StageFunction("now transaction_timestamp statement_timestamp to_date to_number"),
    StageFunction("make_time make_timestamp make_timestamptz"),
    StageFunction("current_timestamp localtimestamp current_time localtime"),
    StageFunction((exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime, exp.Localtime, exp.Localtimestamp)),
)
