"""The order in which rows lie on disk is nobody's: what is measured of the same rows in another order is the same
(decision 3). Here for columns that a key or a comparison does not tell apart: NULLs and equal spellings."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.schema import Schema
from tests.attacks.test_row_sensitivity import RowDatabase, planned_blocks
from tests.conftest import PostgresCluster

COLLATION = "CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
SCHEMA = "CREATE TABLE slips (unit integer, code integer UNIQUE, amount integer, nick text {collation}, region text)"
SLIPS = [(1, None, 7, "bob", "north"), (1, None, -3, "BOB", "north"), (1, None, 2, "Bob", "north")]
POLICY = Policy.model_validate(
    {
        "version": 1,
        "units": {"person": {}},
        "tables": {
            "public.slips": {
                "unit": {"name": "person", "column": "unit"},
                "budget": {"epsilon": "100", "delta": "1e-3"},
                "contribution": {"max_rows": 9, "max_rows_per_group": 9, "max_groups": 1},
                "columns": {"unit": {}, "code": {}, "amount": {"bounds": ["-3", "7"]}, "nick": {}, "region": {}},
            }
        },
    }
)

AMONG_NULLS = {
    "a place among rows whose unique column is NULL": "SELECT sum(amount) FROM (SELECT amount, row_number() OVER "
    "(PARTITION BY unit ORDER BY region) AS n FROM slips) x WHERE n = 1",
    "the same of a subquery": "SELECT sum(x) FROM (SELECT first_value(a) OVER (PARTITION BY unit) AS x "
    "FROM (SELECT unit, code, amount AS a FROM slips) s) y",
}
SPELLINGS = {
    "a spelling of DISTINCT": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT DISTINCT unit, nick AS x FROM slips) y",
    "a spelling of what DISTINCT computes": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM "
    "(SELECT DISTINCT unit, coalesce(nick, 'none') AS x FROM slips) y",
    "a spelling of GROUP BY": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT unit, nick AS x FROM slips "
    "GROUP BY unit, nick) y",
    "a spelling of UNION": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT unit, nick AS x FROM slips "
    "UNION SELECT unit, 'BOB' FROM slips) y",
    "a spelling of max": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT unit, max(nick) AS x FROM slips "
    "GROUP BY unit) y",
    "a spelling of the rows of EXISTS": "SELECT count(*) FROM slips a WHERE nick LIKE 'b%' AND EXISTS "
    "(SELECT FROM slips b WHERE a.unit = b.unit AND a.nick = b.nick)",
    "a spelling of the rows of IN": "SELECT count(*) FROM slips a WHERE nick LIKE 'b%' AND nick IN "
    "(SELECT nick FROM slips b WHERE a.unit = b.unit)",
    "a spelling of min in a window": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT min(nick) OVER "
    "(PARTITION BY unit) AS x FROM slips) y",
}


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[RowDatabase]:
    dsn = postgres_cluster.create_database("order_of_rows")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        try:
            checker.execute(COLLATION)
            collation = "COLLATE any_case"
        except psycopg.errors.FeatureNotSupported:
            collation = ""
        checker.execute(SCHEMA.format(collation=collation).encode())
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield RowDatabase(connection, checker, read_catalog(dsn, ["public.slips"]))


def assert_order_moves_nothing(database: RowDatabase, text: str) -> None:
    [planned] = planned_blocks(database, text, Schema(POLICY, database.catalog), QuerySettings())
    found = []
    for rows in (SLIPS, SLIPS[::-1]):
        database.connection.cursor().executemany("INSERT INTO public.slips VALUES (%s, %s, %s, %s, %s)", rows)
        found.append(database.measure_with(planned.plan, []))
        database.connection.rollback()
    assert found[0] == found[1]


@pytest.mark.parametrize("text", AMONG_NULLS.values(), ids=AMONG_NULLS.keys())
def test_the_order_of_rows_without_a_key_moves_nothing(database: RowDatabase, text: str) -> None:
    assert_order_moves_nothing(database, text)


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_the_order_of_equal_spellings_moves_nothing(database: RowDatabase, text: str) -> None:
    if not database.catalog.tables["public.slips"].columns["nick"].collation:
        pytest.skip("this server has no ICU collations, so texts that differ are never equal")
    assert_order_moves_nothing(database, text)
