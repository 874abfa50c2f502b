"""Whatever functions of its time a condition compares: every row that meets it lies in a window that is read (theorem 24).

The moments stand just before and after each midnight, of UTC and of clocks far away from it, so that a window that was
one day too short would miss some of them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import psycopg
import pytest

from proxy.sql.rows.time_windows import Asked
from proxy.sql.schema import Schema
from tests.conftest import PostgresCluster
from tests.sql.test_time_windows import planned, schema

pytestmark = pytest.mark.postgres

ZONES = ("UTC", "America/Los_Angeles", "Pacific/Kiritimati")
LATE = dt.date(2027, 12, 31)
OFFSETS = "'-14 hours', '-8 hours', '-7 hours', '-1 microsecond', '0', '10 hours', '23:59:59.999999'"
TYPES = {"at": "timestamp", "seen": "timestamptz", "day": "date"}

EXACT = {
    "date_trunc('month', {}) = '2024-03-01'": ("2024-03-01", "2024-03-31"),
    "date_trunc('month', {})::date = '2024-03-01'": ("2024-03-01", "2024-03-31"),
    "date_trunc('month', {}) IN ('2024-02-01', '2024-03-01')": ("2024-02-01", "2024-03-31"),
    "date_trunc('month', {}) > '2024-02-01' AND date_trunc('month', {}) <= '2024-04-15'": ("2024-03-01", "2024-04-30"),
    "date_trunc('week', {}) = '2024-02-26'": ("2024-02-26", "2024-03-03"),
    "date_trunc('quarter', {}) = date '2024-04-01'": ("2024-04-01", "2024-06-30"),
    "NOT date_trunc('year', {}) < '2026-01-01' AND {} < '2027-02-01'": ("2026-01-01", "2027-01-31"),
    "{}::date = '2024-03-31'": ("2024-03-31", "2024-03-31"),
    "date({}) BETWEEN '2024-03-09' AND '2024-03-11'": ("2024-03-09", "2024-03-11"),
    "extract(year FROM {}) = 2024": ("2024-01-01", "2024-12-31"),
    "extract(year FROM {}) IN (2025, 2024)": ("2024-01-01", "2025-12-31"),
    "extract(year FROM {}) > 2024.5 AND date_part('year', {}) < 2027": ("2025-01-01", "2026-12-31"),
    "extract(year FROM {}) = 2024 AND extract(month FROM {}) = 12": ("2024-12-01", "2024-12-31"),
    "date_part('month', {}) BETWEEN 2 AND 4 AND date_part('year', {}) = 2024": ("2024-02-01", "2024-04-30"),
    "extract(quarter FROM {}) IN (2, 3) AND extract(year FROM {}) = 2025": ("2025-04-01", "2025-09-30"),
    "to_char({}, 'YYYY-MM') = '2024-02'": ("2024-02-01", "2024-02-29"),
    "'2024-02-29' = to_char({}, 'YYYY-MM-DD')": ("2024-02-29", "2024-02-29"),
    "to_char({}, 'YYYY') IN ('2024', '2025')": ("2024-01-01", "2025-12-31"),
    "to_char(date_trunc('month', {}), 'YYYY-MM-DD') = '2024-02-01'": ("2024-02-01", "2024-02-29"),
    "extract(year FROM date_trunc('month', {})) = 2024": ("2024-01-01", "2024-12-31"),
}
"""Conditions, and the first and the last day that they leave by the clock of UTC."""

WIDER = (
    "date_trunc('month', {}) = timestamptz '2024-03-01 00:00+05'",
    "date_trunc('month', {}) >= '2024-03-01 00:00-08' AND date_trunc('month', {}) <= '2024-03-01 00:00-08'",
    "date_trunc('week', {}::timestamptz) = '2024-03-11 00:00+14'",
    "date_trunc('month', {}) = '2024-02-01 00:00+14'",
    "date_trunc('month', {}) > '2024-02-01 00:00+14' AND {} < '2024-05-01'",
    "{}::timestamptz BETWEEN '2024-03-10 00:00-08' AND '2024-03-10 10:00+00'",
    "{}::timestamp = '2024-03-31'",
    "({}::timestamptz AT TIME ZONE 'UTC')::date = '2024-03-10'",
    "date_trunc('day', {}::timestamptz AT TIME ZONE 'utc') = '2024-03-10'",
    "({}::timestamp AT TIME ZONE 'UTC')::date = '2024-03-10'",
    "({}::date AT TIME ZONE 'UTC')::date = '2024-03-10'",
    "extract(epoch FROM {}) BETWEEN 1709251200 AND 1709337600",
    "extract(epoch FROM {}::timestamptz) BETWEEN 1709251200 AND 1709337600",
    "extract(epoch FROM date_trunc('month', {}::date)) BETWEEN 1709200000 AND 1709300000",
    "extract(month FROM {}) = 3",
    "extract(month FROM {}) = 3 AND extract(year FROM {}) >= 2024 AND {} < '2024-08-01'",
    "extract(month FROM {}) = 13 AND extract(year FROM {}) = 2024",
    "date_part('month', {}) >= 11 AND extract(year FROM {}) = 2024",
    "to_char({}, 'YYYY-MM') IN ('2024-02', 'x')",
    "to_char({}, 'YYYY-MM') = '2024-13'",
    "to_char({}, 'MM-YYYY') = '02-2024'",
    "to_char({}, 'YYYY-MM') <> '2024-02'",
    "date_trunc('decade', {}) = '2020-01-01'",
    "extract(year FROM {}) = 2024 OR extract(year FROM {}) = 2026",
)
"""Conditions of which windows are known less exactly, or not at all."""


@pytest.fixture(scope="module")
def source(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("windows_of_conditions"), autocommit=True) as connection:
        connection.execute(
            f"CREATE TABLE times AS SELECT (d || '+00')::timestamptz + o::interval AS seen, d + o::interval AS at, "
            f"(d + o::interval)::date AS day FROM generate_series(timestamp '2024-01-01', '2027-12-31', '1 day') AS d, "
            f"unnest(ARRAY[{OFFSETS}]) AS o".encode()
        )
        yield connection


@pytest.fixture(scope="module")
def by_day() -> dict[str, Schema]:
    return {column: schema("day", of=column) for column in TYPES}


def days_read(condition: str, known: Schema, *, by_utc: bool) -> tuple[dt.date, dt.date]:
    plan = planned(f"SELECT count(*) FROM events WHERE {condition}", known, Asked(LATE, by_utc))
    windows = plan.windows.of["public.events"]
    return windows.start, windows.end - dt.timedelta(days=1)


@pytest.mark.parametrize("column", TYPES)
@pytest.mark.parametrize("condition", [*EXACT, *WIDER])
def test_every_row_that_meets_a_condition_lies_in_a_window_that_is_read(
    condition: str, column: str, source: psycopg.Connection, by_day: dict[str, Schema]
) -> None:
    where = condition.replace("{}", column)
    of_utc = f"{column} AT TIME ZONE 'UTC'" if column == "seen" else column
    for zone in ZONES:
        source.execute(f"SET TimeZone = '{zone}'".encode())
        first, last = days_read(where, by_day[column], by_utc=zone == "UTC")
        outside = source.execute(
            f"SELECT {column} FROM times WHERE ({where}) AND ({of_utc})::date BETWEEN '2024-01-01' AND '2027-12-31' "
            f"AND NOT ({of_utc})::date BETWEEN '{first}' AND '{last}'".encode()
        ).fetchall()
        assert outside == [], (zone, first, last)


@pytest.mark.parametrize("column", TYPES)
@pytest.mark.parametrize(("condition", "days"), EXACT.items())
def test_no_other_window_is_read_by_the_clock_of_utc(
    condition: str, days: tuple[str, str], column: str, by_day: dict[str, Schema]
) -> None:
    first, last = days_read(condition.replace("{}", column), by_day[column], by_utc=True)
    assert (str(first), str(last)) == days


@pytest.mark.parametrize("column", TYPES)
@pytest.mark.parametrize(
    "condition", [text for text in EXACT if not re.search("month FROM|quarter FROM|'month', {}\\) BET", text)]
)
def test_another_clock_makes_few_more_windows_and_none_of_what_has_no_zone(
    condition: str, column: str, by_day: dict[str, Schema]
) -> None:
    where = condition.replace("{}", column)
    exact, wider = (days_read(where, by_day[column], by_utc=by_utc) for by_utc in (True, False))
    most = dt.timedelta(days=33 if column == "seen" else 0)  # A day more may be one month more.
    assert exact[0] - wider[0] <= most
    assert wider[1] - exact[1] <= most


@pytest.mark.parametrize("column", ["at", "day"])
def test_what_the_same_clock_makes_and_cuts_is_known_exactly(column: str, by_day: dict[str, Schema]) -> None:
    where = f"date_trunc('day', {column}::timestamptz) = '2024-02-26'"
    assert days_read(where, by_day[column], by_utc=False) == (dt.date(2024, 2, 26), dt.date(2024, 2, 26))


def test_conditions_that_need_a_moment_keep_it(by_day: dict[str, Schema]) -> None:
    where = "extract(timezone FROM seen) = 0 AND seen::date = '2024-04-01'"
    assert days_read(where, by_day["seen"], by_utc=True) == (dt.date(2024, 4, 1), dt.date(2024, 4, 1))


def test_what_a_subquery_reads_is_not_taken_for_the_time_of_a_window(by_day: dict[str, Schema]) -> None:
    where = (
        "seen::date = '2024-04-01' AND EXISTS (SELECT 1 FROM people AS p WHERE p.person_id = events.person_id AND "
        "p.age::text = '7')"
    )
    assert days_read(where, by_day["seen"], by_utc=True) == (dt.date(2024, 4, 1), dt.date(2024, 4, 1))
