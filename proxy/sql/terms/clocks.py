"""Bounds of dates and timestamps, in seconds since 1970, through everything that is computed of them (theorem 2).

A date is its midnight. A timestamp with time zone is a moment in UTC. Wherever a clock shows such a moment, or the time
of a clock becomes one, the bounds grow by a day on both sides: the clock may be the session's, which the client sets.
All named time zones are less than a day away from UTC. In a POSIX zone that is farther away a value may lie outside its
bounds, and then counts as the nearest one, as every value outside does.
"""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction

from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.spans import DAY, MICROSECOND, Span
from proxy.sql.terms.types import Kind

MONTHS = {"month": 1, "quarter": 3, "year": 12}
"""How many months a field of the calendar has."""

MOVED_DAYS = {"week": 7, "month": 31, "quarter": 92, "year": 366, "decade": 3653, "century": 36_525}
"""The most days by which date_trunc moves a value back; at most one for all other fields."""

_LENGTHS = {"second": DAY / 86_400, "minute": DAY / 1440, "hour": DAY / 24, "day": DAY}
_EPOCH = dt.date(1970, 1, 1).toordinal()
_FIRST = (dt.date.min.toordinal() - _EPOCH) * DAY
_LAST = (dt.date.max.toordinal() - _EPOCH + 1) * DAY - MICROSECOND
_MOMENT = re.compile(
    r"(?P<date>(?!0000)\d{4}-\d{2}-\d{2})(?:[ T](?P<clock>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)"
    r"(?P<zone>Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?)?",
    re.ASCII,
)


def declared(low: object, high: object, kind: Kind) -> Bounds | None:
    """What the policy's limits of a date or timestamp column say of its values; None for other columns and limits.

    A date that is the upper limit of a timestamp stands for its whole day, as it does among the declared group keys.
    Of a timestamp with time zone, what has no offset is read by the clock of UTC.
    """
    if kind not in (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ):
        return None
    if not isinstance(low, dt.date) or not isinstance(high, dt.date):
        return None
    if kind is not Kind.TIMESTAMPTZ:
        low, high = _by_clock(low), _by_clock(high)
    last = _seconds(high)
    if kind is not Kind.DATE and not isinstance(high, dt.datetime):
        last += DAY - MICROSECOND
    bounds = Bounds(_seconds(low), last)
    return bounds.onto_grid(DAY) if kind is Kind.DATE else bounds


def constant(text: str, kind: Kind) -> Bounds | None:
    """The bounds of a typed constant, written as Postgres writes it; None for infinities, times and other forms."""
    match = _MOMENT.fullmatch(text.strip())
    if match is None or kind not in (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ):
        return None
    zone = match["zone"] or ""
    try:
        if kind is Kind.DATE:
            return Bounds.point(_seconds(dt.date.fromisoformat(match["date"])))
        moment = f"{match['date']}T{match['clock'] or '00:00'}{zone if kind is Kind.TIMESTAMPTZ else ''}"
        point = Bounds.point(_seconds(dt.datetime.fromisoformat(moment)))
    except ValueError:
        return None
    return point.widened(DAY) if kind is Kind.TIMESTAMPTZ and not zone else point


def has_offset(text: str) -> bool:
    """Does a date and time of day that `constant` reads say by which clock?"""
    match = _MOMENT.fullmatch(text.strip())
    return match is not None and match["zone"] is not None


def with_offset(text: str) -> str:
    """A date, or a date and a time of day, as the moment at which the clock of UTC shows it; other texts stay."""
    match = _MOMENT.fullmatch(text.strip())
    if match is None or match["zone"]:
        return text
    return f"{match['date']} {match['clock'] or '00:00'}+00"


def of_years(years: Bounds | None) -> Bounds | None:
    """The bounds of the dates of whole years; None outside the years 1 to 9999."""
    if years is None or years.low < dt.MINYEAR or years.high > dt.MAXYEAR:
        return None
    return Bounds(_seconds(dt.date(int(years.low), 1, 1)), _seconds(dt.date(int(years.high), 12, 31)))


def last_of(field: str, seconds: Fraction) -> Fraction | None:
    """The last microsecond of the second, the day, the week, the quarter … in which a moment lies; None outside the
    years 1 to 9999."""
    if not _FIRST <= seconds <= _LAST:
        return None
    if field in MONTHS:
        date, months = _civil(seconds)[0], MONTHS[field]
        first = date.replace(month=(date.month - 1) // months * months + 1, day=1)
        after = _plus_months(_seconds(first), months)
    elif field == "week":  # 1970-01-01 was a Thursday.
        after = ((seconds + 3 * DAY) // (7 * DAY) + 1) * 7 * DAY - 3 * DAY
    else:
        after = (seconds // _LENGTHS[field] + 1) * _LENGTHS[field]
    return after - MICROSECOND if after is not None else None


def part_of_year(
    low: Fraction | None, high: Fraction | None, first: int, last: int
) -> tuple[Fraction, Fraction | None] | None:
    """From the beginning of one month to the end of another one in the year of all moments from `low` to `high`; None
    if they are of several years, or there are no such months."""
    if low is None or high is None or not _FIRST <= low <= high <= _LAST or not 1 <= first <= last <= 12:
        return None
    year = _civil(low)[0].year
    if _civil(high)[0].year != year:
        return None
    return _seconds(dt.date(year, first, 1)), last_of("month", _seconds(dt.date(year, last, 1)))


def written(seconds: Fraction, kind: Kind) -> str | None:
    """A date or timestamp as a text that `constant` reads; None outside the years 1 to 9999."""
    if not _FIRST <= seconds <= _LAST:
        return None
    moment = dt.datetime.fromordinal(_EPOCH) + dt.timedelta(microseconds=int(seconds / MICROSECOND))
    if kind is Kind.DATE:
        return str(moment.date())
    return f"{moment.isoformat(' ')}+00" if kind is Kind.TIMESTAMPTZ else moment.isoformat(" ")


def _by_clock(value: dt.date) -> dt.date:
    """The value without its offset, as Postgres casts it to a type without time zone."""
    return value.replace(tzinfo=None) if isinstance(value, dt.datetime) else value


def _seconds(value: dt.date) -> Fraction:
    """The seconds since 1970 of a date, or of a timestamp, at its own offset if it has one."""
    seconds = (value.toordinal() - _EPOCH) * DAY
    if isinstance(value, dt.datetime):
        clock = dt.timedelta(
            hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond
        )
        clock -= value.utcoffset() or dt.timedelta()
        seconds += (clock // dt.timedelta(microseconds=1)) * MICROSECOND
    return seconds


def cast(bounds: Bounds | None, kind: Kind, to: Kind) -> Bounds | None:
    """The bounds of a date or timestamp as another of these types."""
    if bounds is None:
        return None
    if kind is not to and Kind.TIMESTAMPTZ in (kind, to):
        bounds = bounds.widened(DAY)
    return Bounds(bounds.low // DAY * DAY, bounds.high // DAY * DAY) if to is Kind.DATE else bounds


def compared(bounds: Bounds, kind: Kind, among: Kind) -> Bounds:
    """The bounds of a date or timestamp as it is compared with values of another of these types, which also become what
    both have in common."""
    return bounds.widened(DAY) if kind is not among and Kind.TIMESTAMPTZ in (kind, among) else bounds


def in_zone(bounds: Bounds | None, zone: str) -> Bounds | None:
    """The bounds of AT TIME ZONE, whose zone may also be a POSIX one, which has digits and up to a week."""
    if bounds is None:
        return None
    farthest = 8 * DAY if any(sign.isdigit() for sign in zone) else DAY
    return bounds.widened(farthest)


def difference(left: Bounds | None, left_kind: Kind, right: Bounds | None, right_kind: Kind) -> Bounds | None:
    """The bounds of `left - right` in seconds, in the type that Postgres brings both to."""
    common = Kind.TIMESTAMPTZ if Kind.TIMESTAMPTZ in (left_kind, right_kind) else Kind.TIMESTAMP
    first, second = cast(left, left_kind, common), cast(right, right_kind, common)
    return first - second if first is not None and second is not None else None


def moved(bounds: Bounds | None, kind: Kind, span: Span | None) -> Bounds | None:
    """The bounds of a date or timestamp plus an interval: first the months, which keep the day of the month where they
    can, then the days, then the time."""
    if bounds is None or span is None or span.months is None or span.total is None:
        return None
    by_clock = kind is Kind.TIMESTAMPTZ and (span.months, span.days) != (Bounds.point(0), Bounds.point(0))
    if by_clock:
        bounds = bounds.widened(DAY)
    low, high = _plus_months(bounds.low, int(span.months.low)), _plus_months(bounds.high, int(span.months.high))
    if low is None or high is None:
        return None
    result = Bounds(low, high) + span.total
    return result.widened(DAY) if by_clock else result


def _plus_months(seconds: Fraction, months: int) -> Fraction | None:
    """A moment moved by whole months; None if it leaves the years 1 to 9999."""
    if not months:
        return seconds
    date, clock = _civil(seconds)
    year, month = divmod(date.year * 12 + date.month - 1 + months, 12)
    if not dt.MINYEAR < year < dt.MAXYEAR:
        return None
    # The last day of that month, if it is shorter.
    last = (dt.date(year + month // 11, (month + 1) % 12 + 1, 1) - dt.timedelta(days=1)).day
    return (dt.date(year, month + 1, min(date.day, last)).toordinal() - _EPOCH) * DAY + clock


def _civil(seconds: Fraction) -> tuple[dt.date, Fraction]:
    """The date and the seconds of the day, of moments outside the years 1 to 9999 the nearest of those."""
    days, clock = divmod(min(max(seconds, _FIRST), _LAST), DAY)
    return dt.date.fromordinal(_EPOCH + int(days)), clock


def truncated(bounds: Bounds | None, kind: Kind, field: str) -> Bounds | None:
    """The bounds of date_trunc, which moves values back; a date becomes a timestamp with time zone."""
    if bounds is None:
        return None
    bounds = Bounds(bounds.low - MOVED_DAYS.get(field, 1) * DAY, bounds.high)
    return bounds if kind is Kind.TIMESTAMP else bounds.widened(DAY)


def field(name: str, bounds: Bounds | None, kind: Kind) -> Bounds | None:
    """The bounds of extract() for the fields that keep the order of moments, None for the others."""
    if bounds is None:
        return None
    if name == "epoch":
        return bounds
    local = bounds.widened(DAY) if kind is Kind.TIMESTAMPTZ else bounds
    first, last = _civil(local.low)[0], _civil(local.high)[0]
    if name == "isoyear":
        return Bounds(Fraction(first.isocalendar()[0]), Fraction(last.isocalendar()[0]))
    years = {"year": (0, 1), "decade": (0, 10), "century": (99, 100), "millennium": (999, 1000)}.get(name)
    if years is None:
        return None
    return Bounds(*(Fraction((date.year + years[0]) // years[1]) for date in (first, last)))


def age(later: Bounds | None, earlier: Bounds | None, *, clocks_change: bool) -> Span:
    """The bounds of age(later, earlier): whole months, days of a month and a time, all of one sign.

    Args:
        later: of the first argument.
        earlier: of the second one.
        clocks_change: both are read off the session's clock, as dates are too: where clocks change at midnight, a day
            begins later.
    """
    most_days, most_time = Fraction(30), DAY - MICROSECOND
    if later is None or earlier is None:
        return Span(None, Bounds(-most_days, most_days), Bounds(-most_time, most_time), None)
    if clocks_change:
        later, earlier = later.widened(DAY), earlier.widened(DAY)
    months = Bounds(_whole_months(later.low, earlier.high), _whole_months(later.high, earlier.low))
    low, high = int(later.low < earlier.high), int(later.high > earlier.low)
    days, time = Bounds(-most_days * low, most_days * high), Bounds(-most_time * low, most_time * high)
    return Span(months, days, time, days * Bounds.point(DAY) + time)


def _whole_months(later: Fraction, earlier: Fraction) -> Fraction:
    if later < earlier:
        return -_whole_months(earlier, later)
    (first, clock), (last, end) = _civil(earlier), _civil(later)
    months = (last.year - first.year) * 12 + last.month - first.month
    return Fraction(months - ((last.day, end) < (first.day, clock)))
