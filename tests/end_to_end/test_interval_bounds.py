"""Bounds of interval columns: what extract() makes of them can be summed, and is Postgres's own where rows keep to them."""

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
CREATE TABLE stays (person integer PRIMARY KEY, ward text, took interval, stay interval, loose interval);
INSERT INTO stays
SELECT i, (ARRAY['a', 'b'])[1 + i % 2], i % 480 * interval '1 minute' + i % 60 * interval '0.5 seconds',
       CASE WHEN i % 7 > 0 THEN i % 12 * interval '1 month' + i % 25 * interval '1 day' + i % 20 * interval '1 hour' END,
       i * interval '1 second'
FROM generate_series(1, 1000) AS i;
"""
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"person": {}},
    "tables": {
        "public.stays": {
            "unit": {"name": "person", "column": "person"},
            "budget": {"epsilon": "1e27", "delta": "0.4"},
            "query": {"epsilon": "1e20", "delta": "1e-5"},
            "columns": {
                "person": {},
                "ward": {"values": ["a", "b"]},
                "took": {"bounds": ["0 minutes", "8 hours"]},
                "stay": {"bounds": ["0 days", "400 days"]},
                "loose": {},
            },
        },
    },
}


@pytest.fixture(scope="module")
def stays(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    dsn = postgres_cluster.create_database("stays")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)
    with client_and_source(proxies(Policy.model_validate(POLICY), source=dsn)) as both:
        yield both


@pytest.mark.parametrize(
    "query",
    [
        "SELECT sum(extract(epoch FROM took)), avg(extract(epoch FROM took)) FROM stays",
        "SELECT ward, sum(extract(epoch FROM took)) FROM stays WHERE took > '1 hour' GROUP BY ward",
        "SELECT sum(extract(epoch FROM stay)), sum(extract(month FROM stay)), sum(extract(day FROM stay)) FROM stays",
        "SELECT avg(extract(hour FROM took)), sum(extract(epoch FROM took + interval '1 day')) FROM stays",
        "SELECT sum(extract(epoch FROM coalesce(took, stay))), sum((date '2024-01-01' + took)::date - date '2024-01-01') FROM stays",
    ],
)
def test_answer_equals_postgres(query: str, stays: Connections) -> None:
    assert_same_answer(query, stays)


def test_longer_intervals_count_as_the_bound(stays: Connections) -> None:
    client, source = stays
    source.execute("UPDATE stays SET took = took + interval '8 hours' WHERE person <= 10")
    try:
        clamped = "SELECT sum(least(extract(epoch FROM took), 28800)) FROM stays"
        assert_same_answer("SELECT sum(extract(epoch FROM took)) FROM stays", stays, clamped)
    finally:
        source.execute("UPDATE stays SET took = took - interval '8 hours' WHERE person <= 10")
    assert client.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


def test_an_interval_without_bounds_is_refused(stays: Connections) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="requires bounds"):
        stays[0].execute("SELECT max(extract(epoch FROM loose)) FROM stays")


def test_dp_columns_shows_the_bounds(stays: Connections) -> None:
    rows = stays[0].execute("SELECT column_name, bounds FROM dp.columns WHERE bounds IS NOT NULL ORDER BY 1").fetchall()
    assert rows == [("stay", "[00:00:00, 400 days]"), ("took", "[00:00:00, 08:00:00]")]
