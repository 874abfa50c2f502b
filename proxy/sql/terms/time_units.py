"""The names of units and fields of time: Postgres reads month, months, mon and mons alike."""

from __future__ import annotations

from typing import Final

_NAMES: Final = {
    "microsecond": "us usec usecs usecond useconds microsecon microseconds",
    "millisecond": "ms msec msecs msecond mseconds millisecon milliseconds",
    "second": "s sec secs seconds",
    "minute": "m min mins minutes",
    "hour": "h hr hrs hours",
    "day": "d days",
    "week": "w weeks",
    "month": "mon mons months",
    "quarter": "qtr",
    "year": "y yr yrs years",
    "decade": "dec decs decades",
    "century": "c cent centuries",
    "millennium": "mil mils millennia",
}
_UNITS: Final = {name: unit for unit, names in _NAMES.items() for name in (unit, *names.split())}

UNIT_NAMES: Final = tuple(_UNITS)
"""All names, which Postgres reads in capitals, too."""


def unit_named(name: str) -> str | None:
    """The unit with a name, as in month for MONS; None if there is none."""
    return _UNITS.get(name.lower())
