"""Subqueries that only pick rows and columns of a table are answered as Postgres does, and are free after the table."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer
from tests.end_to_end.conftest import StartProxy

SAME = [
    "SELECT region, count(*), sum(cost) FROM (SELECT * FROM visits) v WHERE urgent GROUP BY 1",
    "SELECT region, count(*) FROM (SELECT region, cost FROM visits WHERE cost > 100 OR NOT urgent) AS v WHERE cost < 500 GROUP BY region",
    "SELECT count(*), count(v.cost) FROM patients p LEFT JOIN (SELECT * FROM visits WHERE urgent) v ON v.patient_id = p.patient_id",
    "SELECT count(*), count(v.cost) FROM patients p LEFT JOIN (SELECT * FROM visits) v ON v.patient_id = p.patient_id AND v.urgent",
    "SELECT count(*), sum(cost) FROM (SELECT patient_id, cost FROM visits WHERE minutes > 9) v JOIN (SELECT * FROM patients "
    "WHERE smoker) p USING (patient_id) WHERE region = 'north'",
    "SELECT count(*) FROM (SELECT * FROM visits WHERE urgent) v NATURAL JOIN (SELECT patient_id, birth_year FROM patients) p",
    "SELECT count(*) FROM (SELECT DISTINCT * FROM (SELECT patient_id, region FROM visits) v) q",
    "SELECT count(*) FROM (SELECT v.* FROM (SELECT patient_id FROM visits) v UNION SELECT patient_id FROM patients) q",
    "SELECT minutes > 60 AS urgent, count(*) FROM (SELECT minutes FROM visits) v GROUP BY urgent",
    "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM (SELECT patient_id FROM visits) v WHERE v.patient_id = p.patient_id "
    "AND region = 'north')",
    "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM (SELECT * FROM visits WHERE urgent) v WHERE v.patient_id = p.patient_id "
    "AND cost > 400)",
    "WITH w AS (SELECT * FROM visits WHERE urgent), x AS (SELECT region, cost FROM w) SELECT region, avg(cost) FROM x GROUP BY 1",
    "SELECT count(*) FROM (SELECT patient_id, cost FROM visits WHERE urgent) a JOIN (SELECT * FROM visits WHERE minutes > 110) b "
    "ON a.patient_id = b.patient_id AND a.cost < b.cost",
]  # fmt: skip


@pytest.mark.parametrize("query", SAME)
def test_a_plain_subquery_is_answered_as_in_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


def test_other_spellings_are_recalled(proxies: StartProxy) -> None:
    with proxies(clinic.policy()).connect() as client:
        text = "SELECT count(*) FROM visits WHERE urgent AND minutes >= 60 AND visited_at < '2024-06-30'"
        assert _asked(text, client)[1] == "new"
        (count, _) = _asked(text, client)
        for query in (
            "SELECT count(*) FROM (SELECT * FROM visits) v WHERE urgent = true AND minutes >= '60' AND visited_at < '2024-06-30 00:00'",
            "SELECT count(*) FROM (SELECT minutes, urgent FROM visits WHERE visited_at < timestamp '2024-06-30') AS v "
            "WHERE true AND NOT minutes < 60 AND urgent IS TRUE",
            "WITH w AS (SELECT * FROM visits WHERE urgent <> false) SELECT count(*) FROM w WHERE 1 = 1 AND minutes >= 60 "
            "AND visited_at < date '2024-06-30'",
        ):  # fmt: skip
            assert _asked(query, client) == (count, "recalled")


def _asked(query: str, client: psycopg.Connection) -> tuple[Any, Any]:
    """The number, and whether it was new or recalled."""
    number = client.execute(query.encode()).fetchone()
    answer = client.execute("SELECT answer FROM dp.last").fetchone()
    assert number is not None
    assert answer is not None
    return number[0], answer[0]
