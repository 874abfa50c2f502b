"""When budgets are there: calendar windows in which they begin anew, and parts that become available one by one.

Windows are those of the time of charging, on a zone's clock. They begin where the calendar says, so that daylight
saving time makes some an hour longer or shorter; a day that a month does not have is its last one.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from fractions import Fraction
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, BeforeValidator, ConfigDict

from proxy.policy.durations import duration

Period = Literal["day", "week", "month", "quarter", "year"]

WINDOWS_PER_YEAR: Final[dict[Period, int]] = {"day": 366, "week": 53, "month": 12, "quarter": 4, "year": 1}
"""The most windows that begin in a year."""

_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CLOCK: Final = r"([01][0-9]|2[0-3]):([0-5][0-9])"
_AT: Final[dict[Period, tuple[str, str]]] = {
    "day": ("", "00:00"),
    "week": (rf"({'|'.join(_DAYS)}) ", "monday 00:00"),
    "month": (r"([1-9]|[12][0-9]|3[01]) ", "1 00:00"),
    "quarter": (r"([1-9]|[12][0-9]|3[01]) ", "1 00:00"),
    "year": (r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ", "01-01 00:00"),
}
"""For each period what stands before the time of day, and where it begins if nothing is said."""

_STEPS: Final[dict[Period, int]] = {"month": 1, "quarter": 3, "year": 12}


class Renewal(BaseModel):
    """When a budget begins anew, over the same rows.

    Attributes:
        every: the length of its windows.
        at: when they begin: `06:00` for days, `monday 06:00` for weeks, `1 06:00` for months and quarters (a day beyond
            the month's last is its last), `04-01 06:00` for years.
        zone: whose clock that is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    every: Period
    at: str | None = None
    zone: str = "UTC"

    def fault(self) -> tuple[str, str] | None:
        """The key that makes no sense, and what to write; None if all do. Other methods need that."""
        if re.fullmatch(_AT[self.every][0] + _CLOCK, self._at) is None:
            return "at", f"write for example `at: {_AT[self.every][1]}`"
        try:
            ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return "zone", "write the name of a time zone, such as Europe/Berlin"
        return None

    @property
    def _at(self) -> str:
        return _AT[self.every][1] if self.at is None else self.at

    def start(self, now: dt.datetime) -> dt.datetime:
        """The beginning of the window that holds `now`, in UTC.

        Args:
            now: aware.
        """
        return max(start for start in self._near(now) if start <= now)

    def end(self, now: dt.datetime) -> dt.datetime:
        """The beginning of the next window, in UTC."""
        return min(start for start in self._near(now) if start > now)

    def _near(self, now: dt.datetime) -> list[dt.datetime]:
        """The beginnings of the windows around `now`."""
        today = now.astimezone(ZoneInfo(self.zone)).date()
        return [self._instant(self._day(today, number)) for number in (-2, -1, 0, 1, 2)]

    def _instant(self, day: dt.date) -> dt.datetime:
        """The moment of a local day and the time of `at`: the first of two, and, of none, as if the clock had not been
        changed yet."""
        hour, minute = map(int, self._at[-5:].split(":"))
        local = dt.datetime.combine(day, dt.time(hour, minute), ZoneInfo(self.zone))
        return local.astimezone(dt.UTC)

    def _day(self, today: dt.date, number: int) -> dt.date:
        """The day on which the `number`-th window begins, counted from that of `today`."""
        if self.every == "day":
            return today + dt.timedelta(days=number)
        if self.every == "week":
            weekday = _DAYS.index(self._at.split(" ")[0])
            return today + dt.timedelta(days=7 * number - (today.weekday() - weekday) % 7)
        step, date = _STEPS[self.every], self._at[:-6]
        first = int(date[:2]) - 1 if self.every == "year" else 0
        months = today.year * 12 + (today.month - 1 - first) // step * step + first + number * step
        year, month = divmod(months, 12)
        wanted = int(date[3:] if self.every == "year" else date)
        return dt.date(year, month + 1, min(wanted, calendar.monthrange(year, month + 1)[1]))


def _length(value: object) -> object:
    read = duration(value) if isinstance(value, str) else None
    return read if read is not None else value


class Unlocking(BaseModel):
    """How a budget becomes available in equal parts, one each day.

    Attributes:
        over: after this time all of it is: whole days, such as `30 days`.
        since: the first day (in UTC); a budget that renews begins with each window.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    over: Annotated[dt.timedelta, BeforeValidator(_length)]
    since: dt.date | None = None

    def share(self, now: dt.datetime, start: dt.datetime) -> Fraction:
        """How much of the budget is available, from 0 to 1: a part of it with the beginning of each day.

        Args:
            now: aware.
            start: when the first part becomes available.
        """
        if now < start:
            return Fraction(0)
        days = max(self.over // dt.timedelta(days=1), 1)
        return Fraction(min((now - start).days + 1, days), days)
