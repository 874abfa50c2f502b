"""Conditions on what a group key is made of leave out the keys that no row can have: nobody is shown noise there."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.charging import all_spent
from tests.end_to_end.conftest import StartProxy

BY_MONTH = "SELECT date_trunc('month', visited_at)::date, count(*) FROM visits WHERE {} GROUP BY 1"
BY_DAY = "SELECT visited_at::date, count(*) FROM visits WHERE {} GROUP BY 1"
OF_REGIONS = "visits v JOIN regions r ON r.name = v.region"
LARGEST_ZONE = f"(SELECT r.zone FROM {OF_REGIONS} GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)"

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
    "days of a subquery that hands the moment on": "SELECT d, count(*) FROM (SELECT visited_at::date AS d, visited_at FROM visits) AS e "
    "WHERE visited_at >= '2024-05-01' AND visited_at < '2024-05-11' GROUP BY d",
    "months of a subquery that hands the year on": "SELECT m, count(*) FROM (SELECT date_trunc('month', visited_at) AS m, "
    "extract(year FROM visited_at) AS y FROM visits) AS e WHERE y = 2024 GROUP BY m",
    "a condition around two CTEs": "WITH a AS (SELECT visited_at::date AS d, visited_at AS t FROM visits), b AS (SELECT d AS day, t AS at FROM a) "
    "SELECT day, count(*) FROM b WHERE at >= '2024-05-01' AND at < '2024-05-11' GROUP BY day",
    "a condition around groups of each unit": "SELECT m, count(*) FROM (SELECT patient_id, date_trunc('month', visited_at) AS m, "
    "extract(year FROM visited_at) AS y FROM visits GROUP BY 1, 2, 3) AS e WHERE y = 2024 GROUP BY m",
    "a CTE read twice, under two conditions": "WITH e AS (SELECT patient_id, date_trunc('quarter', visited_at) AS q, extract(year FROM visited_at) "
    "AS y FROM visits) SELECT a.q, b.q FROM e a JOIN e b USING (patient_id) WHERE a.y = 2024 AND b.y = 2025 GROUP BY 1, 2",
    "another column of a public row that is handed on": f"SELECT name, count(*) FROM (SELECT r.name, r.zone FROM {OF_REGIONS}) AS e "
    "WHERE zone = 'cold' GROUP BY name",
    "two columns of a public row that are handed on": f"SELECT zone, name, count(*) FROM (SELECT r.name, r.zone FROM {OF_REGIONS}) AS e "
    "WHERE zone IN ('cold', 'warm') GROUP BY 1, 2",
    "a public row that is joined inside": "SELECT home, count(*) FROM (SELECT p.region AS home, r.zone FROM visits v JOIN patients p USING "
    "(patient_id) JOIN regions r ON r.name = p.region) AS e WHERE zone = 'cold' GROUP BY home",
    "a list of public rows": "SELECT region, count(*) FROM visits WHERE region IN (SELECT name FROM regions WHERE zone = 'cold') "
    "GROUP BY region",
    "what is not in a list of public rows": "SELECT upper(region), count(*) FROM visits WHERE region NOT IN (SELECT name FROM "
    "regions WHERE zone = 'cold' OR name = 'nowhere') GROUP BY 1",
    "an array of public rows": "SELECT region, count(*) FROM visits WHERE region = ANY (ARRAY(SELECT name FROM regions WHERE zone <> "
    "'cold' AND name <> 'nowhere')) GROUP BY region",
    "a list of public rows in a subquery": "SELECT r, count(*) FROM (SELECT region AS r FROM visits WHERE region IN (SELECT name "
    "FROM regions WHERE zone = 'cold')) AS v GROUP BY r",
    "a public column joined with a released list": f"SELECT r.zone, count(*) FROM {OF_REGIONS} JOIN {LARGEST_ZONE} t ON t.zone = r.zone "
    "GROUP BY r.zone",
    "another column beside one joined with a released list": f"SELECT v.region, count(*) FROM {OF_REGIONS} JOIN {LARGEST_ZONE} t "
    "ON t.zone = r.zone GROUP BY v.region",
    "a public column joined with a released list inside": f"SELECT name, count(*) FROM (SELECT r.name FROM {OF_REGIONS} JOIN {LARGEST_ZONE} t "
    "ON t.zone = r.zone) AS e GROUP BY name",
    "a column handed on and joined with a released list": "SELECT e.region, count(*) FROM (SELECT region FROM visits WHERE minutes > 60) AS e JOIN "
    "(SELECT region FROM visits GROUP BY 1 ORDER BY sum(minutes) DESC LIMIT 2) t ON t.region = e.region GROUP BY 1",
    "weeks as texts of days": "SELECT to_char(date_trunc('week', visited_at), 'YYYY-MM-DD'), count(*) FROM visits GROUP BY 1",
    "weeks as texts of days, cast first": "SELECT to_char(date_trunc('week', visited_at)::date, 'YYYY-MM-DD'), count(*) FROM visits GROUP BY 1",
    "quarters as texts of months": "SELECT to_char(date_trunc('month', date_trunc('quarter', visited_at)), 'YYYY-MM'), count(*) FROM visits "
    "WHERE visited_at < '2026-01-01' GROUP BY 1",
    "months as texts, twice": "SELECT to_char(date_trunc('month', visited_at), 'YYYY-MM'), to_char(date_trunc('month', visited_at), 'YYYY-MM-DD'), "
    "count(*) FROM visits WHERE visited_at < '2026-01-01' GROUP BY 1, 2",
    "weeks as texts, and their years": "SELECT to_char(date_trunc('week', visited_at), 'YYYY-MM-DD'), extract(isoyear FROM visited_at), count(*) "
    "FROM visits WHERE visited_at < '2025-12-31' GROUP BY 1, 2",
    "weeks as Tableau writes them": "SELECT date_trunc('DAY', CAST(seen_at AS timestamp)) + (-EXTRACT(DOW FROM seen_at) * INTERVAL '1 DAY'), "
    "count(*) FROM visits WHERE seen_at >= '2024-02-01' AND seen_at < '2024-04-01' GROUP BY 1",
    "no NULL of a field of a date": "SELECT extract(dow FROM visited_at) IN (0, 6), extract(day FROM visited_at) = 1, extract(hour FROM visited_at) "
    "BETWEEN 8 AND 17, count(*) FROM visits GROUP BY 1, 2, 3",
    "no NULL where WHERE leaves none": "SELECT extract(dow FROM seen_at) IN (0, 6), count(*) FROM visits WHERE seen_at IS NOT NULL GROUP BY 1",
    "no NULL of a date compared with its month": "SELECT visited_at::date = date_trunc('month', visited_at), to_char(visited_at, 'D') IN ('1', '7'), "
    "count(*) FROM visits GROUP BY 1, 2",
    "no ELSE behind WHEN true": "SELECT CASE WHEN minutes < 60 THEN 'short' WHEN true THEN 'long' WHEN urgent THEN 'never' END, count(*) "
    "FROM visits GROUP BY 1",
    "a subquery that is a constant": "SELECT urgent, count(*) FROM visits GROUP BY (SELECT 1), urgent",
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
    "days that are handed on": "SELECT d, count(*) FROM (SELECT seen_at::date AS d, seen_at FROM visits) AS e WHERE seen_at > '2024-03-08 12:00' "
    "AND seen_at < '2024-03-12 05:00' GROUP BY 1",
    "an outer join inside": "SELECT d, zone, count(*) FROM (SELECT v.seen_at::date AS d, v.seen_at, r.zone FROM patients p JOIN visits v USING "
    "(patient_id) LEFT JOIN regions r ON r.name = p.region) AS e WHERE seen_at < '2024-01-12' OR seen_at IS NULL GROUP BY 1, 2",
    "an optional subquery": "SELECT d, count(*) FROM patients p LEFT JOIN (SELECT patient_id, seen_at::date AS d, seen_at FROM visits) AS e "
    "USING (patient_id) WHERE (seen_at < '2024-01-12') IS NOT FALSE GROUP BY 1",
    "sides of a union": "SELECT d, count(*) FROM (SELECT visited_at::date AS d, visited_at AS t FROM visits UNION ALL SELECT registered, "
    "registered::timestamp FROM patients) AS e WHERE t < '2024-01-12' GROUP BY 1",
    "weeks as texts": "SELECT to_char(date_trunc('week', seen_at), 'YYYY-MM-DD'), to_char(date_trunc('week', seen_at)::date, 'IYYY-IW'), count(*) "
    "FROM visits GROUP BY 1, 2",
    "weeks of a clock": "SELECT date_trunc('day', seen_at::timestamp) - extract(dow FROM seen_at) * interval '1 day', count(*) FROM visits GROUP BY 1",
    "hours of a clock": "SELECT date_trunc('hour', seen_at::timestamp), extract(hour FROM seen_at), count(*) FROM visits WHERE "
    "seen_at BETWEEN '2024-03-01' AND '2024-04-10' GROUP BY 1, 2",
    "NULL of a date that can be": "SELECT extract(dow FROM seen_at) IN (0, 6), seen_at::date = date_trunc('month', seen_at), count(*) FROM visits "
    "GROUP BY 1, 2",
    "a released list that has no rows": "SELECT (SELECT region FROM visits GROUP BY 1 HAVING count(*) < 0), count(*) FROM visits GROUP BY 1",
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
    assert sorted((row for row in found if row[-1]), key=repr) == sorted(expected, key=repr)


NO_GROUP = {
    "months after the policy's bounds": BY_MONTH.format("visited_at >= '2034-01-01'"),
    "days before them": BY_DAY.format("visited_at < date '2004-01-01'"),
    "days from today on that are after them": BY_DAY.format("visited_at >= current_date + 3650"),
    "hours beside another key": "SELECT extract(hour FROM visited_at), region, count(*), avg(cost) FROM visits WHERE visited_at > '2034-01-01' GROUP BY 1, 2",
    "months that end before they begin": BY_MONTH.format("visited_at BETWEEN '2025-06-01' AND '2025-03-01'"),
    "two values of one column": "SELECT region, max(cost), count(DISTINCT patient_id) FROM visits WHERE region = 'north' AND region = 'south' GROUP BY 1",
    "bins of time": "SELECT date_bin('7 days', seen_at, '2024-01-01'), sum(cost) FROM visits WHERE seen_at > '2034-01-01' GROUP BY 1",
}

SOME_GROUP = {
    "the last day": BY_DAY.format("visited_at >= '2025-12-31'"),
    "a moment of it": BY_MONTH.format("visited_at > '2025-12-31 10:00'"),
    "the first day": BY_DAY.format("visited_at <= '2024-01-01'"),
    "a total of nothing": "SELECT date_trunc('month', visited_at), count(*) FROM visits WHERE visited_at >= '2034-01-01' GROUP BY ROLLUP (1)",
    "all rows": "SELECT count(*) FROM visits WHERE visited_at >= '2034-01-01'",
}


@pytest.mark.parametrize("query", NO_GROUP.values(), ids=NO_GROUP.keys())
def test_where_no_declared_key_meets_the_conditions_nothing_is_charged(
    query: str, connections: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    client, source = connections
    notices: list[str] = []

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        notices.append(str(diagnostic.message_primary))

    before = all_spent(client)
    client.add_notice_handler(note)
    client.execute("SET dp.notices = on")
    try:
        assert client.execute(query.encode()).fetchall() == source.execute(query.encode()).fetchall() == []
    finally:
        client.execute("SET dp.notices = off")
        client.remove_notice_handler(note)
    assert notices == ["dpproxy answered without a row of public.visits, free of charge"]
    explained = [line for (line,) in client.execute(f"EXPLAIN {query}".encode())]
    assert "  Answered without a row: no declared key meets the conditions; free" in explained
    assert not [line for line in explained if line.startswith("  Account")]
    assert all_spent(client) == before


@pytest.mark.parametrize("query", SOME_GROUP.values(), ids=SOME_GROUP.keys())
def test_where_a_key_meets_the_conditions_the_question_is_charged(
    query: str, connections: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    client, source = connections
    before = all_spent(client)
    assert sorted(row for row in client.execute(query.encode()) if row[-1]) == sorted(
        row for row in source.execute(query.encode()) if row[-1]
    )
    assert all_spent(client) != before
    assert not [line for (line,) in client.execute(f"EXPLAIN {query}".encode()) if "Answered without a row" in line]
