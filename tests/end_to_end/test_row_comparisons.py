"""(a, b) = (c, d), (a, b) IN (…) and their negations: NULLs as Postgres has them, ties as single equalities have them."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = {
    "rows that are equal": "SELECT count(*) FROM visits WHERE (region, specialty_id) = ('north', 1)",
    "rows that are not equal": "SELECT count(*) FROM visits WHERE NOT (region, minutes) = ('north', 5)",
    "rows that differ": "SELECT count(*) FROM visits WHERE (region, minutes) <> ('north', 5)",
    "rows in a list": "SELECT region, count(*) FROM visits WHERE (region, specialty_id) IN (('north', 1), ('south', 2), ('south', NULL)) GROUP BY region",
    "rows not in a list": "SELECT count(*) FROM visits WHERE (region, minutes) NOT IN (('north', 1), ('south', 2), ('west', NULL))",
    "rows tie a join": "SELECT count(*), sum(p.height) FROM visits v JOIN patients p ON (v.patient_id, v.region) = (p.patient_id, p.region)",
    "rows in a public subquery": "SELECT count(*) FROM visits v WHERE (v.region, v.specialty_id) IN (SELECT r.name, s.specialty_id FROM regions r, specialties s WHERE r.zone = 'cold')",
    "rows in a public subquery with NULLs": "SELECT count(*) FROM visits v WHERE (v.region, v.minutes) NOT IN (SELECT r.name, CASE WHEN r.zone = 'cold' THEN 7 END FROM regions r)",
    "rows not in a public subquery": "SELECT count(*) FROM visits v WHERE (v.urgent, v.visit_id) NOT IN (SELECT true, r.population FROM regions r)",
    "rows in a subquery of the person": "SELECT count(*) FROM visits v WHERE (v.patient_id, v.region) IN (SELECT p.patient_id, p.region FROM patients p WHERE p.smoker)",
    "rows not in a subquery of the person": "SELECT count(*) FROM visits v WHERE (v.patient_id, v.region) NOT IN (SELECT p.patient_id, p.region FROM patients p WHERE NOT p.smoker)",
    "rows in all columns of a group per person": "SELECT count(*) FROM visits v WHERE (v.patient_id, v.visit_id) IN (SELECT patient_id, max(visit_id) FROM visits GROUP BY patient_id)",
    "rows in a released result": "SELECT count(*) FROM visits WHERE (region, urgent) IN (SELECT region, urgent FROM visits GROUP BY 1, 2 HAVING count(*) > 700)",
    "rows equal any of a subquery": "SELECT count(*) FROM visits v WHERE (v.patient_id, v.urgent) = ANY (SELECT p.patient_id, p.smoker FROM patients p)",
}

REFUSED = {
    "rows of anybody": "SELECT count(*) FROM visits v WHERE (v.region, v.urgent) IN (SELECT p.region, p.smoker FROM patients p)",
    "rows that may lack the person": "SELECT count(*) FROM patients p WHERE (p.patient_id, p.sex) NOT IN "
    "(SELECT nullif(v.patient_id, 3), v.region FROM visits v)",
    "rows of the person and somebody else": "SELECT count(*) FROM patients p WHERE (p.patient_id, p.birth_year) IN "
    "(SELECT v.patient_id + 1, v.patient_id FROM visits v)",
    "rows that differ": "SELECT count(*) FROM visits v JOIN patients p ON (v.patient_id, v.region) <> (p.patient_id, p.region)",
    "rows that are equal under OR": "SELECT count(*) FROM visits v JOIN patients p ON (v.patient_id, v.region) = (p.patient_id, p.region) OR p.smoker",
}


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_comparison_of_rows_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED.keys())
def test_rows_that_do_not_tie_the_person_are_refused(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="could combine rows of more than one"):
        connections[0].execute(query.encode())
