"""Conditions that are written plainly, so that they are one question, mean what Postgres makes of them, for NULL too."""

from __future__ import annotations

import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

TRUTHS = [
    "smoker = true",
    "smoker <> false",
    "smoker IS TRUE",
    "smoker IS FALSE",
    "smoker = 'off'",
    "NOT (smoker = false)",
    "NOT (smoker IS TRUE)",
    "NOT (smoker IS FALSE)",
    "NOT NOT smoker",
    "smoker IS NOT DISTINCT FROM false",
    "smoker IS DISTINCT FROM true",
    "NOT (smoker IS NOT DISTINCT FROM true)",
    "(height > 170) = smoker",
    "(sex = 'F') IS TRUE OR NOT (smoker IS TRUE AND height > 170)",
    "NOT (smoker = true OR sex = 'F')",
    "(smoker = true) IS NOT TRUE",
    "(smoker IS TRUE) = (sex IS NULL)",
    "true AND smoker OR false",
    "NOT (true AND smoker)",
    "NOT (smoker OR NOT true)",
    "1 = 1 AND NOT sex IS NULL",
    "NOT (sex IS NOT NULL)",
    "NOT sex = 'F'",
    "NOT birth_year <= 1980 AND NOT height <> 160",
    "birth_year BETWEEN 1980 AND 1980",
    "birth_year <= 1980 AND smoker AND birth_year >= 1980",
]
QUERIES = {
    "WHERE": "SELECT count(*) FROM patients WHERE {}",
    "FILTER": "SELECT count(*) FILTER (WHERE {}), count(*) FILTER (WHERE NOT ({})) FROM patients",
    "CASE": "SELECT sum(CASE WHEN {} THEN 1 ELSE 2 END), sum(CASE WHEN NOT ({}) THEN 1 ELSE 2 END) FROM patients",
    "ON": "SELECT count(*), count(r.name) FROM patients p LEFT JOIN regions r ON r.name = p.region AND ({})",
    "below an aggregate": "SELECT count(*) FROM (SELECT patient_id FROM patients GROUP BY 1 HAVING bool_or({})) q",
    "keys": "SELECT {}, count(*) FROM patients GROUP BY 1",
}

OTHERS = {
    "NaN": "SELECT count(*) FROM visits WHERE NOT discount <= 0.1",
    "a NaN that equals itself": "SELECT count(*) FROM visits WHERE NOT discount <> 'NaN'",
    "from NaN to itself": "SELECT count(*) FROM visits WHERE discount BETWEEN 'NaN' AND 'NaN'",
    "moments": "SELECT count(*) FROM visits WHERE NOT seen_at < '2024-06-01' AND NOT visited_at > seen_at",
    "padded texts": "SELECT count(*) FROM visits JOIN specialties USING (specialty_id) WHERE NOT code = 'D' AND NOT code <= 'A'",
    "an aggregate of nothing": "SELECT count(*) FROM patients HAVING true",
    "a public table": "SELECT name, zone = 'cold' FROM regions WHERE (zone = 'cold') = true OR NOT (zone IS NOT NULL) ORDER BY 1",
    "of a public table in released rows": "SELECT r.name, n FROM regions r LEFT JOIN (SELECT region, count(*) AS n FROM visits GROUP BY 1) v "
    "ON v.region = r.name AND (n > 10) IS TRUE WHERE true ORDER BY 1",
    "existence": "SELECT count(*) FROM patients p WHERE NOT (EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id "
    "AND urgent = true) IS TRUE)",
    "of all": "SELECT count(*) FROM visits WHERE NOT minutes = ALL (ARRAY[7]) AND NOT minutes > ANY (ARRAY[50, 60])",
}


@pytest.mark.parametrize("place", QUERIES.values(), ids=QUERIES)
@pytest.mark.parametrize("condition", TRUTHS)
def test_a_condition_means_what_postgres_makes_of_it(condition: str, place: str, connections: Connections) -> None:
    assert_same_answer(place.replace("{}", condition), connections)


@pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
def test_a_plain_condition_is_true_of_the_same_rows(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)
