"""One numeric has several texts, 7 and 7.0: where the unit of one table is a number and that of another a text, a text of
the number would tie one person's row to the rows of several."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from proxy.errors import UnsupportedError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from tests.conftest import PostgresCluster
from tests.planned import plan_of

SCHEMA = """
CREATE TABLE numbers (unit numeric, id integer PRIMARY KEY, amount integer);
CREATE TABLE integers (unit integer, id integer PRIMARY KEY, amount integer);
CREATE TABLE texts (unit text PRIMARY KEY, id integer NOT NULL, amount integer);
INSERT INTO numbers SELECT round(1, n), n, 1 FROM generate_series(0, 9) AS n;
INSERT INTO texts SELECT unit::text, id, 1 FROM numbers;
"""
TABLES = ("numbers", "integers", "texts")


@pytest.fixture(scope="module")
def schema(postgres_cluster: PostgresCluster) -> Schema:
    dsn = postgres_cluster.create_database("texts_of_units")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)
    private: dict[str, Any] = {
        "unit": {"name": "person", "column": "unit"},
        "budget": {"epsilon": "100", "delta": "1e-3"},
    }
    tables = {f"public.{name}": private for name in TABLES}
    policy = Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})
    return Schema(policy, read_catalog(dsn, list(tables)))


def plan(text: str, schema: Schema) -> BlockPlan:
    return plan_of(f"SELECT count(*) {text}", schema)


@pytest.mark.parametrize(
    "rows",
    [
        "FROM texts t JOIN (SELECT DISTINCT unit::text AS u FROM numbers) n ON t.unit = n.u",
        "FROM texts t JOIN (SELECT unit::text AS u, count(*) FROM numbers GROUP BY 1) n ON t.unit = n.u",
        "FROM texts t LEFT JOIN (SELECT unit::text AS u FROM numbers) n ON t.unit = n.u",
        "FROM texts t WHERE EXISTS (SELECT FROM (SELECT unit::text AS u FROM numbers) n WHERE n.u = t.unit)",
        "FROM texts t JOIN numbers n ON t.unit::text = n.unit::text",
        "FROM texts t JOIN (SELECT unit::bigint::numeric::text AS u FROM numbers) n ON t.unit = n.u",
    ],
)
def test_no_text_of_a_number_ties_rows_to_texts(rows: str, schema: Schema) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan(rows, schema)
    assert refusal.value.rule == "private-join"


def test_a_text_of_an_integer_ties_rows_as_there_is_only_one(schema: Schema) -> None:
    texts = "(SELECT unit::text AS u FROM integers)"
    assert plan(f"FROM texts a JOIN {texts} b ON a.unit = b.u", schema).relation.unit == "person"
    assert plan(f"FROM {texts} a JOIN {texts} b ON a.u = b.u", schema).relation.unit == "person"


@pytest.mark.parametrize(
    ("key", "table", "is_unit"),
    [
        ("unit::text || '-' || id", "integers", True),
        ("unit::text || id", "integers", False),
        ("unit::text || '0' || id", "integers", False),
        ("id || '-' || unit", "integers", False),
        ("unit::text || '-' || amount", "integers", False),
        ("unit || '-' || id", "texts", False),
        ("unit || '-x'", "texts", True),
        ("-unit", "numbers", True),
        ("+unit", "integers", True),
        ("left(md5(unit), 16)", "texts", True),
        ("substring(md5(unit::text) FROM 1 FOR 20)", "integers", True),
        ("left(md5(unit), 15)", "texts", False),
        ("substr(md5(unit), 2, 16)", "texts", False),
        ("unit / 1", "integers", False),
        ("unit * 10 + amount", "integers", False),
        ("unit::float8", "integers", False),
        ("left(unit, 36)", "texts", False),
        ("replace(unit, '-', '')", "texts", False),
    ],
)
def test_a_text_tells_the_unit_where_it_can_be_read_back_in_one_way(
    key: str, table: str, is_unit: bool, schema: Schema
) -> None:
    rows = f"FROM (SELECT {key} AS k, count(*) AS n FROM {table} GROUP BY 1) AS each"
    if is_unit:
        assert plan(rows, schema).relation.unit == "person"
        return
    with pytest.raises(UnsupportedError) as refusal:
        plan(rows, schema)
    assert refusal.value.rule == "mixed-rows"
