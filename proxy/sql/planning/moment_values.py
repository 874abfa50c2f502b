"""The values of dates and timestamps inside their limits: cut to months or bins, their fields, and how they print."""

from __future__ import annotations

import re
from fractions import Fraction

from sqlglot import exp

from proxy.sql.planning.date_limits import Conditions, date_limits, stride_of
from proxy.sql.planning.stepped_values import MOST_MOMENTS, narrowed_by
from proxy.sql.planning.value_sets import Values, field_values, is_limited, truncated_in_zone, truncated_values
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.datetimes import is_time, known_zone
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.spans import DAY
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

_QUOTED = re.compile(r'"[^"\\]*"')
_FINER = re.compile("MS|US|FF|TZ|OF")
"""Also zones: clocks may change at any second."""
_FIELDS = (
    ("second", "S", 1),
    ("minute", "MI", 60),
    ("hour", r"H|[AP]\.?M", 3600),
    ("day", "[DWJI]", 86_400),
    ("month", "M|Q", 28 * 86_400),
    ("year", "", 365 * 86_400),
)
"""Fields, what shows them in a format, and their least seconds. A word that only looks like it makes the values finer
than they need to be."""

_LENGTHS = {name: length for name, _, length in _FIELDS} | {"week": 7 * 86_400, "quarter": 90 * 86_400}
"""Of more fields; decades and centuries are few."""

_OF_A_YEAR = {"month": 12, "day": 366, "hour": 366 * 24}
_YEARS = re.compile("Y|C|J|W|BC|AD")
"""What shows of which year, or week of a year, a moment is."""

FINEST_FIRST = ("second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade", "century")


def moment_values(node: exp.Expr, term: Term, relation: Relation, where: Conditions) -> Values | None:
    """The values of date_trunc, date_bin, extract and date_part.

    Args:
        node: the expression.
        term: itself, compiled.
        relation: what its columns mean.
        where: conditions that all rows meet; those about the column narrow its values.

    Returns:
        The values; None for other expressions, and for those without limits.
    """
    if isinstance(node, exp.Extract):
        return _field(node.this.name, node.expression, term, relation, where)
    if not isinstance(node, exp.Anonymous):
        return None
    name = node.name.lower()
    if name == "date_part":
        return _field(node.expressions[0].name, node.expressions[1], term, relation, where)
    if name == "date_bin":
        return _binned(node, relation, where)
    return _truncated(node, term, relation, where) if name == "date_trunc" else None


def printed_values(node: exp.Expr, relation: Relation, where: Conditions) -> exp.Anonymous | None:
    """to_char of the moment cut to what its format shows of it: that has as few values, and prints the same.

    Returns:
        The call; None if `node` is no such call, shows more than seconds or too many moments, or has one that is cut.
    """
    field = shown_field(node, relation, where)
    if field is None or _is_cut(node.expressions[0], field):
        return None
    value, pattern = node.expressions
    cut = exp.Anonymous(this="date_trunc", expressions=[exp.Literal.string(field), value.copy()])
    return exp.Anonymous(this=node.this, expressions=[cut, pattern.copy()])


def shown_field(node: exp.Expr, relation: Relation, where: Conditions) -> str | None:
    """The finest field that a to_char of a moment shows; None for other expressions, and where it has too many."""
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "to_char" or len(node.expressions) != 2:
        return None
    value, pattern = node.expressions
    shown = _QUOTED.sub("", pattern.name).upper()
    if _FINER.search(shown) or not compile_term(value, relation).type.is_datetime:
        return None
    field, seconds = next((name, length) for name, words, length in _FIELDS if re.search(words, shown))
    return field if are_few(value, Fraction(seconds), relation, where) else None


def refines(unit: str, field: str) -> bool:
    """Has a moment that is cut to the unit still the same field? A week is in no month."""
    return unit == field or (unit != "week" and FINEST_FIRST.index(unit) < FINEST_FIRST.index(field))


def _is_cut(moment: exp.Expr, field: str) -> bool:
    """Is a moment, or what it is cast from, cut to the field or a longer one?"""
    bare = moment.unnest()
    cast_from = moment_of_day(bare)
    if cast_from is not None:
        return _is_cut(cast_from, field)
    if not isinstance(bare, exp.Anonymous) or bare.name.lower() != "date_trunc" or len(bare.expressions) != 2:
        return False
    unit = bare.expressions[0].name.lower()
    return {field, unit} <= {*FINEST_FIRST} and refines(field, unit)


def moment_of_day(node: exp.Expr) -> exp.Expr | None:
    """What a cast to another type, or date(…), is made of."""
    called = isinstance(node, exp.Anonymous) and node.name.lower() == "date" and len(node.expressions) == 1
    moment: exp.Expr | None = node.expressions[0] if called else node.this if isinstance(node, exp.Cast) else None
    return moment


def _truncated(node: exp.Anonymous, term: Term, relation: Relation, where: Conditions) -> Values | None:
    field, cut = node.expressions[0].name.lower(), node.expressions[1].unnest()
    if len(node.expressions) == 2 and moment_of_day(cut) is None and _is_cut(cut, field):
        return moment_values(cut, compile_term(cut, relation), relation, where)
    limits = date_limits(node.expressions[1], relation, where)
    if limits is None:
        return None
    if len(node.expressions) == 3:
        zone = known_zone(node, compile_term(node.expressions[2], relation)).sql
        in_zone = truncated_in_zone(field, f"{limits.low}::timestamptz", f"{limits.high}::timestamptz", zone)
        return Values(limits.possible(in_zone), f"{field}s of {limits.origin.column}", nullable=limits.nullable)
    sql = truncated_values(field, limits.low, limits.high, zoned=term.kind is Kind.TIMESTAMPTZ)
    moments = compile_term(node.expressions[1], narrowed_by(relation, where)).bounds
    return Values(
        limits.possible(sql),
        f"{field}s of {limits.origin.column}",
        nullable=limits.nullable,
        complete=limits.confined,
        most=most_shown(moments, field),
    )


def _binned(node: exp.Anonymous, relation: Relation, where: Conditions) -> Values | None:
    stride = stride_of(node, relation)
    seconds = (stride.magnitude or 0) * DAY
    limits = date_limits(node, relation, where)
    if limits is None or not are_few(node.expressions[1], seconds, relation, where):
        return None
    # Of seconds: days would follow the clock of the session.
    step = f"extract(epoch FROM {stride.sql}) * interval '1 second'"
    sql = f"SELECT s AS c0 FROM generate_series({limits.low}, {limits.high}, {step}) AS series(s)"
    return Values(limits.possible(sql), f"bins of {limits.origin.column}", nullable=limits.nullable)


def most_shown(moments: Bounds | None, field: str) -> int | None:
    """At most how many moments that are cut to a field there are within bounds; None without bounds."""
    length = _LENGTHS.get(field)
    return int(moments.width / length) + 2 if moments is not None and length is not None else None


def most_printed(moment: Term, pattern: str) -> int | None:
    """At most how many texts to_char() makes of a moment; None where that is not known."""
    shown = _QUOTED.sub("", pattern).upper()
    if _FINER.search(shown) or not moment.type.is_datetime:
        return None
    field = next(name for name, words, _ in _FIELDS if re.search(words, shown))
    most = most_shown(moment.bounds, field)
    in_a_year = _OF_A_YEAR.get(field) if not _YEARS.search(shown) else None
    return in_a_year if most is None or (in_a_year is not None and in_a_year < most) else most


def are_few(value: exp.Expr, seconds: Fraction, relation: Relation, where: Conditions) -> bool:
    """Do a moment's bounds hold at most MOST_MOMENTS steps of so many seconds?"""
    bounds = compile_term(value, narrowed_by(relation, where)).bounds
    return bounds is not None and bounds.width <= MOST_MOMENTS * seconds


def _field(field: str, value: exp.Expr, term: Term, relation: Relation, where: Conditions) -> Values | None:
    """A field of a date, a timestamp or a time. A field of an interval has no limits: 400 days are one field."""
    found, field = compile_term(value, relation), field.lower()
    if is_time(found.type) and field in ("hour", "minute"):
        # The end of a day, 24:00, is an hour of its own.
        sql = field_values(field, term.type, None)
        return (
            Values(sql, f"{field} of a time", found.nullable, complete=field == "minute") if sql is not None else None
        )
    if not found.type.is_datetime:
        return None
    limits = date_limits(value, relation, where)
    sql = field_values(field, term.type, (limits.low, limits.high) if limits is not None else None)
    if sql is None:
        return None
    sql = limits.possible(sql) if limits is not None else sql
    nullable = limits is None or limits.nullable
    # A date outside of the limits has another value, or NULL.
    confined = limits is not None and limits.confined
    return Values(sql, f"{field} of a date", nullable, complete=confined or (nullable and not is_limited(field)))
