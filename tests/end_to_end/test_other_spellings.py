"""What tools write otherwise than people, and means the same: parentheses, LIMIT ALL, texts as conditions, casts of
identifiers as keys, CTEs of constants in subqueries."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = {
    "parentheses in windows": "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY (patient_id) ORDER BY visit_id) AS n FROM visits) AS v "
    "WHERE n = 2",
    "parentheses in DISTINCT": "SELECT count(*) FROM (SELECT DISTINCT (patient_id), ((region)) FROM visits) AS v",
    "parentheses in DISTINCT ON": "SELECT sum(minutes) FROM (SELECT DISTINCT ON ((patient_id)) minutes FROM visits ORDER BY (patient_id), visit_id) AS v",
    "parentheses in LATERAL": "SELECT count(*) FROM patients p, LATERAL (SELECT minutes FROM visits v WHERE (v.patient_id) = (p.patient_id) "
    "ORDER BY (visit_id) LIMIT 1) AS first",
    "LIMIT ALL": "SELECT count(*) FROM (SELECT visit_id FROM visits LIMIT ALL) AS v",
    "LIMIT NULL": "SELECT count(*) FROM (SELECT visit_id FROM visits LIMIT NULL OFFSET 0) AS v",
    "a text in WHERE": "SELECT count(*) FROM visits WHERE ('true')",
    "a text in ON": "SELECT count(*) FROM visits v JOIN patients p ON (' YES ') AND p.patient_id = v.patient_id",
    "a text in FILTER": "SELECT count(*) FILTER (WHERE 't'), count(*) FILTER (WHERE NOT 'off' AND urgent) FROM visits",
    "a text in CASE": "SELECT sum(CASE WHEN '0' THEN 1 ELSE 2 END), sum(CASE region WHEN 'true' THEN 1 ELSE 2 END) FROM visits",
    "false": "SELECT count(*) FROM visits WHERE 'no'",
    "a cast of the unit": "SELECT count(*), sum(n) FROM (SELECT patient_id::text, count(*) AS n FROM visits GROUP BY 1) AS v",
    "a name of the unit": "SELECT count(*) FROM (SELECT 'P-' || patient_id AS k, count(*) AS n FROM visits GROUP BY k) AS v WHERE n > 2",
    "a hash of the unit": "SELECT count(*) FROM (SELECT DISTINCT md5(patient_id::text), region FROM visits) AS v",
    "the unit and a number": "SELECT count(*) FROM (SELECT patient_id + 7 AS k FROM visits GROUP BY 1 HAVING count(*) > 2) AS v",
    "a cast of a row's key": "SELECT count(*) FROM (SELECT visit_id::varchar, count(*) FROM visits GROUP BY 1) AS v",
    "a CTE of keys": "WITH k AS (SELECT md5(patient_id::varchar) AS id, sum(minutes) AS s FROM visits GROUP BY 1) SELECT count(*) FROM k WHERE s > 90",
    "constants of a subquery": "SELECT count(*) FROM (WITH s AS (SELECT 'north' AS r) SELECT v.region FROM visits v JOIN s ON v.region = s.r) AS x",
    "constants of constants": "SELECT sum(minutes) FROM (WITH s AS (SELECT 3 AS n), t AS (SELECT n + 2 AS n FROM s LIMIT 1) SELECT v.minutes FROM visits v, t "
    "WHERE v.minutes > t.n) AS x",
    "constants that hide others": "WITH s AS (SELECT 'south' AS r) SELECT (SELECT r FROM s), count(*) FROM (WITH s AS (SELECT 'north' AS r) "
    "SELECT v.visit_id FROM visits v JOIN s ON v.region = s.r) AS x",
    "constants in a CTE": "WITH a AS (WITH s AS (SELECT 'north' AS r) SELECT v.* FROM visits v JOIN s ON v.region = s.r) SELECT count(*), "
    "(SELECT sum(minutes) FROM a) FROM a",
    "a released number of a subquery": "SELECT count(*) FROM (WITH m AS (SELECT max(minutes) AS most FROM visits) SELECT v.visit_id FROM visits v, m "
    "WHERE v.minutes = m.most) AS x",
    "first rows of an outer join": "SELECT count(*), count(minutes) FROM (SELECT v.minutes, row_number() OVER (PARTITION BY p.patient_id ORDER BY v.visit_id) "
    "AS n FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id) AS x WHERE n = 1",
}  # fmt: skip


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_another_spelling_has_the_same_answer(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("key", ["patient_id::text", "'P-' || patient_id", "md5(patient_id::text)", "patient_id + 1"])
def test_groups_of_single_units_are_refused_however_their_key_is_spelled(key: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="would be one patient"):
        connections[0].execute(f"SELECT {key} AS k, count(*) FROM visits GROUP BY k".encode())


def test_what_two_units_can_share_is_no_spelling_of_them(connections: Connections) -> None:
    (row,) = connections[0].execute(
        "SELECT count(*) FROM (SELECT DISTINCT left(patient_id::text, 1) AS k FROM visits) AS v"
    )
    assert 0 < row[0] < 10
