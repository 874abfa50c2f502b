"""Bounds of an interval's parts (theorem 2). Postgres keeps months, days and a time apart, and extract() shows each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.replacing import replace
from proxy.sql.terms.bounds import Bounds

DAY = Fraction(86_400)
MICROSECOND = Fraction(1, 10**6)

_NONE = Bounds.point(0)
_MOST_TIME = DAY - MICROSECOND
_DAYS_OF_MONTH, _DAYS_OF_YEAR = Fraction(30), Fraction(1461, 4)
"""What extract(epoch) counts a month and a year as."""
_EXACT = Fraction(2**53, 10**6)
"""Seconds up to which a double precision number holds every microsecond."""


@dataclass(frozen=True)
class Span:
    """What is known of an interval; None for a part of which nothing is known.

    Attributes:
        months: whole months, with those of years.
        days: whole days.
        time: seconds, which may be more than a day.
        total: seconds of days and time together, a day being 24 hours; narrower than what follows from both.
        length: what extract(epoch) makes of all parts, if that is narrower than what follows from them.
    """

    months: Bounds | None
    days: Bounds | None
    time: Bounds | None
    total: Bounds | None
    length: Bounds | None = None

    @classmethod
    def apart(cls, total: Bounds | None) -> Span:
        """A difference of timestamps: no months, whole days, and a time of the same sign below a day."""
        if total is None:
            return cls(_NONE, None, Bounds(-_MOST_TIME, _MOST_TIME), None)
        days = total.truncated(DAY)
        time = total if days == _NONE else _signed(total, _MOST_TIME)
        return cls(_NONE, days, time, total)

    @classmethod
    def stored(cls, length: Bounds) -> Span:
        """An interval of a column, in parts of one sign that nobody knows, whose extract(epoch) has these bounds."""
        months = length.truncated(_DAYS_OF_MONTH * DAY).hull(_NONE)
        days, time = length.truncated(DAY).hull(_NONE), length.hull(_NONE)
        return cls(months, days, time, length if months == _NONE else time, length)

    @classmethod
    def of_time(cls, time: Bounds) -> Span:
        """An interval of a time alone, as the difference of two times of day has it."""
        return cls(_NONE, _NONE, time, time)

    @classmethod
    def constant(cls, months: Fraction, days: Fraction, time: Fraction, *, signed: bool = True) -> Span:
        """An interval of known parts; `signed` if their signs are known too."""
        first, second, third = (
            Bounds.point(part) if signed else Bounds(-abs(part), abs(part)) for part in (months, days, time)
        )
        return cls(first, second, third, second * Bounds.point(DAY) + third)

    def __neg__(self) -> Span:
        return replace(self._each(lambda part: -part), length=-self.length if self.length is not None else None)

    def __add__(self, other: Span) -> Span:
        return Span(*(a + b if a is not None and b is not None else None for a, b in zip(self, other, strict=True)))

    def __sub__(self, other: Span) -> Span:
        return self + -other

    def __iter__(self) -> Iterator[Bounds | None]:
        return iter((self.months, self.days, self.time, self.total))

    def hull(self, other: Span) -> Span:
        """The bounds of one of the two intervals (CASE, COALESCE, GREATEST)."""
        parts = zip(self, other, strict=True)
        hull = Span(*(a.hull(b) if a is not None and b is not None else None for a, b in parts))
        first, second = self._epoch(), other._epoch()
        return replace(hull, length=first.hull(second) if first is not None and second is not None else None)

    def _each(self, operation: Callable[[Bounds], Bounds]) -> Span:
        return Span(*(operation(part) if part is not None else None for part in self))

    def justified(self) -> Span:
        """The bounds of justify_hours(), which makes days of every 24 hours; days and time then have one sign."""
        apart = Span.apart(self.total)
        return Span(self.months, apart.days, apart.time, self.total, self.length)

    def times(self, factor: Bounds | None, *, whole: bool) -> Span | None:
        """The bounds of the interval multiplied by a number.

        Postgres computes in double precision, part by part, and carries fractions down: of a month to days, of a day to
        the time. Whole numbers leave no fractions; for others nothing is known if there may be months.

        Args:
            factor: bounds of the number; None if it has none.
            whole: the number is an integer.
        """
        if factor is None:
            return None
        if whole:
            return self._each(lambda part: _computed(part * factor))
        if self.months != _NONE or self.days is None or self.time is None or self.total is None:
            return None
        days = self.days * factor
        error = max(DAY * days.magnitude + (self.time * factor).magnitude, Fraction(1)) / 2**45
        total = (self.total * factor).widened(error).onto_grid(MICROSECOND)
        carried = _signed(days, DAY)
        time = (self.time * factor + carried).widened(error).onto_grid(MICROSECOND)
        return Span(_NONE, days.widened(error / DAY).onto_grid(Fraction(1)), time, total)

    def field(self, name: str) -> Bounds | None:
        """The bounds of extract(name FROM interval) in its own unit."""
        if name == "epoch":
            return self._epoch()
        part = self.months if name in ("year", "month") else self.days if name == "day" else self.time
        if part is None:
            return None
        if name == "day":
            return part
        if name in ("year", "hour"):
            return part.truncated(Fraction(12 if name == "year" else 3600))
        if name == "month":
            return part if part.magnitude < 12 else _signed(part, Fraction(11))
        if name == "minute":
            return part.truncated(Fraction(60)) if part.magnitude < 3600 else _signed(part, Fraction(59))
        unit = {"second": 1, "millisecond": 1000, "microsecond": 10**6}.get(name)
        if unit is None:
            return None
        seconds = part if part.magnitude < 60 else _signed(part, Fraction(60))
        return seconds * Bounds.point(unit)

    def _epoch(self) -> Bounds | None:
        if self.length is not None or self.months is None or self.total is None:
            return self.length
        return Bounds(_seconds_of(self.months.low), _seconds_of(self.months.high)) + self.total


def _seconds_of(months: Fraction) -> Fraction:
    """What extract(epoch) makes of months, which grows with them: twelve make a year of 365.25 days."""
    years = math.trunc(months / 12)
    return (years * _DAYS_OF_YEAR + (months - 12 * years) * _DAYS_OF_MONTH) * DAY


def _signed(bounds: Bounds, most: Fraction) -> Bounds:
    """[-most, most], without the sign that no value within the bounds has."""
    return Bounds(-most if bounds.low < 0 else Fraction(0), most if bounds.high > 0 else Fraction(0))


def _computed(bounds: Bounds) -> Bounds:
    """The bounds of a product in double precision, which is exact where it is not too large."""
    return bounds if bounds.magnitude <= _EXACT else bounds.widened(bounds.magnitude / 2**45)
