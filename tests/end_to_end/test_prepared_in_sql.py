"""PREPARE, EXECUTE and DEALLOCATE in SQL: the stage keeps the statements, and private ones are answered as their query."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end.asking import rows
from tests.end_to_end.comparing import client_and_source
from tests.end_to_end.running import RunningProxy

PREPARED = (
    "PREPARE p (numeric, text) AS SELECT region, count(*) FROM visits WHERE cost > $1 AND diagnosis LIKE $2 "
    "GROUP BY region ORDER BY region"
)


@pytest.fixture
def client(rich_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with rich_proxy.connect() as connection:
        connection.prepare_threshold = None
        yield connection


@pytest.mark.parametrize(
    "arguments",
    [
        "100, 'diagnosis%'",
        "100.0, 'diag' || 'nosis%'",
        "(50 + 50), $a$diagnosis%$a$",
        "abs(-100), concat('diagnosis', '%')",
    ],
)
def test_executed_statement_is_the_query_with_its_arguments(client: psycopg.Connection, arguments: str) -> None:
    client.execute(PREPARED.encode())
    query = "SELECT region, count(*) FROM visits WHERE cost > 100 AND diagnosis LIKE 'diagnosis%' GROUP BY region ORDER BY region"
    notices: list[str | None] = []
    answer = rows(client, query)
    client.add_notice_handler(lambda diagnostic: notices.append(diagnostic.message_primary))
    assert rows(client, f"EXECUTE p ({arguments})") == answer
    assert notices == ["dpproxy recalled an earlier answer, free of charge"]


def test_a_parameter_of_a_type_without_length_is_not_cut(client: psycopg.Connection) -> None:
    client.execute("SET dp.epsilon = 2")
    client.execute("PREPARE blank (bpchar) AS SELECT count(*) FROM visits WHERE region = $1")
    found = client.execute("EXECUTE blank ('north')").fetchone()
    client.execute("DEALLOCATE blank")
    assert found == client.execute("SELECT count(*) FROM visits WHERE region = 'north'::bpchar").fetchone()
    assert found is not None
    assert found[0] > 100


def test_exact_answers_equal_those_of_postgres(exact_proxy: RunningProxy) -> None:
    with client_and_source(exact_proxy) as (client, source):
        for connection in (client, source):
            connection.execute(PREPARED.encode())
        for arguments in ("1, '%1'", "500, '%'", "NULL, '%'", "1, 'none'"):
            exact = set(rows(source, f"EXECUTE p ({arguments})"))
            assert exact <= set(rows(client, f"EXECUTE p ({arguments})"))


def test_statement_is_the_stages_own(client: psycopg.Connection) -> None:
    client.execute(PREPARED.encode())
    assert rows(client, "SELECT name, parameter_types::text, from_sql FROM pg_prepared_statements") == [
        ("p", "{numeric,text}", True)
    ]
    with pytest.raises(psycopg.errors.DuplicatePreparedStatement):
        client.execute(PREPARED.encode())
    for arguments in ("", "(1)", "(1, 'a', 3)"):
        with pytest.raises(psycopg.errors.SyntaxError, match="wrong number of parameters"):
            client.execute(f"EXECUTE p {arguments}".encode())
    with pytest.raises(psycopg.errors.InvalidTextRepresentation):
        client.execute("EXECUTE p ('x', 'y')")
    client.execute("DEALLOCATE p")
    with pytest.raises(psycopg.errors.InvalidSqlStatementName):
        client.execute("EXECUTE p (100, 'a')")


def test_arguments_are_not_looked_at_where_a_statement_has_no_parameter(exact_proxy: RunningProxy) -> None:
    with client_and_source(exact_proxy) as (client, source):
        for connection in (client, source):
            connection.execute("PREPARE p AS SELECT count(*) FROM visits")
        assert rows(client, "EXECUTE p (1, 1 / 0)") == rows(source, "EXECUTE p (1, 1 / 0)")


def test_public_statements_and_names_in_quotes_are_executed(client: psycopg.Connection) -> None:
    client.execute('PREPARE "P q" (text) AS SELECT name FROM regions WHERE name = $1')
    assert rows(client, "EXECUTE \"P q\" ('north')") == [("north",)]
    client.execute('PREPARE "select" AS SELECT count(*) FROM visits;')
    assert len(rows(client, 'EXECUTE "select"')) == 1
    client.execute("PREPARE b AS TABLE dp.budget")
    assert rows(client, "EXECUTE b") == rows(client, "TABLE dp.budget")


def test_what_is_refused_as_a_query_is_refused_when_it_is_executed(client: psycopg.Connection) -> None:
    client.execute("PREPARE p (integer) AS SELECT cost FROM visits WHERE visit_id = $1")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="only aggregates are allowed") as error:
        client.execute("EXECUTE p (5)")
    assert error.value.diag.statement_position is None
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="only SELECT can read"):
        client.execute("PREPARE w AS DELETE FROM visits")


def test_nothing_runs_when_a_statement_is_prepared(client: psycopg.Connection) -> None:
    before = rows(client, "SELECT rho_spent FROM dp.budget")
    client.execute("PREPARE p AS SELECT count(*) FROM visits WHERE minutes > 77")
    explained = rows(client, "EXPLAIN EXECUTE p")
    assert rows(client, "SELECT rho_spent FROM dp.budget") == before
    assert explained == rows(client, "EXPLAIN SELECT count(*) FROM visits WHERE minutes > 77")


def test_it_works_in_scripts_transactions_and_the_extended_protocol(client: psycopg.Connection) -> None:
    client.execute("BEGIN; PREPARE p AS SELECT count(*) FROM visits; EXECUTE p; COMMIT")
    answer = rows(client, "SELECT count(*) FROM visits")
    assert client.execute("EXECUTE p", prepare=True).fetchall() == answer
    assert client.execute("EXECUTE p", binary=True).fetchall() == answer


def test_several_spellings_of_one_statement_are_told_apart(client: psycopg.Connection) -> None:
    client.execute(
        "PREPARE p (numeric, numeric[]) AS SELECT count(*) FROM visits WHERE cost > $1 AND minutes = ANY ($2)"
    )
    expected = rows(client, "SELECT count(*) FROM visits WHERE cost > 5 AND minutes = ANY (ARRAY[1, 2, 3])")
    for arguments in (
        "5, ARRAY[1, 2, 3]",
        "5 -- five, six\n, /* , */ '{1,2,3}'",
        "greatest(4, 5), ARRAY[1] || ARRAY[2, 3]",
    ):
        assert rows(client, f"EXECUTE p ({arguments})") == expected
