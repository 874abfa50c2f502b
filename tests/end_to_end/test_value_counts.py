"""The number of a few declared values is chosen: right at usual prices, and the NOTICE says what does not count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

# The columns' names are those of the source query's own.
SCHEMA = """
CREATE TABLE shelves (weight text PRIMARY KEY);
INSERT INTO shelves SELECT 'shelf ' || i FROM generate_series(1, 30) AS i;
CREATE TABLE answers (
    id integer PRIMARY KEY, person integer NOT NULL, x boolean, unit text NOT NULL CHECK (unit IN ('a', 'b', 'c', 'd')),
    own text NOT NULL, weight text NOT NULL REFERENCES shelves (weight)
);
INSERT INTO answers
SELECT i, 1 + i / 3, i % 3 = 0, (ARRAY['a', 'b', 'c'])[1 + i % 3],
       (ARRAY['red', 'green', 'pink', 'grey', 'blue'])[1 + i % 5], 'shelf ' || 1 + i % 3
FROM generate_series(0, 14999) AS i;
"""
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"person": {}},
    "tables": {
        "public.answers": {
            "unit": {"name": "person", "column": "person"},
            "budget": {"epsilon": "1e9", "delta": "1e-6"},
            "query": {"epsilon": "0.1", "profile_epsilon": "0.1", "max_epsilon": "1e6"},
            "columns": {
                "id": {},
                "person": {},
                "x": {},
                "unit": {"values": ["a", "b", "c", "d"]},
                "own": {"values": ["red", "green", "blue", "black"]},
                "weight": {"values_from": "public.shelves.weight"},
            },
        },
        "public.shelves": {"public": True},
    },
}


@pytest.fixture(scope="module")
def client(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[psycopg.Connection]:
    source = postgres_cluster.create_database("value_counts")
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
    with proxies(Policy.model_validate(POLICY), source=source).connect() as connection:
        yield connection


def told(client: psycopg.Connection, query: str) -> tuple[tuple[object, ...] | None, str]:
    """The row of an answer, and the details of its notices."""
    found: list[str] = []

    def add(notice: psycopg.errors.Diagnostic) -> None:
        found.append(str(notice.message_detail))

    client.add_notice_handler(add)
    try:
        row = client.execute(query.encode()).fetchone()
    finally:
        client.remove_notice_handler(add)
    return row, " ".join(found)


def most_frequent(rows: Sequence[tuple[object, ...] | None]) -> tuple[object, ...] | None:
    """The row that most answers have."""
    return Counter(rows).most_common(1)[0][0]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("count(DISTINCT x)", 2),
        ("count(DISTINCT unit)", 3),
        ("count(DISTINCT unit) FILTER (WHERE unit <> 'a')", 2),
        ("count(DISTINCT unit) FILTER (WHERE unit = 'd')", 0),
        ("count(DISTINCT own)", 3),
        ("count(DISTINCT unit) FILTER (WHERE unit = 'z')", 0),
    ],
)
def test_a_number_of_declared_values_is_right_at_a_usual_price(
    number: str, expected: int, client: psycopg.Connection
) -> None:
    """Noise on it has a standard deviation of 10 and more. A value that nobody has counts in 2.5 % of all cases at most:
    five of nine have odds below 1e-5."""
    found = [told(client, f"SELECT {number} FROM answers WHERE id >= -{place}") for place in range(9)]
    detail = found[0][1]
    assert most_frequent([row for row, _ in found]) == (expected,)
    assert "counts the values of at least" in detail
    assert ("values that the policy does not list do not count" in detail.lower()) == ("own" in number)


def test_several_in_one_statement_share_its_price(client: psycopg.Connection) -> None:
    numbers = "count(DISTINCT x), count(DISTINCT unit), count(DISTINCT own), count(*) > 0"
    rows = [told(client, f"SELECT {numbers} FROM answers WHERE id > -{place}")[0] for place in range(1, 14)]
    assert most_frequent(rows) == (2, 3, 3, True)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(DISTINCT unit), dp.low(count(DISTINCT unit)) FROM answers",
        "SELECT x, count(DISTINCT unit) FROM answers GROUP BY x",
        "SELECT count(DISTINCT weight) FROM answers",
        "SELECT count(DISTINCT person) FROM answers",
    ],
)
def test_numbers_of_groups_of_many_values_and_with_intervals_get_noise(query: str, client: psycopg.Connection) -> None:
    lines = [line for (line,) in client.execute(f"EXPLAIN {query}".encode()).fetchall()]
    assert any("Noisy number 1: " in line for line in lines)
    assert not any("Choice" in line for line in lines)


def test_a_large_epsilon_counts_values_that_are_not_listed(client: psycopg.Connection) -> None:
    client.execute("SET dp.epsilon = 1e6")
    row, detail = told(client, "SELECT count(DISTINCT own), count(DISTINCT unit) FROM answers")
    client.execute("RESET dp.epsilon")
    assert row == (5, 3)
    assert "does not list" not in detail
