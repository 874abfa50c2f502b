"""Columns that hold other values than the policy declares: what a query itself lists is complete, the rest is said."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

SCHEMA = """
CREATE TABLE airports (faa text PRIMARY KEY);
INSERT INTO airports VALUES ('JFK'), ('LAX'), ('BOS');
CREATE TABLE flights (
    id integer PRIMARY KEY, dest text, origin text REFERENCES airports, hour integer, code char(4), fare numeric,
    busy boolean, month integer NOT NULL CHECK (month BETWEEN 1 AND 12), late numeric CHECK (late >= 0 AND late <= 50)
);
INSERT INTO flights
SELECT i, (ARRAY['JFK', 'LAX', 'BOS', 'SJU', 'BQN', NULL])[1 + i % 6], (ARRAY['JFK', 'LAX'])[1 + i % 2], i % 30,
       (ARRAY['a', 'bc'])[1 + i % 2], (ARRAY['NaN', 'Infinity', '-Infinity', '1.5', NULL])[1 + i % 5]::numeric, i % 2 = 0, 1 + i % 12, i % 50
FROM generate_series(1, 300) AS i;
"""
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"flight": {}},
    "tables": {
        "public.flights": {
            "unit": {"name": "flight", "column": "id"},
            "budget": {"epsilon": "1e27", "delta": "0.4"},
            "query": {"epsilon": "1e20", "delta": "1e-5"},
            "columns": {
                "id": {},
                "dest": {"values_from": "public.airports.faa"},
                "origin": {"values_from": "public.airports.faa"},
                "hour": {"range": ["0", "23"]},
                "code": {},
                "fare": {},
                "busy": {},
                "month": {"range": ["1", "12"]},
                "late": {"bounds": ["0", "60"]},
            },
        },
        "public.airports": {"public": True},
    },
}


@pytest.fixture(scope="module")
def flights(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    dsn = postgres_cluster.create_database("flights")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)
    with client_and_source(proxies(Policy.model_validate(POLICY), source=dsn)) as both:
        yield both


KEYS = [
    "dest = 'SJU'",
    "dest IN ('SJU', 'BQN')",
    "dest <> 'JFK' AND busy",
    "CASE WHEN dest = 'SJU' THEN 'SJU' ELSE 'other' END",
    "CASE dest WHEN 'SJU' THEN 1 WHEN 'JFK' THEN 2 END",
    "CASE WHEN dest = 'SJU' THEN CASE WHEN busy THEN 'a' ELSE 'b' END ELSE 'c' END",
    "upper(CASE WHEN dest = 'SJU' THEN 'x' ELSE 'y' END)",
    "coalesce(dest = 'SJU', false)",
    "(dest = 'SJU')::int",
    "hour > 12",
    "CASE WHEN hour < 6 THEN 'night' WHEN hour < 24 THEN 'day' ELSE 'later' END",
]


@pytest.mark.parametrize("key", KEYS)
def test_a_condition_or_case_has_all_its_results_whatever_the_column_holds(key: str, flights: Connections) -> None:
    assert_same_answer(f"SELECT {key}, count(*) FROM flights GROUP BY 1", flights)
    assert_same_answer(f"SELECT {key} AS k, count(*) FROM flights GROUP BY ROLLUP (k)", flights)
    assert_same_answer(f"SELECT k, count(*) FROM (SELECT id, {key} AS k FROM flights) AS f GROUP BY k", flights)
    assert_same_answer(
        f"SELECT k, origin, count(*) FROM (SELECT e.k, e.origin FROM (SELECT {key} AS k, origin FROM flights) AS e)"
        " AS f GROUP BY 1, 2",
        flights,
    )


@pytest.mark.parametrize(
    "query",
    [
        "SELECT dest, count(*) FROM flights WHERE dest IN ('SJU', 'JFK') GROUP BY dest",
        "SELECT dest, count(*) FROM flights WHERE dest = 'SJU' GROUP BY dest",
        "SELECT dest, count(*) FROM flights WHERE dest IN ('SJU', 'BQN') AND dest <> 'BQN' GROUP BY ROLLUP (dest)",
        "SELECT lower(dest), count(*) FROM flights WHERE dest IN ('SJU', 'JFK') GROUP BY 1",
        "SELECT dest = 'SJU', count(*) FROM flights WHERE dest IN ('SJU', 'JFK') GROUP BY 1",
        "SELECT d, count(*) FROM (SELECT id, dest AS d FROM flights) AS f WHERE d IN ('SJU', 'JFK') GROUP BY d",
        "SELECT d, count(*) FROM (SELECT id, dest AS d FROM flights WHERE dest IN ('SJU', 'JFK')) AS f GROUP BY d",
        "SELECT hour, count(*) FROM flights WHERE hour IN (23, 27) GROUP BY hour",
        "SELECT code, count(*) FROM flights WHERE code IN ('a', 'abcdef') GROUP BY code",
    ],
)
def test_a_list_in_where_gives_its_keys_declared_or_not(query: str, flights: Connections) -> None:
    assert_same_answer(query, flights)


def test_infinities_and_nan_are_keys_of_their_own(flights: Connections) -> None:
    assert_same_answer("SELECT fare, count(*) FROM flights GROUP BY fare", flights)


@pytest.mark.parametrize(
    ("query", "groups"),
    [
        ("SELECT dest = 'SJU', dest, count(*) FROM flights GROUP BY 1, 2", 4),
        ("SELECT origin = 'JFK', count(*) FROM flights GROUP BY 1", 3),
        ("SELECT dest = 'SJU', count(*) FROM flights WHERE dest IN ('JFK', 'LAX') GROUP BY 1", 1),
        ("SELECT id > 7, count(*) FROM flights GROUP BY 1", 2),
    ],
)
def test_no_group_is_added_where_the_values_are_known(query: str, groups: int, flights: Connections) -> None:
    client = flights[0]
    client.execute("SET dp.empty_groups = show")
    assert len(client.execute(query.encode()).fetchall()) == groups
    client.execute("SET dp.empty_groups = hide")


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("dest", True),
        ("lower(dest)", True),
        ("hour", True),
        ("hour / 2", True),
        ("month", False),
        ("month / 3", False),
        ("floor(late / 10)", False),
        ("origin", False),
        ("busy", False),
        ("dest = 'SJU'", False),
        ("CASE WHEN dest = 'SJU' THEN 1 ELSE 2 END", False),
    ],
)
def test_explain_says_where_rows_can_be_in_no_group(key: str, told: bool, flights: Connections) -> None:
    lines = flights[0].execute(f"EXPLAIN SELECT {key}, count(*) FROM flights GROUP BY 1".encode()).fetchall()
    (keys,) = (line for (line,) in lines if "Group keys" in line)
    assert (f"rows with other values of {key} are in no group" in keys) == told
