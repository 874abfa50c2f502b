"""x > ALL (SELECT …), x > ANY (SELECT …) and (SELECT x … ORDER BY x LIMIT 1) among private rows, NULLs as Postgres has
them, and EXISTS that compares rows with released ones."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

_POPULATIONS = "(SELECT population / 100 FROM regions)"
_ZONES = "(SELECT CASE WHEN zone = 'cold' THEN population / 100 END FROM regions)"
_OWN = "FROM visits w WHERE w.patient_id = v.patient_id"

SAME = {
    "all": f"SELECT count(*) FROM visits WHERE minutes > ALL {_POPULATIONS}",
    "not all": f"SELECT count(*) FROM visits WHERE NOT (minutes > ALL {_POPULATIONS})",
    "all of none": "SELECT count(*) FROM visits WHERE minutes > ALL (SELECT population FROM regions WHERE zone = 'x')",
    "all with NULLs": f"SELECT count(*) FROM visits WHERE minutes > ALL {_ZONES}",
    "not all with NULLs": f"SELECT count(*) FROM visits WHERE NOT minutes > ALL {_ZONES}",
    "any": f"SELECT count(*) FROM visits WHERE minutes <= ANY {_POPULATIONS}",
    "not any with NULLs": f"SELECT count(*) FROM visits WHERE NOT (minutes >= SOME {_ZONES})",
    "differs from any": "SELECT count(*) FROM visits WHERE region <> ANY (SELECT name FROM regions WHERE zone = 'warm')",
    "equals all": "SELECT count(*) FROM visits WHERE region = ALL (SELECT name FROM regions WHERE zone = 'warm')",
    "not compared as it is": "SELECT count(*) FROM visits WHERE minutes < ALL (SELECT DISTINCT population FROM regions "
    "WHERE population > 50)",
    "in a filter": f"SELECT region, count(*) FILTER (WHERE minutes > ALL {_POPULATIONS}) FROM visits GROUP BY 1",
    "in a case": f"SELECT sum(CASE WHEN minutes > ANY {_POPULATIONS} THEN cost END) FROM visits",
    "all of the person's": f"SELECT count(*) FROM visits v WHERE cost >= ALL (SELECT w.cost {_OWN})",
    "all of the person's without NULLs": "SELECT count(*) FROM visits v WHERE v.cost >= ALL "
    f"(SELECT w.cost {_OWN} AND w.cost IS NOT NULL)",
    "the first of the person's": "SELECT count(*) FROM visits v WHERE v.visited_at = "
    f"(SELECT w.visited_at {_OWN} ORDER BY w.visited_at LIMIT 1)",
    "the last of the person's": "SELECT count(*) FROM visits v WHERE v.cost = "
    f"(SELECT w.cost AS c {_OWN} AND w.cost IS NOT NULL ORDER BY c DESC LIMIT 1)",
    "the last by position": "SELECT count(*) FROM visits v WHERE v.cost = "
    f"(SELECT w.cost {_OWN} ORDER BY 1 DESC NULLS LAST LIMIT 1)",
    "the first of a never missing column": f"SELECT count(*) FROM visits v WHERE v.visited_at = "
    f"(SELECT w.visited_at {_OWN} ORDER BY w.visited_at DESC LIMIT 1)",
    "the first of an expression without a name": "SELECT count(*) FROM visits v WHERE v.cost >= "
    f"(SELECT (w.minutes + 1)::bigint {_OWN} ORDER BY 1 LIMIT 1)",
    "existence of one": f"SELECT count(*) FROM visits v WHERE EXISTS (SELECT 1 {_OWN} AND w.cost > 2 * v.cost LIMIT 1)",
    "existence of distinct rows": f"SELECT count(*) FROM visits v WHERE NOT EXISTS (SELECT DISTINCT w.region {_OWN} "
    "AND w.cost > v.cost ORDER BY w.region)",
    "a function of an unqualified key": "SELECT region, (SELECT max(n) FROM generate_series(1, length(region)) AS n) "
    "FROM visits WHERE region IN ('north', 'east') GROUP BY region",
    "all beside groups": "SELECT region, CASE WHEN max(cost) > ALL (SELECT 5 FROM regions) THEN count(*) END FROM visits "
    "WHERE region <> 'nowhere' GROUP BY region HAVING region >= ALL (SELECT name FROM regions WHERE zone = 'cold')",
    "any of an array of rows": "SELECT region, count(*) FROM visits WHERE patient_id = ANY (ARRAY(SELECT patient_id FROM patients "
    "WHERE smoker)) GROUP BY region",
    "all of an array of rows": "SELECT count(*) FROM visits WHERE patient_id <> ALL (ARRAY(SELECT patient_id FROM patients WHERE smoker))",
    "any of an array with NULL": "SELECT count(*) FROM visits WHERE NOT region = ANY (ARRAY(SELECT zone FROM regions))",
    "any of an array of released names": "SELECT region, count(*) FROM visits WHERE region = ANY (ARRAY(SELECT region FROM visits "
    "GROUP BY 1 ORDER BY count(*) DESC LIMIT 2)) GROUP BY 1",
    "in values": "SELECT count(*) FROM visits WHERE minutes IN (VALUES (1), (2), (NULL)) OR NOT cost IN (VALUES (1), (2.5))",
    "not in values": "SELECT count(*) FROM visits WHERE region NOT IN (VALUES ('north'), ('south'))",
    "in values whose blanks count": "SELECT count(*) FROM patients WHERE sex IN (VALUES ('F '), ('M'))",
    "first in time": f"SELECT count(*) FROM visits v WHERE v.cost = (SELECT w.cost {_OWN} ORDER BY w.visited_at, w.visit_id LIMIT 1)",
    "greatest, NULL first": f"SELECT count(*) FROM visits v WHERE v.cost = (SELECT w.cost {_OWN} ORDER BY w.cost DESC LIMIT 1)",
    "least boolean": f"SELECT count(*) FROM visits v WHERE v.urgent = (SELECT w.urgent {_OWN} ORDER BY w.urgent LIMIT 1)",
    "compared with released rows": "SELECT count(*) FROM visits v WHERE EXISTS (SELECT 1 FROM "
    "(SELECT region, avg(cost) AS c FROM visits GROUP BY region) a WHERE v.cost > a.c AND a.region = v.region)",
}

INSTEAD = {
    "SELECT count(*) FROM visits v WHERE v.cost > (SELECT w.minutes FROM visits w WHERE w.region = v.region ORDER BY 1 LIMIT 1)": (
        "a correlated subquery that is no aggregate is not supported here",
        "Tie it to the unit's column of a private row around it",
        "SELECT count(*) FROM visits v WHERE v.cost > (SELECT w.minutes FROM visits w WHERE w.region = v.region AND w.patient_id = "
        "v.patient_id ORDER BY 1 LIMIT 1)",
    ),
    "SELECT count(*) FROM visits WHERE cost > ALL (SELECT avg(cost) FROM visits GROUP BY region)": (
        "a comparison with ALL (SELECT …) is not supported here",
        "x > (SELECT max(y) FROM (SELECT …) AS s)",
        "SELECT count(*) FROM visits WHERE cost > (SELECT max(y) FROM (SELECT avg(cost) AS y FROM visits GROUP BY region) AS s)",
    ),
    "SELECT count(*) FROM visits WHERE cost > (SELECT population FROM regions WHERE zone = region)": (
        "a correlated subquery that is no aggregate is not supported here",
        "(SELECT max(x) FROM … WHERE …)",
        "SELECT count(*) FROM visits WHERE cost > (SELECT max(population) FROM regions WHERE zone = region)",
    ),
    f"SELECT count(*) FROM visits v WHERE EXISTS (SELECT 1 {_OWN} GROUP BY w.patient_id HAVING count(*) > 3)": (
        "this correlated subquery is not supported",
        "(SELECT count(*) FROM … WHERE inner_column = outer_column) > 3",
        f"SELECT count(*) FROM visits v WHERE (SELECT count(*) {_OWN}) > 3",
    ),
    f"SELECT count(*) FROM visits v WHERE 3 < v.cost AND EXISTS (SELECT 1 {_OWN} GROUP BY w.patient_id HAVING count(*) > 3)": (
        "this correlated subquery is not supported",
        "outer_column IN (SELECT inner_column FROM … GROUP BY inner_column HAVING …)",
        "SELECT count(*) FROM visits v WHERE 3 < v.cost AND v.patient_id IN (SELECT w.patient_id FROM visits w GROUP BY w.patient_id "
        "HAVING count(*) > 3)",
    ),
}
"""What is refused: how the message begins, what the hint says, and the query that follows it."""


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_it_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", INSTEAD)
def test_what_is_refused_says_what_is_answered(query: str, connections: Connections) -> None:
    message, hint, followed = INSTEAD[query]
    with pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        connections[0].execute(query.encode())
    assert refusal.value.diag.message_primary == message
    assert hint in (refusal.value.diag.message_hint or "")
    assert_same_answer(followed, connections)


def test_the_rows_of_all_are_the_persons_own(connections: Connections) -> None:
    query = "SELECT count(*) FROM visits v WHERE v.cost > ALL (SELECT w.cost FROM visits w WHERE w.region = v.region)"
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="could combine rows of more than one"):
        connections[0].execute(query.encode())
