"""The proof behind joins, tried on generated ones: without one unit, over all tables, the exact sums of every join that
is accepted move by no more than the sensitivity that the noise is made for (decision 3, attacks 3, 16, 18 and 19).

Neighbouring databases differ in all rows whose path leads to one unit. Rows that lead to nobody stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import example, given, settings
from psycopg import sql

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from tests.attacks import joined
from tests.attacks.test_sensitivity import (
    EXAMPLES,
    SETTINGS,
    Database,
    assert_within_sensitivity,
    planned,
    settle,
)
from tests.conftest import PostgresCluster
from tests.planned import plan_of

ONE_ROW = joined.policy(dict.fromkeys(joined.PRIVATE, (1, 1, 1)))
GAUSSIAN = QuerySettings(mechanism="gaussian")
EVERYBODY: dict[str, list[tuple[Any, ...]]] = {
    "people": [(unit, 2, "north") for unit in range(1, 7)],
    "events": [(event, event, 3, "south") for event in range(1, 7)],
    "notes": [(note, note, 3, "east") for note in range(1, 7)],
    "stars": [(star, star, 3, "north") for star in range(1, 7)],
    "cards": [(unit, 3, "north") for unit in range(1, 7)],
}
LEFT_JOIN_TIES_NOBODY = (
    "SELECT count(*) FROM people p CROSS JOIN events e LEFT JOIN cards c ON c.unit = p.unit AND c.unit = e.unit"
)
"""Rows without a card pair any two people, whatever the condition says of those with one."""


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    dsn = postgres_cluster.create_database("joined")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        checker.execute(joined.SCHEMA)
        # As the source is asked: every statement with the search path pinned.
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        catalog = read_catalog(
            dsn, [f"public.{table}" for table in joined.COLUMNS], ["public.regions", "public.factors"]
        )
        yield Database(connection, checker, catalog)


def fill(connection: psycopg.Connection, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    for table, content in rows.items():
        values = sql.SQL(", ").join([sql.Placeholder()] * len(content[0]))
        insert = sql.SQL("INSERT INTO {} VALUES ({}) ON CONFLICT DO NOTHING")
        connection.cursor().executemany(insert.format(sql.Identifier("public", table), values), content)


def assert_one_unit_is_hidden(database: Database, plan: BlockPlan, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    """Measure with all rows and without those of unit 1."""
    try:
        fill(database.connection, rows)
        whole = database.measure(plan)
        for statement in joined.REMOVE_UNIT_1:
            database.connection.execute(statement)
        smaller = database.measure(plan)
    finally:
        database.connection.rollback()
    assert_within_sensitivity(plan, whole, smaller)


@settings(settle, max_examples=4 * EXAMPLES)
@given(query=joined.queries(), policy=joined.POLICIES, query_settings=SETTINGS, rows=joined.ROWS)
@example(query=LEFT_JOIN_TIES_NOBODY, policy=ONE_ROW, query_settings=GAUSSIAN, rows=EVERYBODY)
def test_one_unit_moves_the_sums_of_any_join_by_at_most_the_sensitivity(
    database: Database,
    query: str,
    policy: Policy,
    query_settings: QuerySettings,
    rows: dict[str, list[tuple[Any, ...]]],
) -> None:
    plan = planned(database, query, Schema(policy, database.catalog), query_settings)
    assert_one_unit_is_hidden(database, plan, rows)


def test_every_generated_kind_of_join_is_accepted_where_it_is_tied(database: Database) -> None:
    """A generator whose joins were all refused would prove nothing."""
    accepted = [
        "SELECT count(*), avg(e.amount) FROM people p LEFT JOIN events e ON e.unit = p.unit",
        "SELECT count(*) FROM cards a JOIN cards b ON a.unit = b.unit AND a.amount < b.amount",
        "SELECT region, sum(amount) FROM stars GROUP BY region",
        "SELECT n.region, count(s.star) FROM notes n LEFT JOIN stars s ON s.note = n.note GROUP BY 1",
        "SELECT count(DISTINCT c.unit) FROM cards c CROSS JOIN factors f CROSS JOIN events e WHERE e.unit = c.unit",
        "SELECT sum(x) FROM (SELECT e.amount AS x FROM notes n JOIN events e ON e.event = n.event) d",
        "WITH d AS (SELECT s.amount AS x, r.zone FROM stars s JOIN regions r ON r.name = s.region) "
        "SELECT zone, sum(x) FROM d GROUP BY zone",
        "SELECT count(*) FROM people p WHERE EXISTS (SELECT FROM events e WHERE e.unit = p.unit AND e.amount > 2)",
    ]
    schema = Schema(ONE_ROW, database.catalog)
    for query in accepted:
        assert plan_of(query, schema, GAUSSIAN)
