"""One numeric has several texts, 7 and 7.0: where the unit of one table is a number and that of another a text, a text of
the number would tie one person's row to the rows of several."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from proxy.errors import DpproxyError, UnsupportedError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.cuts import with_units
from proxy.sql.schema import Schema
from tests.conftest import PostgresCluster
from tests.planned import plan_of

SCHEMA = """
CREATE TABLE numbers (unit numeric, id integer PRIMARY KEY, amount integer);
CREATE TABLE integers (unit integer, id integer PRIMARY KEY, amount integer);
CREATE TABLE texts (unit text PRIMARY KEY, id integer NOT NULL, amount integer);
CREATE TABLE marks (
    unit integer PRIMARY KEY, score double precision UNIQUE NOT NULL, at timestamp UNIQUE NOT NULL, number numeric UNIQUE NOT NULL
);
INSERT INTO numbers SELECT round(1, n), n, 1 FROM generate_series(0, 9) AS n;
INSERT INTO texts SELECT unit::text, id, 1 FROM numbers;
INSERT INTO integers SELECT n, n, 1 FROM generate_series(0, 3) AS n;
"""
TABLES = ("numbers", "integers", "texts", "marks")


@pytest.fixture(scope="module")
def dsn(postgres_cluster: PostgresCluster) -> str:
    dsn = postgres_cluster.create_database("texts_of_units")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)
    return dsn


@pytest.fixture(scope="module")
def schema(dsn: str) -> Schema:
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


@pytest.mark.parametrize(
    ("rows", "units"),
    [
        ("FROM (SELECT unit::text AS k, id FROM numbers UNION ALL SELECT unit, amount FROM texts) x", 10),
        ("FROM (SELECT amount FROM integers UNION ALL SELECT amount FROM texts) x", 13),
        ("FROM (SELECT unit::text AS k FROM integers UNION SELECT unit FROM texts) x", 13),
        ("FROM (SELECT unit::text AS k FROM integers INTERSECT SELECT unit FROM texts) x", 1),
        ("FROM (SELECT unit::text AS k, amount FROM integers) i FULL JOIN texts t ON i.k = t.unit", 13),
        ("FROM (SELECT amount FROM integers UNION ALL SELECT amount FROM numbers) x", 4),
        (
            "FROM (SELECT amount FROM (SELECT amount FROM integers UNION ALL SELECT amount FROM numbers) y "
            "UNION ALL SELECT amount FROM texts) x",
            13,
        ),
    ],
)
def test_where_rows_of_numbers_and_texts_meet_each_unit_has_one_spelling(
    rows: str, units: int, schema: Schema, dsn: str
) -> None:
    """The number 1 has ten spellings, each of which is a unit among the texts; it is the one of them that is spelled 1."""
    relation = plan(rows, schema).relation
    with psycopg.connect(dsn) as connection:
        text = f"SELECT count(*), count(DISTINCT {relation.unit_sql}) FROM {relation.sql}"
        found = connection.execute(with_units(relation.footprint, text).encode()).fetchone()
        expected = connection.execute(f"SELECT count(*) {rows}".encode()).fetchone()
    assert expected is not None
    assert found == (*expected, units)


@pytest.mark.parametrize(
    ("key", "is_told"),
    [
        ("score + 1e30", False),
        ("at + '1 month'", False),
        ("at - interval '1 month'", False),
        ("number + 1", True),
        ("unit - 7", True),
    ],
)
def test_a_sum_tells_the_unit_only_of_exact_numbers(key: str, is_told: bool, schema: Schema) -> None:
    """1e30 and 1e30 + 1 are one float, and both 30 and 31 January are 28 February a month later."""
    text = f"FROM (SELECT {key} AS k, count(*) FROM marks GROUP BY 1) AS m"
    if is_told:
        assert plan(text, schema).aggregates
        return
    with pytest.raises(DpproxyError):
        plan(text, schema)
