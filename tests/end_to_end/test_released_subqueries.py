"""Subqueries beside released groups: Postgres's own answer, or a refusal; no error names what the client has not written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product

import psycopg
import pytest

from tests.end_to_end.comparing import Connections

SUBQUERIES = [
    "(SELECT zone FROM regions r WHERE r.name = {})",
    "(SELECT count(*) FROM regions r WHERE r.name > {})",
    "(SELECT max(name) FILTER (WHERE name > {}) FROM regions)",
    "(SELECT count({}) FROM regions)",
    "(SELECT name FROM regions WHERE name IN (SELECT max({})))",
    "(SELECT x.region FROM (SELECT {}) x)",
    "(SELECT x.region FROM (SELECT {} AS region) x)",
    "(SELECT * FROM (SELECT {}) x)",
    "(SELECT x FROM (SELECT {}) x)",
    "(SELECT row_to_json(x) FROM (SELECT {}) x)",
    "(SELECT {})",
    "(SELECT {} UNION SELECT {})",
    "(VALUES ({}))",
    "(SELECT y.a FROM (VALUES ({})) AS y(a))",
    "(SELECT y.column1 FROM (VALUES ({})) AS y)",
    "(WITH x AS (SELECT {}) SELECT * FROM x)",
    "(WITH x(region) AS (SELECT {}) SELECT region FROM x)",
    "(SELECT r.zone FROM regions r JOIN LATERAL (SELECT {} AS q) z ON z.q = r.name)",
    "(SELECT q FROM regions r, LATERAL (SELECT {} AS q) z WHERE r.name = 'west')",
    "(SELECT count(*) FROM regions GROUP BY {})",
    "(SELECT count(*) FROM regions r GROUP BY r.name HAVING {} = r.name)",
    "(SELECT count(*) OVER (PARTITION BY {}) FROM regions LIMIT 1)",
    "(SELECT n FROM unnest(ARRAY[{}, 'a']) AS n ORDER BY n LIMIT 1)",
    "(SELECT k0 FROM (SELECT {} AS k0) dpproxy)",
    "(SELECT a0 FROM (SELECT {}) AS x(a0))",
    "array_length(ARRAY(SELECT {} FROM regions), 1)",
    "EXISTS (SELECT FROM regions WHERE name = {} GROUP BY zone)",
    "({} IN (SELECT name FROM regions))",
    "({} = ANY (SELECT zone FROM regions WHERE zone <> {}))",
    "(SELECT r FROM regions r WHERE r.name = {})",
    "(SELECT v.region FROM regions v WHERE v.region = {})",
    "(SELECT string_agg(r.name, {} ORDER BY r.name) FROM regions r)",
    "(SELECT grouping({}))",
    "(SELECT count(*) FROM regions TABLESAMPLE SYSTEM (length({})))",
    "(SELECT count(*) FROM generate_series(1, length({})))",
    "(SELECT name FROM regions ORDER BY name = {} DESC, name LIMIT 1)",
    "(SELECT name FROM regions ORDER BY name LIMIT length({}) OFFSET 100)",
]
KEYS = ["region", "v.region", "upper(v.region)", "v"]
PLACES = [
    "SELECT region, count(*), {} AS x FROM visits v GROUP BY region",
    "SELECT region, count(*) FROM visits v GROUP BY region HAVING {} IS NOT NULL",
    "SELECT region, count(*) FROM visits v GROUP BY region ORDER BY {}, region",
    "SELECT region, count(*), rank() OVER (ORDER BY {}) FROM visits v GROUP BY region",
    "SELECT x FROM (SELECT region, {} AS x, count(*) FROM visits v GROUP BY region) AS released",
    "SELECT region, CASE WHEN count(*) > 0 THEN {} END FROM visits v GROUP BY ROLLUP (region)",
]
INTERNAL = re.compile(r"dpproxy_|\b[kagsic]\d+\b|\br\.[kagsic]\d|\bt\d+\b|unnest|::text\[\]")
FIELDS = ("message_primary", "message_detail", "message_hint", "context", "internal_query", "table_name", "column_name")


def statements() -> Iterator[str]:
    for subquery, key, place in product(SUBQUERIES, KEYS, PLACES):
        yield place.format(subquery.replace("{}", key))


CHARGES = "SELECT count(*) FROM dp.ledger"
Outcomes = list[tuple[str, list[str] | psycopg.Error, list[str] | psycopg.Error, int]]
"""Of each statement what the client gets, what the source says to its owner, and the charges after it."""


@pytest.fixture(scope="module")
def outcomes(connections: Connections) -> Outcomes:
    client, source = connections
    return [(text, outcome(client, text), outcome(source, text), charges(client)) for text in statements()]


def charges(client: psycopg.Connection) -> int:
    (number,) = client.execute(CHARGES).fetchone() or (0,)
    return int(number)


def outcome(connection: psycopg.Connection, text: str) -> list[str] | psycopg.Error:
    try:
        return sorted(map(repr, connection.execute(text.encode()).fetchall()))
    except psycopg.Error as error:
        return error


def test_no_error_names_what_the_client_has_not_written(outcomes: Outcomes) -> None:
    told = 0
    for text, got, _, _ in outcomes:
        if not isinstance(got, psycopg.Error):
            continue
        told += 1
        for field in FIELDS:
            names = set(INTERNAL.findall(getattr(got.diag, field) or ""))
            assert names <= set(INTERNAL.findall(text)), (text, getattr(got.diag, field))
        assert int(got.diag.statement_position or 1) <= len(text), (text, got)
    assert told > 100


def test_what_is_answered_is_postgres_own_answer(outcomes: Outcomes) -> None:
    answered = 0
    for text, got, expected, _ in outcomes:
        if not isinstance(got, psycopg.Error):
            assert not isinstance(expected, psycopg.Error), (text, expected)
            assert got == expected, text
            answered += 1
    assert answered > 300, answered


def test_what_postgres_answers_is_refused_for_few_reasons(outcomes: Outcomes) -> None:
    reasons = Counter(
        f"{got.sqlstate} {got.diag.message_primary}"
        for _, got, expected, _ in outcomes
        if isinstance(got, psycopg.Error) and not isinstance(expected, psycopg.Error)
    )
    assert all(reason.startswith("0A000") for reason in reasons), reasons


def test_a_refusal_charges_nothing(outcomes: Outcomes) -> None:
    refused = 0
    for (*_, before), (text, got, _, after) in pairwise(outcomes):
        if isinstance(got, psycopg.Error):
            assert before == after, text
            refused += 1
    assert refused > 100
