"""Conditions that narrow the bounds of numbers leave answers as they are in Postgres: no row loses or gains anything."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

NUMBERS = "SELECT count({0}), sum({0}), avg({0}) FROM visits AS v WHERE {1}"
QUERIES = {
    "strictly below, whole numbers": NUMBERS.format("minutes", "minutes < 60"),
    "strictly above a fraction": NUMBERS.format("minutes", "59.5 < minutes"),
    "strictly below, cents": NUMBERS.format("cost", "cost < 60 AND cost > 59.5"),
    "a limit between two cents": NUMBERS.format("cost", "cost <= 500.005"),
    "floats": NUMBERS.format("score", "score BETWEEN 10 AND 100.0 / 7"),
    "floats equal to a limit": NUMBERS.format("ratio", "ratio >= 6.125 AND ratio <= 6.125"),
    "an expression in which NULL counts": NUMBERS.format("coalesce(minutes, 300)", "coalesce(minutes, 300) > 100"),
    "NULL counts beside a condition": NUMBERS.format("coalesce(minutes, 200)", "minutes < 60 OR minutes IS NULL"),
    "no bounds in the policy": NUMBERS.format("visit_id", "visit_id BETWEEN 100 AND 2000"),
    "a list": NUMBERS.format("minutes", "minutes IN (7, 30, NULL)"),
    "a list without bounds": NUMBERS.format("visit_id", "visit_id IN (7, 30, 11000)"),
    "an array": NUMBERS.format("minutes", "minutes = ANY ('{7,30}'::int[])"),
    "folded constants": NUMBERS.format("minutes", "minutes < 6 * 10 AND minutes >= length('abc')"),
    "inside the argument": NUMBERS.format("(minutes - 30) * 2", "minutes <= 45"),
    "the argument itself": NUMBERS.format("minutes % 50 - 7", "minutes % 50 - 7 > 30"),
    "one value": NUMBERS.format("minutes", "minutes = 30"),
    "zero": NUMBERS.format("minutes", "minutes = 0"),
    "no row": "SELECT count(*), count(minutes) FROM visits WHERE minutes > 500",
    "filters": "SELECT sum(minutes), sum(minutes) FILTER (WHERE minutes < 60), avg(minutes) FILTER (WHERE minutes > 60 "
    "AND urgent), sum(cost) FILTER (WHERE minutes = 5) FROM visits WHERE minutes <> 8",
    "groups": "SELECT region, sum(minutes), sum(minutes) FILTER (WHERE minutes < 90) FROM visits WHERE minutes < 100 GROUP BY 1",
    "inner join": "SELECT sum(minutes) FROM patients p JOIN visits v ON v.patient_id = p.patient_id AND v.minutes < 60",
    "left join": "SELECT sum(v.minutes) FROM visits v LEFT JOIN patients p ON v.patient_id = p.patient_id AND v.minutes < 60",
    "rows that an outer join adds": "SELECT sum(coalesce(v.minutes, 200)) FROM visits v JOIN patients p ON "
    "p.patient_id = v.patient_id AND coalesce(v.minutes, 200) < 60 RIGHT JOIN patients q ON q.patient_id = p.patient_id",
    "an optional subquery": "SELECT sum(coalesce(m, 100)) FROM patients p LEFT JOIN (SELECT patient_id, minutes AS m "
    "FROM visits WHERE minutes < 60) x ON x.patient_id = p.patient_id",
    "subqueries": "SELECT sum(m), sum(n) FROM (SELECT minutes * 2 AS m, cost AS n FROM visits WHERE minutes < 60) AS x "
    "WHERE m > 50 AND n < 100",
    "union": "SELECT sum(m) FROM (SELECT minutes AS m FROM visits WHERE minutes < 10 UNION ALL "
    "SELECT minutes FROM visits WHERE minutes > 100) AS x",
    "one unit's rows": "SELECT sum(s), sum(l) FROM (SELECT patient_id, sum(minutes) FILTER (WHERE minutes > 100) AS s, "
    "max(minutes) AS l FROM visits WHERE minutes > 50 GROUP BY patient_id HAVING min(minutes) < 70) AS x",
    "windows": "SELECT sum(m) FROM (SELECT lag(minutes) OVER (PARTITION BY patient_id ORDER BY visit_id) AS m "
    "FROM visits WHERE minutes > 50) AS x",
    "a released number": "SELECT sum(minutes) FROM visits WHERE minutes < (SELECT avg(minutes) FROM visits)",
    "extremes": "SELECT min(minutes), max(minutes), max(minutes) FILTER (WHERE minutes < 33) FROM visits "
    "WHERE minutes BETWEEN 12 AND 44",
    "the only value": "SELECT max(minutes), percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits WHERE minutes = 30",
    "extremes without bounds": "SELECT min(visit_id), max(visit_id) FROM visits WHERE visit_id BETWEEN 100 AND 2000",
    "moments": "SELECT var_pop(minutes), regr_slope(minutes, cost) FROM visits WHERE minutes BETWEEN 12 AND 44",
    "numbers of public rows": "SELECT sum(minutes * population), max(population) FROM visits JOIN regions ON name = region",
    "numbers of public rows under a condition": "SELECT avg(population) FROM visits JOIN regions ON name = region AND "
    "population < 1000",
    "days between": "SELECT sum(visited_at::date - date '2024-01-01'), avg(extract(epoch from visited_at)) FROM visits WHERE "
    "visited_at BETWEEN '2024-03-01' AND '2024-05-01'",
    "days before": "SELECT sum(visited_at::date - date '2024-01-01') FROM visits WHERE visited_at < date '2024-03-01'",
    "one day": "SELECT sum(extract(epoch from visited_at - timestamp '2024-03-05')) FROM visits WHERE visited_at::date = '2024-03-05'",
    "moments with their zone": "SELECT sum(extract(epoch from seen_at - timestamptz '2024-03-01 00:00+00')) FROM visits WHERE "
    "seen_at > '2024-03-01 00:00+00' AND seen_at <= timestamptz '2024-04-01 00:00+02'",
    "moments by the session's clock": "SELECT sum(extract(epoch from seen_at - timestamptz '2024-03-01')) FROM visits WHERE "
    "seen_at >= '2024-03-01' AND seen_at < date '2024-04-01'",
    "days of moments": "SELECT sum(extract(epoch from seen_at - timestamptz '2024-03-01')) FROM visits WHERE "
    "seen_at::date BETWEEN '2024-03-01' AND '2024-03-07'",
    "fractions of seconds, far from 1970": "SELECT avg(extract(epoch from visited_at) + 0.0375) FROM visits "
    "WHERE visited_at BETWEEN '2024-03-05 10:00' AND '2024-03-05 23:01'",
    "days in branches": "SELECT sum(CASE WHEN visited_at < '2024-06-01' THEN visited_at::date - date '2024-01-01' "
    "WHEN visited_at < '2025-01-01' THEN visited_at::date - date '2024-06-01' ELSE 7 END) FROM visits",
    "numbers in branches": "SELECT sum(CASE WHEN minutes < 60 THEN minutes * 2 WHEN cost < 50 THEN cost - 7 END) FROM visits",
    "dates of a filter": "SELECT min(visited_at::date) FILTER (WHERE visited_at >= '2025-07-01') FROM visits",
    "mode of a filter": "SELECT mode() WITHIN GROUP (ORDER BY region) FILTER (WHERE region IN ('south', 'nowhere')) FROM visits",
}


@pytest.fixture(scope="module")
def connections(exact_proxy: RunningProxy) -> Iterator[Connections]:
    with client_and_source(exact_proxy) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answer_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


GROUPS = [
    "SELECT minutes, count(*) FROM visits WHERE minutes BETWEEN 5 AND 20 GROUP BY 1",
    "SELECT minutes % 5, minutes, sum(cost) FROM visits WHERE minutes > 100 AND 119.5 > minutes AND urgent GROUP BY 1, 2",
    "SELECT m, count(*) FROM (SELECT minutes AS m FROM visits WHERE minutes <= 12 AND minutes >= -3) AS few GROUP BY m",
    "SELECT minutes, region, count(*) FROM visits WHERE minutes IN (3, 7, 500) AND urgent GROUP BY 1, 2",
    "SELECT DISTINCT minutes FROM visits WHERE minutes < 30 AND minutes > 0 AND cost > 10",
    "SELECT m, count(*) FROM patients p LEFT JOIN (SELECT patient_id, minutes AS m FROM visits WHERE minutes BETWEEN 0 AND 5) v "
    "ON v.patient_id = p.patient_id GROUP BY 1",
]


@pytest.fixture(scope="module")
def wide(proxies: StartProxy) -> Iterator[Connections]:
    """The policy's bounds leave far too many numbers for groups."""
    visits = clinic.exact_policy().tables["public.visits"].model_dump(exclude_unset=True)
    patients = clinic.exact_policy().tables["public.patients"].model_dump(exclude_unset=True)
    columns = visits["columns"] | {"minutes": {"bounds": ["-1000000", "1000000"]}}
    with client_and_source(proxies(clinic.policy(visits=visits | {"columns": columns}, patients=patients))) as both:
        yield both


@pytest.mark.parametrize("query", GROUPS)
def test_whole_numbers_that_a_condition_leaves_are_groups(query: str, wide: Connections) -> None:
    assert_same_answer(query, wide)


def test_whole_numbers_without_bounds_are_selected_among_those_that_occur(proxies: StartProxy) -> None:
    visits = clinic.exact_policy().tables["public.visits"].model_dump(exclude_unset=True)
    with proxies(clinic.policy(visits=visits | {"columns": visits["columns"] | {"minutes": {}}})).connect() as client:
        query = b"EXPLAIN SELECT minutes, count(*) FROM visits WHERE minutes BETWEEN 5 AND 20 GROUP BY 1"
        assert any("minutes: selected; a group shows if" in line for (line,) in client.execute(query).fetchall())


@pytest.mark.parametrize("condition", ["minutes > 5", "minutes < 30 OR urgent", "minutes <> 4", "cost < 10"])
def test_other_whole_numbers_are_too_many_for_groups(condition: str, wide: Connections) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="minutes has too many possible values") as refusal:
        wide[0].execute(f"SELECT minutes, count(*) FROM visits WHERE {condition} GROUP BY 1".encode())
    assert "or narrow it, as in WHERE minutes BETWEEN 1 AND 100" in str(refusal.value.diag.message_hint)


@pytest.mark.parametrize("condition", ["{} > 0.1", "NOT {} < 0.1", "0.1 <= {} AND urgent"])
def test_nan_meets_a_condition_and_counts_as_null(condition: str, connections: Connections) -> None:
    """To Postgres it is above all numbers."""
    numbers = "SELECT count(*), count({0}), round(sum({0}), 6), avg({0}) FROM visits WHERE "
    counted = numbers.format("NULLIF(discount, 'NaN')") + condition.format("discount")
    assert_same_answer(numbers.format("discount") + condition.format("discount"), connections, counted)


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_dates_are_narrowed_by_the_clock_of_the_session(zone: str, connections: Connections) -> None:
    query = "SELECT count(*), sum(extract(epoch from seen_at - timestamptz '2024-03-01 00:00+00')) FROM visits WHERE {}"
    conditions = [
        "seen_at > timestamp '2024-03-30 12:00' AND seen_at < '2024-04-02'",
        "seen_at::date = '2024-03-31'",
        "visited_at > timestamptz '2024-03-30 12:00+00' AND visited_at < timestamptz '2024-04-01' AND seen_at < '2025-01-01'",
    ]
    for connection in connections:
        connection.execute(f"SET TimeZone = '{zone}'".encode())
    try:
        for condition in conditions:
            assert_same_answer(query.format(condition), connections)
    finally:
        for connection in connections:
            connection.execute("RESET TimeZone")


def test_a_parameter_narrows_like_a_constant(connections: Connections) -> None:
    client, source = connections
    query = "SELECT sum(visit_id), max(visit_id) FROM visits WHERE visit_id BETWEEN %s AND %s"
    assert client.execute(query, [100, 2000]).fetchall() == source.execute(query, [100, 2000]).fetchall()
