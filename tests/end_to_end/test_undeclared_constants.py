"""A condition that compares a declared column with a text that is no declared value, or asks for what is beyond the bounds
of a column that is summed, is told of, in words."""

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


BEYOND = "minutes has the bounds 0 to 240: the values beyond that a condition asks for count as the nearest"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT sum(minutes) FROM visits WHERE minutes > 240",
        "SELECT avg(minutes) FILTER (WHERE minutes >= 300), count(*) FROM visits",
        "SELECT sum(CASE WHEN 500 < minutes THEN minutes ELSE 0 END) FROM visits",
        "SELECT region, avg(minutes) FROM visits WHERE minutes BETWEEN 250 AND 900 GROUP BY region",
        "SELECT sum(minutes + 1) FROM visits WHERE minutes < -5",
        "SELECT stddev(minutes) FROM visits WHERE minutes IN (1000, 2000) OR minutes = 3000",
    ],
)
def test_a_condition_beyond_the_bounds_of_what_is_summed_is_told_of_with_a_warning(
    client: psycopg.Connection, query: str
) -> None:
    severities: list[str] = []
    client.add_notice_handler(lambda diagnostic: severities.append(str(diagnostic.severity_nonlocalized)))
    assert BEYOND in told(client, query)
    assert severities == ["WARNING"]
    assert BEYOND in " ".join(row[0] for row in client.execute(f"EXPLAIN {query}".encode()))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits WHERE minutes > 240",
        "SELECT sum(minutes) FROM visits WHERE minutes >= 240",
        "SELECT sum(minutes) FROM visits WHERE minutes < 500",
        "SELECT sum(minutes) FROM visits WHERE minutes > -1 AND minutes <> 999",
        "SELECT sum(cost) FROM visits WHERE minutes > 240",
        "SELECT sum(size) FROM (SELECT 300 AS size, urgent FROM visits) AS v WHERE size > 240",
    ],
)
def test_nothing_is_told_of_conditions_that_leave_values_within_the_bounds(
    client: psycopg.Connection, query: str
) -> None:
    assert "has the bounds" not in told(client, query)
