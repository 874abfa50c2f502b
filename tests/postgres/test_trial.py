"""Statements tried before a charge: what the source refuses is told, and no private row is read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import psycopg
import pytest

from proxy.postgres.source import MeasurementRequest, Source
from proxy.postgres.text_rows import TextRow
from proxy.postgres.trial import TrialError
from tests.conftest import PostgresCluster


@pytest.fixture(scope="module")
def touchy(postgres_cluster: PostgresCluster) -> str:
    """A database with a view that fails for whoever reads a row of it."""
    dsn = postgres_cluster.create_database("touchy")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE people (id integer, name text); INSERT INTO people VALUES (1, 'no number');"
            "CREATE VIEW numbers AS SELECT id, name::integer AS number FROM people"
        )
    return dsn


def try_out(dsn: str, queries: Sequence[str], statements: Sequence[str] = ()) -> list[list[TextRow]] | None:
    async def run() -> list[list[TextRow]] | None:
        source = Source(dsn, statement_timeout_seconds=5)
        try:
            return await source.try_out(MeasurementRequest(tuple(statements), {"TimeZone": "UTC"}), queries)
        finally:
            await source.close()

    return asyncio.run(run())


def test_queries_have_their_rows(touchy: str) -> None:
    assert try_out(touchy, ["SELECT 1, NULL", "SELECT 'a' ~ 'b' UNION ALL SELECT true"]) == [
        [("1", None)],
        [("f",), ("t",)],
    ]


def test_a_measurement_is_parsed_and_not_run(touchy: str) -> None:
    assert try_out(touchy, [], ["SELECT sum(number) FROM public.numbers", "SELECT 1"]) == []


@pytest.mark.parametrize(
    ("query", "statement"),
    [
        ("SELECT '' ~ '('", "SELECT 1"),
        ("SELECT timezone('Middle/Earth', now())", "SELECT 1"),
        ("SELECT 1", "SELECT no_such_function(number) FROM public.numbers"),
        ("SELECT 1", "SELECT number || 1 = 2 FROM public.numbers"),
    ],
)
def test_what_the_source_refuses_is_told(query: str, statement: str, touchy: str) -> None:
    with pytest.raises(TrialError):
        try_out(touchy, [query], [statement])


@pytest.mark.parametrize("statement", ["SELECT 1 FROM public.gone", "SELECT gone FROM public.people"])
def test_a_changed_schema_is_left_to_the_measurements_own_proofs(statement: str, touchy: str) -> None:
    assert try_out(touchy, [], [statement]) is None


def test_a_source_that_cannot_be_asked_refuses_nothing() -> None:
    assert try_out("host=/nonexistent connect_timeout=1", ["SELECT 1"]) is None
