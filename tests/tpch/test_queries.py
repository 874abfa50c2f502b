"""TPC-H's 22 queries: 19 are answered exactly as Postgres does, 3 ask about single customers and are refused.

Source: the texts in queries/ are those of the TPC Benchmark H specification (version 3, section 2.4) with the
substitution parameters of its query validation, Q15 in the approved variant with WITH. "The first N rows" is written
as LIMIT, and `interval '90' day (3)` without its precision, which PostgreSQL does not take.
"""

from __future__ import annotations

import psycopg
import pytest

from tests.tpch.expectations import ANSWERED, ONE_PERSON, QUERIES, REFUSED


@pytest.mark.parametrize("name", ANSWERED)
def test_answer_equals_postgres(name: str, client: psycopg.Connection, source: psycopg.Connection) -> None:
    expected, answered = source.execute(QUERIES[name].encode()), client.execute(QUERIES[name].encode())
    assert [(column.name, column.type_code) for column in answered.description or ()] == [
        (column.name, column.type_code) for column in expected.description or ()
    ]
    # As texts, so that numbers must have the same digits; sorted, since the two servers may break ties and order
    # texts in their own ways.
    assert sorted(map(repr, answered)) == sorted(map(repr, expected))


@pytest.mark.parametrize("name", REFUSED)
def test_groups_of_one_customer_are_refused_and_not_charged(name: str, client: psycopg.Connection) -> None:
    spent = client.execute("SELECT * FROM dp.budget ORDER BY 1").fetchall()
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as refusal:
        client.execute(QUERIES[name].encode())
    assert refusal.value.diag.message_primary == f"each group of {ONE_PERSON[name]} would be one person"
    assert client.execute("SELECT * FROM dp.budget ORDER BY 1").fetchall() == spent


def test_all_queries_of_the_specification_are_here() -> None:
    assert list(QUERIES) == [f"Q{number}" for number in range(1, 23)]
