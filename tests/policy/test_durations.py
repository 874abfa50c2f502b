"""Durations in a policy: exact, and only what is one length of time."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.policy.durations import duration, duration_text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8 hours", dt.timedelta(hours=8)),
        ("0 minutes", dt.timedelta()),
        ("1 day 2 hours", dt.timedelta(days=1, hours=2)),
        ("-1 day 12:00:00", dt.timedelta(days=-1, hours=12)),
        ("-1 day -12:00:00.5", dt.timedelta(days=-1, hours=-12, milliseconds=-500)),
        ("1.5 weeks", dt.timedelta(days=10, hours=12)),
        ("3seconds", dt.timedelta(seconds=3)),
        ("7 microseconds", dt.timedelta(microseconds=7)),
        ("100:00:00", dt.timedelta(hours=100)),
    ],
)
def test_a_duration_is_what_it_says(text: str, value: dt.timedelta) -> None:
    assert duration(text) == value


@pytest.mark.parametrize(
    "text",
    ["", " ", "8", "1 month", "1 year", "8 hourss", "hours", "1 day x", "x 1 day", "1:60:00", "0.1 microseconds",
     "1000001 days", "infinity", "8 hours,", "1 mon"],
)  # fmt: skip
def test_what_is_no_length_of_time_is_none(text: str) -> None:
    assert duration(text) is None


@given(st.timedeltas(dt.timedelta(days=-1_000_000), dt.timedelta(days=1_000_000)))
def test_a_duration_is_written_as_it_is_read(value: dt.timedelta) -> None:
    assert duration(duration_text(value)) == value
