"""A Citus cluster as the source: the same answers as on one server, from the same sums, computed where the rows are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg
import pytest

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import catalog_for
from proxy.postgres.cluster import setting_statements
from proxy.postgres.source_connection import pinned_settings
from proxy.postgres.transaction import SourceRequest
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import source_statements
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.cluster import SHARDS, Cluster
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.recording import recording
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import QUERIES, assert_same
from tests.planned import analysed, only_plan

HEAVY = 1
"""A patient with more visits than the policy counts."""


@dataclass
class Asked:
    """A proxy in front of the cluster, and all that it has asked there."""

    proxy: RunningProxy
    requests: list[SourceRequest] = field(default_factory=list)


@pytest.fixture(scope="module", params=[False, True], ids=["fixed", "chosen"])
def chooses(request: pytest.FixtureRequest) -> bool:
    """Is it left to each query how much of a unit counts?"""
    return bool(request.param)


@pytest.fixture(scope="module")
def asked(chooses: bool, cluster: Cluster, proxies: StartProxy) -> Asked:
    """Answers exactly."""
    requests: list[SourceRequest] = []

    with recording(requests=requests):
        return Asked(proxies(clinic.exact_policy(chooses=chooses), source=cluster.source), requests)


@pytest.fixture
def client(asked: Asked) -> Iterator[psycopg.Connection]:
    """Of the cluster's proxy."""
    with asked.proxy.connect() as connection:
        connection.execute("SET dp.empty_groups = 'hide'")
        connection.execute("SET dp.notices = off")
        yield connection


@pytest.fixture(scope="module")
def postgres(postgres_cluster: PostgresCluster) -> str:
    """The clinic on one ordinary server."""
    dsn = postgres_cluster.create_database("clinic_of_cluster")
    clinic.create(dsn)
    return dsn


def assert_same_answers(query: str, client: psycopg.Connection, postgres: str, *settings: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as source:
        for setting in settings:
            source.execute(setting.encode())
            client.execute(setting.encode())
        rows, expected = (connection.execute(query.encode()).fetchall() for connection in (client, source))
    if "ORDER BY" not in query:
        rows, expected = sorted(rows, key=repr), sorted(expected, key=repr)
    assert len(rows) == len(expected)
    for row, expected_row in zip(rows, expected, strict=True):
        assert_same(row, expected_row)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answers_are_those_of_one_server(query: str, client: psycopg.Connection, postgres: str) -> None:
    assert_same_answers(query, client, postgres, "SET TimeZone = 'Europe/Paris'")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits WHERE seen_at >= '2024-06-05 00:00'",
        "SELECT date_trunc('day', seen_at), count(*) FROM visits WHERE urgent GROUP BY 1",
        "SELECT count(*) FROM visits WHERE visited_at + interval '-1 day -2 hours 3 minutes' >= '2024-06-05'",
        "SELECT extract(hour FROM seen_at), count(*) FROM visits GROUP BY 1",
    ],
)
def test_workers_read_and_print_times_under_the_clients_settings(
    query: str, client: psycopg.Connection, postgres: str
) -> None:
    settings = ("SET DateStyle = 'ISO, DMY'", "SET IntervalStyle = 'sql_standard'", "SET TimeZone = 'Asia/Tokyo'")
    assert_same_answers(query, client, postgres, *settings)


PLACES = {
    "count": "SELECT count(*) FROM visits",
    "sum": "SELECT sum(cost) FROM visits",
    "average": "SELECT count(*), avg(minutes) FROM visits",
    "units": "SELECT count(DISTINCT patient_id) FROM visits",
    "units by a key": "SELECT region, count(DISTINCT patient_id) FROM visits GROUP BY region",
    "by a key": "SELECT region, count(*) FROM visits GROUP BY region",
    "averages by a key": "SELECT region, count(*), avg(minutes) FROM visits GROUP BY region",
    "deviations of an expression": "SELECT region, stddev(least(greatest(cost * cost, 0), 90000)) FROM visits GROUP BY 1",
    "by an expression": "SELECT date_trunc('month', visited_at), count(*) FROM visits GROUP BY 1",
    "by a selected key": "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis",
    "join with a public table": "SELECT zone, count(*) FROM visits JOIN regions ON name = region GROUP BY zone",
    "join by the unit": "SELECT sex, count(*) FROM visits JOIN patients USING (patient_id) GROUP BY sex",
    "units of a subquery": "SELECT count(*) FROM visits WHERE patient_id IN "
    "(SELECT patient_id FROM patients WHERE smoker)",
    "existence": "SELECT region, count(*) FROM visits v WHERE EXISTS "
    "(SELECT FROM patients p WHERE p.patient_id = v.patient_id AND smoker) GROUP BY region",
    "one row of each unit": "SELECT sex, count(*), avg(height) FROM patients GROUP BY sex",
    "numbers of rows": "SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) v GROUP BY n",
    "totals": "SELECT region, count(*) FROM visits GROUP BY ROLLUP (region)",
    "median": "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits",
    "mode": "SELECT mode() WITHIN GROUP (ORDER BY region) FROM visits",
    "extreme by a key": "SELECT region, max(minutes) FROM visits GROUP BY region",
    "distinct values": "SELECT count(DISTINCT minutes) FROM visits",
    "distinct values by a key": "SELECT region, count(DISTINCT minutes) FROM visits GROUP BY region",
}
VALUES = {"median": 120, "extreme by a key": 120, "distinct values": 120, "distinct values by a key": 4 * 120}
"""The most values that a choice is made from, or that each worker tells apart."""
SIZES = {"median": 12}
"""The buckets of sizes that patients with up to 96 visits are in: where the data choose the limit of a choice, a value is
sent once for each."""


@pytest.mark.parametrize("name", PLACES)
def test_only_groups_leave_the_workers(
    name: str, chooses: bool, asked: Asked, client: psycopg.Connection, cluster: Cluster
) -> None:
    del asked.requests[:]
    client.execute("SET dp.epsilon = 1e21")  # another question than that of other tests
    client.execute(PLACES[name].encode())
    (request,) = asked.requests
    values = VALUES.get(name, 1) * (SIZES.get(name, 1) if chooses else 1)
    most = SHARDS * max(values, *(len(rows) for rows in rows_of(cluster, request)))
    with as_asked(cluster, request) as connection:
        travelled = [rows_brought(connection, statement) for statement in request.statements]
    assert max(map(max, travelled)) <= most


@contextmanager
def as_asked(cluster: Cluster, request: SourceRequest) -> Iterator[psycopg.Connection]:
    """In a transaction like that of the request."""
    with psycopg.connect(cluster.owner, autocommit=True) as connection:
        # EXPLAIN ANALYZE makes the coordinator a client of its own.
        connection.execute(f"SET citus.local_hostname = '{cluster.coordinator.socket_directory}'".encode())
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        for setting in setting_statements(pinned_settings(request.settings), request.statements, request.tables):
            connection.execute(setting)
        yield connection
        connection.execute("ROLLBACK")


def rows_of(cluster: Cluster, request: SourceRequest) -> list[list[tuple[object, ...]]]:
    with as_asked(cluster, request) as connection:
        return [connection.execute(statement.encode()).fetchall() for statement in request.statements]


def rows_brought(connection: psycopg.Connection, statement: str) -> list[int]:
    """How many rows each query of Citus's brings to the coordinator; one of them, at least, has a task for each shard."""
    connection.execute("SET LOCAL citus.explain_distributed_queries = on")
    explain = f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) {statement}"
    plan = "\n".join(line for (line,) in connection.execute(explain.encode()))
    assert f"Task Count: {SHARDS}\n" in plan
    return [int(rows) for rows in re.findall(r"(?:Citus Adaptive\)|intermediate_result\w*) \(actual rows=(\d+)", plan)]


CLIPPED = [
    PLACES[name] for name in ("count", "sum", "by a key", "averages by a key", "by a selected key", "join by the unit")
]
CLIPPED += [PLACES[name] for name in ("totals", "median", "mode", "extreme by a key")]
CLIPPED.append("SELECT region, count(DISTINCT cost) FROM visits GROUP BY region")


@pytest.mark.parametrize("query", CLIPPED)
def test_sums_are_those_of_one_server_with_and_without_a_unit(
    query: str, chooses: bool, cluster: Cluster, postgres: str
) -> None:
    # So the sums of neighbours differ by as much as on one server, which is what noise is made for.
    bounds = {"contribution": {"max_groups": 2}} if chooses else {}
    policy = clinic.policy(visits=bounds, patients=bounds)
    seen = []
    for dsn in (cluster.owner, postgres):
        statements = statements_of(policy, dsn, query)
        with psycopg.connect(dsn, autocommit=True) as connection:
            whole = [sorted(connection.execute(sql.encode()).fetchall(), key=repr) for sql in statements]
            with connection.transaction(force_rollback=True):
                connection.execute("DELETE FROM visits WHERE patient_id = %s", (HEAVY,))
                without = [sorted(connection.execute(sql.encode()).fetchall(), key=repr) for sql in statements]
        assert whole != without
        seen.append((whole, without))
    assert seen[0] == seen[1]


def statements_of(policy: Policy, dsn: str, query: str, search_path: tuple[str, ...] = ("public",)) -> list[str]:
    schema = Schema(policy, catalog_for(dsn, policy))
    found = analysed(query, schema, search_path)
    if found.probe_sql is not None:
        with psycopg.connect(dsn, autocommit=True) as connection:
            found = found.folded(connection.execute(found.probe_sql.encode()).fetchone() or ())
    return source_statements(only_plan(found, schema, search_path=search_path), 42)
