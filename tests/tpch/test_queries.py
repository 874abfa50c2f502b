"""TPC-H's 22 queries: 19 are answered exactly as Postgres does, 3 ask about single customers and are refused.

Source: the texts in queries/ are those of the TPC Benchmark H specification (version 3, section 2.4) with the
substitution parameters of its query validation, Q15 in the approved variant with WITH. "The first N rows" is written
as LIMIT, and `interval '90' day (3)` without its precision, which PostgreSQL does not take.
"""

from __future__ import annotations

from decimal import Decimal

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy
from tests.tpch.expectations import ANSWERED, ONE_PERSON, QUERIES, REFUSED

NO_ROWS = "Q17"
"""At scale 0.01 no line fits its condition."""


def check_equal(query: str, client: psycopg.Connection, source: psycopg.Connection) -> int:
    """Compare the proxy's answer with Postgres's; how many rows there are."""
    expected, answered = source.execute(query.encode()), client.execute(query.encode())
    assert [(column.name, column.type_code) for column in answered.description or ()] == [
        (column.name, column.type_code) for column in expected.description or ()
    ]
    # As texts, so that numbers must have the same digits; sorted, since the two servers may break ties and order
    # texts in their own ways.
    rows = sorted(map(repr, answered))
    assert rows == sorted(map(repr, expected))
    return len(rows)


@pytest.mark.parametrize("name", ANSWERED)
def test_answer_equals_postgres(name: str, client: psycopg.Connection, source: psycopg.Connection) -> None:
    assert check_equal(QUERIES[name], client, source) > 0


def test_sum_of_no_rows_is_zero_unless_the_session_hides_what_looks_empty(
    exact_proxy: RunningProxy, client: psycopg.Connection, source: psycopg.Connection
) -> None:
    query = QUERIES[NO_ROWS].encode()
    assert source.execute(query).fetchall() == client.execute(query).fetchall() == [(None,)]
    with exact_proxy.connect() as plain:
        assert plain.execute(query).fetchall() == [(Decimal(0),)]


def test_sum_of_few_rows_equals_postgres(client: psycopg.Connection, source: psycopg.Connection) -> None:
    query = QUERIES[NO_ROWS].replace("MED BOX", "SM PACK")
    assert source.execute(query.encode()).fetchall() != [(None,)]
    assert check_equal(query, client, source) == 1


@pytest.mark.parametrize("name", REFUSED)
def test_groups_of_one_customer_are_refused_and_not_charged(name: str, client: psycopg.Connection) -> None:
    spent = client.execute("SELECT * FROM dp.budget ORDER BY 1").fetchall()
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as refusal:
        client.execute(QUERIES[name].encode())
    assert refusal.value.diag.message_primary == f"each group of {ONE_PERSON[name]} would be one customer"
    assert client.execute("SELECT * FROM dp.budget ORDER BY 1").fetchall() == spent


def test_all_queries_of_the_specification_are_here() -> None:
    assert list(QUERIES) == [f"Q{number}" for number in range(1, 23)]
