"""Constants that are written plainly beside columns of a type are the values that Postgres reads there."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

CONDITIONS = [
    "birth_year >= '1980'",
    "' +1980 ' = birth_year",
    "birth_year IN ('1980', '1981', 1982)",
    "birth_year = ANY ('{1980, 1981}')",
    "NOT birth_year = ANY ('{1980}')",
    "birth_year <> ALL ('{1980,1981}')",
    "birth_year BETWEEN '1980' AND '1980'",
    "birth_year BETWEEN SYMMETRIC '1990' AND 1980",
    "birth_year IS NOT DISTINCT FROM '1980'",
    "height > '170.50'",
    "height IN ('160', '160.5')",
    "registered = '2020-06-30'",
    "registered >= '2022-01-01 23:59:59'",
    "registered > timestamp '2022-01-01'",
    "registered > timestamp '2022-01-01 12:00'",
    "registered IN ('2020-01-14 12:00', '2020-01-27')",
    "registered IN ('2020-01-14 12:00', timestamp '2020-01-27')",
    "registered BETWEEN '2022-01-01 12:00' AND timestamp '2022-02-01 12:00'",
    "NOT registered < '2022-01-01T00:00:00Z'",
    "registered < '2022-01-01+14'",
    "registered - '2021-01-01' > 30",
    "('2022-01-01') - registered < 30 AND registered - ('Jan 2, 2021') > 0",
]
VISITS = [
    "score > '0.5' AND score <= '100'",
    "score IN ('1', '2.5', 3)",
    "ratio = '0.125' OR ratio IN ('1', '2.5')",
    "discount = '0.07'",
    "discount = 'NaN'",
    "minutes < '7'",
    "visited_at >= '2024-06-30'",
    "visited_at >= date '2024-06-30'",
    "visited_at < timestamp '2024-06-30T10:10:00.000+02'",
    "visited_at = '2024-03-31 02:30'",
    "visited_at >= timestamptz '2024-06-30 00:00+05'",
    "visited_at BETWEEN '2024-02-29' AND '2024-03-10 12:00:00.5'",
    "visited_at IN ('2024-01-18 01:01', '2024-02-04 02:02:00')",
    "seen_at >= '2024-06-30'",
    "seen_at >= date '2024-06-30' AND seen_at < timestamp '2024-07-01 12:00'",
    "seen_at >= '2024-03-31 02:30'",
    "seen_at >= timestamp '2024-03-31 02:30' AND NOT seen_at > '2024-10-27 02:30:00'",
    "seen_at >= timestamp '2024-10-27 02:30'",
    "seen_at < '2024-06-30T10:00:00.000Z'",
    "visited_at - '2024-06-30 12:00' > interval '10 days'",
    "visited_at - '2024-06-30 12:00' > '10 days'",
    "seen_at - '2024-06-30' > interval '10 days' AND '2024-12-01 10:00+02' - seen_at > interval '1 day'",
    "seen_at < '2024-06-30 10:00-0530' AND seen_at > timestamptz '2024-06-30 00:00+05:30'",
]
WRONG = [
    "registered = '2022-02-30'",
    "registered - '2022-02-30' > 3",
    "registered - '1 day' > 3",
    "registered = '2022-01-01 99:99'",
    "visited_at = '2022-01-01 10:00+02:99'",
    "seen_at = '2022-01-01 10:00+99'",
    "birth_year = '40000'",
    "birth_year = '1980.0'",
    "birth_year = ANY ('{1980,x}')",
]


@pytest.fixture(params=["UTC", "Europe/Berlin", "America/New_York"])
def zoned(request: pytest.FixtureRequest, connections: Connections) -> Connections:
    for connection in connections:
        connection.execute(f"SET TimeZone = '{request.param}'".encode())
    return connections


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_constant_is_what_postgres_reads(condition: str, connections: Connections) -> None:
    assert_same_answer(f"SELECT count(*) FROM patients WHERE {condition}", connections)


@pytest.mark.parametrize("condition", VISITS)
def test_a_moment_is_what_postgres_reads(condition: str, zoned: Connections) -> None:
    assert_same_answer(f"SELECT count(*), count(*) FILTER (WHERE NOT ({condition})) FROM visits", zoned)
    assert_same_answer(f"SELECT count(*) FROM visits WHERE {condition}", zoned)


@pytest.mark.parametrize("condition", WRONG)
def test_what_postgres_refuses_stays_refused(condition: str, connections: Connections) -> None:
    client, source = connections
    table = "visits" if "_at" in condition else "patients"
    for connection in (client, source):
        with pytest.raises(psycopg.DataError):
            connection.execute(f"SELECT count(*) FROM {table} WHERE {condition}".encode())
