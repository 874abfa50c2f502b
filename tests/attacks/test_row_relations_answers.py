"""Rewritten statements mean what the client wrote, or are refused: nothing is paid for the answer to another question.

Names are taken on purpose: duplicate columns, stars beside rewritten subqueries, commas before outer joins.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

SAME = {
    "a star beside a correlated scalar": "SELECT *, (SELECT count(*) FROM visits v WHERE v.specialty_id = s.specialty_id) "
    "AS n FROM specialties s",
    "a star beside a text key": "SELECT *, (SELECT count(*) FROM visits v WHERE v.region = r.name) AS n FROM regions r",
    "a star over LATERAL": "SELECT * FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v "
    "WHERE v.region = r.name) x",
    "a comma before a correlated scalar": "SELECT r.name, s.title FROM regions r, specialties s "
    "WHERE r.population > (SELECT 0.01 * count(*) FROM visits v WHERE v.region = r.name)",
    "a comma before a scalar among rows": "SELECT count(*) FROM visits v, regions r WHERE r.name = v.region "
    "AND v.minutes > (SELECT count(*) FROM specialties s WHERE s.specialty_id = v.specialty_id AND s.title = 'x')",
    "a condition of JOIN LATERAL": "SELECT count(*) FROM patients p JOIN LATERAL (SELECT count(*) AS n FROM visits v "
    "WHERE v.patient_id = p.patient_id) x ON x.n > 2",
    "a condition of JOIN LATERAL over public rows": "SELECT r.name, x.n FROM regions r JOIN LATERAL (SELECT count(*) AS n "
    "FROM visits v WHERE v.region = r.name) x ON x.n > 5",
    "NATURAL JOIN after a comma": "SELECT count(*) FROM patients p, specialties s NATURAL JOIN visits v "
    "WHERE p.patient_id = v.patient_id",
    "NATURAL JOIN in parentheses": "SELECT count(*) FROM patients p JOIN (specialties s NATURAL JOIN visits v) "
    "ON p.patient_id = v.patient_id",
    "a join inside a join's right side": "SELECT count(*), count(r.name) FROM visits v LEFT JOIN (SELECT patient_id FROM "
    "patients) s JOIN regions r ON r.population > 0 ON s.patient_id = v.patient_id AND r.name = v.region",
    "USING in parentheses": "SELECT count(*), sum(w.weight) FROM (patients p JOIN regions r ON r.name = p.region) JOIN (visits v "
    "JOIN (VALUES (1, 'north', 3), (2, 'south', 5)) AS w(specialty_id, region, weight) USING (specialty_id, region)) "
    "ON p.patient_id = v.patient_id",
    "a name that an ON after a comma does not see twice": "SELECT count(*) FROM patients p, visits v JOIN specialties s "
    "ON s.specialty_id = v.specialty_id AND region = 'north' WHERE v.patient_id = p.patient_id",
    "a merged name that an ON after a comma does not see": "SELECT count(*) FROM patients p JOIN (VALUES ('north')) AS w(region) "
    "USING (region), visits v JOIN specialties s ON s.specialty_id = v.specialty_id AND region = 'south' "
    "WHERE v.patient_id = p.patient_id",
    "a star over USING twice": "SELECT sum(c), count(DISTINCT a), count(DISTINCT b) FROM (SELECT * FROM visits JOIN specialties USING "
    "(specialty_id) JOIN patients USING (patient_id)) d(a, b, v, r, at, seen, c)",
    "a star over USING in parentheses": "SELECT count(DISTINCT a), count(DISTINCT h) FROM (SELECT * FROM patients p JOIN (visits v "
    "JOIN specialties s USING (specialty_id)) ON p.patient_id = v.patient_id) d(a, b, c, d, e, f, g, h)",
    "a star over a NATURAL RIGHT JOIN": "SELECT count(DISTINCT x), count(DISTINCT y), count(DISTINCT z), count(b) FROM "
    "(SELECT * FROM visits NATURAL RIGHT JOIN patients) d(x, y, z, a, b)",
    "NATURAL JOIN of columns called ?column?": "SELECT count(*) FROM (SELECT patient_id, minutes + 1 FROM visits) a "
    "NATURAL JOIN (SELECT birth_year - 1900, patient_id FROM patients) b",
    "NATURAL JOIN of a comparison and an alias": "SELECT count(*) FROM (SELECT patient_id, minutes > 60 FROM visits) a "
    'NATURAL JOIN (SELECT smoker AS "?column?", patient_id FROM patients) b',
    "NATURAL JOIN of a function's name and an alias": "SELECT count(*) FROM (SELECT patient_id, abs(minutes) FROM visits) a "
    "NATURAL JOIN (SELECT birth_year - 1900 AS abs, patient_id FROM patients) b",
    "two columns of one name": "SELECT sum(p) FROM (SELECT * FROM (SELECT minutes, cost, patient_id FROM visits) "
    "AS x (cost)) AS y (p)",
    "a third column of a merged name": "SELECT sum(c) FROM (SELECT * FROM (SELECT patient_id, minutes AS m FROM visits) a "
    "JOIN (SELECT patient_id, birth_year AS y FROM patients) b USING (patient_id) "
    "CROSS JOIN (SELECT 7 AS patient_id, 9 AS nine FROM regions) z) d (a, b, y, c)",
}

REFUSED = {
    "a condition of LEFT JOIN LATERAL": (
        "SELECT count(*), count(x.n) FROM patients p LEFT JOIN LATERAL "
        "(SELECT count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id) x ON x.n > 2",
        "correlated subquery is not supported",
    ),
    "NATURAL JOIN of columns that only Postgres names": (
        "SELECT count(*) FROM (SELECT patient_id, CASE WHEN urgent THEN minutes ELSE 0 END FROM visits) a "
        'NATURAL JOIN (SELECT birth_year - 1900 AS "case", patient_id FROM patients) b',
        "NATURAL JOIN of columns without names",
    ),
    "NATURAL JOIN of a constant that only Postgres names": (
        "SELECT count(*) FROM (SELECT patient_id, minutes > 3 FROM visits) a NATURAL JOIN (SELECT true, patient_id FROM patients) b",
        "NATURAL JOIN of columns without names",
    ),
    "NATURAL JOIN LATERAL": (
        "SELECT count(*) FROM patients p NATURAL JOIN LATERAL (SELECT v.patient_id FROM visits v WHERE v.visit_id = p.birth_year) x",
        "USING or NATURAL with LATERAL",
    ),
    "NATURAL JOIN after a comma that would become CROSS JOIN": (
        "SELECT count(*) FROM patients p, specialties s NATURAL JOIN visits v WHERE p.patient_id = v.patient_id "
        "AND v.cost > (SELECT avg(w.cost) FROM visits w WHERE w.patient_id = p.patient_id)",
        "correlated subquery is not supported",
    ),
    "a comma before RIGHT JOIN": (
        "SELECT count(*), count(p.height) FROM patients p, (SELECT * FROM visits WHERE urgent) v "
        "RIGHT JOIN visits w ON w.visit_id = v.visit_id WHERE p.patient_id = w.patient_id",
        "RIGHT JOIN after a comma",
    ),
    "people without a match in GROUP BY": (
        "SELECT n, count(*) FROM (SELECT v.patient_id, count(*) AS n FROM patients p "
        "LEFT JOIN visits v ON v.patient_id = p.patient_id AND v.cost > 700 GROUP BY v.patient_id) x WHERE n < 100 GROUP BY n",
        "would mix rows of more than one",
    ),
    "people without a match in DISTINCT": (
        "SELECT count(*) FROM (SELECT DISTINCT v.patient_id FROM patients p "
        "LEFT JOIN visits v ON v.patient_id = p.patient_id AND v.cost > 700) x",
        "would mix rows of more than one",
    ),
    "a join after kept public rows": (
        "SELECT r.name, count(q.name) FROM regions r LEFT JOIN visits v ON v.region = r.name "
        "LEFT JOIN regions q ON q.name = r.name GROUP BY r.name",
        "would count public rows",
    ),
    "a condition on a join after kept public rows": (
        "SELECT r.name, count(*) FROM regions r LEFT JOIN visits v "
        "ON v.region = r.name LEFT JOIN regions q ON q.name = r.name WHERE q.population < 100 GROUP BY r.name",
        "would count public rows",
    ),
    "a later condition that holds without a private row": (
        "SELECT r.name, count(q.name) FROM regions r LEFT JOIN visits v "
        "ON v.region = r.name LEFT JOIN regions q ON q.name = r.name AND coalesce(v.minutes, 1) >= 0 GROUP BY r.name",
        "this join after an outer join",
    ),
    "a right join after kept public rows": (
        "SELECT q.name, count(r.name) FROM regions r LEFT JOIN visits v "
        "ON v.region = r.name RIGHT JOIN regions q ON q.name = r.name GROUP BY q.name",
        "a second outer join of public rows",
    ),
    "kept public rows inside a kept side": (
        "SELECT f.title, count(r.name) FROM specialties f LEFT JOIN (regions r "
        "LEFT JOIN visits v ON v.region = r.name) ON true GROUP BY f.title",
        "a second outer join of public rows",
    ),
    "a scalar over kept public rows": (
        "SELECT s.title, count(*) FROM specialties s LEFT JOIN visits v "
        "ON v.specialty_id = s.specialty_id WHERE s.specialty_id > (SELECT 0.00001 * count(*) FROM visits) GROUP BY s.title",
        "would count public rows",
    ),
    "a comparison with all of nothing": (
        "SELECT s.title, count(*) FROM specialties s LEFT JOIN visits v "
        "ON v.specialty_id = s.specialty_id WHERE v.minutes <> ALL (ARRAY[]::int[]) GROUP BY 1",
        "could hold for public rows",
    ),
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    """A client of a proxy whose answers are exact, and the clinic itself."""
    with client_and_source(proxies(clinic.exact_policy())) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_a_rewritten_statement_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize(("query", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_statement_that_would_be_rewritten_into_another_is_refused(
    query: str, message: str, connections: Connections
) -> None:
    client, source = connections
    assert source.execute(query.encode()).description
    with pytest.raises(psycopg.errors.FeatureNotSupported, match=message):
        client.execute(query.encode())
