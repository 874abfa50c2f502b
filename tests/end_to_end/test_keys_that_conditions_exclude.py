"""Conditions on what a group key is made of leave out the keys that no row can have: nobody is shown noise there."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

BY_MONTH = "SELECT date_trunc('month', visited_at)::date, count(*) FROM visits WHERE {} GROUP BY 1"
BY_DAY = "SELECT visited_at::date, count(*) FROM visits WHERE {} GROUP BY 1"

EXCLUDED = {
    "days of a key": BY_DAY.format("visited_at::date BETWEEN '2024-05-01' AND '2024-05-10'"),
    "days that a tool compares": BY_DAY.format(
        "CAST(visited_at AS date) >= date '2024-05-01' AND CAST(visited_at AS date) < date '2024-05-03'"
    ),
    "days of a month": BY_DAY.format("date_trunc('month', visited_at) = '2024-03-01'"),
    "months of a year": BY_MONTH.format("extract(year FROM visited_at) = 2024"),
    "months of days": BY_MONTH.format("visited_at::date BETWEEN '2024-03-31' AND '2024-05-01'"),
    "months by their text": "SELECT to_char(visited_at, 'YYYY-MM'), count(*) FROM visits WHERE to_char(visited_at, 'YYYY-MM') > "
    "'2025-10' AND visited_at < '2026-01-01' GROUP BY 1",
    "fields of a year": "SELECT extract(year FROM visited_at), extract(month FROM visited_at), count(*) FROM visits "
    "WHERE extract(year FROM visited_at) = 2025 GROUP BY 1, 2",
    "weeks and the years that they are in": "SELECT extract(isoyear FROM visited_at), extract(week FROM visited_at), count(*) "
    "FROM visits WHERE visited_at >= '2024-12-01' AND visited_at < '2025-02-01' GROUP BY 1, 2",
    "days of the week": "SELECT extract(dow FROM visited_at), count(*) FROM visits WHERE extract(dow FROM visited_at) BETWEEN 1 AND 5 "
    "GROUP BY 1",
    "steps of a number": "SELECT s, count(*) FROM (SELECT floor(minutes / 20) * 20 AS s FROM visits) AS v WHERE s BETWEEN 20 AND 60 "
    "GROUP BY s",
    "a condition that is a key": "SELECT minutes > 30 AS long, count(*) FROM visits WHERE minutes > 30 GROUP BY 1",
    "what Looker compares with": BY_DAY.format(
        "visited_at >= ((SELECT timestamp '2024-05-01')) AND visited_at < ((SELECT (timestamp '2024-05-01' + (9 || ' day')::interval)))"
    ),
    "whether rows of the unit exist": "SELECT EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.urgent) AS a, "
    "(SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) > 9 AS b, count(*) FROM patients p GROUP BY 1, 2",
    "limits in a CTE": "WITH p AS (SELECT date '2024-05-01' AS low, date '2024-05-11' AS high) SELECT visited_at::date, count(*) FROM visits, p "
    "WHERE visited_at >= low AND visited_at < high GROUP BY 1",
    "limits in rows of constants": "SELECT visited_at::date, count(*) FROM visits CROSS JOIN (VALUES (timestamp '2024-05-01', timestamp "
    "'2024-05-03'), ('2024-07-01', '2024-07-02')) AS p(low, high) WHERE visited_at >= low AND visited_at < high GROUP BY 1",
    "months before a released number": BY_MONTH.format(
        "visited_at < (SELECT date_trunc('month', min(visited_at)) + interval '3 months' FROM visits)"
    ),
    "a key compared with a released number": BY_DAY.format(
        "visited_at::date <= (SELECT min(visited_at)::date + 4 FROM visits)"
    ),
    "a column of a public table": "SELECT minutes, count(*) FROM visits v JOIN (SELECT DISTINCT 4 AS most FROM regions) AS r ON true WHERE "
    "minutes > 55 AND minutes - 56 < r.most AND minutes <= 55 + r.most GROUP BY minutes",
    "a disjunction": "SELECT extract(month FROM visited_at), count(*) FROM visits WHERE extract(month FROM visited_at) = 2 OR "
    "extract(month FROM visited_at) > 10 GROUP BY 1",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[tuple[psycopg.Connection, psycopg.Connection]]:
    """A client of a proxy whose answers are exact and which shows empty groups, and the clinic itself."""
    proxy = proxies(clinic.exact_policy())
    with proxy.connect() as client, psycopg.connect(proxy.options.source_dsn, autocommit=True) as source:
        client.execute("SET dp.notices = off")
        yield client, source


@pytest.mark.parametrize("query", EXCLUDED.values(), ids=EXCLUDED.keys())
def test_the_groups_are_those_that_the_condition_leaves(
    query: str, connections: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    rows, expected = (sorted(connection.execute(query.encode()).fetchall()) for connection in connections)
    assert rows == expected


INSIDE = {
    "days of a whole policy": "SELECT seen_at::date, count(*) FROM visits GROUP BY 1",
    "months beside days": "SELECT date_trunc('month', seen_at)::date, count(*) FROM visits WHERE seen_at::date > '2024-02-10' GROUP BY 1",
    "a finer condition beside a coarser key": BY_MONTH.format("extract(hour FROM seen_at) = 3"),
    "another column": BY_MONTH.format("seen_at::date < '2024-03-01'"),
    "moments by their day, where clocks change": "SELECT seen_at::date, count(*) FROM visits WHERE seen_at::date BETWEEN '2024-03-08' "
    "AND '2024-03-12' GROUP BY 1",
    "moments by their month": "SELECT date_trunc('month', seen_at)::date, count(*) FROM visits WHERE seen_at::date > '2024-10-30' AND "
    "date_trunc('month', seen_at) <= '2024-12-01' GROUP BY 1",
}


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kathmandu", "Asia/Beirut"])
@pytest.mark.parametrize("query", INSIDE.values(), ids=INSIDE.keys())
def test_no_group_with_rows_is_left_out(
    query: str, zone: str, connections: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    for connection in connections:
        connection.execute("SELECT set_config('TimeZone', %s, false)", [zone])
    found, expected = (connection.execute(query.encode()).fetchall() for connection in connections)
    for connection in connections:
        connection.execute("RESET TimeZone")
    assert sorted((row for row in found if row[1]), key=repr) == sorted(expected, key=repr)
