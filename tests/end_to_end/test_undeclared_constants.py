"""A condition on a declared column that compares it with a text that is no declared value is told of, in words."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy


@pytest.fixture(scope="module")
def client(rich_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with rich_proxy.connect() as connection:
        yield connection


def told(client: psycopg.Connection, query: str) -> str:
    """What the notices of a query say."""
    found: list[str] = []

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        found.append(diagnostic.message_detail or "")

    client.add_notice_handler(note)
    client.execute(query.encode())
    client.remove_notice_handler(note)
    return " ".join(found)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("SELECT count(*) FROM visits WHERE region = 'North'", "region has no declared value 'North'; 'north' is one."),
        ("SELECT avg(cost) FROM visits v WHERE urgent AND 'norht' = v.region", "region has no declared value 'norht'."),
        ("SELECT count(*) FROM visits WHERE region IN ('south', 'East ')", "no declared value 'East '; 'east' is one."),
        ("SELECT count(*) FROM patients WHERE sex = 'f'", "sex has no declared value 'f'; 'F' is one."),
        ("SELECT count(*) FROM (SELECT * FROM visits WHERE region = 'x') AS v", "region has no declared value 'x'."),
    ],
)
def test_undeclared_constant_is_told(client: psycopg.Connection, query: str, sentence: str) -> None:
    assert sentence in told(client, query)
    assert sentence in told(client, query), "recalled"
    explained = " ".join(row[0] + "." for row in client.execute(f"EXPLAIN {query}".encode()))
    assert sentence in explained


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits WHERE region = 'north' AND minutes > 1",
        "SELECT count(*) FROM visits WHERE region <> 'North'",
        "SELECT count(*) FROM visits WHERE diagnosis = 'anything'",
        "SELECT count(*) FROM visits WHERE region = 'North' OR urgent",
        "SELECT count(*) FROM visits WHERE lower(region) = 'North'",
        "SELECT count(*) FROM visits WHERE region IN (SELECT name FROM regions WHERE name = 'North')",
    ],
)
def test_nothing_is_told_of_other_conditions(client: psycopg.Connection, query: str) -> None:
    assert "declared value" not in told(client, query)
