"""Row-level relations that once moved an answer by more than its noise is made for (decision 3; attacks 3, 16, 37).

Each query is measured with and without one unit: the exact sums may move by the sensitivity at most.
"""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from proxy.errors import DpproxyError
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from tests.attacks.test_join_sensitivity import GAUSSIAN, ONE_ROW, assert_one_unit_is_hidden, database
from tests.attacks.test_sensitivity import Database
from tests.planned import plan_of

__all__ = ["database"]

MANY_EVENTS: dict[str, list[tuple[Any, ...]]] = {
    "people": [(unit, 1, "north") for unit in range(1, 7)],
    "events": [(event, 1 if event < 40 else event % 6 + 1, 1, "south") for event in range(1, 61)],
}
"""Unit 1 has most of the events."""

NOT_UNIQUE = {
    "a key that an outer join equates where it finds a match": "SELECT count(*) FROM people p JOIN events e "
    "ON e.unit = p.unit LEFT JOIN people c ON c.unit = p.unit AND c.grade = e.event",
    "the same where both are outer joins": "SELECT count(*) FROM people p LEFT JOIN events e ON e.unit = p.unit "
    "LEFT JOIN people c ON c.unit = p.unit AND c.grade = e.event",
    "the same through a subquery": "SELECT count(*) FROM people p JOIN (SELECT unit, event FROM events) e "
    "ON e.unit = p.unit LEFT JOIN people c ON c.unit = p.unit AND c.grade = e.event",
    "two columns of one name, the second under the first's key": "SELECT count(*) FROM people p JOIN "
    "(SELECT * FROM (SELECT event, amount, unit FROM events) AS x (amount)) AS y (a) "
    "ON y.unit = p.unit AND y.a = p.grade",
}


def plan_on(database: Database, query: str) -> BlockPlan:
    """The plan of a query with one block. Raises DpproxyError if the query is refused."""
    assert database.accepts(query)
    schema = Schema(ONE_ROW, database.catalog)
    return plan_of(query, schema, GAUSSIAN)


@pytest.mark.parametrize("query", NOT_UNIQUE.values(), ids=NOT_UNIQUE.keys())
def test_one_unit_with_many_rows_moves_the_count_by_at_most_the_sensitivity(database: Database, query: str) -> None:
    assert_one_unit_is_hidden(database, plan_on(database, query), MANY_EVENTS)


MULTIPLYING = {
    "a public join whose first table is the smaller one": "SELECT count(*) FROM people p"
    + "".join(f" CROSS JOIN (SELECT 1 AS one FROM regions r JOIN factors f ON f.code = r.code) x{n}" for n in range(6)),
    "one side by public rows, the other by private ones": "SELECT count(*) FROM "
    "((SELECT a.unit FROM people a CROSS JOIN factors f CROSS JOIN factors g CROSS JOIN factors h CROSS JOIN factors i) "
    "UNION ALL (SELECT a.unit FROM events a JOIN events b ON a.unit = b.unit)) u "
    "CROSS JOIN factors f CROSS JOIN factors g CROSS JOIN factors h CROSS JOIN factors i",
}


@pytest.mark.parametrize("query", MULTIPLYING.values(), ids=MULTIPLYING.keys())
def test_a_subquery_does_not_hide_how_far_rows_are_multiplied(database: Database, query: str) -> None:
    """15,625 and 390,625 public rows for each private one; 10,000 are allowed."""
    with pytest.raises(DpproxyError) as refusal:
        plan_on(database, query)
    assert refusal.value.rule == "multiplying-joins"


def test_the_keys_that_a_subquery_rests_on_are_verified(database: Database) -> None:
    """Without a unique notes.note, a star's unit would be several people's (attack 37)."""
    plan = plan_on(
        database,
        "SELECT count(*) FROM (SELECT n.note FROM notes n CROSS JOIN factors f "
        "WHERE EXISTS (SELECT FROM stars s WHERE s.note = n.note) GROUP BY n.note) x",
    )
    assert ("public.notes", ("note",)) in plan.footprint.verified_keys


def test_a_subquery_over_private_rows_in_having_would_be_computed_for_each_group(database: Database) -> None:
    with pytest.raises(DpproxyError) as refusal:
        plan_on(
            database,
            "SELECT count(*) FROM (SELECT n.note FROM notes n GROUP BY n.note "
            "HAVING EXISTS (SELECT FROM stars s WHERE s.note = n.note)) x",
        )
    assert refusal.value.rule == "multiplying-joins"


def test_the_examples_are_statements_that_postgres_answers(database: Database) -> None:
    """What Postgres itself refused would prove nothing."""
    for query in (*NOT_UNIQUE.values(), *MULTIPLYING.values()):
        try:
            database.connection.execute("SET LOCAL search_path = public")
            database.connection.execute(query.encode())
        except psycopg.Error as error:
            pytest.fail(f"{query}: {error}")
        finally:
            database.connection.rollback()
