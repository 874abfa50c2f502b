"""A condition that compares a declared column with a constant that is no declared value, or asks for what is beyond the
bounds of a column that is summed, is told of, in words."""

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
        ("SELECT count(*) FROM patients WHERE birth_year = 1980.5", "birth_year has no declared value 1980.5."),
        (
            "SELECT count(*) FROM patients WHERE 99999999999 = birth_year",
            "birth_year has no declared value 99999999999.",
        ),
        ("SELECT count(*) FROM patients WHERE birth_year = -1", "birth_year has no declared value -1."),
        ("SELECT count(*) FROM patients WHERE birth_year = '2031'", "birth_year has no declared value 2031."),
        ("SELECT count(*) FROM patients WHERE birth_year IN (1980, 2027) AND smoker", "no declared value 2027."),
        ("SELECT count(*) FROM patients WHERE birth_year = 2000 + 50", "birth_year has no declared value 2050."),
        ("SELECT count(*) FROM visits WHERE specialty_id = 77", "specialty_id has no declared value 77."),
        ("SELECT count(*) FROM patients WHERE birth_year > 2026", "birth_year has no declared value > 2026."),
        ("SELECT count(*) FROM patients WHERE 1899.5 >= birth_year", "birth_year has no declared value <= 1899.5."),
        (
            "SELECT count(*) FROM patients WHERE birth_year BETWEEN 2030 AND 2040",
            "birth_year has no declared value >= 2030.",
        ),
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
        "SELECT count(*) FROM patients WHERE birth_year IN (1900, 2026)",
        "SELECT count(*) FROM patients WHERE birth_year = 1980.0",
        "SELECT count(*) FROM patients WHERE birth_year >= 2026 AND smoker",
        "SELECT count(*) FROM patients WHERE birth_year <> 2050",
        "SELECT count(*) FROM patients WHERE birth_year = 2050 OR smoker",
        "SELECT count(*) FROM visits WHERE minutes = 300",
    ],
)
def test_nothing_is_told_of_other_conditions(client: psycopg.Connection, query: str) -> None:
    assert "declared value" not in told(client, query)


def test_undeclared_numbers_are_told_of_parameters_too(client: psycopg.Connection) -> None:
    client.execute("PREPARE born (integer) AS SELECT count(*) FROM patients WHERE birth_year = $1")
    assert "birth_year has no declared value 2044." in told(client, "EXECUTE born (2044)")
    with psycopg.RawCursor(client) as cursor:
        found: list[str] = []
        client.add_notice_handler(lambda diagnostic: found.append(diagnostic.message_detail or ""))
        cursor.execute("SELECT count(*) FROM patients WHERE birth_year IN ($1, $2)", (1980, 2045))
    assert "birth_year has no declared value 2045." in " ".join(found)


def test_of_a_long_list_a_few_undeclared_numbers_are_told(client: psycopg.Connection) -> None:
    listed = ", ".join(map(str, range(3000, 3100)))
    query = f"SELECT count(*) FROM patients WHERE birth_year IN ({listed})"
    assert told(client, query).count("has no declared value") == 5


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
