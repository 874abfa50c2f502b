"""Who a unit is: texts that differ and are equal all the same, in one table and across two (attacks 16 and 38)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import psycopg
import pytest

from proxy.errors import UnsupportedError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from tests.attacks.test_sensitivity import Database, assert_within, moved
from tests.conftest import PostgresCluster
from tests.planned import plan_of

TABLES = ("strict", "loose", "equally_loose", "foreign")
SCHEMA = """
CREATE COLLATION ignoring_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE strict (name text PRIMARY KEY, amount integer);
CREATE TABLE loose (name text COLLATE ignoring_case, amount integer);
CREATE TABLE equally_loose (name text COLLATE ignoring_case, amount integer);
CREATE TABLE "foreign" (name citext, amount integer);
"""
BOUND = 3
MANY = 40


def policy() -> Policy:
    private: dict[str, Any] = {
        "unit": {"name": "person", "column": "name"},
        "budget": {"epsilon": "100", "delta": "1e-3"},
        "contribution": {"max_rows": BOUND},
        "columns": {"name": {}, "amount": {"range": ["0", "9"]}},
    }
    tables = {f"public.{table}": private for table in TABLES}
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    dsn = postgres_cluster.create_database("identity")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        try:
            checker.execute("CREATE EXTENSION citext")
            checker.execute(SCHEMA)
        except psycopg.errors.FeatureNotSupported as error:
            pytest.skip(f"this PostgreSQL lacks ICU or citext: {error}")
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield Database(connection, checker, read_catalog(dsn, [f"public.{table}" for table in TABLES]))


def planned(database: Database, query: str, mechanism: Literal["laplace", "gaussian"] = "laplace") -> BlockPlan:
    schema = Schema(policy(), database.catalog)
    return plan_of(query, schema, QuerySettings(mechanism=mechanism))


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("statistic", ["count(*)", "sum(amount)", "count(DISTINCT name)"])
@pytest.mark.parametrize("table", ["foreign", "loose"])
def test_texts_that_are_equal_to_an_extension_or_a_collation_hide_no_unit_from_its_bound(
    database: Database, table: str, statistic: str, mechanism: Literal["laplace", "gaussian"]
) -> None:
    plan = planned(database, f'SELECT amount, {statistic} FROM "{table}" GROUP BY amount', mechanism)
    insert = f'INSERT INTO public."{table}" SELECT %s, i %% 3 FROM generate_series(1, {MANY}) AS i'
    try:
        for name in ("Bob", "BOB", "bob", "eve"):
            database.connection.execute(insert.encode(), [name])
        whole = database.measure(plan)
        # Whether these are one person or three: what goes is at most one text in the first case, all in the second.
        spellings = ["BOB"] if table == "foreign" else ["Bob", "BOB", "bob"]
        database.connection.execute(f'DELETE FROM public."{table}" WHERE name::text = ANY (%s)'.encode(), [spellings])
        smaller = database.measure(plan)
    finally:
        database.connection.rollback()
    assert_within(plan.mechanisms[0], [cells[0] for cells, _ in moved(plan, whole, smaller).values()])


@pytest.mark.parametrize("other", ["loose", "equally_loose"])
def test_tables_are_joined_only_where_the_same_texts_are_the_same_unit(database: Database, other: str) -> None:
    """Under the looser of two collations one row would meet rows of two units of the stricter table."""
    assert planned(database, "SELECT count(*) FROM loose a JOIN equally_loose b ON a.name = b.name").statistics
    with pytest.raises(UnsupportedError, match="could combine rows of more than one"):
        planned(database, f"SELECT count(*) FROM strict a JOIN {other} b USING (name)")


def test_a_key_is_no_key_under_another_collation(database: Database) -> None:
    plan = planned(database, "SELECT count(*) FROM strict")
    assert plan.path == "unique"
    with pytest.raises(UnsupportedError, match="could combine rows of more than one"):
        planned(database, "SELECT count(*) FROM strict a, loose b WHERE a.name = b.name")
