"""INSERT into a session's temporary tables: rows of constants, whose types, lengths and failures are those of Postgres."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end.asking import refusal, rows
from tests.end_to_end.comparing import client_and_source
from tests.end_to_end.running import RunningProxy


@pytest.fixture
def client(rich_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with rich_proxy.connect() as connection:
        yield connection


def test_rows_of_constants_are_inserted_as_postgres_does(exact_proxy: RunningProxy) -> None:
    """What MicroStrategy, Tableau and drivers send: a table of columns, and its rows one by one or many at once."""
    script = [
        "CREATE TEMP TABLE chosen (region text, since date, weight numeric, many integer[], label varchar)",
        "INSERT INTO chosen VALUES ('north', '2024-01-02', 1.50, '{1,2}', 'a'), ('south', NULL, '2', ARRAY[3], NULL)",
        "INSERT INTO chosen (weight, region) SELECT 7, 'it''s \\ \"'",
        "INSERT INTO chosen (weight) WITH w AS (SELECT 9.25 AS x) SELECT x FROM w",
        "INSERT INTO chosen (SELECT * FROM chosen LIMIT 0)",
    ]
    with client_and_source(exact_proxy) as (client, source):
        for connection in (client, source):
            for statement in script:
                connection.execute(statement.encode())
            connection.execute("INSERT INTO chosen (region, many) VALUES (%s, %s)", ("east", [4, None]))
        assert sorted(rows(client, "TABLE chosen"), key=str) == sorted(rows(source, "TABLE chosen"), key=str)
        joined = "SELECT c.region, count(*) FROM visits v JOIN chosen c ON c.region = v.region GROUP BY 1"
        assert sorted(rows(client, joined)) == sorted(rows(source, joined))


@pytest.mark.parametrize(
    ("statement", "sqlstate"),
    [
        ("INSERT INTO kept SELECT 1, 2", "42601"),
        ("INSERT INTO kept (a) VALUES (1, 2)", "42601"),
        ("INSERT INTO kept (b) VALUES (1)", "42703"),
        ("INSERT INTO kept VALUES ('x')", "22P02"),
        ("INSERT INTO kept DEFAULT VALUES", "0A000"),
        ("INSERT INTO kept VALUES (1) RETURNING a", "0A000"),
        ("INSERT INTO kept VALUES (1) ON CONFLICT DO NOTHING", "0A000"),
        ("INSERT INTO kept AS k VALUES (1)", "0A000"),
        ("INSERT INTO kept SELECT cost FROM visits", "42501"),
        ("INSERT INTO kept SELECT generate_series(1, 10000)", "54000"),
    ],
)
def test_what_cannot_be_inserted_changes_nothing(client: psycopg.Connection, statement: str, sqlstate: str) -> None:
    client.execute("CREATE TEMP TABLE kept (a integer)")
    client.execute("INSERT INTO kept VALUES (5)")
    assert refusal(client, statement).sqlstate == sqlstate
    assert rows(client, "TABLE kept") == [(5,)]


def test_inserts_are_prepared_and_executed_with_arguments(exact_proxy: RunningProxy) -> None:
    """Batches of drivers, and PREPARE in SQL."""
    with client_and_source(exact_proxy) as (client, source):
        for connection in (client, source):
            connection.execute("CREATE TEMP TABLE kept (region text, n bigint)")
            connection.execute("PREPARE one (text, bigint) AS INSERT INTO kept VALUES ($1, $2)")
            connection.execute(
                "PREPARE many AS INSERT INTO kept (n, region) SELECT count(*), region FROM visits WHERE cost > $1 GROUP BY region"
            )
            assert connection.execute("EXECUTE one ('here', 1 + 1)").statusmessage == "INSERT 0 1"
            connection.execute("EXECUTE one (NULL, '7')")
            connection.execute("EXECUTE many (20)")
            with connection.cursor() as cursor:
                cursor.executemany("INSERT INTO kept VALUES (%s, %s)", [("a", 1), ("b", None), ("c", 3)])
        found = [dict(connection.execute("SELECT region, n FROM kept").fetchall()) for connection in (client, source)]
        assert {"here", None, "a", "b", "c"} < found[1].keys() <= found[0].keys()
        assert found[0] == dict.fromkeys(found[0], 0) | found[1]


@pytest.mark.parametrize("form", ["EXPLAIN", "EXPLAIN VERBOSE", "EXPLAIN (COSTS OFF)"])
def test_insert_is_not_explained(client: psycopg.Connection, form: str) -> None:
    client.execute("CREATE TEMP TABLE kept (a integer)")
    said = refusal(client, f"{form} INSERT INTO kept VALUES (1)")
    assert (said.sqlstate, said.message_primary) == ("0A000", "EXPLAIN of INSERT is not supported")


LENGTHS = (
    "CREATE TEMP TABLE short (a varchar(3), b char(2), c numeric(4, 1), d numeric(3), e timestamp(0), f varchar(2)[])"
)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO short VALUES ('abc', 'x', 12.36, 7.7, '2024-01-02 03:04:05.6', '{ab}')",
        "INSERT INTO short VALUES ('abc   ', 'x    ', '999.94', 999, NULL, NULL)",
        "INSERT INTO short (a) VALUES ('abcd')",
        "INSERT INTO short (b) SELECT 'abc'",
        "INSERT INTO short (c) VALUES (1000)",
        "INSERT INTO short (d) VALUES (999.5)",
        "INSERT INTO short (f) VALUES ('{abc}')",
    ],
)
def test_lengths_and_precisions_are_those_of_postgres(exact_proxy: RunningProxy, statement: str) -> None:
    with client_and_source(exact_proxy) as (client, source):
        found: list[object] = []
        for connection in (client, source):
            connection.execute(LENGTHS)
            try:
                connection.execute(statement.encode())
                answer = connection.execute("SELECT *, pg_typeof(a) FROM short")
                found.append(
                    (
                        answer.fetchall(),
                        [(c.name, c.type_code, c.internal_size, c.precision) for c in answer.description or ()],
                    )
                )
            except psycopg.Error as refused:
                found.append((refused.diag.sqlstate, refused.diag.message_primary))
        assert found[0] == found[1]


@pytest.mark.parametrize(
    "columns", ["a varchar(0)", "a bit(3)", "a interval(2)", "a numeric(2000)", "a numeric(3, -1)"]
)
def test_other_lengths_are_refused(client: psycopg.Connection, columns: str) -> None:
    said = refusal(client, f"CREATE TEMP TABLE kept ({columns})")
    assert (said.sqlstate, "this length or precision of type" in (said.message_primary or "")) == ("0A000", True)


@pytest.mark.parametrize("form", ["CREATE TEMP VIEW", "CREATE OR REPLACE TEMP VIEW"])
def test_no_rows_are_inserted_into_a_view(client: psycopg.Connection, form: str) -> None:
    client.execute(f"{form} busy AS SELECT 1 AS a".encode())
    said = refusal(client, "INSERT INTO busy VALUES (2)")
    assert (said.sqlstate, said.message_primary) == ("55000", 'cannot insert into view "busy"')
    assert rows(client, "TABLE busy") == [(1,)]


def test_insert_that_fails_is_not_charged(client: psycopg.Connection) -> None:
    spent = rows(client, "SELECT sum(epsilon_spent) FROM dp.budget")
    client.execute("CREATE TEMP TABLE kept (a integer)")
    for target in ("kept (b)", "kept (a, b)", "regions", "missing"):
        refusal(client, f"INSERT INTO {target} SELECT sum(cost) FROM visits WHERE cost > 19")
    assert rows(client, "SELECT sum(epsilon_spent) FROM dp.budget") == spent
