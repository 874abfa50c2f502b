"""Searches of arrays for constants, which are made by their elements, have Postgres's answers: NULLs, dimensions, types."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proxy.policy.model import Policy
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLES = """
CREATE TABLE households (id integer PRIMARY KEY, tags text[], short varchar(5)[] NOT NULL, numbers bigint[]);
INSERT INTO households
SELECT i,
       (ARRAY['{vegan,wine}', '{wine,NULL}', '{}', NULL, '{{vegan,tea},{NULL,wine}}', '{[2:3]}', '{NULL}'])[1 + i % 7]::text[],
       (ARRAY['{a,b}', '{}', '{c,a}'])[1 + i % 3]::varchar(5)[],
       ARRAY[i % 3, i % 5, NULLIF(i % 4, 0)]
FROM generate_series(1, 420) AS i;
CREATE TABLE shops AS SELECT id, tags, short FROM households WHERE id < 40;
"""
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"household": {}},
    "tables": {
        "public.households": {
            "unit": {"name": "household", "column": "id"},
            "budget": {"epsilon": "1e27", "delta": "0.4"},
            "query": {"epsilon": "1e20", "delta": "1e-5"},
            "columns": {name: {} for name in ("id", "tags", "short", "numbers")},
        },
        "public.shops": {"public": True},
    },
}


@pytest.fixture(scope="module")
def connections(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    source = postgres_cluster.create_database("array_searches")
    with over_tables(TABLES, Policy.model_validate(POLICY), source, proxies) as both:
        yield both


CONDITIONS = [
    "tags && ARRAY['vegan', 'tea']",
    "tags @> ARRAY['vegan', 'wine']",
    "ARRAY['wine'] <@ tags",
    "ARRAY['wine', 'x'] && tags",
    "tags && (ARRAY['vegan'])::text[]",
    "tags @> '{wine}'::text[]",
    "short && ARRAY['a', 'c']::varchar[]",
    "short @> CAST(ARRAY['a', 'b'] AS varchar(5)[])",
    "numbers @> ARRAY[1, 2]::bigint[]",
    "numbers && '{0,4}'::bigint[]",
    "tags @> '{wine,vegan}'",
    "tags && '{tea, \"wine\"}'",
    "tags = ARRAY['vegan', 'wine']",
    "tags <> ARRAY['wine', NULL]",
    "ARRAY['a', 'b']::varchar[] = short",
    "numbers = ARRAY[1, 1, 1]::bigint[] OR numbers = ARRAY[0, 4, NULL]::bigint[]",
]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM households WHERE {0}",
        "SELECT count(*) FROM households WHERE NOT ({0})",
        "SELECT {0} AS found, count(*) FROM households GROUP BY 1",
        "SELECT count(*) FILTER (WHERE {0}), count(*) FILTER (WHERE ({0}) IS NULL) FROM households",
    ],
)
def test_a_search_finds_what_postgres_finds(query: str, condition: str, connections: Connections) -> None:
    assert_same_answer(query.format(condition), connections)


@pytest.mark.parametrize("condition", [condition for condition in CONDITIONS if "numbers" not in condition][:8])
def test_so_does_one_of_public_rows(condition: str, connections: Connections) -> None:
    assert_same_answer(f"SELECT {condition} AS found, count(*) FROM shops GROUP BY 1", connections)
    query = (
        "SELECT s.found, count(*) FROM households JOIN (SELECT id, {0} AS found FROM shops) AS s USING (id) GROUP BY 1"
    )
    assert_same_answer(query.format(condition), connections)
