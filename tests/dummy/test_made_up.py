"""Made-up rows: the database has the catalog that they were made for, and every row is within what the policy says."""

from __future__ import annotations

from dataclasses import replace

import psycopg
import pytest
from psycopg import sql

from proxy.dummy.database import load
from proxy.dummy.rows import CannotMakeUpError, MadeUp, made_up_rows
from proxy.policy.catalog import Catalog, Table
from proxy.policy.lint import check_against_catalog
from proxy.policy.load import examine_text
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import catalog_for
from tests.conftest import PostgresCluster

SCHEMA = """
CREATE TYPE mood AS ENUM ('low', 'middling', 'high');
CREATE SCHEMA shop;
CREATE TABLE regions (name varchar(3) PRIMARY KEY, zone text, people bigint);
INSERT INTO regions SELECT 'r' || i, 'zone', i FROM generate_series(1, 7) AS i;
CREATE TABLE shop.customers (
    customer uuid PRIMARY KEY, region varchar(3) REFERENCES regions, born date, score double precision, mood mood NOT NULL,
    grade char(1) CHECK (grade IN ('a', 'b')), invited_by uuid REFERENCES shop.customers, secret inet NOT NULL
);
CREATE TABLE shop.orders (
    customer uuid NOT NULL REFERENCES shop.customers, number smallint NOT NULL, placed timestamptz NOT NULL,
    total numeric(8, 2) NOT NULL, took interval, note varchar(4), tags text[] NOT NULL, paid boolean,
    PRIMARY KEY (customer, number)
);
CREATE TABLE shop.lines (
    customer uuid, number smallint, line bigint PRIMARY KEY, price numeric, FOREIGN KEY (customer, number) REFERENCES shop.orders
);
CREATE TABLE shop.devices (device text, customer_name integer NOT NULL, day date);
CREATE VIEW shop.dear AS SELECT customer, total FROM shop.orders WHERE total > 50;
"""
POLICY = """
version: 1
units: {customer: {}, person: {}}
tables:
  shop.customers:
    unit: {name: customer, column: customer}
    budget: {epsilon: 1, delta: 1e-6}
    columns:
      customer: {}
      region: {values_from: public.regions.name}
      born: {bounds: "[1950-01-01, 1951-01-01)"}
      score: {bounds: [-2.5, 2.5]}
      mood: {values: from_type}
      grade: {values: from_type}
  shop.orders:
    unit: {name: customer, column: customer}
    budget: {epsilon: 1, delta: 1e-6}
    columns:
      customer: {}
      number: {range: [1, 9]}
      placed: {bounds: "[2024-01-01, 2024-02-01)"}
      total: {bounds: [10, 90], step: 0.01}
      took: {bounds: [5 minutes, 2 hours]}
      note: {}
      tags: {}
      paid: {}
  shop.lines:
    unit: {name: customer, column: customer}
    budget: {epsilon: 1, delta: 1e-6}
    columns: {customer: {}, number: {}, line: {}, price: {bounds: [0, 5], step: 0.25}}
  shop.devices:
    unit: {name: person, column: customer_name}
    budget: {epsilon: 1, delta: 1e-6}
    columns: {device: {values: [phone, tablet]}, customer_name: {}, day: {range: [2024-01-01, 2024-01-05]}}
  shop.dear: {view: true}
  public.regions: {public: true}
timing: null
"""
WITHIN = {
    "shop.customers": "born BETWEEN '1950-01-01' AND '1950-12-31' AND score BETWEEN -2.5 AND 2.5 AND region ~ '^r[1-7]$'",
    "shop.orders": "number BETWEEN 1 AND 9 AND placed >= '2024-01-01 00:00+00' AND placed < '2024-02-01 00:00+00' "
    "AND total BETWEEN 10 AND 90 AND took BETWEEN '5 minutes' AND '2 hours'",
    "shop.lines": "price BETWEEN 0 AND 5 AND mod(price, 0.25) = 0",
    "shop.devices": "device IN ('phone', 'tablet') AND day BETWEEN '2024-01-01' AND '2024-01-05'",
}


def policy() -> Policy:
    found = examine_text(POLICY, "policy.yaml", {}).policy
    assert found is not None
    return found


@pytest.fixture(scope="module")
def catalog(postgres_cluster: PostgresCluster) -> Catalog:
    """That of a database with all kinds of keys and types."""
    dsn = postgres_cluster.create_database("shop")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA.encode())
    found = catalog_for(dsn, policy())
    regions = replace(found.tables["public.regions"], declared={"name": tuple(f"r{i}" for i in range(1, 8))})
    return replace(found, tables={**found.tables, "public.regions": regions})


@pytest.fixture(scope="module")
def made(catalog: Catalog) -> dict[str, MadeUp]:
    return made_up_rows(policy(), catalog, units=200, seed=1)


@pytest.fixture(scope="module")
def dummy(catalog: Catalog, made: dict[str, MadeUp], postgres_cluster: PostgresCluster) -> str:
    """Connection string of the database of made-up rows."""
    dsn = postgres_cluster.create_database("dummy")
    assert load(dsn, catalog, made) == []
    return dsn


def of_schema(table: Table) -> Table:
    """Without what depends on public rows, and without columns that nothing asks for."""
    columns = {name: column for name, column in table.columns.items() if name not in ("secret", "invited_by")}
    keys = tuple(key for key in table.foreign_keys if "invited_by" not in key.columns)
    of_schema_alone = replace(table, columns=columns, foreign_keys=keys)
    return replace(of_schema_alone, row_count=None, ranges={}, moments={}, octets={}, texts={}, declared={})


def test_the_catalog_is_the_one_that_rows_were_made_up_for(catalog: Catalog, dummy: str) -> None:
    found = catalog_for(dummy, policy())
    assert found.tables.keys() == catalog.tables.keys()
    for name, table in catalog.tables.items():
        assert of_schema(found.tables[name]) == of_schema(table), name
    errors = [finding for finding in check_against_catalog(policy(), found) if finding.severity == "error"]
    assert errors == []


def test_every_row_is_within_what_the_policy_says(dummy: str) -> None:
    with psycopg.connect(dummy) as connection:
        for name, condition in WITHIN.items():
            query = sql.SQL("SELECT count(*), count(*) FILTER (WHERE NOT coalesce({}, true)) FROM {}")
            statement = query.format(sql.SQL(condition), sql.Identifier(*name.split(".")))
            row = connection.execute(statement).fetchone()
            assert row is not None
            assert row[0] >= 200, name
            assert row[1] == 0, name


def test_a_few_units_have_many_rows_and_values_occur_unequally(dummy: str) -> None:
    with psycopg.connect(dummy) as connection:
        query = "SELECT max(n), avg(n) FROM (SELECT count(*) AS n FROM shop.devices GROUP BY customer_name) AS each"
        row = connection.execute(query).fetchone()
        assert row is not None
        assert row[0] > 5 * row[1]
        groups = connection.execute("SELECT region, count(*) FROM shop.customers GROUP BY 1").fetchall()
    assert {region for region, _ in groups} >= {f"r{i}" for i in range(1, 8)}


def test_the_same_seed_gives_the_same_rows(catalog: Catalog, made: dict[str, MadeUp]) -> None:
    assert made_up_rows(policy(), catalog, units=200, seed=1) == made
    assert made_up_rows(policy(), catalog, units=200, seed=2) != made


def test_a_type_that_nobody_can_make_up_is_said(catalog: Catalog) -> None:
    lines = catalog.tables["shop.lines"]
    odd = replace(lines.columns["price"], type_name="pg_lsn", type_oid=3220, nullable=False)
    changed = replace(lines, columns={**lines.columns, "price": odd})
    with pytest.raises(CannotMakeUpError, match=r"shop\.lines\.price: nobody can make up values of type pg_lsn"):
        made_up_rows(policy(), replace(catalog, tables={**catalog.tables, "shop.lines": changed}), 10, 0)


def test_a_view_of_what_is_not_there_is_said(catalog: Catalog, postgres_cluster: PostgresCluster) -> None:
    view = Table("shop.dear", {}, view_definition="SELECT 1 FROM shop.absent")
    with pytest.raises(CannotMakeUpError, match=r"shop\.dear: the view reads what the policy does not list"):
        load(postgres_cluster.create_database("view"), replace(catalog, tables={"shop.dear": view}), {})
