"""An analyst is not told how large another database of the stage's server is: that of the ledger grows by what others ask."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.postgres.conftest import Guarded

_FUNCTIONS = """
SELECT format('%I.%I', n.nspname, p.proname), format_type(p.proargtypes[0], NULL)
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.pronargs = 1 AND p.prokind = 'f' AND NOT p.proretset AND p.proargtypes[0] IN (19, 25, 26)
  AND has_function_privilege(p.oid, 'EXECUTE') AND p.proname !~ '^(xml|json|query_to|lo_)'
"""


@pytest.fixture(scope="module")
def ledger(guarded: Guarded) -> Iterator[psycopg.Connection]:
    """Another database, as an operator creates it: everybody may connect to it."""
    with psycopg.connect(guarded.server.dsn("postgres"), autocommit=True) as owner:
        owner.execute("DROP DATABASE IF EXISTS ledger_of_budgets")
        owner.execute("CREATE DATABASE ledger_of_budgets TEMPLATE template0")
    with psycopg.connect(guarded.server.dsn("ledger_of_budgets"), autocommit=True) as connection:
        yield connection


def test_nothing_about_another_database_changes_as_it_grows(guarded: Guarded, ledger: psycopg.Connection) -> None:
    """Whatever function of a name or a number an analyst calls: also those that a later Postgres adds."""
    row = ledger.execute("SELECT oid::text FROM pg_database WHERE datname = current_database()").fetchone()
    assert row is not None
    size = "SELECT pg_database_size(current_database())"
    with psycopg.connect(guarded.stage.dsn("ana"), autocommit=True) as analyst:
        functions = analyst.execute(_FUNCTIONS).fetchall()
        assert len(functions) > 40
        assert "pg_catalog.pg_database_size" in {name for name, _ in functions}

        def told() -> dict[str, str]:
            calls = {
                f"SELECT {name}('{value}'::{kind})::text"
                for name, kind in functions
                for value in ([row[0]] if kind == "oid" else ["ledger_of_budgets", row[0]])
            }
            return {call: _said(analyst, call) for call in calls}

        before, small = told(), ledger.execute(size.encode()).fetchone()
        ledger.execute("CREATE TABLE charges AS SELECT i, repeat('x', 100) FROM generate_series(1, 20000) AS i")
        ledger.execute("CHECKPOINT")
        assert ledger.execute(size.encode()).fetchone() != small
        after = told()
    assert {call: (before[call], after[call]) for call in before if before[call] != after[call]} == {}


def _said(connection: psycopg.Connection, call: str) -> str:
    try:
        return str(connection.execute(call.encode()).fetchall())
    except psycopg.Error as error:
        return str(error).partition("\nLINE")[0]


@pytest.mark.parametrize("other", ["'ledger_of_budgets'", "'no_such_database'", "1::oid", "NULL::name"])
def test_a_size_is_that_of_the_stage_or_none(guarded: Guarded, ledger: psycopg.Connection, other: str) -> None:
    del ledger
    with psycopg.connect(guarded.stage.dsn("ana"), autocommit=True) as analyst:
        assert analyst.execute(f"SELECT pg_database_size({other})".encode()).fetchone() == (None,)
        named, numbered = analyst.execute(
            "SELECT pg_database_size(datname), pg_database_size(oid) FROM pg_database"
        ).fetchall()[0]
    assert named == numbered > 1_000_000
