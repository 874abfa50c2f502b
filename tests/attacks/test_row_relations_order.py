"""What one person's rows say must not depend on another's (attacks 2, 6 and 8): the order of ties, the order in which
floats are added up, collations that only the first row looks for, and the time that one person's rows take.

A sort of all rows leaves equal ones in an order that the other rows decide. Without one unit, every other unit's first
row may be another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from proxy.dp.mechanisms import LaplaceMechanism
from proxy.errors import DpproxyError
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.source_connection import PINNED_SETTINGS
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import read_sums, sums_sql
from tests.conftest import PostgresCluster
from tests.planned import plan_of

SCHEMA = """
CREATE TABLE factors (factor integer NOT NULL);
INSERT INTO factors SELECT generate_series(1, 5000);
CREATE TABLE events (
    event integer PRIMARY KEY, unit integer NOT NULL, at date NOT NULL, amount integer NOT NULL,
    score double precision NOT NULL, here text COLLATE "C", there text COLLATE "POSIX"
);
INSERT INTO events
SELECT i, 1 + i % 3000, '2024-01-01', abs(hashint4(i + 7)) % 100,
       CASE (i / 3000) % 3 WHEN 0 THEN 1e30 WHEN 1 THEN 5 ELSE -1e30 END
FROM generate_series(0, 8999) AS i ORDER BY hashint4(i);
ANALYZE;
"""
"""Three rows of each of 3000 units, all of one day, in no order."""

COLUMNS: dict[str, object] = {name: {} for name in ("event", "unit", "at", "here", "there")}
POLICY = Policy.model_validate(
    {
        "version": 1,
        "units": {"person": {}},
        "tables": {
            "public.factors": {"public": True},
            "public.events": {
                "unit": {"name": "person", "column": "unit"},
                "budget": {"epsilon": "100", "delta": "1e-3"},
                "contribution": {"max_rows": 3, "max_rows_per_group": 3},
                "columns": COLUMNS | {"amount": {"bounds": ["0", "100"]}, "score": {"bounds": ["0", "10"]}},
            },
        },
    }
)
REMOVED = (1, 2, 3, 1500, 2999)
"""Units whose removal makes a neighbour."""

ORDERED = {
    "ties of row_number": "SELECT sum(amount) FROM (SELECT amount, row_number() OVER (PARTITION BY unit ORDER BY at) "
    "AS n FROM events) x WHERE n = 1",
    "row_number without an order": "SELECT sum(amount) FROM (SELECT amount, row_number() OVER (PARTITION BY unit) "
    "AS n FROM events) x WHERE n = 1",
    "ties of first_value": "SELECT sum(f) FROM (SELECT DISTINCT unit, first_value(amount) OVER (PARTITION BY unit "
    "ORDER BY at) AS f FROM events) x",
    "ties of lag": "SELECT count(*) FROM (SELECT amount - lag(amount) OVER (PARTITION BY unit ORDER BY at) AS d "
    "FROM events) x WHERE d > 5",
    "ties of ntile": "SELECT sum(amount) FROM (SELECT amount, ntile(2) OVER (PARTITION BY unit ORDER BY at) AS n "
    "FROM events) x WHERE n = 2",
    "ties in a frame of rows": "SELECT sum(amount) FROM (SELECT amount, sum(amount) OVER (PARTITION BY unit ORDER BY at "
    "ROWS UNBOUNDED PRECEDING) AS s FROM events) x WHERE s > 60",
    "floats added up in the order of a sort": "SELECT count(*) FROM (SELECT sum(score) OVER (PARTITION BY unit) AS s "
    "FROM events) x WHERE s > 2.5",
    "averages of floats": "SELECT count(*) FROM (SELECT avg(score) OVER (PARTITION BY unit) AS s FROM events) x "
    "WHERE s > 0.8",
    "ties of LATERAL": "SELECT sum(x.amount) FROM (SELECT DISTINCT unit FROM events) u CROSS JOIN LATERAL "
    "(SELECT amount FROM events e WHERE e.unit = u.unit ORDER BY at LIMIT 1) x",
}


@dataclass
class Events:
    """A connection whose changes are rolled back, and what the proxy knows of its database."""

    connection: psycopg.Connection
    catalog: Catalog

    def plan(self, query: str) -> BlockPlan:
        """The plan of a query with one block. Raises DpproxyError if the query is refused."""
        schema = Schema(POLICY, self.catalog)
        settings = QuerySettings(mechanism="laplace")
        return plan_of(query, schema, settings)

    def total(self, plan: BlockPlan, *changes: str) -> int:
        """The exact cells of the only number of a plan without groups, after changes that are undone."""
        try:
            for change in changes:
                self.connection.execute(change.encode())
            for name, value in PINNED_SETTINGS.items():
                self.connection.execute("SELECT set_config(%s, %s, true)", (name, value))
            rows = self.connection.execute(sums_sql(plan, 1).encode()).fetchall()
        finally:
            self.connection.rollback()
        texts = [tuple(None if value is None else str(value) for value in row) for row in rows]
        return sum(sums[0] for sums in read_sums(plan, texts).sums)


@pytest.fixture(scope="module")
def events(postgres_cluster: PostgresCluster) -> Iterator[Events]:
    dsn = postgres_cluster.create_database("events_in_no_order")
    with psycopg.connect(dsn, autocommit=True) as setup:
        setup.execute(SCHEMA)
    with psycopg.connect(dsn) as connection:
        yield Events(connection, read_catalog(dsn, ["public.events", "public.factors"], ["public.factors"]))


@pytest.mark.parametrize("query", ORDERED.values(), ids=ORDERED.keys())
def test_the_order_of_a_persons_rows_is_not_another_persons_doing(events: Events, query: str) -> None:
    plan = events.plan(query)
    whole = events.total(plan)
    (mechanism,) = plan.mechanisms
    assert isinstance(mechanism, LaplaceMechanism)
    for unit in REMOVED:
        without = events.total(plan, f"DELETE FROM public.events WHERE unit = {unit}")
        assert abs(whole - without) <= mechanism.sensitivity


COLLATED = {
    "a comparison of CASE": "SELECT count(*) FROM events WHERE CASE WHEN amount > 3 THEN here ELSE there END = 'k'",
    "GROUP BY over UNION ALL": "SELECT count(*) FROM (SELECT unit, x FROM (SELECT unit, here AS x FROM events "
    "UNION ALL SELECT unit, there FROM events) u GROUP BY unit, x) t",
    "max over UNION ALL": "SELECT count(*) FROM (SELECT unit, max(x) AS m FROM (SELECT unit, here AS x FROM events "
    "UNION ALL SELECT unit, there FROM events) u GROUP BY unit) t WHERE m IS NOT NULL",
    "DISTINCT over UNION ALL": "SELECT count(*) FROM (SELECT DISTINCT unit, x FROM (SELECT unit, here AS x FROM events "
    "UNION ALL SELECT unit, there FROM events) u) t",
    "count(DISTINCT) over UNION ALL": "SELECT count(*) FROM (SELECT unit, count(DISTINCT x) AS k FROM (SELECT unit, "
    "here AS x FROM events UNION ALL SELECT unit, there FROM events) u GROUP BY unit) t WHERE k = 1",
    "max of CASE": "SELECT count(*) FROM (SELECT unit, max(CASE WHEN amount > 3 THEN here ELSE there END) AS m "
    "FROM events GROUP BY unit) t WHERE m IS NOT NULL",
}
TWO_ROWS = (
    "DELETE FROM events",
    "INSERT INTO events VALUES (1, 1, '2024-01-01', 1, 1, 'k', 'k'), (2, 1, '2024-01-01', 9, 1, 'l', 'm')",
)


@pytest.mark.parametrize("query", COLLATED.values(), ids=COLLATED.keys())
def test_texts_of_two_collations_fail_for_no_rows(events: Events, query: str) -> None:
    """Postgres looks for a collation at the first row that needs one, so that an error tells that there is one."""
    plan = events.plan(query)
    try:
        events.total(plan, *TWO_ROWS)
    except psycopg.errors.IndeterminateCollation as error:
        pytest.fail(f"the source query failed for a row: {error}")


SLOW = {
    "a frame that starts again for every row": (
        "SELECT count(*) FROM (SELECT max(amount) OVER (PARTITION BY unit ORDER BY event ROWS BETWEEN CURRENT ROW "
        "AND UNBOUNDED FOLLOWING) AS m FROM events CROSS JOIN factors WHERE unit = 42) x WHERE m > 5",
        "per-unit-window",
    ),
    "a subquery that is computed anew for every row": (
        "SELECT count(*) FROM events e CROSS JOIN factors f WHERE e.unit = 42 AND (e.amount < 0 OR EXISTS (SELECT FROM "
        "(SELECT event, row_number() OVER (PARTITION BY unit ORDER BY event) AS n FROM events) x "
        "WHERE x.event = e.event AND x.n > e.amount + f.factor))",
        "multiplying-joins",
    ),
}


@pytest.mark.parametrize(("query", "rule"), SLOW.values(), ids=SLOW.keys())
def test_what_a_few_rows_of_one_person_would_keep_busy_with_is_refused(events: Events, query: str, rule: str) -> None:
    """Ten rows of the person and 5000 public ones: whether the query takes longer than the source's timeout would tell
    that they are there."""
    with pytest.raises(DpproxyError) as refusal:
        events.plan(query)
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, "0A000")
