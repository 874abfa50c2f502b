"""Bounds of intervals in a policy: `8 hours`, `-1 day 12:00:00`, of weeks, days and less.

A month is no length of time, so there are none: 30 days stand for it in Postgres's own comparisons.
"""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction
from typing import Final

_SECONDS: Final = {
    "microsecond": Fraction(1, 10**6),
    "millisecond": Fraction(1, 1000),
    "second": Fraction(1),
    "minute": Fraction(60),
    "hour": Fraction(3600),
    "day": Fraction(86_400),
    "week": Fraction(7 * 86_400),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86_400),
    "s": Fraction(1),
}
_SPOKEN: Final = ("week", "day", "hour", "minute", "second")
_PART: Final = re.compile(
    rf"\s*(?:(?P<number>[-+]?\d{{1,9}}(?:\.\d{{1,6}})?) ?(?P<unit>{'|'.join(_SECONDS)})s?(?![a-z])"
    r"|(?P<sign>[-+]?)(?P<hours>\d{1,6}):(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d(?:\.\d{1,6})?))",
    re.ASCII,
)
_LONGEST: Final = Fraction(86_400 * 1_000_000)
"""Longer intervals of a column count as NULL in arithmetic."""


def duration(text: str) -> dt.timedelta | None:
    """The length of time that a text means; None if it means none, or is longer than a million days."""
    position, seconds = 0, Fraction(0)
    for match in _PART.finditer(text):
        if match.start() != position:
            return None
        position = match.end()
        if match["unit"] is not None:
            seconds += Fraction(match["number"]) * _SECONDS[match["unit"]]
        else:
            clock = int(match["hours"]) * 3600 + int(match["minutes"]) * 60 + Fraction(match["seconds"])
            seconds += -clock if match["sign"] == "-" else clock
    if position == 0 or text[position:].strip() or abs(seconds) > _LONGEST:
        return None
    microseconds = seconds * 10**6
    return dt.timedelta(microseconds=int(microseconds)) if microseconds.denominator == 1 else None


def seconds_of(value: dt.timedelta) -> Fraction:
    """Its length in seconds."""
    return Fraction(value // dt.timedelta(microseconds=1), 10**6)


def spoken(value: dt.timedelta) -> str:
    """Its whole seconds in the largest unit that counts them, as in "90 minutes" or "1 hour"."""
    seconds = value // dt.timedelta(seconds=1)
    unit, length = next((unit, _SECONDS[unit]) for unit in _SPOKEN if unit == "second" or not seconds % _SECONDS[unit])
    count = int(seconds / length)
    return f"{count} {unit}{'' if count == 1 else 's'}"


def duration_text(value: dt.timedelta) -> str:
    """A text that `duration` reads as this value."""
    sign, rest = ("-", -value) if value < dt.timedelta() else ("", value)
    minutes, seconds = divmod(rest.seconds, 60)
    fraction = f".{rest.microseconds:06d}".rstrip("0") if rest.microseconds else ""
    clock = f"{sign}{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}{fraction}"
    if not rest.days:
        return clock
    days = f"{sign}{rest.days} day{'s' if rest.days > 1 else ''}"
    return f"{days} {clock}" if rest.seconds or rest.microseconds else days
