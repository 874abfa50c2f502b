"""Windows of time: days, weeks, months, quarters or years, each with budgets of its own (theorem 24).

Windows are numbered, so that some of them are a range. They are those of the calendar; of moments, those of UTC.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

Per = Literal["day", "week", "month", "quarter", "year"]

MOST_WINDOWS: Final = 1000
"""Of one table, within the bounds of its time: a block may be charged to all of them."""
_DAY: Final = 86_400
_EPOCH: Final = dt.date(1970, 1, 1).toordinal()
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}


def window_of(date: dt.date, per: Per) -> int:
    """The number of the window that a date lies in."""
    if per == "day":
        return date.toordinal()
    if per == "week":
        return (date.toordinal() - 1) // 7  # 0001-01-01 was a Monday
    return (date.year * 12 + date.month - 1) // _MONTHS[per]


def start_of(number: int, per: Per) -> dt.date:
    """The first day of a window."""
    if per == "day":
        return dt.date.fromordinal(number)
    if per == "week":
        return dt.date.fromordinal(number * 7 + 1)
    year, month = divmod(number * _MONTHS[per], 12)
    return dt.date(year, month + 1, 1)


def date_of(seconds: Fraction) -> dt.date:
    """The date of a moment, in seconds since 1970 by the clock that the windows go by."""
    return dt.date.fromordinal(min(max(_EPOCH + int(seconds // _DAY), 1), dt.date.max.toordinal()))


@dataclass(frozen=True)
class Windows:
    """A range of windows, at least one.

    Attributes:
        per: their length.
        first: the number of the first one.
        last: that of the last one.
    """

    per: Per
    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    @property
    def start(self) -> dt.date:
        """The first day of the first window."""
        return start_of(self.first, self.per)

    @property
    def end(self) -> dt.date:
        """The first day after the last window."""
        return start_of(self.last + 1, self.per)

    @property
    def labels(self) -> list[str]:
        """The name of each window."""
        return [label(number, self.per) for number in range(self.first, self.last + 1)]

    def __str__(self) -> str:
        first, last = label(self.first, self.per), label(self.last, self.per)
        return first if self.first == self.last else f"{first} to {last}"


def label(number: int, per: Per) -> str:
    """The name of a window, such as 2024-03, or 2024-W10 of a week. Names sort as windows do, and tell their length."""
    start = start_of(number, per)
    match per:
        case "year":
            return f"{start.year:04}"
        case "quarter":
            return f"{start.year:04}-Q{start.month // 3 + 1}"
        case "month":
            return f"{start.year:04}-{start.month:02}"
        case "week":
            return "{:04}-W{:02}".format(*start.isocalendar())
    return start.isoformat()
