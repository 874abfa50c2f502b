"""Postgres's own errors in statements over private tables: the same message, SQLSTATE and place as on the source."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections

WRONG = {
    "column": "SELECT count(*) FROM visits WHERE nothere = 1",
    "function": "SELECT coun(*) FROM visits",
    "second statement": "SELECT 'é'; SELECT count(*) FROM visits WHERE nothere = 1",
    "statement before": "SELECT 'é'; SELECT nothere; SELECT count(*) FROM visits",
    "statement after": "SELECT count(*) AS é FROM visits; SELECT nothere",
    "syntax": "SELECT count(*) FROM visits WHERE (cost > 1",
    "syntax of a second statement": "SELECT 'é'; SELECT count(*) FROM visits WHERE WHERE",
    "number": "SELECT count(*) FROM visits WHERE cost > 'abc'",
    "date": "SELECT count(*) FROM visits WHERE visited_at > 'yesterdayy'",
    "number of a second statement": "SELECT 'é'; SELECT count(*) FROM visits WHERE cost > 'abc'",
    "grouping": "SELECT region, count(*) FROM visits",
    "order": "SELECT region, count(*) FROM visits GROUP BY region ORDER BY nothere",
    "division of an answer": "SELECT count(*) / 0 FROM visits",
    "operator": "SELECT count(*) FROM visits WHERE region + 1 = 2",
    "alias": "SELECT count(x.cost) FROM visits AS v",
    "cursor": "DECLARE c CURSOR WITH HOLD FOR SELECT count(nothere) FROM visits",
    "explain": "EXPLAIN SELECT count(nothere) FROM visits",
    "subquery": "SELECT count(*) FROM (SELECT nothere FROM visits) AS v",
    "public subquery": "SELECT count(*), (SELECT nothere FROM regions LIMIT 1) FROM visits",
    "cte": "WITH v AS (SELECT count(*) AS n FROM visits) SELECT m FROM v",
    "view": "SELECT count(*) FROM visits v JOIN regions r ON r.name = v.regio",
    "aggregate in where": "SELECT 1 FROM visits WHERE count(*) > 1",
    "type of an argument": "SELECT sum(region) FROM visits",
    "limit": "SELECT count(*) FROM visits LIMIT 'x'",
    "cast of an answer": "SELECT count(*)::date FROM visits",
    "union": "SELECT count(*) FROM visits UNION SELECT 'a', 'b'",
}
FIELDS = {
    name: getattr(psycopg.pq.DiagnosticField, name) for name in ("SQLSTATE", "MESSAGE_PRIMARY", "STATEMENT_POSITION")
}


def error(connection: psycopg.Connection, text: str, *, extended: bool) -> dict[str, bytes | None]:
    send = connection.pgconn.exec_params(text.encode(), []) if extended else connection.pgconn.exec_(text.encode())
    return {name: send.error_field(field) for name, field in FIELDS.items()}


@pytest.mark.parametrize("extended", [False, True], ids=["simple", "extended"])
@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_an_error_is_where_postgres_sees_it(connections: Connections, text: str, extended: bool) -> None:
    if extended and ";" in text:
        pytest.skip("the extended protocol takes one statement")
    here, there = (error(connection, text, extended=extended) for connection in connections)
    assert here == there
    assert there["SQLSTATE"] is not None
