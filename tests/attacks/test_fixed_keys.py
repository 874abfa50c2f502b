"""A condition that gives a column one value completes a unique key, so that a unit has one row (theorem 4; attack 3):
no condition may seem to do so that leaves a unit several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from proxy.errors import UnsupportedError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.schema import Schema
from tests.attacks.test_sensitivity import Database, assert_within_sensitivity
from tests.conftest import PostgresCluster
from tests.planned import analysed, only_plan

SCHEMA = """
CREATE TABLE terms (year integer PRIMARY KEY, term integer);
INSERT INTO terms SELECT i, i % 2 FROM generate_series(2000, 2009) AS i;
CREATE TABLE years (
    unit integer, year integer, kind text, code char(4), exact numeric, low double precision, area text, amount integer,
    PRIMARY KEY (unit, year), UNIQUE (unit, kind), UNIQUE (unit, code), UNIQUE (unit, exact), UNIQUE (unit, low),
    UNIQUE (unit, area)
);
CREATE TABLE people (unit integer PRIMARY KEY, amount integer);
INSERT INTO people SELECT i, i FROM generate_series(1, 4) AS i;
INSERT INTO years SELECT u, 2000 + y, 'kind ' || y, 'c' || y, y, 9007199254740992 + 2 * y, 'area ' || y, 7
    FROM generate_series(1, 4) AS u, generate_series(0, 9) AS y WHERE u = 1 OR y < 2;
"""
TABLES = ["public.people", "public.years", "public.terms"]
ONE_ROW = {
    "a number": "FROM years WHERE year = 2000",
    "a number on the left": "FROM years WHERE 2000 = year",
    "a list of one number": "FROM years WHERE year IN (2000) AND amount > 0",
    "a number of another type": "FROM years WHERE year = 2000.0",
    "a typed number": "FROM years WHERE year = 2000::bigint",
    "a text": "FROM years WHERE kind = 'kind 1'",
    "a text of a joined table": "FROM people p JOIN years y ON y.unit = p.unit AND y.kind = 'kind 1'",
    "an outer join by a whole key": "FROM people p LEFT JOIN years y ON y.unit = p.unit AND y.year = 2001",
    "two rows of each": "FROM years a JOIN years b ON a.unit = b.unit AND a.year = 2000 AND b.year = 2001",
    "in a subquery": "FROM (SELECT * FROM years WHERE year = 2000) y JOIN people USING (unit)",
    "one of each number": "FROM years JOIN terms USING (year) WHERE year = 2001",
    "one unit": "FROM people WHERE unit = 1",
    "a list of one unit": "FROM people WHERE unit IN (1) AND amount > 0",
    "one row of one unit": "FROM years WHERE unit = 1 AND year = 2001",
    "one unit in another table": "FROM people p JOIN years y ON y.unit = p.unit AND y.year = 2001 WHERE p.unit = 1",
}
MANY_ROWS = {
    "one of two conditions": "FROM years WHERE year = 2000 OR amount = 7",
    "another condition": "FROM years WHERE year >= 2000",
    "two numbers": "FROM years WHERE year IN (2000, 2001)",
    "an expression of the column": "FROM years WHERE year / 10 = 200",
    "a cast of the column": "FROM years WHERE low::real = 9007199254740992",
    "a column that is compared as another type": "FROM years WHERE exact * 0 = 0",
    "a column of rounded numbers": "FROM years WHERE low = 9007199254740992",
    "a number that is rounded": "FROM years WHERE year = 2000::real",
    "another column of the row": "FROM years WHERE year = year",
    "a column with the values of others": "FROM years WHERE area = 'elsewhere'",
    "no row of an outer join": "FROM years y LEFT JOIN people p ON p.unit = y.unit AND y.year = 2000",
    "the other side of an outer join": "FROM people p RIGHT JOIN years y ON p.unit = y.unit AND y.year = 2000",
    "another column": "FROM years WHERE amount = 7",
    "all rows of one unit": "FROM years WHERE unit = 1",
    "all rows of one unit in another table": "FROM people p JOIN years y ON y.unit = p.unit WHERE p.unit = 1",
    "one unit of an outer join": "FROM people p RIGHT JOIN years y ON p.unit = y.unit AND p.unit = 1",
    "one unit of the other side": "FROM people p LEFT JOIN years y ON p.unit = y.unit WHERE p.unit = 1",
    "a denied condition": "FROM years WHERE NOT year = 1999",
    "a full join": "FROM years y FULL JOIN people p ON p.unit = y.unit AND y.year = 2000",
}


def policy() -> Policy:
    columns: dict[str, Any] = {name: {} for name in ("unit", "kind", "code", "exact", "low")} | {
        "amount": {"bounds": ["0", "7"]},
        "year": {"bounds": ["2000", "2009"]},
        "area": {"values": ["area 0"], "others": "elsewhere"},
    }
    private = {"unit": {"name": "person", "column": "unit"}, "budget": {"epsilon": "100", "delta": "1e-3"}}
    tables: dict[str, Any] = {
        "public.years": {**private, "columns": columns},
        "public.people": {**private, "columns": {"unit": {}, "amount": {"bounds": ["0", "7"]}}},
        "public.terms": {"public": True},
    }
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    with (
        postgres_cluster.database("fixed_keys") as dsn,
        psycopg.connect(dsn) as connection,
        psycopg.connect(dsn, autocommit=True) as checker,
    ):
        checker.execute(SCHEMA)
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield Database(connection, checker, read_catalog(dsn, TABLES, ["public.terms"]))


@pytest.mark.parametrize("name", [*ONE_ROW, *MANY_ROWS])
def test_one_row_of_each_unit_is_believed_where_a_unit_moves_no_more(database: Database, name: str) -> None:
    rows = (ONE_ROW | MANY_ROWS)[name]
    amount = next((f"{alias}.amount" for alias in "ya" if f" {alias} " in rows), "amount")
    schema, settings = Schema(policy(), database.catalog), QuerySettings(mechanism="laplace")
    found = analysed(f"SELECT count(*), sum({amount}) {rows}", schema)
    if found.probe_sql is not None:
        found = found.folded(database.constants(found.probe_sql))
    plan = only_plan(found, schema, settings)
    assert (plan.path == "unique") == (name in ONE_ROW)
    try:
        whole = database.measure(plan)
        for table in ("years", "people"):
            database.connection.execute(f"DELETE FROM public.{table} WHERE unit = 1".encode())
        smaller = database.measure(plan)
    finally:
        database.connection.rollback()
    assert_within_sensitivity(plan, whole, smaller)


@pytest.mark.parametrize(("constant", "is_found"), [("2000", True), ("2000::bigint", True), ("2000::real", False)])
def test_a_lookup_by_a_whole_key_compares_without_rounding(constant: str, is_found: bool, database: Database) -> None:
    """Several numbers could equal a rounded one, and the subquery have several rows."""
    lookup = f"(SELECT y.amount FROM years y WHERE y.unit = p.unit AND y.year = {constant})"
    found = analysed_or_refused(f"SELECT count(*) FROM people p WHERE {lookup} > 0", Schema(policy(), database.catalog))
    assert (found == "") == is_found
    assert found in ("", "subquery")


def analysed_or_refused(text: str, schema: Schema) -> str:
    try:
        analysed(text, schema)
    except UnsupportedError as refusal:
        return str(refusal.rule)
    return ""
