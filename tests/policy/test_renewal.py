"""When budgets begin anew: calendars, daylight saving time, the ends of months, and parts that are unlocked."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.policy.renewal import WINDOWS_PER_YEAR, Renewal, Unlocking

BERLIN = "Europe/Berlin"


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("renewal", "now", "start", "end"),
    [
        ({"every": "day"}, "2026-11-23T13:00", "2026-11-23T00:00", "2026-11-24T00:00"),
        ({"every": "day", "at": "06:00"}, "2026-11-23T05:59", "2026-11-22T06:00", "2026-11-23T06:00"),
        ({"every": "day", "at": "06:00"}, "2026-11-23T06:00", "2026-11-23T06:00", "2026-11-24T06:00"),
        ({"every": "week"}, "2026-11-29T23:59", "2026-11-23T00:00", "2026-11-30T00:00"),
        ({"every": "week", "at": "friday 18:30"}, "2026-11-23T00:00", "2026-11-20T18:30", "2026-11-27T18:30"),
        ({"every": "month"}, "2026-02-28T23:59", "2026-02-01T00:00", "2026-03-01T00:00"),
        ({"every": "month", "at": "31 00:00"}, "2026-02-28T00:00", "2026-02-28T00:00", "2026-03-31T00:00"),
        ({"every": "month", "at": "31 00:00"}, "2024-02-29T00:00", "2024-02-29T00:00", "2024-03-31T00:00"),
        ({"every": "month", "at": "30 12:00"}, "2026-03-01T00:00", "2026-02-28T12:00", "2026-03-30T12:00"),
        ({"every": "month", "at": "15 00:00"}, "2026-01-01T00:00", "2025-12-15T00:00", "2026-01-15T00:00"),
        ({"every": "quarter"}, "2026-03-31T23:00", "2026-01-01T00:00", "2026-04-01T00:00"),
        ({"every": "quarter", "at": "2 00:00"}, "2026-01-01T00:00", "2025-10-02T00:00", "2026-01-02T00:00"),
        ({"every": "year", "at": "04-01 00:00"}, "2026-03-31T00:00", "2025-04-01T00:00", "2026-04-01T00:00"),
        ({"every": "year", "at": "02-29 00:00"}, "2026-03-01T00:00", "2026-02-28T00:00", "2027-02-28T00:00"),
        # Clocks go forward on 29 March and back on 25 October 2026.
        ({"every": "day", "zone": BERLIN}, "2026-03-29T12:00", "2026-03-28T23:00", "2026-03-29T22:00"),
        ({"every": "day", "zone": BERLIN}, "2026-10-25T12:00", "2026-10-24T22:00", "2026-10-25T23:00"),
        ({"every": "day", "at": "02:30", "zone": BERLIN}, "2026-03-29T05:00", "2026-03-29T01:30", "2026-03-30T00:30"),
        ({"every": "day", "at": "02:30", "zone": BERLIN}, "2026-10-25T01:00", "2026-10-25T00:30", "2026-10-26T01:30"),
        ({"every": "week", "zone": BERLIN}, "2026-11-22T22:59", "2026-11-15T23:00", "2026-11-22T23:00"),
        # A zone without Friday, 30 December 2011.
        ({"every": "day", "zone": "Pacific/Apia"}, "2011-12-30T11:00", "2011-12-30T10:00", "2011-12-31T10:00"),
    ],
)
def test_windows_begin_where_the_calendar_says(renewal: dict[str, Any], now: str, start: str, end: str) -> None:
    found = Renewal(**renewal)
    assert found.fault() is None
    assert (found.start(at(now)), found.end(at(now))) == (at(start), at(end))


PERIODS = st.sampled_from(
    [
        ("day", None),
        ("day", "23:59"),
        ("week", "sunday 02:30"),
        ("month", "31 02:30"),
        ("month", "29 00:00"),
        ("quarter", "31 12:00"),
        ("year", "02-29 02:30"),
    ]
)
ZONES = st.sampled_from(["UTC", BERLIN, "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"])
MOMENTS = st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2060, 1, 1), timezones=st.just(dt.UTC))


@given(PERIODS, ZONES, MOMENTS, st.timedeltas(dt.timedelta(0), dt.timedelta(days=800)))
def test_windows_follow_one_another_without_gap_or_overlap(
    period: tuple[Any, str | None], zone: str, now: dt.datetime, later: dt.timedelta
) -> None:
    renewal = Renewal(every=period[0], at=period[1], zone=zone)
    start, end = renewal.start(now), renewal.end(now)
    assert start <= now < end
    assert renewal.start(end) == end
    assert renewal.start(end - dt.timedelta(microseconds=1)) == start
    assert renewal.start(now + later) >= start, "time leads forward only"
    assert end - start <= dt.timedelta(days=367)


@pytest.mark.parametrize("every", WINDOWS_PER_YEAR)
def test_no_more_windows_begin_in_a_year_than_are_added_up(every: Any) -> None:
    renewal, most = Renewal(every=every, zone=BERLIN), 0
    for year in range(2020, 2050):
        moment, stop, count = (dt.datetime(y, 1, 1, tzinfo=ZoneInfo(BERLIN)) for y in (year, year + 1, year))
        count_of = 0
        moment = renewal.start(moment) if renewal.start(moment) == moment.astimezone(dt.UTC) else renewal.end(moment)
        while moment < stop.astimezone(dt.UTC):
            count_of, moment = count_of + 1, renewal.end(moment)
        most = max(most, count_of)
        assert count is not None
    assert most == WINDOWS_PER_YEAR[every]


@pytest.mark.parametrize(
    ("renewal", "fault"),
    [
        ({"every": "week", "at": "noon"}, "at"),
        ({"every": "day", "at": "24:00"}, "at"),
        ({"every": "month", "at": "32 00:00"}, "at"),
        ({"every": "year", "at": "13-01 00:00"}, "at"),
        ({"every": "day", "zone": "Europe/Atlantis"}, "zone"),
        ({"every": "day", "zone": "../../etc/passwd"}, "zone"),
    ],
)
def test_what_is_no_time_is_told(renewal: dict[str, Any], fault: str) -> None:
    found = Renewal(**renewal).fault()
    assert found is not None
    assert found[0] == fault


def test_parts_are_unlocked_one_a_day() -> None:
    unlocking, start = Unlocking(over=dt.timedelta(days=4)), at("2026-11-23T06:00")
    for now, parts in (
        ("2026-11-23T05:59", 0),
        ("2026-11-23T06:00", 1),
        ("2026-11-24T05:59", 1),
        ("2026-11-24T06:00", 2),
        ("2026-11-26T06:00", 4),
        ("2030-01-01T00:00", 4),
    ):
        assert unlocking.share(at(now), start) == Fraction(parts, 4)
