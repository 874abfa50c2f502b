"""Infinite floats, and those beyond what arithmetic allows, count as the bound that they are nearest to."""

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
CREATE TABLE readings (id integer PRIMARY KEY, level double precision, single real);
INSERT INTO readings
SELECT i, (ARRAY['1.5', '20', '-7', 'Infinity', 'Infinity', '-Infinity', '1e200', '-1e200', NULL])[1 + i % 9]::float8,
       (ARRAY['0.5', 'Infinity', '-Infinity', NULL])[1 + i % 4]::real
FROM generate_series(1, 3600) AS i;
"""
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"reading": {}},
    "tables": {
        "public.readings": {
            "unit": {"name": "reading", "column": "id"},
            "budget": {"epsilon": "1e27", "delta": "0.4"},
            "query": {"epsilon": "1e20", "delta": "1e-5"},
            "columns": {"id": {}, "level": {"bounds": ["-10", "10"]}, "single": {"bounds": ["-10", "10"]}},
        }
    },
}


@pytest.fixture(scope="module")
def connections(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    source = postgres_cluster.create_database("readings")
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
    with client_and_source(proxies(Policy.model_validate(POLICY), source=source)) as both:
        yield both


@pytest.mark.parametrize(
    "query",
    [
        "SELECT sum(least(greatest(level, -10), 10)) FROM readings",
        "SELECT sum(least(greatest(single, -10), 10)), sum(least(single, level, 10)) FROM readings WHERE single > -20 AND level > -20",
        "SELECT count(*) FROM readings WHERE coalesce(level, 0) > 1e100",
        "SELECT greatest(level, single, 0) > 5, count(*) FROM readings GROUP BY 1",
        "SELECT count(*) FROM readings WHERE CASE WHEN single > 0 THEN level ELSE 3 END > 1e100",
    ],
)
def test_choices_keep_them(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("number", ["level", "coalesce(level, single)", "greatest(single, level)"])
def test_sums_count_them_as_bounds(number: str, connections: Connections) -> None:
    clamped = f"SELECT sum(least(greatest({number}, -10), 10)) FROM readings WHERE {number} IS NOT NULL"
    assert_same_answer(f"SELECT sum({number}) FROM readings", connections, expected_of=clamped)
