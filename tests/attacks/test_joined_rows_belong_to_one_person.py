"""attacks 3 and 16: a row of a join belongs to one person or the join is refused, and one person's rows, however a
query multiplies them, count for the policy's bound and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.attacks.attacker import UNSUPPORTED, Attacker, attacking, exact_policy
from tests.end_to_end.conftest import StartProxy

BOUND = 4
EAGER = 2001
"""A person with many rows in every table."""
MANY_ROWS = f"""
INSERT INTO patients (patient_id, region) VALUES ({EAGER}, 'north');
INSERT INTO visits (visit_id, patient_id, region, visited_at, minutes, cost, urgent)
SELECT 100000 + i, {EAGER}, 'north', '2024-01-01', 60, i, true FROM generate_series(1, 200) AS i;
INSERT INTO insurances SELECT {EAGER}, 'company ' || i % 3, i FROM generate_series(1, 50) AS i;
INSERT INTO prescriptions SELECT 100000 + i, 100001 + i % 10, 'drug 1', 5 FROM generate_series(1, 100) AS i;
"""

OF_TWO_PEOPLE = {
    "another column of derived tables": "SELECT count(*) FROM (SELECT patient_id, region FROM visits) a JOIN (SELECT patient_id, region FROM patients) b ON a.region = b.region",
    "a column of a grouped table": "SELECT count(*) FROM (SELECT region FROM visits GROUP BY patient_id, region) a JOIN (SELECT region FROM patients) b USING (region)",
    "a count that is compared with a unit": "SELECT count(*) FROM (SELECT count(*) AS n FROM visits GROUP BY patient_id) a JOIN visits v ON v.patient_id = a.n",
    "a year renamed as the unit": "SELECT count(*) FROM (SELECT birth_year::int AS patient_id FROM patients) a JOIN visits v USING (patient_id)",
    "a moved unit": "SELECT count(*) FROM (SELECT patient_id + 1 AS patient_id FROM patients) a JOIN visits v USING (patient_id)",
    "a unit renamed by FROM": "SELECT count(*) FROM (SELECT birth_year::int, patient_id FROM patients) a (patient_id, birth_year) JOIN visits v USING (patient_id)",
    "the greatest unit": "SELECT count(*) FROM (SELECT max(patient_id) FILTER (WHERE urgent) AS i FROM visits GROUP BY patient_id) a JOIN visits v ON v.patient_id = a.i",
    "a unit of a neighbour row": "SELECT count(*) FROM (SELECT lag(patient_id) OVER (PARTITION BY patient_id) AS i FROM visits) a JOIN visits v ON v.patient_id = a.i",
    "a unit in one branch": "SELECT count(*) FROM (SELECT patient_id AS i FROM visits UNION ALL SELECT specialty_id FROM visits) u JOIN patients p ON p.patient_id = u.i",
    "a choice of units": "SELECT count(*) FROM (SELECT CASE WHEN urgent THEN patient_id ELSE 1 END AS i FROM visits) u JOIN patients p ON p.patient_id = u.i",
    "the NULL side of an outer join hides the unit": "SELECT count(*) FROM (SELECT b.region AS r FROM visits a RIGHT JOIN patients b ON a.patient_id = b.patient_id "
    "WHERE a.visit_id IS NULL) x JOIN visits v ON v.region = x.r",
    "an outer self-join": "SELECT count(*) FROM visits a LEFT JOIN visits b ON a.region = b.region",
    "a full join": "SELECT count(*) FROM visits v FULL JOIN patients p ON p.region = v.region",
    "an outer join ties two only where it matches": "SELECT count(*) FROM (SELECT * FROM visits) v CROSS JOIN (SELECT * FROM patients) p "
    "LEFT JOIN insurances i ON i.patient_id = v.patient_id AND i.patient_id = p.patient_id",
    "keys of different tables": "SELECT count(*) FROM prescriptions r JOIN visits v ON v.visit_id = r.prescription_id",
    "children by a wrong key": "SELECT count(*) FROM prescriptions r JOIN prescriptions s ON r.visit_id = s.prescription_id",
    "NULL units are equal": "SELECT count(*) FROM insurances i JOIN insurances j ON i.patient_id IS NOT DISTINCT FROM j.patient_id",
    "an equality that may be false": "SELECT count(*) FROM visits v JOIN patients p ON (v.patient_id = p.patient_id) IS NOT NULL",
    "an equality in CASE": "SELECT count(*) FROM visits v, patients p WHERE CASE WHEN v.urgent THEN v.patient_id = p.patient_id ELSE true END",
    "an equality in one branch of OR": "SELECT count(*) FROM visits v, patients p WHERE v.patient_id = p.patient_id OR p.patient_id = 1 AND v.patient_id = 2",
    "a range": "SELECT count(*) FROM visits v JOIN patients p ON v.patient_id BETWEEN p.patient_id AND p.patient_id + 1",
    "joined through a public table": "SELECT count(*) FROM visits v JOIN regions r ON r.name = v.region JOIN patients p ON p.region = r.name",
    "joined through a released result": "SELECT count(*) FROM visits v JOIN (SELECT region, count(*) AS n FROM visits GROUP BY region) g ON g.region = v.region "
    "JOIN patients p ON p.region = g.region",
    "LATERAL by another column": "SELECT count(*) FROM patients p, LATERAL (SELECT FROM visits v WHERE v.region = p.region) x",
}

BOUNDED = {
    "rows": "visits v WHERE v.patient_id = {}",
    "a self-join": "visits a JOIN visits b ON b.patient_id = a.patient_id WHERE a.patient_id = {}",
    "an outer self-join": "visits a LEFT JOIN visits b ON b.patient_id = a.patient_id AND a.cost < b.cost WHERE a.patient_id = {}",
    "a right join": "visits a RIGHT JOIN insurances b ON b.patient_id = a.patient_id WHERE b.patient_id = {}",
    "a full join": "visits a FULL JOIN insurances b ON b.patient_id = a.patient_id WHERE a.patient_id = {0} OR b.patient_id = {0}",
    "a chain of foreign keys": "prescriptions r JOIN visits v ON v.visit_id = r.visit_id JOIN patients p ON p.patient_id = v.patient_id WHERE p.patient_id = {}",
    "a path alone": "prescriptions WHERE visit_id > 100000 AND drug = 'drug 1' AND {0} = {0}",
    "a public cross join": "visits v CROSS JOIN regions r CROSS JOIN specialties s WHERE v.patient_id = {}",
    "a released cross join": "visits v CROSS JOIN (SELECT g FROM generate_series(1, 100) g LIMIT 50) x WHERE v.patient_id = {}",
    "a derived join": "(SELECT a.patient_id FROM visits a JOIN insurances b USING (patient_id)) x WHERE x.patient_id = {}",
    "UNION ALL": "(SELECT patient_id FROM visits UNION ALL SELECT patient_id FROM visits UNION ALL SELECT patient_id FROM patients) x WHERE x.patient_id = {}",
    "LATERAL": "patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id ORDER BY cost LIMIT 100) x WHERE p.patient_id = {}",
    "ranks": "(SELECT patient_id, row_number() OVER (PARTITION BY patient_id) AS n FROM visits) x WHERE n > 5 AND x.patient_id = {}",
    "groups of the person": "(SELECT patient_id, cost FROM visits GROUP BY patient_id, cost) x WHERE x.patient_id = {}",
}


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, exact_policy(max_rows=BOUND), changes=MANY_ROWS) as attacker:
        attacker.client.execute("SET dp.mechanism = 'laplace'")
        yield attacker


@pytest.mark.parametrize("query", OF_TWO_PEOPLE.values(), ids=OF_TWO_PEOPLE.keys())
def test_join_whose_rows_could_belong_to_two_people_is_refused(query: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, UNSUPPORTED, "private-join")


@pytest.mark.parametrize("rows", BOUNDED.values(), ids=BOUNDED.keys())
def test_one_person_counts_for_the_bound_however_rows_are_multiplied(rows: str, attacker: Attacker) -> None:
    rows = rows.format(EAGER)
    assert attacker.ask_source(f"SELECT count(*) > {2 * BOUND} FROM {rows}") == [(True,)]
    assert attacker.ask(f"SELECT count(*) FROM {rows}") == [(BOUND,)]


def test_sums_over_one_persons_sums_stay_inside_the_bound(attacker: Attacker) -> None:
    """One row of a person holds a sum of many: it is clamped to what the policy's number of rows can give."""
    ((total,),) = attacker.ask(
        f"SELECT sum(s) FROM (SELECT patient_id, sum(minutes) AS s FROM visits GROUP BY 1) x WHERE patient_id = {EAGER}"
    )
    assert total == BOUND * 240
    ((total,),) = attacker.ask(
        f"SELECT sum(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) x WHERE patient_id = {EAGER}"
    )
    assert total == BOUND


def test_rows_in_several_groups_share_one_persons_bound(attacker: Attacker) -> None:
    joined = f"visits a JOIN visits b ON b.patient_id = a.patient_id WHERE a.patient_id = {EAGER}"
    counts = [count for _, count in attacker.ask(f"SELECT a.cost > b.cost, count(*) FROM {joined} GROUP BY 1")]
    assert sum(count > 0 for count in counts) == 2
    assert sum(counts) <= BOUND
