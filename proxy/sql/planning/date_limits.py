"""The declared limits of a date or timestamp, through functions that keep the order of values (casts and date_trunc),
narrowed by comparisons in WHERE."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from proxy.policy.model import Bound
from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import walk
from proxy.sql.replacing import replace
from proxy.sql.rows.members import ColumnOrigin, Derived
from proxy.sql.rows.narrowing import met_by
from proxy.sql.rows.presence import leaves_no_null
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.clocks import MOVED_DAYS, with_offset
from proxy.sql.terms.datetimes import TRUNCATION_FIELDS, known_zone
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.intervals import interval_constant
from proxy.sql.terms.limits import together
from proxy.sql.terms.moment_limits import is_of_seconds
from proxy.sql.terms.spans import DAY, MICROSECOND
from proxy.sql.terms.term import Term, decimal_text
from proxy.sql.terms.types import Kind

Conditions = list[tuple[exp.Expr, Relation]]
"""Conditions that all rows meet, each with the relation of its columns."""

_NO_MONTHS = Bounds.point(0)
_MOST_SHIFTED = 10_000
"""The most days of an interval that shifts limits: however many are nested, dates stay inside Postgres's range."""

_DAY = "interval '24 hours'"

_DATE = re.compile(
    r"'?(?P<date>\d{4}-\d\d-\d\d)(?P<time>[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(?P<zone>[+-]\d\d(:\d\d)?)?)?'?(::[a-z ]+)?$"
)
"""A constant date or moment as Postgres writes it, and as most tools do."""

_ANY_ZONE = dt.timedelta(days=16)
"""More than a session's TimeZone may be away from UTC, and a day."""

_MOST_MICROSECONDS = 10**17
"""From 1970 to years of which dates can be made, and which are beyond all limits."""

_LONGEST_CHANGE = dt.timedelta(days=15)
"""The most by which a session's TimeZone may change its clocks: POSIX allows offsets of a week to both sides."""


@dataclass(frozen=True)
class DateLimits:
    """The limits of a date or timestamp according to the policy.

    Attributes:
        origin: the column that it is computed from.
        declared: the policy's limits, as SQL constants of the expression's type.
        longest: more than the distance between them.
        nullable: can it be NULL?
        least, most: limits that WHERE adds, each finite and no wider than the policy's.
        confined: WHERE itself leaves no value outside of the policy's limits.
        impossible: WHERE leaves no value inside of them.
    """

    origin: ColumnOrigin
    declared: tuple[str, str]
    longest: dt.timedelta
    nullable: bool
    least: tuple[str, ...] = ()
    most: tuple[str, ...] = ()
    confined: bool = False
    impossible: bool = False

    @property
    def low(self) -> str:
        """A lower limit of all values, as an SQL constant."""
        return f"greatest({', '.join((self.declared[0], *sorted({*self.least})))})"

    @property
    def high(self) -> str:
        """An upper limit of all values, as an SQL constant."""
        return f"least({', '.join((self.declared[1], *sorted({*self.most})))})"

    def possible(self, values: str) -> str:
        """A query for values with the column c0, as far as WHERE leaves any."""
        return f"SELECT c0 FROM ({values}) AS beyond WHERE false" if self.impossible else values

    def inside(self, limit: str) -> str:
        """A limit clamped to the policy's limits: a condition that no value meets, or one with an infinite date, leaves
        limits finite. Its length grows linearly with the number of functions that it goes through."""
        return f"least(greatest({limit}, {self.declared[0]}), {self.declared[1]})"


def date_limits(node: exp.Expr, relation: Relation, where: Conditions) -> DateLimits | None:
    """The limits of a date or timestamp expression over `relation`, None where the policy gives none.

    Args:
        node: the expression.
        relation: what its columns mean.
        where: conditions that all rows meet; a value that meets them lies inside the limits.
    """
    node = node.unnest()
    if isinstance(node, exp.Column):
        limits = _of_column(node, relation, where)
        return _narrowed(limits, node, relation, where) if limits is not None else None
    if isinstance(node, exp.Cast):
        return _through(node, node.this, relation, where, "{}", dt.timedelta())
    if isinstance(node, (exp.Add, exp.Sub)):
        return _shifted(node, relation, where)
    if isinstance(node, exp.AtTimeZone):
        return _in_zone(node, node.this, node.args["zone"], relation, where)
    if not isinstance(node, exp.Anonymous):
        return None
    name = node.name.lower()
    if name == "date":
        return _through(node, node.expressions[0], relation, where, "{}", dt.timedelta())
    if name == "date_trunc" and len(node.expressions) == 2:
        field, value = node.expressions
        unit = field.name.lower()
        if unit in TRUNCATION_FIELDS:
            longest = dt.timedelta(days=MOVED_DAYS.get(unit, 1))
            return _through(node, value, relation, where, f"date_trunc('{unit}', {{}})", longest)
    if name == "timezone":
        zone, value = node.expressions
        return _in_zone(node, value, zone, relation, where)
    if name == "date_bin":
        stride, (_, value, origin) = stride_of(node, relation), node.expressions
        since = f"{compile_term(origin, relation).sql}::{compile_term(value, relation).type.name}"
        back = dt.timedelta(days=math.ceil(stride.magnitude or 0))
        return _through(node, value, relation, where, f"date_bin({stride.sql}, {{}}, {since})", back)
    return None


def stride_of(node: exp.Anonymous, relation: Relation) -> Term:
    """The constant stride of a date_bin() that can be computed of rows."""
    return interval_constant(node, compile_term(node.expressions[0], relation).literal or "")


def _shifted(node: exp.Add | exp.Sub, relation: Relation, where: Conditions) -> DateLimits | None:
    """The limits of `value ± interval`, for constant intervals without months: those do not keep the order of
    values."""
    by = compile_term(node.expression, relation)
    if not by.constant or by.span is None or by.span.months != _NO_MONTHS or (by.magnitude or 0) > _MOST_SHIFTED:
        return None
    symbol = "+" if isinstance(node, exp.Add) else "-"
    return _through(node, node.this, relation, where, f"({{}} {symbol} {by.sql})", dt.timedelta())


def _through(
    node: exp.Expr, value: exp.Expr, relation: Relation, where: Conditions, function: str, moved: dt.timedelta
) -> DateLimits | None:
    """The limits of a function of `value` that keeps the order of values, except where clocks change, and that moves
    values back by at most `moved`."""
    type_ = compile_term(node, relation).type
    limits = date_limits(value, relation, where) if type_.is_datetime else None
    if limits is None:
        return None

    def through(limit: str) -> str:
        return f"{function.format(limit)}::{type_.name}"

    return replace(
        limits,
        declared=(through(limits.declared[0]), through(limits.declared[1])),
        longest=limits.longest + moved + _LONGEST_CHANGE,
        least=tuple(map(through, limits.least)),
        most=tuple(map(through, limits.most)),
    )


def least_in_zone(zone: str, limit: str) -> str:
    """The least that a zone's clock shows from a moment on, or the other way round, as SQL. Where the clock is changed
    within a day, later moments may be shown as earlier ones: the limit is what it would show without the change."""
    return f"least(timezone({zone}, {limit}), timezone({zone}, {limit} + {_DAY}) - {_DAY})"


def most_in_zone(zone: str, limit: str) -> str:
    """As `least_in_zone`, up to a moment."""
    return f"greatest(timezone({zone}, {limit}), timezone({zone}, {limit} - {_DAY}) + {_DAY})"


def _in_zone(
    node: exp.Expr, value: exp.Expr, zone: exp.Expr, relation: Relation, where: Conditions
) -> DateLimits | None:
    """The limits of AT TIME ZONE with a constant zone. The source computes the enumeration too, so that zones of other
    rules are found (`Domain.depends_on_server`)."""
    type_, limits = compile_term(node, relation).type, date_limits(value, relation, where)
    if limits is None:
        return None
    name = known_zone(node, compile_term(zone, relation)).sql

    def low(limit: str) -> str:
        return f"{least_in_zone(name, limit)}::{type_.name}"

    def high(limit: str) -> str:
        return f"{most_in_zone(name, limit)}::{type_.name}"

    return replace(
        limits,
        declared=(low(limits.declared[0]), high(limits.declared[1])),
        longest=limits.longest + _LONGEST_CHANGE,
        least=tuple(map(low, limits.least)),
        most=tuple(map(high, limits.most)),
    )


def declared_limits(origin: ColumnOrigin) -> tuple[Bound, Bound] | None:
    """The limits of a stored date or timestamp; None of others."""
    table = origin.member.table
    return table.moments(origin.column) if isinstance(table, NamedTable) else None


def _of_column(node: exp.Column, relation: Relation, where: Conditions) -> DateLimits | None:
    origin = relation.origin(node)
    definition = definition_of(origin)
    if definition is not None:
        return date_limits(*definition, where)
    table = origin.member.table
    extreme = table.columns[origin.column].extreme if isinstance(table, Derived) else None
    if extreme is not None and isinstance(table, Derived):
        limits = date_limits(extreme.node, extreme.relation, list(table.filters))
        missing = extreme.filtered or origin.member.optional
        return replace(limits, nullable=limits.nullable or missing) if limits is not None else None
    declared = declared_limits(origin)
    if declared is None or not isinstance(declared[0], dt.date) or not isinstance(declared[1], dt.date):
        return None
    type_ = origin.term().type
    if type_.kind not in (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ):
        return None
    first, last = (limit.isoformat(" ") if isinstance(limit, dt.datetime) else str(limit) for limit in declared)
    if type_.kind is not Kind.DATE and not isinstance(declared[1], dt.datetime):
        last += " 23:59:59.999999"  # A date is its whole day.
    if type_.kind is Kind.TIMESTAMPTZ:
        # Whatever the clock of the session, the policy's limits are the same moments (`clocks.declared`).
        first, last = with_offset(first), with_offset(last)
    low, high = f"'{first}'::{type_.name}", f"'{last}'::{type_.name}"
    # Two days more than the dates are apart, since hours are not counted.
    days = dt.timedelta(days=declared[1].toordinal() - declared[0].toordinal() + 2)
    longest = days + _LONGEST_CHANGE if type_.kind is Kind.TIMESTAMPTZ else days
    return DateLimits(origin, (low, high), longest, is_nullable(node, relation, where))


def _narrowed(limits: DateLimits, node: exp.Column, relation: Relation, where: Conditions) -> DateLimits:
    column = relation.origin(node).term()
    least, most = [*limits.least], [*limits.most]
    from_first, to_last, beyond = False, False, limits.impossible
    for conjunct, scope in where:
        if not same_rows(scope, relation):
            continue
        for kind, operand, constant in comparisons(conjunct):
            compared = operand.unnest()
            if not isinstance(compared, exp.Column) or relation.origin(compared).sql != column.sql:
                continue
            value = compile_term(constant, scope)
            if not value.constant or not (value.type.is_datetime or value.kind is Kind.UNKNOWN):
                continue
            moment = _in_castable_years(value, column)
            limit = f"{moment}::{column.type.name}"
            inside = _is_inside(limits, kind, value, column)
            beyond |= _is_beyond(limits, kind, value, column)
            if kind in (exp.GT, exp.GTE, exp.EQ):
                least.append(limits.inside(_earliest(moment, column, value)))
                from_first |= inside
            if kind in (exp.LT, exp.LTE, exp.EQ):
                most.append(limits.inside(_before(limit, column, value) if kind is exp.LT else limit))
                to_last |= inside
    first, last = _by_seconds(column, relation, where)
    least += [limits.inside(first)] if first is not None else []
    most += [limits.inside(last)] if last is not None else []
    confined = from_first and to_last
    return replace(limits, least=tuple(least), most=tuple(most), confined=confined, impossible=beyond)


def _by_seconds(column: Term, relation: Relation, where: Conditions) -> tuple[str | None, str | None]:
    """The first and the last value of a column, as SQL, that conditions on its seconds since 1970 leave."""
    said = (
        met_by(conjunct, scope)
        for conjunct, scope in where
        if any(map(is_of_seconds, walk(conjunct))) and same_rows(scope, relation)
    )
    low, high = together(*said).get(column.sql, (None, None))
    first = _after_1970(math.floor(low / MICROSECOND), column) if low is not None else None
    return first, _after_1970(math.ceil(high / MICROSECOND), column) if high is not None else None


def _after_1970(microseconds: int, column: Term) -> str:
    seconds = min(max(microseconds, -_MOST_MICROSECONDS), _MOST_MICROSECONDS) * MICROSECOND
    if column.kind is Kind.DATE:
        return f"'1970-01-01'::date + {math.floor(seconds / DAY)}"
    return f"'epoch'::{column.type.name} + interval '{decimal_text(seconds)} seconds'"


def _is_inside(limits: DateLimits, kind: type[exp.Expr], value: Term, column: Term) -> bool:
    """Is a constant with which a column is compared plainly a date between the policy's limits, whatever the time zone
    may be if one comes in?"""
    found = _constant_date(value, column)
    first, last = _whole_days(declared_limits(limits.origin))
    if found is None or first is None or last is None:
        return False
    date, margin, is_day = found
    if kind is exp.LT and is_day:
        date -= dt.timedelta(days=1)  # What is before a day is on the day before, at the latest.
    return first + margin <= date <= last - margin


def _is_beyond(limits: DateLimits, kind: type[exp.Expr], value: Term, column: Term) -> bool:
    """Does a comparison with a constant leave no value between the policy's limits, whatever the time zone may be?"""
    found, declared = _constant_date(value, column), declared_limits(limits.origin)
    if found is None or declared is None:
        return False
    date, margin, _ = found
    first, last = (limit.date() if isinstance(limit, dt.datetime) else limit for limit in declared)
    if not isinstance(first, dt.date) or not isinstance(last, dt.date):
        return False
    # Of a day, nothing is after its end.
    after = kind in (exp.GT, exp.GTE, exp.EQ) and date - margin > last
    return after or (kind in (exp.LT, exp.LTE, exp.EQ) and date + margin < first)


def _constant_date(value: Term, column: Term) -> tuple[dt.date, dt.timedelta, bool] | None:
    """The date of a constant that a column is compared with, how far a time zone may move it, and whether it has no
    time of day; None of what is written otherwise."""
    found = _DATE.match(value.literal or value.sql)
    try:
        date = dt.date.fromisoformat(found["date"]) if found is not None else None
    except ValueError:
        return None
    if found is None or date is None:
        return None
    zones = found["zone"] or {column.kind, value.kind} & {Kind.TIMESTAMPTZ}
    return date, _ANY_ZONE if zones else dt.timedelta(), not found["time"]


def _whole_days(declared: object) -> tuple[dt.date | None, dt.date | None]:
    """The first and the last day that are wholly between the policy's limits."""
    if not isinstance(declared, tuple):
        return None, None
    first, last = declared
    if isinstance(first, dt.datetime):
        first = first.date() + dt.timedelta(days=first.time() != dt.time())
    if isinstance(last, dt.datetime):
        last = last.date() - dt.timedelta(days=last.time() < dt.time(23, 59, 59, 999_999))
    dates = isinstance(first, dt.date) and isinstance(last, dt.date)
    return (first, last) if dates else (None, None)


def _in_castable_years(value: Term, column: Term) -> str:
    """A constant clamped to years from which no cast and no day more or less fails, and which are beyond all limits.

    The cast of a date or timestamp to another type is computed for each row, so a failure would tell of a row.
    """
    type_ = column.type if value.kind is Kind.UNKNOWN else value.type
    earliest, latest = f"'4000-01-01 BC'::{type_.name}", f"'20000-01-01'::{type_.name}"
    return f"least(greatest({value.sql}::{type_.name}, {earliest}), {latest})"


def comparisons(conjunct: exp.Expr) -> Iterator[tuple[type[exp.Expr], exp.Expr, exp.Expr]]:
    """The comparisons in a condition, from both sides: operand, comparison, and the value compared with."""
    mirrored: dict[type[exp.Expr], type[exp.Expr]] = {
        exp.GT: exp.LT,
        exp.GTE: exp.LTE,
        exp.LT: exp.GT,
        exp.LTE: exp.GTE,
        exp.EQ: exp.EQ,
    }
    if isinstance(conjunct, exp.Between) and not conjunct.args.get("symmetric"):
        yield exp.GTE, conjunct.this, conjunct.args["low"]
        yield exp.LTE, conjunct.this, conjunct.args["high"]
    elif type(conjunct) in mirrored:
        yield type(conjunct), conjunct.this, conjunct.expression
        yield mirrored[type(conjunct)], conjunct.expression, conjunct.this


def _earliest(moment: str, column: Term, value: Term) -> str:
    """A lower limit of the values that are equal to the moment or after it.

    A column without a time zone is compared with a moment by the moment that its clock shows. Where clocks change, that
    is later than what the limit's own clock shows (an hour that was left out), or earlier (an hour that came twice).
    The clock of a day before or after covers both.
    """
    if value.kind is not Kind.TIMESTAMPTZ or column.kind is Kind.TIMESTAMPTZ:
        return f"{moment}::{column.type.name}"
    day, shown = "interval '24 hours'", "timestamp without time zone"
    moved = (f"({moment} {there} {day})::{shown} {back} {day}" for there, back in (("-", "+"), ("+", "-")))
    return f"least({moment}::{shown}, {', '.join(moved)})::{column.type.name}"


def _before(limit: str, column: Term, value: Term) -> str:
    """The last value below the limit, where the cast to the column's type has not moved it."""
    if column.kind is Kind.DATE:
        return f"{limit} - 1" if value.kind in (Kind.DATE, Kind.UNKNOWN) else limit
    if value.kind in (column.kind, Kind.DATE, Kind.UNKNOWN):
        return f"{limit} - interval '1 microsecond'"
    return limit


def is_nullable(column: exp.Column, relation: Relation, where: Conditions) -> bool:
    """Can the column be NULL in a row that meets the conditions?"""
    origin = relation.origin(column)
    return origin.nullable and not any(
        leaves_no_null(conjunct, origin, scope) for conjunct, scope in where if same_rows(scope, relation)
    )


def same_rows(first: Relation, second: Relation) -> bool:
    """Do names mean the same in both relations? Aliases are unique within a block."""
    return [member.alias for member in first.members] == [member.alias for member in second.members]


def definition_of(origin: ColumnOrigin) -> tuple[exp.Expr, Relation] | None:
    """The expression from which a column of a private subquery is computed in every row, if there is one."""
    table = origin.member.table
    if not isinstance(table, Derived) or not table.private or origin.member.optional:
        return None
    definitions = table.columns[origin.column].definitions
    return definitions[0] if len(definitions) == 1 else None
