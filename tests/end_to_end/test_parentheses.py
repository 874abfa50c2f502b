"""What follows a query in parentheses counts, wherever the query stands."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = {
    "a released number": "SELECT count(*) FROM visits WHERE minutes > ((SELECT avg(minutes) FROM visits) OFFSET 1)",
    "a released list": "SELECT count(*) FROM visits WHERE region IN ((SELECT region FROM visits GROUP BY region) ORDER BY 1 LIMIT 2)",
    "a public list": "SELECT count(*) FROM visits WHERE region IN ((SELECT name FROM regions ORDER BY name) LIMIT 2)",
    "released groups": "SELECT region, n FROM ((SELECT region, count(*) AS n FROM visits GROUP BY region) ORDER BY n DESC LIMIT 1) x",
    "public rows": "SELECT r.zone, count(*) FROM visits v JOIN ((SELECT name, zone FROM regions ORDER BY name) LIMIT 3) r "
    "ON r.name = v.region GROUP BY r.zone",
    "one of several arms": "(SELECT region, count(*) AS n FROM visits GROUP BY 1 ORDER BY 2, 1 LIMIT 1) UNION ALL "
    "((SELECT sex, count(*) FROM patients GROUP BY sex) ORDER BY 2 DESC, 1 LIMIT 1)",
    "rows of the unit": "SELECT count(*), sum(x.minutes) FROM patients p, LATERAL ((SELECT v.minutes FROM visits v "
    "WHERE v.patient_id = p.patient_id) ORDER BY v.minutes DESC NULLS LAST, v.visit_id LIMIT 1) x",
    "EXISTS": "SELECT count(*) FROM patients p WHERE EXISTS ((SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id))",
    "no EXISTS": "SELECT count(*) FROM patients p WHERE not exists (((SELECT FROM visits v WHERE v.patient_id = p.patient_id) LIMIT 1))",
    "whether there is a row": "SELECT exists ((SELECT 1 FROM visits WHERE minutes > 100)), exists ((SELECT FROM visits) LIMIT 0)",
    "public rows that exist": "SELECT count(*) FROM visits v WHERE EXISTS ((SELECT 1 FROM regions r WHERE r.name = v.region AND zone = 'A'))",
    "no row of the unit": "SELECT count(*) FROM patients p, LATERAL ((SELECT v.minutes FROM visits v "
    "WHERE v.patient_id = p.patient_id) LIMIT 0) x",
}
REFUSED = {
    "a number of the unit": "SELECT count(*) FROM patients p WHERE birth_year < ((SELECT max(minutes) FROM visits v "
    "WHERE v.patient_id = p.patient_id) LIMIT 0)",
    "rows of everybody": "SELECT count(*) FROM patients WHERE patient_id IN ((SELECT patient_id FROM visits) LIMIT 2)",
    "a quantifier": "SELECT count(*) FROM patients WHERE patient_id = ANY ((SELECT patient_id FROM visits) LIMIT 0)",
    "computed columns": "SELECT count(*) FROM visits v, LATERAL ((SELECT v.cost AS x) LIMIT 0) d",
    "columns as rows": "SELECT count(*) FROM visits v, LATERAL ((SELECT v.cost AS x UNION ALL SELECT 1) LIMIT 1) d",
    "columns as VALUES": "SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), (1) LIMIT 1) d(x)",
}


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_a_clause_after_parentheses_counts(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED)
def test_a_clause_after_parentheses_is_refused_where_it_would_be_inside(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        connections[0].execute(query.encode())
