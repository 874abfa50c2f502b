"""WHERE narrows the declared dates of GROUP BY: no group outside of it is answered, and none inside is missing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

MONTH = "SELECT date_trunc('month', visited_at)::date, count(*) FROM visits WHERE {} GROUP BY 1 ORDER BY 1"
DAY = dt.date
CASES = {
    "from a date on": (MONTH.format("visited_at >= date '2025-09-01'"), DAY(2025, 9, 1), DAY(2026, 1, 1)),
    "before a date": (MONTH.format("visited_at < date '2024-04-01'"), DAY(2024, 1, 1), DAY(2024, 3, 1)),
    "up to a date": (MONTH.format("visited_at <= date '2024-04-01'"), DAY(2024, 1, 1), DAY(2024, 4, 1)),
    "before a moment within a day": (
        MONTH.format("visited_at < timestamp '2024-04-01 12:00'"),
        DAY(2024, 1, 1),
        DAY(2024, 4, 1),
    ),
    "constant on the left": (MONTH.format("'2025-11-15' < visited_at"), DAY(2025, 11, 1), DAY(2026, 1, 1)),
    "between": (
        MONTH.format("visited_at BETWEEN '2024-06-30' AND '2024-08-01'"),
        DAY(2024, 6, 1),
        DAY(2024, 8, 1),
    ),
    "one day": (MONTH.format("visited_at = '2025-02-03'"), DAY(2025, 2, 1), DAY(2025, 2, 1)),
    "in a subquery": (
        "SELECT date_trunc('month', d)::date, count(*) FROM (SELECT visited_at AS d FROM visits WHERE visited_at < '2024-03-01') AS x "
        "WHERE d >= '2024-02-01' GROUP BY 1 ORDER BY 1",
        DAY(2024, 2, 1),
        DAY(2024, 2, 1),
    ),
    "moments with time zone": (
        "SELECT date_trunc('month', seen_at)::date, count(*) FROM visits WHERE seen_at < timestamptz '2024-03-01' GROUP BY 1 ORDER BY 1",
        DAY(2024, 1, 1),
        DAY(2024, 2, 1),
    ),
    "through a cast": (
        "SELECT date_trunc('month', seen_at::date)::date, count(*) FROM visits WHERE seen_at >= timestamptz '2025-11-01' GROUP BY 1 ORDER BY 1",
        DAY(2025, 11, 1),
        DAY(2026, 1, 1),
    ),
    "a field": (
        "SELECT make_date(extract(year FROM visited_at)::integer, 1, 1), count(*) FROM visits WHERE visited_at < '2025-01-01' GROUP BY extract(year FROM visited_at)",
        DAY(2024, 1, 1),
        DAY(2024, 1, 1),
    ),
    "nothing, after infinity": (MONTH.format("visited_at > 'infinity'"), DAY(2026, 1, 1), DAY(2026, 1, 1)),
    "seconds since 1970": (
        MONTH.format("extract(epoch FROM visited_at) >= 1714521600 AND extract(epoch FROM visited_at) < 1719792000"),
        DAY(2024, 5, 1),
        DAY(2024, 6, 1),
    ),
    "whole seconds since 1970": (
        MONTH.format("floor(extract(epoch FROM visited_at)) BETWEEN 1714521600 AND 1719791999"),
        DAY(2024, 5, 1),
        DAY(2024, 6, 1),
    ),
    "rounded seconds since 1970": (
        MONTH.format("extract(epoch FROM visited_at)::bigint BETWEEN 1714521600 AND 1719791999"),
        DAY(2024, 4, 1),
        DAY(2024, 6, 1),
    ),
    "seconds of days of moments": (
        "SELECT date_trunc('month', seen_at)::date, count(*) FROM visits WHERE 1714521600 <= extract(epoch FROM date_trunc('day', seen_at)) "
        "AND extract(epoch FROM seen_at::date) < 1719792000 GROUP BY 1 ORDER BY 1",
        DAY(2024, 5, 1),
        DAY(2024, 6, 1),
    ),
    "seconds beyond all years": (
        MONTH.format("extract(epoch FROM visited_at) > -1e30 AND extract(epoch FROM visited_at) < 1e30"),
        DAY(2024, 1, 1),
        DAY(2026, 1, 1),
    ),
    "a comparison negated": (MONTH.format("NOT (visited_at > '2024-02-29')"), DAY(2024, 1, 1), DAY(2024, 2, 1)),
    "nothing negated": (
        MONTH.format("NOT (visited_at > '2024-02-29' AND urgent)"),
        DAY(2024, 1, 1),
        DAY(2026, 1, 1),
    ),
}


@pytest.mark.parametrize(("query", "first", "last"), CASES.values(), ids=CASES.keys())
def test_groups_lie_inside_the_dates_of_where(
    query: str, first: dt.date, last: dt.date, exact_proxy: RunningProxy
) -> None:
    with exact_proxy.connect() as client, psycopg.connect(exact_proxy.options.source_dsn) as source:
        answered: dict[dt.date, int] = dict(client.execute(query.encode()).fetchall())
        expected: dict[dt.date, int] = dict(source.execute(query.encode()).fetchall())
    assert (min(answered), max(answered)) == (first, last)
    assert {key: count for key, count in answered.items() if count} == expected


CLOCKS_CHANGE = {
    "after the hour that is left out": "visited_at > timestamptz '2025-03-09 03:10-04' AND visited_at < '2025-03-09 06:00'",
    "the hour that is left out": "visited_at = timestamptz '2025-03-09 03:30-04'",
    "before the hour that is left out": "visited_at < timestamptz '2025-03-09 03:10-04' AND visited_at > '2025-03-09'",
    "after the first of two equal hours": "visited_at > timestamptz '2025-11-02 01:30-04' AND visited_at < '2025-11-02 06:00'",
    "up to the second of two equal hours": "visited_at <= timestamptz '2025-11-02 01:30-05' AND visited_at > '2025-11-02'",
}


@pytest.fixture(scope="module")
def clocks(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    """Visits at hours that the clocks of New York skip or show twice."""
    source_dsn = copy_clinic()
    hours = ["2025-03-09 02:05", "2025-03-09 02:30", "2025-03-09 03:05", "2025-11-02 01:10", "2025-11-02 01:50"]
    with psycopg.connect(source_dsn, autocommit=True) as source:
        for number, hour in enumerate(hours):
            source.execute(
                "INSERT INTO visits (visit_id, patient_id, visited_at, urgent) VALUES (%s, 7, %s, true)",
                (50_000 + number, hour),
            )
    with client_and_source(proxies(clinic.exact_policy(), source=source_dsn)) as both:
        for connection in both:
            connection.execute("SET TimeZone = 'America/New_York'")
        yield both


@pytest.mark.parametrize("condition", CLOCKS_CHANGE.values(), ids=CLOCKS_CHANGE.keys())
def test_no_group_is_left_out_where_clocks_change(condition: str, clocks: Connections) -> None:
    """A timestamp is compared with a moment as the moment that its clock shows, which is not always in its order."""
    query = f"SELECT date_trunc('minute', visited_at), count(*) FROM visits WHERE {condition} GROUP BY 1"
    assert clocks[1].execute(query.encode()).fetchall()
    assert_same_answer(query, clocks)
