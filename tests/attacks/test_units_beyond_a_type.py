"""A cast that a value does not fit is NULL instead of an error: units beyond its type have no value that tells them apart.

All ids of people here are beyond an integer, as those of many systems are.
"""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from proxy.errors import UnsupportedError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import sums_sql
from tests.conftest import PostgresCluster
from tests.planned import plan_of

TABLE = """
CREATE TABLE people (id bigint PRIMARY KEY, small integer NOT NULL UNIQUE, age integer NOT NULL);
INSERT INTO people SELECT 5000000000 + n, n, n % 10 FROM generate_series(1, 20) AS n;
"""


@pytest.fixture(scope="module")
def source(postgres_cluster: PostgresCluster) -> str:
    dsn = postgres_cluster.create_database("units_beyond_a_type")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(TABLE)
    return dsn


@pytest.fixture(scope="module")
def schema(source: str) -> Schema:
    private: dict[str, Any] = {
        "unit": {"name": "person", "column": "id"},
        "budget": {"epsilon": "100", "delta": "1e-3"},
        "columns": {"id": {}, "small": {}, "age": {"bounds": [0, 10]}},
    }
    policy = Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": {"public.people": private}})
    return Schema(policy, read_catalog(source, ["public.people"]))


def plan(rows: str, schema: Schema) -> BlockPlan:
    return plan_of(f"SELECT count(*) {rows}", schema)


@pytest.mark.parametrize("to", ["int", "int::text", "int::bigint", "smallint"])
@pytest.mark.parametrize(
    "rows",
    [
        "FROM people a JOIN people b ON a.id::{0} IS NOT DISTINCT FROM b.id::{0}",
        "FROM people a LEFT JOIN people b ON a.id::{0} IS NOT DISTINCT FROM b.id::{0}",
        "FROM people a, people b WHERE a.id::{0} IS NOT DISTINCT FROM b.id::{0} AND b.age > 5",
        "FROM people a WHERE EXISTS (SELECT FROM people b WHERE a.id::{0} IS NOT DISTINCT FROM b.id::{0} AND b.age > 5)",
        "FROM (SELECT id::{0} AS u FROM people) a JOIN (SELECT id::{0} AS u FROM people) b ON a.u IS NOT DISTINCT FROM b.u",
        "FROM (SELECT sum(age) OVER (PARTITION BY u) AS s FROM (SELECT id::{0} AS u, age FROM people) x) y WHERE s > 9",
    ],
)
def test_units_that_a_cast_makes_null_are_not_one(rows: str, to: str, schema: Schema) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan(rows.format(to), schema)
    assert refusal.value.rule in {"private-join", "window-over-units"}


@pytest.mark.parametrize(
    "rows",
    [
        "FROM people a JOIN people b ON a.id::int = b.id::int",
        "FROM people a JOIN people b ON a.id::numeric IS NOT DISTINCT FROM b.id::numeric",
        "FROM people a JOIN people b ON a.id::text IS NOT DISTINCT FROM b.id::text",
        "FROM people a JOIN people b ON a.id::int IS NOT DISTINCT FROM b.id::int AND a.id = b.id",
        "FROM (SELECT id::text AS u, sum(age) AS s FROM people GROUP BY 1) x WHERE s > 9",
        "FROM (SELECT sum(age) OVER (PARTITION BY u) AS s FROM (SELECT id::text AS u, age FROM people) x) y WHERE s > 9",
    ],
)
def test_where_no_value_is_null_they_are_told_apart(rows: str, schema: Schema) -> None:
    assert plan(rows, schema).relation.unit == "person"


@pytest.mark.parametrize("to", ["int", "int::text"])
def test_groups_of_units_that_a_cast_makes_null_are_one_for_each_unit(to: str, schema: Schema, source: str) -> None:
    """The source groups by the unit as well, and each unit has one row."""
    found = plan(f"FROM (SELECT id::{to} AS u, sum(age) AS s FROM people GROUP BY 1) x WHERE s >= 5", schema)
    assert found.path == "unique"
    with psycopg.connect(source) as connection:
        assert connection.execute(sums_sql(found).encode()).fetchall() == [(10,)]


@pytest.mark.parametrize("key", ["concat(id::int, '-x')", "concat('p', id::int)"])
def test_a_text_that_leaves_null_out_is_no_unit(key: str, schema: Schema) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan(f"FROM (SELECT {key} AS u, sum(age) AS s FROM people GROUP BY 1) x WHERE s >= 5", schema)
    assert refusal.value.rule == "mixed-rows"
    assert plan("FROM (SELECT concat(id, '-x') AS u, sum(age) AS s FROM people GROUP BY 1) x", schema).path == "unique"
