"""A document with so many levels that a query has no stack left to read it tells nobody that it is there."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.expressions.cases import CASES, Case, name

POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"person": {}},
    "tables": {
        "public.forms": {
            "unit": {"name": "person", "column": "person"},
            "budget": {"epsilon": "1e27", "delta": "0.4"},
            "query": {"epsilon": "1e20", "delta": "1e-6"},
            "columns": {"person": {}, "paper": {}, "record": {}},
        }
    },
}


def nested(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


def deepest(connection: psycopg.Connection, column: str) -> int:
    """The most levels that can be inserted; a form with them is left in the table."""
    least, most = 100, 1_000_000
    insert = f"INSERT INTO forms (person, {column}) VALUES (1000 + nextval('next'), %s)".encode()
    while most - least > 1:
        levels = (least + most) // 2
        try:
            connection.execute(insert, [nested(levels)])
            least = levels
        except psycopg.errors.StatementTooComplex:
            most = levels
    return least


@pytest.fixture(scope="module")
def client(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[psycopg.Connection]:
    dsn = postgres_cluster.create_database("forms")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE forms (person integer PRIMARY KEY, paper json, record jsonb)")
        connection.execute("CREATE SEQUENCE next")
        connection.execute("INSERT INTO forms VALUES (1, %s, %s)", [nested(100), nested(100)])
        assert deepest(connection, "paper") > 1000
        assert deepest(connection, "record") > 1000
    with proxies(Policy.model_validate(POLICY), source=dsn).connect() as analyst:
        analyst.execute("SET dp.notices = off")
        yield analyst


@pytest.mark.parametrize("case", [case for case in CASES if "no such document" in case.comments], ids=name)
def test_a_deep_document_is_no_error(case: Case, client: psycopg.Connection) -> None:
    assert client.execute(f"SELECT count(*) FROM forms WHERE {case.template}".encode()).fetchall() == [(0,)]


def test_a_document_of_usual_depth_is_read(client: psycopg.Connection) -> None:
    query = "SELECT count(*) FROM forms WHERE person < 9 AND json_typeof(paper -> 'a' -> 'a') = 'object'"
    assert client.execute(query.encode()).fetchall() == [(1,)]
